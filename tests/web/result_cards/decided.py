"""The result card of a match that one seat has decided."""

from __future__ import annotations

from itertools import count
from typing import NamedTuple
from xml.etree import ElementTree

from bs4 import Tag
from chosen_games import head, some_seats
from flask import Flask
from phones import Phone, one, soup

from referee.core.log import Log
from referee.core.verdict import Outcome, Seat
from referee.games.simulation import played
from referee.store import NewEntry

SEATS = ("あかね", "北大路", "シホ")


class Card(NamedTuple):
    """A finished match, the seat that has won or lost it alone, and what its card draws."""

    log: Log
    decisive: Seat
    drawn: Tag


def decisive(outcome: Outcome) -> tuple[Seat, ...]:
    return outcome.winners or outcome.losers


def result_card(app: Flask, phone: Phone, name: str) -> Card:
    """The card of a match of ``name``; the page and the picture to save show the same figure."""
    ledger, seats = app.extensions["ledger"], some_seats(name, SEATS)
    view = ledger.open(head(name, seats))
    logs = (played(view.game, seats, seed) for seed in count())
    log = next(log for log in logs if len(decisive(log.game.outcome(log.state))) == 1)
    lines = map(view.grammar.print, log.entries)
    rows = [NewEntry(line, f"key {i}", "legal", "-", "-") for i, line in enumerate(lines)]
    ledger.store.append(view.match, 0, rows)
    [seat] = decisive(ledger.view(view.match).outcome)
    drawn = one(soup(phone.get(f"/t/{view.match}/result")), ".figure > svg")
    picture = ElementTree.fromstring(phone.get(f"/t/{view.match}/card.svg").text)
    assert drawn["aria-label"] in {part.get("aria-label") for part in picture.iter()}
    return Card(log, seat, drawn)
