"""Streams over real sockets: what phones hear of a table, and what they can't stop."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from flask import Flask
from introduced import COOKIE, TOKEN, introduced
from sockets import ask, running
from streaming import OPEN, serving
from waiting import PATIENCE, wait_for

from referee.app import create_app
from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.http.invites import digest
from referee.ledger import Ledger
from referee.paths import DATABASE
from referee.server import live
from referee.server.bridge import Bridge
from referee.server.live import Streams
from referee.server.serve import listen
from referee.store import Circles, Doors, Store, Unavailable

SEATS = ("A", "B", "C")
KNOWN = {"Cookie": COOKIE}
LINES = ("table deal leader=A", "A lay 4", "B lay 5")


class Phone:
    """A stream as a browser reads it: ``hears`` gives one number after the other."""

    def __init__(self, port: int, match: str, *headers: str) -> None:
        OPEN.append(self)
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        sent = ["Host: a", f"Cookie: {COOKIE}", "Accept: text/event-stream", *headers]
        head = "\r\n".join([f"GET /t/{match}/live HTTP/1.1", *sent, "", ""])
        self._socket.sendall(head.encode())
        self._lines = self._socket.makefile("rb")
        self.status = int(self._lines.readline().split()[1])
        self.headers = dict(
            line.decode().strip().split(": ", 1) for line in iter(self._lines.readline, b"\r\n")
        )

    def hears(self) -> int:
        """The next number; ``EOFError`` if the answer is over."""
        for line in self._lines:
            if line.startswith(b"data: "):
                return int(line[6:])
            if line == b"0\r\n":
                break
        raise EOFError

    def pinged(self) -> bool:
        return any(line == b":\n" for line in self._lines)

    def leaves(self) -> None:
        self._lines.close()
        self._socket.close()


@pytest.fixture
def match(ledger: Ledger) -> str:
    return ledger.open(Header(WIDEST, SEATS), introduced(ledger.store)).match


def declare_up_to(ledger: Ledger, match: str, upto: int) -> None:
    """Entries up to number ``upto``."""
    for seq in range(ledger.view(match).seq, upto):
        ledger.declare(match, LINES[seq], seq, f"key-{seq:06}")


def test_every_phone_of_the_table_hears_of_an_entry_and_no_other(
    app: Flask, ledger: Ledger, match: str
) -> None:
    circle = Circles(ledger.store).of(digest(TOKEN))[0].id
    other = ledger.open(Header(WIDEST, SEATS), circle).match
    with serving(app) as (port, _):
        phones = [Phone(port, match) for _ in range(4)]
        stranger = Phone(port, other)
        assert [phone.hears() for phone in (*phones, stranger)] == [0] * 5
        for seq in (1, 2):
            declare_up_to(ledger, match, seq)
            assert [phone.hears() for phone in phones] == [seq] * 4
        declare_up_to(ledger, other, 1)
        assert stranger.hears() == 1
        assert phones[0].headers["x-accel-buffering"] == "no"
        assert phones[0].headers["content-type"].startswith("text/event-stream")


def test_an_entry_over_http_is_heard(app: Flask, match: str) -> None:
    with serving(app) as (port, _):
        phone = Phone(port, match)
        assert phone.hears() == 0
        form = f"line={LINES[0]}&seen=0&key=key-000000".encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": COOKIE}
        assert ask(port, "POST", f"/t/{match}/play", form, kind)[0].status == 303
        assert phone.hears() == 1


def test_a_phone_that_comes_back_hears_where_the_table_is(
    app: Flask, ledger: Ledger, match: str
) -> None:
    with serving(app) as (port, _):
        declare_up_to(ledger, match, 3)
        assert Phone(port, match, "Last-Event-ID: 1").hears() == 3
        assert Phone(port, match, "Last-Event-ID: 3").hears() == 3


def test_a_request_that_asks_for_no_events_gets_the_number_alone(
    app: Flask, ledger: Ledger, match: str
) -> None:
    declare_up_to(ledger, match, 2)
    with serving(app) as (port, _):
        response, body = ask(port, "GET", f"/t/{match}/live", headers=KNOWN)
    assert (response.status, body) == (200, b"2")
    assert response.getheader("cache-control") == "no-store"


def test_entries_of_another_process_are_heard(
    app: Flask, ledger: Ledger, match: str, tmp_path: Path
) -> None:
    other = Ledger(Store(tmp_path / DATABASE))
    with serving(app) as (port, _):
        phone = Phone(port, match)
        assert phone.hears() == 0
        declare_up_to(other, match, 1)
        assert phone.hears() == 1
        declare_up_to(ledger, match, 2)
        assert phone.hears() == 2
        declare_up_to(other, match, 3)
        assert phone.hears() == 3
    other.store.close()


@pytest.mark.parametrize("question", ["foreign_commits", "extents"])
def test_entries_of_another_process_are_heard_after_an_outage(
    app: Flask,
    ledger: Ledger,
    match: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    question: str,
) -> None:
    asked = []

    def away(*args: object) -> NoReturn:
        asked.append(args)
        raise Unavailable("no server")

    monkeypatch.setattr(live, "OUTAGE_SECONDS", 0.01)
    other = Ledger(Store(tmp_path / DATABASE))
    with serving(app) as (port, _):
        phone = Phone(port, match)
        assert phone.hears() == 0
        with monkeypatch.context() as outage:
            outage.setattr(ledger.store, question, away)
            declare_up_to(other, match, 1)
            wait_for(lambda: len(asked) > 1)
        assert phone.hears() == 1
        declare_up_to(other, match, 2)
        assert phone.hears() == 2
    other.store.close()


def test_a_stream_to_a_table_that_does_not_exist_is_a_404(app: Flask) -> None:
    with serving(app) as (port, streams):
        assert Phone(port, "nothing").status == 404
        wait_for(lambda: streams.held == 0)


def test_only_the_app_says_who_may_look(ledger: Ledger, match: str) -> None:
    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        own = environ.get("HTTP_X_ROLE") == "host"
        start_response("200 OK" if own else "403 Forbidden", [("Content-Length", "1")])
        return [b"5"]

    with running(Bridge(app, Streams(ledger))) as port:
        assert Phone(port, match).status == 403
        guest = Phone(port, match, "X-Role: host")
        assert (guest.status, guest.hears()) == (200, 5)


def test_more_streams_than_allowed_are_refused_and_stop_nothing_else(
    app: Flask, ledger: Ledger, match: str
) -> None:
    with serving(app, most=3) as (port, streams):
        held = [Phone(port, match) for _ in range(3)]
        refused = [Phone(port, match) for _ in range(20)]
        assert {phone.status for phone in refused} == {503}
        assert refused[0].headers["retry-after"] == "30"
        assert ask(port, "GET", f"/t/{match}", headers=KNOWN)[0].status == 200
        declare_up_to(ledger, match, 1)
        assert [(phone.hears(), phone.hears()) for phone in held] == [(0, 1)] * 3
        held[0].leaves()
        wait_for(lambda: streams.held == 2)
        assert Phone(port, match).hears() == 1


def test_one_address_does_not_get_them_all(app: Flask, match: str) -> None:
    with serving(app, per_address=2) as (port, _):
        assert [Phone(port, match).status for _ in range(3)] == [200, 200, 503]
        assert Phone(port, match, "X-Forwarded-For: 203.0.113.5").status == 200


def test_phones_that_left_leave_nothing_behind(app: Flask, match: str) -> None:
    with serving(app) as (port, streams):
        phones = [Phone(port, match) for _ in range(20)]
        assert streams.held == 20
        for phone in phones:
            phone.leaves()
        wait_for(lambda: streams.held == 0)


def test_a_quiet_stream_is_pinged(app: Flask, match: str) -> None:
    with serving(app, ping_seconds=0.1) as (port, _):
        phone = Phone(port, match)
        assert phone.hears() == 0
        assert phone.pinged()


def test_a_phone_that_vanished_is_given_up_before_half_a_minute() -> None:
    if not hasattr(socket, "TCP_USER_TIMEOUT"):
        pytest.skip("this system has no such timeout")
    with listen("127.0.0.1", 0) as listener:
        near = socket.create_connection(listener.getsockname())
        far, _ = listener.accept()
        patience = far.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
        assert patience / 1000 + 12 < 30
        near.close()
        far.close()


def test_a_server_that_stops_sends_its_phones_to_the_next_one(app: Flask, match: str) -> None:
    with serving(app) as (port, _):
        phones = [Phone(port, match) for _ in range(5)]
        assert [phone.hears() for phone in phones] == [0] * 5
    for phone in phones:
        with pytest.raises(EOFError):
            phone.hears()


def test_a_phone_that_reads_nothing_holds_up_nobody(app: Flask, ledger: Ledger, match: str) -> None:
    with serving(app) as (port, _):
        deaf, phone = Phone(port, match), Phone(port, match)
        for seq in range(1, 400):
            ledger.listeners[-1](match, seq)  # the streams of the server
        heard = 0
        while heard < 399:
            heard = phone.hears()
        declare_up_to(ledger, match, 1)
        assert deaf.status == 200


def test_a_guest_who_is_removed_hears_no_more(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    ledger, doors = app.extensions["ledger"], Doors(app.extensions["ledger"].store)
    host = app.test_client()
    match = host.post("/new", data={"game": WIDEST, "name": list(SEATS)}).location.partition("?")[0]
    match = match.rpartition("/")[2]
    doors.greet(digest(TOKEN))
    doors.seat(match, digest(TOKEN), "watching")
    with serving(app) as (port, streams):
        guest = Phone(port, match)
        assert guest.hears() == ledger.view(match).seq
        answer = host.post(f"/t/{match}/expel", data={"phone": digest(TOKEN)})
        assert answer.status_code == 303
        with pytest.raises(EOFError):
            guest.hears()
        wait_for(lambda: not streams.held)
    ledger.store.close()
