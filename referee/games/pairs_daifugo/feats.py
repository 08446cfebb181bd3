"""What the history counts of a match: the cards led."""

from __future__ import annotations

from referee.games.pairs_daifugo.plays import Lay, Play
from referee.games.pairs_daifugo.state import State


def led(state: State, play: Play) -> int | None:
    """The number of the cards that lead a trick; None for any other play."""
    return play.ranks[0] if isinstance(play, Lay) and not state.trick else None
