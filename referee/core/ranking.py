"""Who came where: the one order that score pages, histories and ratings share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from referee.core.verdict import Outcome, Seat


class Rank(NamedTuple):
    """A line of the ranking; seats that are level share a ``place``."""

    place: int
    seat: Seat
    points: int
    won: bool


def ranking(
    seats: Iterable[Seat], totals: Mapping[Seat, int], outcome: Outcome | None
) -> list[Rank]:
    """All seats, winners first, then by points, then in seat order."""
    won = outcome.winners if outcome else ()

    def ahead(seat: Seat) -> int:
        return sum(other in won or totals[other] > totals[seat] for other in totals)

    order = sorted(seats, key=lambda seat: (seat not in won, -totals[seat]))
    return [
        Rank(1 if seat in won else ahead(seat) + 1, seat, totals[seat], seat in won)
        for seat in order
    ]
