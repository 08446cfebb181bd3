"""The honest player of ペリテ (``games.simulation``)."""

from __future__ import annotations

from referee.core.game import Game
from referee.games import perite
from referee.games.families.must_not_follow import Lay, Play, State
from referee.games.families.must_not_follow_player import entries as entries

RULES: Game[State, Play] = perite
GOES_ON = True  # in the middle of a deal, see games.simulation.resuming


def ahead(state: State, play: Lay) -> float:
    """The points of the trick, bonus included, if nobody played another card to it."""
    if play.rank in state.showing or any(rank < play.rank for rank in state.showing):
        return 0
    seats = len(state.table.seats)
    points = seats - len(state.trick) if play.rank == 1 else play.rank
    return points + 2 * seats * (play.rank in state.won[play.seat])
