"""Who has won a match."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.ending import by_points
from referee.core.game import Table
from referee.core.verdict import Outcome, Seat
from referee.games.families.must_not_follow.state import State


def outcome(state: State) -> Outcome | None:
    return state.ended


def decided(table: Table, totals: Mapping[Seat, int], tied: tuple[Seat, ...]) -> Outcome | None:
    """Who has won; None if the rule asks for another deal. ``tied`` were level before this one."""
    return by_points(table, totals, tied, clause="outcome.1")
