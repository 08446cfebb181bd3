"""Who came where: the one order that score pages, histories and ratings share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from referee.core.game import ScoreSheet
from referee.core.verdict import Outcome, Seat


class Rank(NamedTuple):
    """A line of the ranking; seats that are level share a ``place``."""

    place: int
    seat: Seat
    points: int
    won: bool


def ranking(seats: Iterable[Seat], sheet: ScoreSheet, outcome: Outcome | None) -> list[Rank]:
    """All seats, winners first, then by what their points are worth, then in seat order."""
    won = outcome.winners if outcome else ()
    totals = sheet.totals
    worth = {seat: -points if sheet.fewest else points for seat, points in totals.items()}

    def ahead(seat: Seat) -> int:
        return sum(other in won or worth[other] > worth[seat] for other in totals)

    order = sorted(seats, key=lambda seat: (seat not in won, -worth[seat]))
    return [
        Rank(1 if seat in won else ahead(seat) + 1, seat, totals[seat], seat in won)
        for seat in order
    ]
