"""What the history remembers of a match of tricks."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.game import Feat, ScoreSheet
from referee.games.families.must_not_follow import Lay, State


def led(state: State, play: object) -> int | None:
    """The first card of a trick."""
    return play.rank if isinstance(play, Lay) and not state.trick else None


def tricks(sheet: ScoreSheet) -> Iterator[Feat]:
    """What each trick was worth to a seat; labelled with its deal and its number in it."""
    for line in sheet.lines:
        if line.trick is not None:
            yield Feat(line.seat, "trick", f"{line.deal}.{line.trick}", line.points)
