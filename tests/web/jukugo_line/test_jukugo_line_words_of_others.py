"""Words and decks of 熟語ライン are shown to those who may see them."""

from __future__ import annotations

import io

import pytest
from flask import Flask
from phones import Phone

from referee.core.record import Header, print_header
from referee.http.invites import digest
from referee.jukugo.decks import write_deck
from referee.jukugo.library import open_deck
from referee.store import Circles, Doors
from referee.web.group import files, intake


def test_words_and_decks_that_nobody_has_adopted_are_nobodys_to_see(
    app: Flask, guest: Phone
) -> None:
    ledger = app.extensions["ledger"]
    shelf, deck = ledger.store.shelf, open_deck()
    match = ledger.open(Header("jukugo_line", ("あかね", "B"))).match
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


def test_a_deck_is_not_read_by_its_name_alone(phone: Phone, guest: Phone, app: Flask) -> None:
    deck, ledger = open_deck(), app.extensions["ledger"]
    phone.opens()
    circle, name = Circles(ledger.store).only(), deck.id.removesuffix(".csv")
    paths = [f"/decks/{name}{end}" for end in ("", ".csv", "/edit", "/print")]

    def answers(asking: Phone) -> set[int]:
        return {asking.get(path).status_code for path in paths}

    ledger.store.shelf.keep_deck(deck.id, write_deck(deck), "家の組札", circle)
    assert (answers(phone), answers(guest)) == ({200}, {404})
    guest.opens()  # and has a group of its own
    assert answers(guest) == {404}
    phone.post(f"/decks/{name}/away", {})
    assert answers(phone) == {200}
    header = Header("jukugo_line", ("A", "B"), named={"deck": deck.id})
    match = ledger.open(header, circle).match
    cookie = guest.client.get_cookie("phone")
    assert cookie is not None
    Doors(ledger.store).seat(match, digest(cookie.value), "knocking")
    assert answers(guest) == {404}
    Doors(ledger.store).seat(match, digest(cookie.value), "watching")
    assert answers(guest) == {200}


def test_a_record_that_names_a_deck_does_not_bring_it(
    phone: Phone, guest: Phone, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "Intake", intake.Here)
    deck, ledger = open_deck(), app.extensions["ledger"]
    phone.opens()
    circle, csv = Circles(ledger.store).only(), write_deck(deck)
    ledger.store.shelf.keep_deck(deck.id, csv, "家の組札", circle)
    guest.opens()
    record = "\n".join(print_header(Header("jukugo_line", ("A", "B"), named={"deck": deck.id})))

    def sends(*texts: tuple[str, str]) -> int:
        parts = [(io.BytesIO(text.encode()), name) for name, text in texts]
        return int(guest.post("/history/import", {"file": parts}).status_code)

    alone = ("one.txt", f"{record}\n\ntable deal leader=A\n")
    assert sends(alone) == 400
    assert guest.get(f"/decks/{deck.id}").status_code == 404
    assert sends(alone, (deck.id, csv)) == 303
    assert guest.get(f"/decks/{deck.id}").status_code == 200
    assert sends(("two.txt", f"{record}\n\ntable deal leader=B\n")) == 303
