"""Histories with matches of 熟語ライン: decks and agreed words come along."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_exchange import written

from referee.core.record import Header
from referee.history import exchange, records
from referee.jukugo.decks import KanjiDeck, write_deck
from referee.jukugo.library import open_deck
from referee.ledger import Ledger
from referee.store import Store
from referee.store.archive import Archive


@pytest.fixture
def away(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "referee.db")
    yield store
    store.close()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Store]:
    """Where 熟語ライン was played with a deck of the house, and words were agreed on."""
    store = Store(tmp_path / "library.db")
    first, *others = open_deck().cards
    deck = KanjiDeck((first._replace(value=5), *others))
    store.shelf.keep_deck(deck.id, write_deck(deck), "家の組札")
    header = Header("jukugo_line", ("A", "B"), named={"deck": deck.id})
    match = Ledger(store).open(header).match
    store.shelf.agree("山々", True, match=match)
    store.shelf.agree("川川", False)
    yield store
    store.close()


def test_decks_and_agreed_words_come_along(library: Store, away: Store) -> None:
    whole = exchange.read(written(library))
    for _again in range(2):
        exchange.take_in(Archive(away, ""), whole)
        assert [deck.name for deck in away.shelf.decks()] == ["家の組札"]
        assert away.shelf.agreements() == library.shelf.agreements()
    assert written(away) == written(library)
    [listed] = away.matches()
    kit = Ledger(away).view(listed.id).header.kit
    assert kit.deck.cards[0].value == 5  # type: ignore[attr-defined]


def test_a_deck_that_was_only_played_with_comes_along(tmp_path: Path, away: Store) -> None:
    first, *others = open_deck().cards
    csv = write_deck(KanjiDeck((first._replace(value=5), *others)))
    store = Store(tmp_path / "library.db")
    record = b"referee: 1\ngame: jukugo_line\nseats: A B\ndeck: ours.csv\n\ntable deal leader=A\n"
    records.add(store, records.load(record, "en", {"ours.csv": csv}.get))
    history = written(store)
    exchange.take_in(Archive(away, ""), exchange.read(history))
    assert written(away) == history
    [listed] = away.matches()
    kit = Ledger(away).view(listed.id).header.kit
    assert kit.deck.cards[0].value == 5  # type: ignore[attr-defined]
    assert away.shelf.decks() == []  # nobody has registered it
    store.close()
