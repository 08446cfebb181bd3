"""Two names that look alike never sit at one table, and a name is one text everywhere.

Names are in NFKC, as every line of a record is. In NFC alone, a full-width Ａ and an A would be two
seats in the header, and one in the lines below it.
"""

from __future__ import annotations

import pytest
from phones import Phone

from referee.core.naming import clean_name
from referee.core.record import parse_header, print_header
from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.ledger import Ledger

WRITTEN_OTHERWISE = [
    ("アキ", "ｱｷ"),  # half-width
    ("Ann", "Ａｎｎ"),  # full-width
    ("Zoé", "Zoe\u0301"),  # decomposed
    ("が", "か\u3099"),
    ("①", "1"),  # a compatibility form
]
WITH_UNSEEN = [
    ("Ann", "An\u200bn"),
    ("Ann", "Ann\ufe0f"),
    ("Ann", "\u3164Ann"),
    ("Ann B", "Ann\u3000\u2800B"),
]


def ledger_of(phone: Phone) -> Ledger:
    ledger: Ledger = phone.client.application.extensions["ledger"]
    return ledger


@pytest.mark.parametrize(("name", "other"), WRITTEN_OTHERWISE + WITH_UNSEEN)
def test_they_cannot_sit_at_one_table(phone: Phone, name: str, other: str) -> None:
    for names in ([name, other], [other, name]):
        assert phone.post("/new", {"game": WIDEST, "name": names}).status_code == 400
    assert ledger_of(phone).store.matches() == []
    phone.opens(names=[name, "Ben"], leader="Ben")
    seats = f"/t/{phone.match}/seats/2"
    assert phone.post(f"{seats}/from-here", {"name": other, "seen": "1"}).status_code == 409
    phone.post(f"{seats}/always", {"name": other, "seen": "1"})  # the two may change seats
    assert {*ledger_of(phone).view(phone.match).header.seats} == {clean_name(name), "Ben"}


@pytest.mark.parametrize("typed", [other for _name, other in WRITTEN_OTHERWISE])
def test_a_name_is_the_same_in_header_and_lines(phone: Phone, typed: str) -> None:
    phone.opens(names=[typed, "Ben"], leader="Ben")
    view = ledger_of(phone).view(phone.match)
    name = clean_name(typed)
    assert {*view.header.seats} == {name, "Ben"}
    assert parse_header("\n".join(print_header(view.header)), GAMES) == view.header
    for written in (name, typed):
        assert view.grammar.print(view.grammar.parse(f"{written} lay 3")) == f"{name} lay 3"
