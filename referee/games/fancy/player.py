"""The honest player of Fancy (``games.simulation``)."""

from __future__ import annotations

from referee.core.game import Game
from referee.games import fancy
from referee.games.families.must_not_follow import Lay, Play, State
from referee.games.families.must_not_follow_player import entries as entries

RULES: Game[State, Play] = fancy
GOES_ON = True  # in the middle of a deal, see games.simulation.resuming


def ahead(state: State, play: Lay) -> float:
    """The points of the card if nobody played another one to this trick."""
    if play.rank in state.showing:
        return 0
    return play.rank - max((rank for rank in state.showing if rank < play.rank), default=0)
