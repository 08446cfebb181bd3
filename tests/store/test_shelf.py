"""Decks and agreed words: names change, what they stood for stays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.games.simulation import WIDEST
from referee.store import NameTaken, Store
from referee.store.shelf import Shelf


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "referee.db")
    for match in ("m", "n"):
        store.open(match, f"referee: 1\ngame: {WIDEST}\nseats: A B")
    yield store
    store.close()


@pytest.fixture
def shelf(store: Store) -> Shelf:
    return store.shelf


def named(shelf: Shelf, circle: str = "") -> dict[str, str]:
    return {deck.name: deck.id for deck in shelf.decks(circle)}


def test_a_corrected_deck_takes_the_name_and_the_old_one_stays(shelf: Shelf) -> None:
    shelf.keep_deck("a", "cards of a", "ours")
    shelf.keep_deck("b", "cards of b", "ours", instead="a")
    assert named(shelf) == {"ours": "b"}
    assert shelf.deck("a") == "cards of a"
    assert shelf.decks()[0].csv == "cards of b"


def test_a_name_stands_for_one_deck(shelf: Shelf) -> None:
    shelf.keep_deck("a", "cards of a", "ours")
    with pytest.raises(NameTaken):
        shelf.keep_deck("b", "cards of b", "ours")
    assert named(shelf) == {"ours": "a"}
    assert shelf.deck("b") is None
    shelf.keep_deck("b", "cards of b", "ours", circle="others")
    assert named(shelf, "others") == {"ours": "b"}


def test_the_same_cards_are_one_deck(shelf: Shelf) -> None:
    shelf.keep_deck("a", "cards of a", "ours")
    shelf.keep_deck("a", "cards of a", "the old one")
    assert named(shelf) == {"the old one": "a"}


def test_a_deck_put_away_can_still_be_played_with(shelf: Shelf) -> None:
    shelf.keep_deck("a", "cards of a", "ours")
    shelf.put_away("a")
    assert named(shelf) == {}
    assert shelf.deck("a") == "cards of a"
    assert shelf.deck("z") is None


def test_the_last_agreement_holds(shelf: Shelf) -> None:
    shelf.agree("牛面", False)
    shelf.agree("行先", True, match="m")
    shelf.agree("牛面", True, circle="others")
    assert {form: row.counts for form, row in shelf.agreed().items()} == {
        "行先": True,
        "牛面": False,
    }
    shelf.agree("牛面", True)
    shelf.agree("行先", None)
    assert {form: row.counts for form, row in shelf.agreed().items()} == {"牛面": True}
    assert [row.counts for row in shelf.agreements(form="牛面")] == [True, False]
    assert [row.match for row in shelf.agreements(form="行先")] == [None, "m"]


def standing(shelf: Shelf) -> dict[str, bool | None]:
    return {form: row.counts for form, row in shelf.agreed().items()}


def test_what_a_match_agrees_is_learnt_once(shelf: Shelf) -> None:
    shelf.learn("m", {"牛面": False, "行先": True})
    shelf.learn("m", {"牛面": False, "行先": True})
    shelf.learn("n", {"牛面": False})
    assert len(shelf.agreements()) == 2
    assert shelf.agreed()["牛面"].match == "m"


def test_two_tables_at_once_do_not_take_turns(shelf: Shelf) -> None:
    shelf.learn("m", {"牛面": False})
    shelf.learn("n", {"牛面": True})
    shelf.learn("m", {"牛面": False})
    assert standing(shelf) == {"牛面": True}


def test_what_a_match_takes_back_is_as_it_was_before(shelf: Shelf) -> None:
    shelf.agree("中人", False)
    shelf.learn("m", {"牛面": False, "行先": True, "中人": True})
    shelf.learn("n", {"牛面": True})
    shelf.learn("m", {})
    shelf.learn("m", {})
    assert standing(shelf) == {"牛面": True, "中人": False}
    assert len(shelf.agreements()) == 7
    shelf.learn("m", {"行先": True})
    assert standing(shelf) == {"牛面": True, "中人": False, "行先": True}
