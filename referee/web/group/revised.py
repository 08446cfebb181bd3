"""Finished matches whose result an update of the program has changed, and which result counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from flask import Blueprint, Response, request, url_for

from referee.core.written import written
from referee.http import access, forms, htmx
from referee.http.current import BOOKS, ledger
from referee.http.language import gettext as _
from referee.http.local_time import local_time
from referee.screens.wording import won
from referee.store.past import Past
from referee.store.played import PlayedMatch
from referee.store.revisions import MatchResult, Revision

bp = Blueprint("revised", __name__)

SHOWN = 24  # matches on a page


class Both(NamedTuple):
    """The two results of a match in words; ``at``: when the second was found, in local time.

    ``kept``: the earlier one counts.
    """

    at: datetime
    kept: bool
    earlier: str
    present: str


@bp.get("/history/revised")
def revised() -> Response:
    """Page of the matches with two results."""
    skip, circle = forms.skipped(), access.circle()
    changed = access.revisions().count(circle)
    found = access.revisions().of(circle, SHOWN, skip)
    past = Past(ledger().store, circle)
    played = {match.match: match for match in past.some([one.match for one in found])}
    return htmx.fragment(
        "group/revised.html",
        changed=changed,
        shown=[
            (played[one.match], local_time(played[one.match].opened), _of(one, played[one.match]))
            for one in found
            if one.match in played
        ],
        later=skip + SHOWN if skip + SHOWN < changed.matches else None,
        books=BOOKS,
    )


@bp.post("/history/revised")
def see() -> Response:
    """The group knows of all of them: the history no longer speaks of them first."""
    access.revisions().see(access.circle())
    return htmx.go_to(url_for("history.history"))


@bp.post("/t/<match>/earlier")
def keep(match: str) -> Response:
    """Let the earlier result count (``kept``), or the present one."""
    access.revisions().keep(match, request.form.get("kept") == "1")
    return htmx.go_to(url_for(".revised"))


def both(match: str, seats: Sequence[str], team: bool) -> Both | None:
    """The two results of a match whose ``seats`` have these names; None if it has one."""
    found = access.revisions().get(match)
    return found and _both(found, seats, team)


def _of(found: Revision, played: PlayedMatch) -> Both:
    names = [placing.name for placing in sorted(played.placings, key=lambda one: one.place)]
    return _both(found, names, played.team)


def _both(found: Revision, names: Sequence[str], team: bool) -> Both:
    said = (_said(result, names, team) for result in (found.earlier, found.present))
    return Both(local_time(found.at), found.kept, *said)


def _said(result: MatchResult, names: Sequence[str], team: bool) -> str:
    """A result in a line: who has won, and the points in the order of the ranks."""
    ranked = sorted(result.places, key=lambda place: (place.rank, place.place))
    if result.stopped:
        head = _("途中で終わり")
    elif not result.over:
        head = _("まだ決着していません")
    else:
        winners = [names[seat.place - 1] for seat in ranked if seat.won]
        head = won(winners, [names[seat.place - 1] for seat in ranked if seat.rank > 1], team)
    points = _("・").join(f"{names[seat.place - 1]} {written(seat.points)}" for seat in ranked)
    return _("　").join((head, points))
