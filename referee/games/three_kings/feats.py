"""What the history counts of a match: the best sets."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.game import Feat
from referee.core.written import whole
from referee.games.three_kings.scoring import KINGS, score
from referee.games.three_kings.state import State


def feats(state: State) -> Iterator[Feat]:
    """The points of each set that was taken; none where only the win counts."""
    for line in score(state).lines:
        if line.kind != KINGS:
            yield Feat(line.seat, "set", "", whole(line.points))
