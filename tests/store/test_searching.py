"""A search finds a word however it is written: in capitals, decomposed, in full width."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.games.simulation import WIDEST
from referee.store import NewEntry, Store
from referee.store.folding import folded

WRITTEN = "table decide 1 no because Café Straße ギター 100% a_b"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "referee.db")
    store.open("m", f"referee: 1\ngame: {WIDEST}\nseats: A B")
    store.append("m", 0, [NewEntry(WRITTEN, "k", "legal", "log.5", "1")])
    yield store
    store.close()


@pytest.mark.parametrize(
    "word",
    [
        "Café",
        "CAFÉ",
        "cafe\u0301",
        "ＣＡＦＥ\u0301",
        "ｃａｆé",
        "STRASSE",
        "straße",
        "ｷﾞﾀｰ",
        "１００％",
        "A_B",
    ],
)
def test_a_word_is_found_however_it_is_written(store: Store, word: str) -> None:
    assert [found.line for found in store.decisions("", word=word)] == [WRITTEN]


def test_a_text_of_marks_alone_costs_a_search_no_more_than_its_length(store: Store) -> None:
    """The standard library sorts them in a time that grows with the square of their number."""
    with store._transaction() as db:
        db.execute("UPDATE entries SET line = ?", ("e" + "\u0301\u0323" * 200_000,))
    assert folded("e" + "\u0301\u0323" * 200_000) == folded("e" + "\u0301\u0323" * 15)
    assert store.decisions("", word="x") == []


@pytest.mark.parametrize("word", ["cafe", "1%0", "a%b", "axb", "\\"])
def test_another_word_is_not_found(store: Store, word: str) -> None:
    assert not store.decisions("", word=word)


@pytest.mark.parametrize(
    "text", ["ΣΟΦΟΣ σοφός", "ŉ ǰ ΐ ﬁ", "İstanbul ı", "ǆ ǅ Ǆ", "ß ẞ", "㍿ ｶﾞ", "👨‍👩‍👧"]
)
def test_the_database_folds_as_the_program(store: Store, text: str) -> None:
    with store._transaction() as db:
        db.execute("UPDATE entries SET line = ?", (text,))
    assert store._rows("SELECT folded(line) FROM entries", ()) == [(folded(text),)]
