"""The page on which the players agree with the result, each with the own points in view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flask import Blueprint, Response

from referee.core import agreeing
from referee.core.verdict import Seat
from referee.core.written import Points
from referee.http import access, htmx
from referee.http.current import book_at, ledger
from referee.ledger import View
from referee.rulings.report import agreed
from referee.web.review.scores import adjusted_by_seat, deal_sheets, ranking, teams_of
from referee.web.table import tables

bp = Blueprint("agreed", __name__)

SAID = 3  # sentences about a deal, at most


class OwnDeal(NamedTuple):
    """The points of a seat, or its team, in a deal, and how they came about.

    ``entry``: the last entry that gave some of them, at which an objection aims; None without any.
    """

    number: int
    points: Points
    says: list[str]
    more: int
    entry: int | None


class OwnColumn(NamedTuple):
    """What a seat confirms; ``line``: its agreement, "" if that counts already or is too early."""

    seat: Seat
    deals: list[OwnDeal]
    line: str


@bp.get("/t/<match>/agree")
def result(match: str) -> Response:
    """Page on which players agree with the result; a phone shows the columns of its own seats."""
    view = ledger().view(match)
    here = access.standing(view)
    own = [] if here.role == "watching" else [s for s in view.seats if here.speaks_for(s)]
    columns = list(_columns(view, [here.seat] if here.seat in own else own))
    waiting = [column.line for column in _columns(view, own) if column.line]
    return htmx.fragment(
        "table/agree.html",
        view=view,
        book=book_at(view),
        ranking=ranking(view),
        outcome=view.outcome,
        adjusted=adjusted_by_seat(view),
        teams={seat: team[0] for team in teams_of(view) for seat in team},
        agreed=agreed(view.log),
        columns=columns,
        waiting=waiting,
        key=tables.form_key(),
    )


def _columns(view: View, seats: list[Seat]) -> Iterator[OwnColumn]:
    counting = view.log.agreeing_with(agreeing.result(view.game, view.state))
    first = {seat: team[0] for team in teams_of(view) for seat in team}
    sheets = deal_sheets(view, book_at(view))
    for seat in seats:
        line = f"{view.grammar.quoted[seat]} agree"
        open_yet = view.outcome is not None and seat not in counting
        of = first.get(seat, seat)
        deals = []
        for sheet in sheets:
            lines = [scored for scored in sheet.lines if scored.line.seat == of]
            shown = [scored.says for scored in lines[:SAID]]
            at = max((scored.seq for scored in lines if scored.seq), default=None)
            points, more = sheet.totals[of], max(0, len(lines) - SAID)
            deals.append(OwnDeal(sheet.number, points, shown, more, at))
        yield OwnColumn(seat, deals, line if open_yet else "")
