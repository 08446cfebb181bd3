"""Words on which tables have agreed, carried from one match to the next (J31)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.game import Table
from referee.games.jukugo_line.plays import Word
from referee.games.jukugo_line.state import State, kit_of
from referee.jukugo.decks import JOKER


def learned(state: State) -> Mapping[str, bool]:
    """The words agreed in this match: word → whether it counts.

    Words agreed before the deal come from earlier matches and are left out.
    """
    return state.learned


def brought_along(table: Table, agreed: Mapping[str, bool]) -> Iterator[Word]:
    """Those of the ``agreed`` words that the deck of this table can spell."""
    kit = kit_of(table)
    if kit is None or kit.deck is None or table.option("dispute") == "dictionary_only":
        return
    letters = {*kit.deck.by_kanji, JOKER}
    for word, counts in sorted(agreed.items()):
        if letters.issuperset(word):
            yield Word(word, counts)
