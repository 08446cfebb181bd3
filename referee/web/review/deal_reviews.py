"""A deal read again: who could hold what after each entry. Only for deals that are over."""

from __future__ import annotations

from fractions import Fraction

from flask import Blueprint, abort, render_template, request

from referee.desk import View
from referee.insight.report import percent
from referee.insight.review import NotOver, review
from referee.rulings.of_files import book_of
from referee.web.http import errors
from referee.web.http.current import desk
from referee.web.http.language import gettext as _

bp = Blueprint("deal_reviews", __name__)


@bp.get("/t/<match>/review/<int:deal>")
def deal(match: str, deal: int) -> str:
    """What everybody could know after an entry of the deal, ``?entry=`` or the last one.

    ``?whole``: what the whole deal has shown of the hands as they were then.
    """
    view: View = desk().view(match)
    try:
        found = review(view.log, deal, view.moment)
    except NotOver:
        abort(errors.page(403, _("配りが終わるまで、ふりかえりは出ません。")))
    numbers = [read.step.seq for read in found.entries]
    wanted = request.args.get("entry", numbers[-1], type=int)
    if wanted not in numbers:
        abort(404)
    place = numbers.index(wanted)
    read = found.entries[place]
    later = read.hindsight
    whole = later is not None and "whole" in request.args
    seen = later if whole else read.grid
    return render_template(
        "deal_review.html",
        view=view,
        book=book_of(view.game),
        deal=deal,
        read=read,
        grid=seen,
        whole=whole,
        counted_whole=later is not None,
        before=numbers[place - 1] if place else None,
        after=numbers[place + 1] if place + 1 < len(numbers) else None,
        revokes=found.revokes,
        texts={each.step.seq: each.step.play for each in found.entries},
    )


bp.add_app_template_filter(percent, "percent")


@bp.app_template_filter()
def ratio(pair: tuple[int, int]) -> Fraction:
    """A fraction from data as programs get it."""
    return Fraction(*pair)


@bp.app_template_filter()
def odds(value: Fraction | None) -> str:
    """Exact odds with a percentage; a word where they are not counted."""
    if value is None:
        return _("数えられません")
    short = percent(value)
    if not 0 < value < 1 or value.denominator >= 100_000:
        return short
    return _("%(odds)s（%(percent)s）", odds=value, percent=short)
