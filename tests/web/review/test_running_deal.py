"""While a deal goes on, no address of its table says more of the hands than its players can see."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from phones import AFAR, one, soup
from reading_room import Room
from werkzeug.routing import Rule as Route

import referee
from referee.core import hidden
from referee.core.log import Log
from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import played
from referee.insight import grid, review

SEATS = ("A", "B", "C")
PERCENT = re.compile(r"\d ?%|\d+/\d+（")
QUERIES = ("", "?entry=3", "?entry=3&whole=1&seat=A&card=3&deal=1")
AWAY = {"REMOTE_ADDR": "203.0.113.9"}


def routes(app: Flask) -> Iterator[Route]:
    """Every address that can be read, of a table or not."""
    for route in app.url_map.iter_rules():
        if "GET" in (route.methods or ()) and route.endpoint not in ("static", "bundle"):
            yield route


def phones(app: Flask, room: Room) -> dict[str, FlaskClient]:
    """Who can ask: who opened the table, another seat's phone, who only looks on, a stranger."""
    found = {"member": room.phone}
    link = one(soup(room.phone.get(f"/t/{room.match}/join")), ".link input")["value"]
    for role in ("seat", "guest"):
        found[role] = app.test_client()
        found[role].environ_base |= AFAR
        found[role].get(str(link).removeprefix("http://localhost"))
    sat = found["seat"].post(f"/t/{room.match}/sit", data={"place": "2"})
    assert sat.status_code == 303
    found["stranger"] = app.test_client()
    found["stranger"].environ_base |= AWAY
    return found


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
    everybody = phones(app, room)
    for page in (f"/t/{room.match}/rules", f"/rules/{game}", f"/check/{game}"):
        room.phone.get(page)  # deals once by itself, to show how it is done
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
    known: dict[str, object] = {
        "match": room.match,
        "deal": 1,
        "number": 3,
        "seq": 3,
        "seat": "A",
        "game": game,
        "year": 2026,
    }
    asked, reviews = Counter[str](), set[tuple[str, int]]()

    def ask(asking: Iterable[Route], roles: Iterable[str], queries: Sequence[str]) -> None:
        for route in asking:
            with app.test_request_context():
                values = {name: known.get(name, "1") for name in route.arguments}
                address = app.url_for(str(route.endpoint), **values)  # type: ignore[arg-type]
            at_table = "match" in route.arguments
            for role in roles:
                usual = role == "member" and at_table
                for query in queries if usual else queries[-1:]:
                    for lang in ("ja", "en") if usual else ("en",):
                        answer = everybody[role].get(
                            address + query, headers={"Accept-Language": lang}
                        )
                        asked[role] += 1
                        assert not counted, (role, address, query, counted)
                        assert answer.status_code < 500, (role, address, query)
                        if route.endpoint == "deal_reviews.deal":
                            reviews.add((role, answer.status_code))
                        if at_table and answer.mimetype.startswith(("text/", "application/json")):
                            assert answer.headers["Cache-Control"] == "no-store", address
                            assert "ETag" not in answer.headers
                            html = answer.mimetype == "text/html"
                            said = soup(answer).get_text() if html else answer.text
                            assert not PERCENT.search(said), (role, address, query)
                        answer.close()

    ask(routes(app), everybody, QUERIES)
    room.tell("table stop")  # ends no deal: the match can go on
    of_table = [route for route in routes(app) if "match" in route.arguments]
    ask(of_table, ("member",), QUERIES[-1:])
    assert {status for _, status in reviews} <= {303, 403}
    assert ("seat", 403) in reviews
    assert ("guest", 403) in reviews
    assert min(asked.values()) > 80


def test_nothing_else_asks_what_can_be_known_of_hands() -> None:
    """So no form, stream, picture or export can say it: only the page of a finished deal."""
    program = Path(referee.__file__).parent
    hooks = r"HOOKS\.(knowledge|could_beat|happened)"
    asking = re.compile(rf"core\.hidden|insight\.(review|grid)|{hooks}")
    found = {
        str(file.relative_to(program))
        for file in program.rglob("*.py")
        if asking.search(file.read_text(encoding="utf-8"))
    }
    by_games = {each for each in found if each.startswith(("core/", "games/", "insight/"))}
    assert found - by_games == {
        "cli.py",
        "web/review/deal_reviews.py",
        "web/review/scores.py",  # which deals are over
    }


def test_the_watch_would_see_it(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same watch on a deal that is over: the page counts, and says per cent."""
    room.revoke()
    room.play_out()
    page = room.phone.get(f"/t/{room.match}/review/1?entry=4")
    assert page.status_code == 200
    assert PERCENT.search(soup(page).get_text())
