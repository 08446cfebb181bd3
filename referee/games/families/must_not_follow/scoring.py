"""Who has won a match of this family."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.ending import by_points
from referee.core.game import Table
from referee.core.verdict import Outcome, Seat
from referee.games.families.must_not_follow.state import State


def outcome(state: State) -> Outcome | None:
    return state.ended


def decided(table: Table, totals: Mapping[Seat, int], tied: tuple[Seat, ...]) -> Outcome | None:
    """The outcome, or None if the rule asks for another deal.

    ``tied``: the seats that were tied before this deal.
    """
    return by_points(table, totals, tied, clause="outcome.1")
