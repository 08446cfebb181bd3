"""While a deal goes on, no address of its table says more of the hands than its players can see."""

from __future__ import annotations

import io
import re
import secrets
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from chosen_games import NEEDS_MOST, having, head
from flask import Flask
from flask.testing import FlaskClient
from phones import AFAR, Phone, one, soup
from reading_room import Room
from sockets import running as running_server
from waiting import PATIENCE
from werkzeug.routing import Rule as Route
from werkzeug.test import TestResponse

import referee
from referee.app import create_app
from referee.core import hidden
from referee.core.log import Log
from referee.games import GAMES, ON_CARDS
from referee.games.simulation import WIDEST, played
from referee.http.machine import TAB
from referee.insight import grid, review
from referee.kit import shipped
from referee.server.bridge import Bridge
from referee.server.live import Streams
from referee.web.own_games import trial

SEATS = ("A", "B", "C")
PERCENT = re.compile(r"\d ?%|\d+/\d+（")
STREAMED = re.compile(rb"([0-9a-fA-F]+\r\n|retry: \d+\n|(id|data): \d+\n|:\n|\r?\n)*")
TAG = re.compile(r"<[^>]*>")  # hundreds of pages: reading them as a tree takes most of the time
QUERIES = ("", "?entry=3", "?entry=3&whole=1&seat=A&card=3&deal=1")
AWAY = {"REMOTE_ADDR": "203.0.113.9"}


def routes(app: Flask) -> Iterator[Route]:
    """Every address that can be read, of a table or not."""
    for route in app.url_map.iter_rules():
        if "GET" in (route.methods or ()) and route.endpoint not in ("static", "bundle"):
            yield route


def phones(app: Flask, room: Room) -> dict[str, FlaskClient]:
    """By role: who opened the table, another seat, one that watches, a stranger, another group."""
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
    found["neighbour"] = app.test_client()
    found["neighbour"].environ_base |= AFAR
    Phone(found["neighbour"]).opens()
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
    room.match = room.ledger.open(head(game, log.table.seats)).match
    lines = [room.view.grammar.print(entry) for entry in log.entries]
    for line in lines:
        room.declare(line)
    return lines


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of functions that count hidden cards, one for each call."""
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
    """Requests addresses of a table and checks that nothing was counted for the answers.

    ``asked``: how often each role did; ``reviews``: who requested a review, and the status.
    """

    def __init__(
        self,
        app: Flask,
        room: Room,
        counted: list[str],
        everybody: dict[str, FlaskClient] | None = None,
    ) -> None:
        self.app, self.room, self.counted = app, room, counted
        self.everybody = everybody or phones(app, room)
        game = room.view.game.NAME
        [file] = [file for file in shipped.games().values() if file.KEY == "whist"]  # as "played"
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
            "name": file.NAME,
            "file": trial.packed(file.text.split("\n")),
            "played": trial.packed(["table deal leader=A turn=H5", "B lay S2"]),
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


@pytest.mark.parametrize("game", having("knowledge"))
def test_no_address_counts_the_hands_of_a_running_deal(
    room: Room, app: Flask, game: str, counted: list[str]
) -> None:
    begin(room, game)
    asker = Asker(app, room, counted)
    asker.ask(routes(app), asker.everybody, QUERIES)
    if game in having("stopped"):
        room.declare("table stop")  # ends no deal: the match can go on
        of_table = [route for route in routes(app) if "match" in route.arguments]
        asker.ask(of_table, ("member",), QUERIES[-1:])
    assert {status for _, status in asker.reviews} <= {303, 403}
    assert ("seat", 403) in asker.reviews
    assert ("guest", 403) in asker.reviews
    assert min(asker.asked.values()) > 80


@pytest.mark.parametrize("game", list(ON_CARDS))
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
    room.declare(f"table rewind {room.view.seq - 2}")


def cancelled(room: Room) -> None:
    room.declare(f"table strike {room.view.seq}")


def undone(room: Room) -> None:
    phone = Phone(room.phone, room.match)
    assert phone.undoes().status_code == 303


def stopped_between(room: Room) -> None:
    """A stop in the place of the last card."""
    rewound(room)
    room.declare("table stop")


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


def first_deals() -> list[str]:
    """The games of which a deal can be over while the next one goes on."""
    return [name for name, rules in ON_CARDS.items() if not rules.HOOKS.carried]


def on_to_the_second_deal(room: Room, game: str) -> list[str]:
    """Begin a match and end its first deal; a few lines of the second one."""
    rules = GAMES[game]
    log = played(rules, SEATS[: max(2, rules.SEATS[0])], 2, most=400)
    room.match = room.ledger.open(head(game, log.table.seats)).match
    lines = [room.view.grammar.print(entry) for entry in log.entries]
    for number, line in enumerate(lines):
        if room.view.seq and review.finished(room.log):
            return lines[number : number + 5]
        room.declare(line)
    return []


@pytest.mark.parametrize("game", first_deals())
def test_the_review_of_a_deal_says_nothing_of_the_next_one(
    room: Room, app: Flask, game: str, counted: list[str]
) -> None:
    """It is the same before the next deal begins and while it goes on."""
    lines = on_to_the_second_deal(room, game)
    if room.view.outcome or not lines:  # a match of one deal, or without deals
        assert review.finished(room.log) in ((1,), ())
        return
    address, last = f"/t/{room.match}/review/1", room.view.seq
    queries = ("", f"?entry={last}&whole=1&seat={SEATS[0]}&card=3", "?at=3&whole=1", "?entry=3")
    before = [room.get(address + query).main for query in queries]
    for line in lines:
        room.declare(line)
    assert review.finished(room.log) == (1,)
    assert [room.get(address + query).main for query in queries] == before
    counted.clear()
    for entry in range(last + 1, room.view.seq + 1):
        assert room.phone.get(f"{address}?entry={entry}").status_code == 404
    assert not counted
    asker = Asker(app, room, counted)
    away = [
        route
        for route in routes(app)
        if "match" in route.arguments and route.endpoint != "deal_reviews.deal"
    ]
    asker.ask(away, ("neighbour",), ("",))
    asker.known["deal"] = 2
    asker.ask([r for r in routes(app) if "deal" in r.arguments], asker.everybody, QUERIES)
    assert {status for _, status in asker.reviews} <= {303, 403}


@pytest.mark.parametrize("game", [WIDEST, NEEDS_MOST])
def test_nothing_sent_elsewhere_counts_the_hands_of_a_running_deal(
    room: Room, app: Flask, game: str, counted: list[str]
) -> None:
    """Forms that belong to no table: simulations, people, settings; an import of its record."""
    begin(room, game)
    asker = Asker(app, room, counted)
    record = room.phone.get(f"/t/{room.match}/record.txt").data
    sent = [
        route
        for route in app.url_map.iter_rules()
        if "POST" in (route.methods or ()) and "match" not in route.arguments
    ]
    assert len(sent) > 20
    for route, role in product(sent, ("stranger", "neighbour", "seat", "member")):
        with app.test_request_context():
            values = {name: asker.known.get(name, "1") for name in route.arguments}
            address = app.url_for(str(route.endpoint), **values)  # type: ignore[arg-type]
        form: dict[str, Any] = {"seats": "3", "games": "200", "players": "random", "seed": "1"}
        if route.endpoint == "lab.begin":
            form["seats"] = str(GAMES[game].SEATS[0])
        if route.endpoint == "transfers.take_in":
            form = {"file": (io.BytesIO(record), "record.txt")}
        answer = asker.everybody[role].post(address, data=form)
        assert not counted, (role, address, counted)
        assert answer.status_code < 500, (role, address)
        assert not PERCENT.search(unescape(TAG.sub("", answer.text))), (role, address)
        if route.endpoint == "transfers.take_in" and role == "neighbour":
            copy = str(answer.location).split("/")[2]
            assert copy != room.match
            shut = asker.everybody[role].get(f"/t/{copy}/review/{room.view.state.deal}")
            assert shut.status_code == 403


@pytest.mark.parametrize("game", having("knowledge"))
def test_the_app_in_a_browser_tab_counts_no_hand_of_a_running_deal(
    tmp_path: Path, game: str, counted: list[str]
) -> None:
    """There is one phone, which goes round the table: its pages say nothing to anybody."""
    app = create_app(tmp_path, MACHINE=TAB, TESTING=True)
    with closing(app.extensions["ledger"].store):
        room = Room(app)
        lines = begin(room, game)
        asker = Asker(app, room, counted, {"member": room.phone})
        asker.ask(routes(app), asker.everybody, QUERIES)
        assert asker.reviews == {("member", 403)}
        assert asker.asked["member"] > 200
        for route in app.url_map.iter_rules():
            if "POST" in (route.methods or ()):
                with app.test_request_context():
                    values = {name: asker.known.get(name, "1") for name in route.arguments}
                    address = app.url_for(str(route.endpoint), **values)  # type: ignore[arg-type]
                form = {"line": lines[-1], "seen": str(room.view.seq), "key": "k" * 12}
                answer = room.phone.post(address, data=form)
                assert answer.status_code < 500, address
                assert not counted, (address, counted)


@pytest.mark.parametrize("game", list(ON_CARDS))
def test_the_stream_of_a_table_says_a_number_and_no_more(
    room: Room, app: Flask, game: str, counted: list[str]
) -> None:
    lines = begin(room, game)
    with running_server(Bridge(app, Streams(room.ledger))) as port:
        connection = socket.create_connection(("127.0.0.1", port), PATIENCE)
        with connection, connection.makefile("rb") as heard:
            asks = (f"GET /t/{room.match}/live HTTP/1.1", "Host: localhost")
            connection.sendall("\r\n".join((*asks, "Accept: text/event-stream", "", "")).encode())
            assert b" 200 " in heard.readline()
            while heard.readline().strip():
                pass
            room.declare(f"table strike {len(lines)}")
            room.declare(lines[-1])
            streamed = b""
            while str(room.view.seq).encode() not in streamed:
                line = heard.readline()
                assert line, streamed  # the server has ended the stream
                streamed += line
    assert STREAMED.fullmatch(streamed), streamed
    assert not counted


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
    by_games = {each for each in found if each.startswith(("core/", "games/", "kit/", "insight/"))}
    assert found - by_games == {
        "commands/studying.py",
        "web/review/deal_reviews.py",
        "web/review/scores.py",  # which deals are over
        "web/table/tables.py",  # whether the running deal was over once, and a review was opened
    }


def test_the_watch_would_see_it(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same watch on a deal that is over: the page counts, and says per cent."""
    room.revoke()
    room.play_out()
    page = room.phone.get(f"/t/{room.match}/review/1?entry=4")
    assert page.status_code == 200
    assert PERCENT.search(soup(page).get_text())
