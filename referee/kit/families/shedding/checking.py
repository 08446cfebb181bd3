"""What is wrong with a game of this family: gaps, contradictions, rules without effect."""

from __future__ import annotations

from collections.abc import Iterator

from referee.kit.game import KitGame
from referee.kit.notes.written import Note
from referee.kit.text.faults import Wrong
from referee.kit.variants import tables


def faults(game: KitGame, quick: bool) -> Iterator[Wrong]:
    """What makes no game at a table."""
    for one in tables(game):
        try:
            game.rules(one)
        except Wrong as wrong:
            yield wrong


def remarks(game: KitGame, quick: bool) -> Iterator[Note]:
    """Remarks on the file."""
    return iter(())


def played(game: KitGame) -> Iterator[Note]:
    """What shows when the file is played at random."""
    return iter(())
