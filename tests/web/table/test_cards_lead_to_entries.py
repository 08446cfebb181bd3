"""A card on the table names the entry that played it; a tap on it opens this entry."""

from __future__ import annotations

import pytest
from flask import Flask
from phones import FIVE, Phone

from referee.core.record import CALLED, Header
from referee.games import GAMES
from referee.games.simulation import played

CARDS = 10
"""Of so many entries each game shows cards in the first 40 entries of a match, at least."""


ON_CARDS = [name for name, game in GAMES.items() if CALLED not in game.HOOKS.equipment]


@pytest.mark.parametrize("name", ON_CARDS)
def test_every_card_names_the_entry_that_has_it(app: Flask, name: str) -> None:
    ledger = app.extensions["ledger"]
    seats = FIVE[: min(3, GAMES[name].SEATS[-1])]
    view = ledger.open(Header(name, seats))
    phone = Phone(app.test_client(), view.match)
    named = set[tuple[int, str]]()
    for seen, entry in enumerate(played(view.game, seats, 3, most=40).entries):
        ledger.declare(view.match, view.grammar.print(entry), seen, f"key-{seen:06}")
        for card in phone.page().select(".board [data-entry]"):
            number = int(str(card["data-entry"]))
            said = view.grammar.print(ledger.view(view.match).log.entries[number - 1])
            faces = (card.select_one(".card") or card).find_all(string=True, recursive=False)
            assert "".join(faces).strip() in said.split(" ", 1)[1], (said, card)
            named.add((number, said))
    assert len(named) >= CARDS
    [number, *_] = [number for number, _said in named]
    assert phone.client.get(f"/t/{view.match}/e/{number}").status_code == 200
