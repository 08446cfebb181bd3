"""Words on which a table agrees take memory in proportion to their number."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product

from weighed import MOST, taken

from referee.core.log import Log
from referee.games import jukugo_line
from referee.games.jukugo_line.plays import Deal, Play, Word

MANY = 4_000


def words(log: Log) -> Iterator[Play]:
    yield Deal(log.table.seats[0])
    kanji = [card.kanji for card in log.state.words.deck.cards]
    pairs = chain(product(kanji, kanji), product(kanji, kanji, kanji))
    yield from (Word("".join(word), True) for word in pairs)


def test_every_word_on_which_the_table_agrees_takes_the_same_memory() -> None:
    assert taken(jukugo_line, ["A", "B"], words, MANY) < MOST * MANY
