"""Results that go out: to the named address alone, three times at most, and never during a play."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address

import pytest
from flask import Flask
from phones import Phone, one, soup, text
from waiting import wait_for

from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import WIDEST, played
from referee.ledger import Ledger, View
from referee.outgoing import posting
from referee.outgoing.posting import BadAddress, checked, connecting, posted
from referee.outgoing.refused import NotAccepted
from referee.outgoing.results import WAITS, WRONG_FOR, ResultSender
from referee.store import Circles
from referee.store.result_addresses import ResultAddresses

SEATS = ("あかね", "B", "C")


class Club:
    """The program of a club that receives results, and answers with ``status``."""

    def __init__(self) -> None:
        self.status, self.heard = 200, list[dict[str, object]]()
        self.paths = list[str]()
        club = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                size = int(self.headers["Content-Length"])
                club.heard.append(json.loads(self.rfile.read(size)))
                club.paths.append(self.path)
                self.send_response(club.status)
                self.send_header("Location", "https://127.0.0.1/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                """Nothing."""

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def connect(self, host: str, port: int) -> http.client.HTTPConnection:
        assert (host, port) == ("club.example", 443)
        return http.client.HTTPConnection(*self._server.server_address, timeout=10)

    def closes(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def club() -> Iterator[Club]:
    club = Club()
    yield club
    club.closes()


@pytest.fixture
def ledger(app: Flask) -> Ledger:
    ledger: Ledger = app.extensions["ledger"]
    return ledger


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sender(ledger: Ledger, club: Club, clock: Clock) -> ResultSender:
    return ResultSender(ledger, connect=club.connect, clock=clock)


@pytest.fixture
def match(ledger: Ledger, sender: ResultSender) -> str:
    """A finished match of a group that has named an address."""
    circles = Circles(ledger.store)
    with ledger.store._transaction() as db:
        db.execute("INSERT INTO phones VALUES ('p', '')")
    circle = circles.create("p")
    sender.addresses.name(circle, "https://club.example/results?key=1")
    match = ledger.open(Header(WIDEST, SEATS), circle).match
    for seen, entry in enumerate(played(GAMES[WIDEST], SEATS, 3).entries):
        ledger.declare(match, ledger.view(match).grammar.print(entry), seen, f"key-{seen:06}")
    return match


def test_a_finished_match_is_sent_once(
    ledger: Ledger, sender: ResultSender, club: Club, match: str
) -> None:
    sender.hear(match)
    sender.hear(match)
    [message] = club.heard
    assert club.paths == ["/results?key=1"]
    assert message["match"] == match
    places = message["places"]
    assert isinstance(places, list)
    assert sorted(name for place in places for name in place["names"]) == sorted(SEATS)
    assert not {"phone", "phones", "circle"} & set(message)
    seen = ledger.view(match).seq
    ledger.declare(match, f"{SEATS[0]} agree", seen, "key-agrees")
    sender.hear(match)
    assert len(club.heard) == 1  # the result is the same
    ledger.undo(match, seen + 1, "key-undoes")
    sender.hear(match)
    assert len(club.heard) == 1


def test_nothing_is_sent_before_the_end_or_without_an_address(
    ledger: Ledger, sender: ResultSender, club: Club, match: str
) -> None:
    other = ledger.open(Header(WIDEST, SEATS)).match
    ledger.declare(other, "table stop", 0, "key-stops")
    sender.hear(other)
    ledger.undo(match, ledger.view(match).seq, "key-undoes")
    sender.hear(match)
    assert club.heard == []


def test_three_tries_and_then_no_more(
    sender: ResultSender, club: Club, match: str, clock: Clock
) -> None:
    club.status = 500
    sender.hear(match)
    sender.send_due()
    assert len(club.heard) == 1
    for count, wait in enumerate(WAITS, 2):
        clock.now += wait
        sender.send_due()
        assert len(club.heard) == count
    clock.now += timedelta(hours=5)
    sender.send_due()
    assert len(club.heard) == 3


def test_a_second_try_that_arrives_is_the_last(
    sender: ResultSender, club: Club, match: str, clock: Clock
) -> None:
    club.status = 503
    sender.hear(match)
    club.status = 204
    clock.now += WAITS[0]
    sender.send_due()
    clock.now += WAITS[1]
    sender.send_due()
    assert len(club.heard) == 2


def test_an_address_that_is_wrong_for_a_day_is_switched_off(
    ledger: Ledger, sender: ResultSender, club: Club, match: str, clock: Clock
) -> None:
    club.status = 404
    sender.hear(match)
    clock.now += WRONG_FOR
    sender.send_due()
    circle = Circles(ledger.store).of_match(match)
    found = ResultAddresses(ledger.store).of(circle)
    assert found is not None
    assert (found.off, found.last) == (True, "404")
    assert ResultAddresses(ledger.store).for_match(match) is None
    club.status = 200
    sender.test(circle)
    sender.start()
    wait_for(lambda: ResultAddresses(ledger.store).for_match(match) is not None)
    sender.stop()
    assert club.heard[-1] == {"version": 1, "test": True}


def test_a_match_that_cannot_be_read_keeps_no_other_from_being_sent(
    ledger: Ledger,
    sender: ResultSender,
    club: Club,
    match: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken = ledger.open(Header(WIDEST, SEATS), Circles(ledger.store).of_match(match)).match
    sender.addresses.queue(broken, "x", "2025")
    view = ledger.view

    def damaged(asked: str) -> View:
        assert asked != broken, "damaged"
        return view(asked)

    monkeypatch.setattr(ledger, "view", damaged)
    sender.hear(match)
    assert [message["match"] for message in club.heard] == [match]
    assert "damaged" in caplog.text


def test_a_play_waits_for_no_address(
    ledger: Ledger, sender: ResultSender, club: Club, match: str
) -> None:
    sender.start()
    seen = ledger.view(match).seq
    ledger.declare(match, f"{SEATS[0]} agree", seen, "key-agrees")
    wait_for(lambda: len(club.heard) == 1)
    sender.stop()


def test_a_redirect_is_a_wrong_answer_and_is_not_followed(club: Club) -> None:
    club.status = 307
    with pytest.raises(NotAccepted, match="307"):
        posted("https://club.example/", {}, club.connect)
    assert len(club.heard) == 1


@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://club.example/",
        "ftp://club.example/",
        "https://",
        "https://a:b@club.example/",
        "https://club.example/#x",
        "https://club.example/ x",
        "https://club.example:x/",
        "https://[::1/",
        "https://クラブ.example/",
        "https://club.example/" + "x" * 500,
    ],
)
def test_other_addresses_cannot_be_named(phone: Phone, address: str) -> None:
    phone.opens()
    with pytest.raises(BadAddress):
        checked(address)
    answer = phone.post("/circle/results", {"do": "name", "address": address})
    assert answer.status_code == 400
    assert soup(answer).select("[role=alert]")


@pytest.mark.parametrize(
    ("address", "public", "home"),
    [
        ("8.8.8.8", True, True),
        ("192.168.1.5", False, True),
        ("10.0.0.1", False, True),
        ("127.0.0.1", False, False),
        ("0.0.0.0", False, False),
        ("169.254.169.254", False, False),
        ("224.0.0.1", False, False),
        ("255.255.255.255", False, False),
        ("::1", False, False),
        ("fe80::1", False, False),
        ("fd00::1", False, True),
        ("2606:4700::1111", True, True),
    ],
)
def test_what_a_server_reaches(address: str, public: bool, home: bool) -> None:
    assert posting.anywhere_public(ip_address(address)) is public
    assert posting.anywhere_but_here(ip_address(address)) is home


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::ffff:127.0.0.1]"])
def test_a_name_of_this_computer_is_not_connected_to(name: str) -> None:
    for reachable in (posting.anywhere_public, posting.anywhere_but_here):
        with pytest.raises(NotAccepted, match="private"):
            posted(f"https://{name}:9/", {}, connecting(reachable))


def test_the_page_of_the_group_says_what_became_of_it(app: Flask, phone: Phone) -> None:
    phone.opens()
    assert soup(phone.get("/circle")).select("a[href='/circle/results']")
    phone.post("/circle/results", {"do": "name", "address": "https://club.example/x"})
    page = soup(phone.get("/circle/results"))
    assert one(page, "#address")["value"] == "https://club.example/x"
    addresses: ResultAddresses = app.extensions["results"].addresses
    circle = Circles(app.extensions["ledger"].store).of_match(phone.match)
    for last in ("ok", "private", "silent", "certificate", "503"):
        addresses.answered(circle, last)
        assert text(soup(phone.get("/circle/results")), "main [role=status]")
    addresses.answered(circle, "503", "2026-01-01T00:00:00+00:00", off=True)
    assert "503" in text(soup(phone.get("/circle/results")), "main [role=alert]")
    assert phone.post("/circle/results", {"do": "test"}).status_code == 303
    assert soup(phone.get("/circle/results?tested=1")).select("meta[http-equiv=refresh]")
    phone.post("/circle/results", {"do": "drop"})
    assert addresses.of(circle) is None


def test_a_phone_without_a_group_names_nothing(guest: Phone) -> None:
    assert guest.get("/circle/results").status_code == 403
    answer = guest.post("/circle/results", {"do": "name", "address": "https://club.example/"})
    assert answer.status_code == 403
