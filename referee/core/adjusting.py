"""Adjustments: points that the table gives or takes by agreement, with a reason.

They change totals from their entry on and nothing else: they are no points of a deal. What totals
decide in a game, it does in ``Hooks.adjusted``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from referee.core.game import Game, Line, Table
from referee.core.generic import ByTable, P, S
from referee.core.verdict import Facts, Illegal, Legal, Seat, Verdict, evidence
from referee.core.written import Points, whole, written

CLAUSE = "adjust.1"


@dataclass(frozen=True, slots=True)
class Adjust(ByTable):
    """The table changes the totals of these seats, in seat order, and says why."""

    FORM: ClassVar[str] = "adjust {points} because {reason}"
    points: tuple[tuple[Seat, Points], ...]
    reason: str


def possible(game: Game[S, P], table: Table) -> bool:
    """Whether points decide a match of ``game`` at this table, so that they can be adjusted.

    A score pad on which all win together has points that decide nothing.
    """
    hooks = game.HOOKS
    counted = hooks.unit(table) in ("points", "fewest") and not hooks.cooperative(table)
    return hooks.adjusted is not None and counted


def judge(game: Game[S, P], table: Table, state: S, play: Adjust) -> Verdict:
    """Whether the table can adjust these totals; it can at any time."""
    if not possible(game, table):
        return Illegal(CLAUSE, evidence("no_points_to_adjust"))
    named = [seat for seat, _ in play.points]
    seats = game.HOOKS.seats(state) if game.HOOKS.seats else table.seats
    if absent := tuple(seat for seat in named if seat not in seats):
        return Illegal("adjust.2", evidence("adjusted_absent", seats=absent))
    for team in game.HOOKS.teams(state):
        if len(same := tuple(seat for seat in team if seat in named)) > 1:
            return Illegal("adjust.2", evidence("adjusted_twice", seats=same))
    return Legal(CLAUSE, (*_given(play), *why(play)))


def apply(game: Game[S, P], state: S, play: Adjust) -> S:
    """The state after ``play``, which is legal."""
    assert game.HOOKS.adjusted is not None
    return game.HOOKS.adjusted(state, by_seat(play, game.HOOKS.teams(state)))


def by_seat(play: Adjust, teams: Iterable[tuple[Seat, ...]]) -> dict[Seat, Points]:
    """The points for every seat whose total changes; partners have one total."""
    given = dict(play.points)
    for team in teams:
        given |= {mate: given[seat] for seat in team if seat in given for mate in team}
    return given


def added(totals: Mapping[Seat, Points], points: Mapping[Seat, Points]) -> dict[Seat, int]:
    """``totals`` with ``points`` added to those of their seats; all are whole numbers."""
    return {seat: whole(total) + whole(points.get(seat, 0)) for seat, total in totals.items()}


def line(seat: Seat, points: Points, play: Adjust, deal: int) -> Line:
    """The line of a score sheet for what ``play`` has given to ``seat``."""
    return Line(seat, points, CLAUSE, why(play), deal, None)


def why(play: Adjust) -> Facts:
    """The reason of the table, as a fact."""
    return evidence("reason", text=play.reason)


def _given(play: Adjust) -> Facts:
    """Whose totals change by how much."""
    return tuple(
        fact
        for seat, points in play.points
        for fact in evidence("adjusts", seat=seat, points=written(points, "+"))
    )
