"""The result card of every game draws what decided its match."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from chosen_games import head, some_seats
from decided import result_card
from flask import Flask
from phones import Phone

from referee.games import GAMES
from referee.games.simulation import played
from referee.screens.wording import width
from referee.store import NewEntry


@pytest.mark.parametrize("name", GAMES)
def test_the_card_draws_what_decided_the_match(app: Flask, phone: Phone, name: str) -> None:
    assert result_card(app, phone, name).drawn.select("rect, text")


LONG = ("Bartholomew-James Wolfeschlegelstein III", "寿限無" * 13, "北大路ロマネスク三世閣下")


@pytest.mark.parametrize("name", GAMES)
def test_the_picture_has_room_for_long_names(app: Flask, phone: Phone, name: str) -> None:
    """The points begin at 444 of 600, and what is on a line of its own ends at 536."""
    ledger = app.extensions["ledger"]
    for first in range(len(LONG)):
        seats = some_seats(name, (*LONG[first:], *LONG[:first]))
        view = ledger.open(head(name, seats))
        log = played(view.game, seats, seed=3)
        lines = map(view.grammar.print, log.entries)
        rows = [NewEntry(line, f"key {i}", "legal", "-", "-") for i, line in enumerate(lines)]
        ledger.store.append(view.match, 0, rows)
        picture = ElementTree.fromstring(phone.get(f"/t/{view.match}/card.svg").text)
        texts = [part for part in picture.iter() if part.tag.endswith("}text") and part.text]
        shown = [part for part in texts if set("無閣J") & {*str(part.text)}]
        assert len(shown) > len(seats)
        for part in shown:
            wide = width(str(part.text)) * float(part.attrib["font-size"]) / 2
            ends = float(part.attrib["x"]) + wide
            assert ends <= (444 if part.attrib["x"] == "112" else 536), part.text
