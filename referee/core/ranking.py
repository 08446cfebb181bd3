"""The order of the seats that score pages, histories and ratings share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from referee.core.game import ScoreSheet
from referee.core.sheets import stopped
from referee.core.verdict import Outcome, Seat
from referee.core.written import Points


class Rank(NamedTuple):
    """A line of the ranking; tied seats share a ``place`` (1-based).

    ``partners``: the other seats of its team, if the line is about a team.
    """

    place: int
    seat: Seat
    points: Points
    won: bool
    lost: bool = False
    partners: tuple[Seat, ...] = ()

    @property
    def names(self) -> tuple[Seat, ...]:
        """The seats that the line is about."""
        return (self.seat, *self.partners)


def ranking(
    seats: Iterable[Seat],
    sheet: ScoreSheet,
    outcome: Outcome | None,
    teams: Iterable[tuple[Seat, ...]] = (),
) -> list[Rank]:
    """All seats, or a line for each of the ``teams``: winners, then others by points, then losers.

    Tied seats are in seat order. Without an outcome, or if the match was stopped, points alone
    decide. If the match ended and nobody won, all seats that did not lose share the first place.
    """
    won = outcome.winners if outcome else ()
    lost = outcome.losers if outcome else ()
    totals = sheet.totals
    partners = {team[0]: team[1:] for team in teams}
    seats = [seat for seat in seats if not partners or seat in partners]
    worth = {seat: -points if sheet.fewest else points for seat, points in totals.items()}
    by_points = outcome is None or bool(won) or stopped(outcome)

    def standing(seat: Seat) -> tuple[bool, bool, Points]:
        """Sort key of a seat, the best first; equal for tied seats."""
        counts = by_points and seat not in won and seat not in lost
        return seat in lost, seat not in won, -worth[seat] if counts else 0

    standings = {seat: standing(seat) for seat in seats}
    order = sorted(seats, key=lambda seat: (standings[seat], -worth[seat]))
    return [
        Rank(
            1 + sum(other < standings[seat] for other in standings.values()),
            seat,
            totals[seat],
            seat in won,
            seat in lost,
            partners.get(seat, ()),
        )
        for seat in order
    ]
