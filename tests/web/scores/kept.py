"""Matches of the playthroughs, stored for the circle of a phone, and their charts."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from phones import Phone, soup, text

from referee.history import counting, records
from referee.store import Circles, Store
from referee.store.past import Past

SVG = "{http://www.w3.org/2000/svg}"
PLAYTHROUGHS = Path(__file__).parents[2] / "games"


def store_of(phone: Phone) -> Store:
    store: Store = phone.client.application.extensions["ledger"].store
    return store


def kept(phone: Phone, game: str, playthrough: str) -> None:
    """Let the phone look at the match of a file in the tests of ``game``."""
    if not phone.match:
        phone.opens(names=["X", "Y"], leader="X").lays("table stop")  # so that it has a circle
    path = PLAYTHROUGHS / game / "playthroughs" / f"{playthrough}.txt"
    record = records.load(path.read_bytes(), "ja", keep_illegal=True)
    phone.match = records.add(store_of(phone), record, Circles(store_of(phone)).only())


def past(phone: Phone) -> Past:
    """The history of the circle, counted."""
    counting.catch_up(store_of(phone))
    return Past(store_of(phone), Circles(store_of(phone)).only())


def card_and_picture(phone: Phone) -> tuple[str, str]:
    """The words on the result card and in its picture."""
    svg = ElementTree.fromstring(phone.get(f"/t/{phone.match}/card.svg").text)
    drawn = " ".join("".join(found.itertext()) for found in svg.iter(f"{SVG}text"))
    return text(soup(phone.get(f"/t/{phone.match}/result")), ".scroll"), drawn


def began(phone: Phone) -> list[str]:
    """Who began, as exported for BG Stats."""
    players = phone.get(f"/t/{phone.match}/bgstats.json").get_json()["players"]
    return [player["name"] for player in players if player["startPlayer"]]
