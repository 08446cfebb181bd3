"""While a deal goes on, no address of its table says more of the hands than its players can see."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from phones import AFAR, Phone, one, soup
from reading_room import Room
from werkzeug.routing import Rule as Route
from werkzeug.test import TestResponse

import referee
from referee.core import hidden
from referee.core.log import Log
from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import WIDEST, played
from referee.insight import grid, review

SEATS = ("A", "B", "C")
PERCENT = re.compile(r"\d ?%|\d+/\d+（")
TAG = re.compile(r"<[^>]*>")  # hundreds of pages: reading them as a tree takes most of the time
QUERIES = ("", "?entry=3", "?entry=3&whole=1&seat=A&card=3&deal=1")
AWAY = {"REMOTE_ADDR": "203.0.113.9"}


def routes(app: Flask) -> Iterator[Route]:
    """Every address that can be read, of a table or not."""
    for route in app.url_map.iter_rules():
        if "GET" in (route.methods or ()) and route.endpoint not in ("static", "bundle"):
            yield route


def phones(app: Flask, room: Room) -> dict[str, FlaskClient]:
    """By role: who opened the table, another seat, one that watches, a stranger."""
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


def begin(room: Room, game: str) -> list[str]:
    """Let a deal go on at the table of ``room``; the lines that were recorded."""
    log = running(game)
    room.match = room.desk.open(Header(game, log.table.seats)).match
    lines = [room.view.grammar.print(entry) for entry in log.entries]
    for line in lines:
        room.tell(line)
    return lines


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of what counts hidden cards, each time that it is asked."""
    found: list[str] = []

    def watched(name: str, real: Any) -> Any:
        def call(*args: Any, **values: Any) -> Any:
            found.append(name)
            return real(*args, **values)

        return call

    for module, name in (
        (review, "grid"),
        (review, "held_then"),
        (grid, "grid"),
        (hidden, "placed"),
    ):
        monkeypatch.setattr(module, name, watched(name, getattr(module, name)))
    return found


class Asker:
    """Asks addresses of a table and sees that nothing was counted for the answers.

    ``asked``: how often each role did; ``reviews``: who asked for a review, and the status.
    """

    def __init__(self, app: Flask, room: Room, counted: list[str]) -> None:
        self.app, self.room, self.counted = app, room, counted
        self.everybody = phones(app, room)
        game = room.view.game.NAME
        for page in (f"/t/{room.match}/rules", f"/rules/{game}", f"/check/{game}"):
            room.phone.get(page)  # deals once by itself, to show how it is done
        counted.clear()
        self.known: dict[str, object] = {
            "match": room.match,
            "deal": room.view.state.deal,
            "number": 3,
            "seq": 3,
            "seat": "A",
            "game": game,
            "year": 2026,
        }
        self.asked, self.reviews = Counter[str](), set[tuple[str, int]]()

    def ask(self, asking: Iterable[Route], roles: Iterable[str], queries: Sequence[str]) -> None:
        for route in asking:
            with self.app.test_request_context():
                values = {name: self.known.get(name, "1") for name in route.arguments}
                address = self.app.url_for(str(route.endpoint), **values)  # type: ignore[arg-type]
            at_table = "match" in route.arguments
            for role in roles:
                usual = role == "member" and at_table
                for query in queries if usual else queries[-1:]:
                    for lang in ("ja", "en") if usual else ("en",):
                        answer = self.everybody[role].get(
                            address + query, headers={"Accept-Language": lang}
                        )
                        self.asked[role] += 1
                        self._nothing_said((role, address, query), route, answer)
                        if route.endpoint == "deal_reviews.deal":
                            self.reviews.add((role, answer.status_code))
                        answer.close()

    def _nothing_said(self, what: tuple[str, ...], route: Route, answer: TestResponse) -> None:
        assert not self.counted, (what, self.counted)
        assert answer.status_code < 500, what
        readable = (answer.mimetype or "").startswith(("text/", "application/json"))
        if "match" in route.arguments and readable:
            assert answer.headers["Cache-Control"] == "no-store", what
            assert "ETag" not in answer.headers
            html = answer.mimetype == "text/html"
            said = unescape(TAG.sub("", answer.text)) if html else answer.text
            assert not PERCENT.search(said), what


@pytest.mark.parametrize("game", list(GAMES))
def test_no_address_counts_the_hands_of_a_running_deal(
    room: Room, app: Flask, game: str, counted: list[str]
) -> None:
    begin(room, game)
    asker = Asker(app, room, counted)
    asker.ask(routes(app), asker.everybody, QUERIES)
    room.tell("table stop")  # ends no deal: the match can go on
    of_table = [route for route in routes(app) if "match" in route.arguments]
    asker.ask(of_table, ("member",), QUERIES[-1:])
    assert {status for _, status in asker.reviews} <= {303, 403}
    assert ("seat", 403) in asker.reviews
    assert ("guest", 403) in asker.reviews
    assert min(asker.asked.values()) > 80


@pytest.mark.parametrize("game", list(GAMES))
def test_nothing_sent_to_a_running_deal_counts_its_hands(
    room: Room, app: Flask, game: str, counted: list[str]
) -> None:
    """Plays, previews, corrections, contests, objections, tries: whatever a form can send."""
    lines = begin(room, game)
    asker = Asker(app, room, counted)
    of_table = [
        route
        for route in app.url_map.iter_rules()
        if "POST" in (route.methods or ()) and "match" in route.arguments
    ]
    assert len(of_table) > 10
    before, answers = room.view.seq, Counter[int]()
    for role, route in product(asker.everybody, of_table):
        with app.test_request_context():
            values = {name: asker.known.get(name, "1") for name in route.arguments}
            address = app.url_for(str(route.endpoint), **values)  # type: ignore[arg-type]
        for line in (lines[-1], f"table strike {before}", "A contest 2"):
            form = {
                "line": line,
                "text": line,
                "seen": str(room.view.seq),
                "key": secrets.token_urlsafe(9),
                "seat": "A",
                "place": "1",
                "do": "preview",
            }
            answer = asker.everybody[role].post(address, data=form)
            assert not counted, (role, address, counted)
            assert answer.status_code < 500, (role, address)
            assert not PERCENT.search(unescape(TAG.sub("", answer.text))), (role, address)
            answers[answer.status_code] += 1
    assert answers[200]
    assert answers[303]
    assert answers[403]
    assert room.view.seq > before


def rewound(room: Room) -> None:
    room.tell(f"table rewind {room.view.seq - 2}")


def cancelled(room: Room) -> None:
    room.tell(f"table strike {room.view.seq}")


def undone(room: Room) -> None:
    phone = Phone(room.phone, room.match)
    assert phone.undoes().status_code == 303


def stopped_between(room: Room) -> None:
    """A stop in the place of the last card."""
    rewound(room)
    room.tell("table stop")


@pytest.mark.parametrize("open_again", [rewound, cancelled, undone, stopped_between])
def test_a_deal_that_is_open_again_is_shut_at_every_address(
    room: Room, app: Flask, open_again: Callable[[Room], None], counted: list[str]
) -> None:
    """Everybody has looked at its review: what was counted then is not said any more."""
    room.open(WIDEST, " ".join(SEATS), "table deal leader=A")
    room.play_out()
    deal = room.view.state.deal
    address = f"/t/{room.match}/review/{deal}"
    last = room.view.seq
    for query in ("", *(f"?entry={seq}&whole=1&seat=A&card=3" for seq in range(last - 4, last))):
        assert room.phone.get(address + query).status_code == 200
    asker = Asker(app, room, counted)
    open_again(room)
    assert deal not in review.finished(room.log)
    asker.ask(routes(app), asker.everybody, QUERIES)
    assert asker.reviews >= {(role, 403) for role in ("member", "seat", "guest")}
    assert {status for _, status in asker.reviews} <= {303, 403}


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
