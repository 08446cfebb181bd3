"""What the history counts of a match: the cards led and the longest run."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.game import Feat
from referee.games.trumps.plays import Lay, Play
from referee.games.trumps.scoring import longest_run
from referee.games.trumps.state import State


def led(state: State, play: Play) -> int | None:
    """The number of the cards that lead a round; None for any other play."""
    return play.ranks[0] if isinstance(play, Lay) and not state.played else None


def feats(state: State) -> Iterator[Feat]:
    """The longest run in each score pile."""
    for seat, pile in state.piles.items():
        if run := longest_run(pile):
            yield Feat(seat, "run", "-".join(map(str, run)), len(run))
