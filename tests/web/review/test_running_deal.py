"""While a deal goes on, no address of its table says more of the hands than its players can see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from phones import soup
from reading_room import Room
from werkzeug.routing import Rule as Route

from referee.core import hidden
from referee.core.log import Log
from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import played
from referee.insight import grid, review

SEATS = ("A", "B", "C")
PERCENT = re.compile(r"\d ?%|\d+/\d+（")
QUERIES = ("", "?entry=3", "?entry=3&whole=1&seat=A&deal=1")


def routes(app: Flask) -> Iterator[Route]:
    """Every route of a table that can be read."""
    for route in app.url_map.iter_rules():
        if "match" in route.arguments and "GET" in (route.methods or ()):
            yield route


def running(game: str) -> Log:
    """A match in the middle of its first deal."""
    rules = GAMES[game]
    seats = SEATS if len(SEATS) in rules.SEATS else SEATS[: rules.SEATS[0]]
    for most in range(14, 4, -1):
        log = played(rules, seats, 1, most=most)
        if rules.to_act(log.state) and not review.finished(log) and not rules.outcome(log.state):
            return log
    raise AssertionError(game)


@pytest.mark.parametrize("game", list(GAMES))
def test_no_address_counts_the_hands_of_a_running_deal(
    room: Room, app: Flask, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = running(game)
    room.match = room.desk.open(Header(game, log.table.seats)).match
    view = room.view
    for entry in log.entries:
        line = view.grammar.print(entry)
        told = room.desk.declare(room.match, line, room.view.seq, f"entry-{room.view.seq:06}")
        assert told.seq is not None
    room.phone.get(f"/t/{room.match}/rules")  # deals once by itself, to show how it is done
    counted: list[str] = []

    def watched(name: str, real: Any) -> Any:
        def call(*args: Any, **values: Any) -> Any:
            counted.append(name)
            return real(*args, **values)

        return call

    for module, name in (
        (review, "grid"),
        (review, "held_then"),
        (grid, "grid"),
        (hidden, "placed"),
    ):
        monkeypatch.setattr(module, name, watched(name, getattr(module, name)))
    known: dict[str, object] = {"match": room.match, "deal": 1, "number": 3, "seq": 3, "seat": "A"}
    asked = 0
    for route in routes(app):
        with app.test_request_context():
            values = {name: known.get(name, "1") for name in route.arguments}
            address = app.url_for(str(route.endpoint), **values)  # type: ignore[arg-type]
        for query in QUERIES:
            for lang in ("ja", "en"):
                answer = room.phone.get(address + query, headers={"Accept-Language": lang})
                asked += 1
                assert not counted, (address, query, counted)
                text = soup(answer).get_text() if answer.mimetype == "text/html" else answer.text
                assert not PERCENT.search(text), (address, query)
                if route.endpoint == "deal_reviews.deal":
                    assert answer.status_code == 403
                assert answer.status_code < 500, (address, query)
    assert asked > 150


def test_the_watch_would_see_it(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same watch on a deal that is over: the page counts, and says per cent."""
    room.revoke()
    room.play_out()
    page = room.phone.get(f"/t/{room.match}/review/1?entry=4")
    assert page.status_code == 200
    assert PERCENT.search(soup(page).get_text())
