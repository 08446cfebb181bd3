"""Words and decks of 熟語ライン are shown to those who may see them."""

from __future__ import annotations

from flask import Flask
from phones import Phone

from referee.core.record import Header
from referee.jukugo.decks import write_deck
from referee.jukugo.library import open_deck


def test_words_and_decks_that_nobody_has_adopted_are_nobodys_to_see(
    app: Flask, guest: Phone
) -> None:
    desk = app.extensions["desk"]
    shelf, deck = desk.store.shelf, open_deck()
    match = desk.open(Header("jukugo_line", ("あかね", "B"))).match
    shelf.agree("山々", True, match=match)
    shelf.keep_deck(deck.id, write_deck(deck), "家の組札")
    name = deck.id.removesuffix(".csv")
    pages = ("/words", "/words?q=山々", "/decks", f"/decks/{name}", "/new?game=jukugo_line")
    for path in (*pages, "/check/jukugo_line?ask=claim"):
        page = guest.get(path).text
        assert "あかね" not in page, path
        assert "家の組札" not in page, path
    guest.post(f"/decks/{name}/away", {})
    assert [kept.name for kept in shelf.decks()] == ["家の組札"]
    guest.post("/words", {"form": "山々", "counts": "no"})
    assert shelf.agreed()["山々"].counts is True
