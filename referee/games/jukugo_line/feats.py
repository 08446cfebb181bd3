"""What the history counts of a match: the formations that were completed, and rare words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from referee.core.game import Feat
from referee.games.jukugo_line.state import FLAGS, State, formation, kit_of
from referee.jukugo import library


def feats(state: State) -> Iterator[Feat]:
    """The formation of each full column, and the rarity of its words.

    A word that only this table accepts has no rarity. Nothing if the deck is not registered.
    """
    kit = kit_of(state.table)
    listed = (kit and kit.words.listed) or library.word_list()
    for seat, flag in product(state.table.seats, range(1, FLAGS + 1)):
        shown = formation(state, seat, flag)
        if shown is None:
            continue
        yield Feat(seat, "formation", shown.kind.label, 1)
        for word in shown.words:
            entry = listed.entry(word)
            if entry is not None:
                yield Feat(seat, "word", word, entry.rarity)
