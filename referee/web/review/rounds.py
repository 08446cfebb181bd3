"""Points by rounds: the table of a match that is scored so, and the page that corrects a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flask import Blueprint, Response, abort, request, url_for

from referee.core.adjusting import Adjust
from referee.core.generic import Entry
from referee.core.ranking import Rank
from referee.core.record import OF_SEATS, Unreadable, as_key, form
from referee.core.steps import Step, steps
from referee.core.verdict import Seat
from referee.core.written import Points, plain, points_text
from referee.http import forms, htmx
from referee.http.current import book_at, ledger
from referee.http.language import gettext as _
from referee.ledger import View
from referee.web.review import entries

bp = Blueprint("rounds", __name__)


class RoundRow(NamedTuple):
    """A round in force, or an adjustment: the entry, and the points of each seat it names.

    ``number``: of the round; 0: an adjustment, with its ``reason``.
    """

    number: int
    seq: int
    points: Mapping[Seat, Points]
    reason: str = ""


def table(view: View) -> list[RoundRow]:
    """The rounds and the adjustments in force, the newest first; [] if no rounds are scored."""
    whole = view.game.HOOKS.whole_deals
    rows: list[RoundRow] = []
    for step in steps(view.moment.step) if whole else ():
        if step.took_effect and isinstance(step.play, Adjust):
            points = _of_partners(view, dict(step.play.points))
            rows.append(RoundRow(0, step.seq, points, step.play.reason))
        elif step.took_effect and isinstance(step.play, whole):
            points = _of_partners(view, values(step.play))
            rows.append(RoundRow(step.state.deal, step.seq, points))
    return rows


class RoundTotal(NamedTuple):
    """What a seat has in all; ``behind``: the difference from the best, None if it is out."""

    points: Points
    behind: Points | None
    won: bool


def totals(view: View, ranks: Sequence[Rank]) -> dict[Seat, RoundTotal]:
    """The total of every seat, by those that have a place in ``ranks``, the best first."""
    ranked = {rank.seat: rank for rank in ranks}
    return {
        seat: RoundTotal(
            points,
            plain(points - ranks[0].points) if seat in ranked else None,
            seat in ranked and ranked[seat].won,
        )
        for seat, points in view.game.score(view.state).totals.items()
    }


def _of_partners(view: View, points: dict[Seat, Points]) -> dict[Seat, Points]:
    """``points`` under the first seat of each team, which stands for it in the table."""
    teams = view.game.HOOKS.teams(view.state)
    first = {seat: team[0] for team in teams for seat in team}
    return {first.get(seat, seat): number for seat, number in points.items()}


def values(play: Entry) -> dict[Seat, Points]:
    """The numbers that an entry gives to seats; {} if it gives none."""
    fields = [part.field for part in form(play.FORM).printed if part.kind in OF_SEATS]
    return dict(getattr(play, str(fields[0]))) if fields and not isinstance(play, Adjust) else {}


@bp.get("/t/<match>/round/<number>")
def correct(match: str, number: str) -> Response:
    """Page with the numbers of a round, to be put right; ``?p0=…``: those that were typed."""
    view = ledger().view(match)
    seq = entries.existing(view, number)
    step = view.step(seq)
    if step is None or not values(step.play):
        abort(404)
    given = {seat: points_text(points) for seat, points in values(step.play).items()}
    typed = {seat: request.args.get(f"p{i}") for i, seat in enumerate(view.seats)}
    if all(text is None for text in typed.values()):
        return _page(view, step, given)
    numbers = {seat: points for seat, text in typed.items() if (points := forms.points(text or ""))}
    try:
        line = view.grammar.print(view.grammar.parse(_line(step, numbers)))
    except Unreadable as fault:
        return _page(view, step, numbers, forms.sentence(fault))
    if line == view.grammar.print(step.play):
        return _page(view, step, numbers, _("変わったところがありません。"))
    return htmx.go_to(
        url_for("corrections.correct", match=match, number=seq, do="amend", line=line)
    )


def _line(step: Step, numbers: Mapping[Seat, str]) -> str:
    verb = form(step.play.FORM).verb
    return f"table {verb} " + " ".join(f"{as_key(seat)}={text}" for seat, text in numbers.items())


def _page(view: View, step: Step, numbers: Mapping[Seat, str], fault: str = "") -> Response:
    return htmx.fragment(
        "review/round.html",
        view=view,
        book=book_at(view),
        seq=step.seq,
        number=step.state.deal,
        numbers=numbers,
        fault=fault,
    )
