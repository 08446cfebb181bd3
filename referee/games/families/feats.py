"""What the history counts of a match in which tricks are won."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.game import Feat, ScoreSheet
from referee.core.written import whole
from referee.games.families.must_not_follow import Lay, State


def led(state: State, play: object) -> int | None:
    """The rank of a card that leads a trick; None for any other play."""
    return play.rank if isinstance(play, Lay) and not state.trick else None


def tricks(sheet: ScoreSheet) -> Iterator[Feat]:
    """The points of each trick for a seat; labelled with the deal and the trick's number in it."""
    for line in sheet.lines:
        if line.trick is not None:
            yield Feat(line.seat, "trick", f"{line.deal}.{line.trick}", whole(line.points))
