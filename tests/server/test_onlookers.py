"""Streams of onlookers over real sockets: what they hear, and when they end."""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
import sys
from http import HTTPStatus
from pathlib import Path

import pytest
from flask import Flask
from sockets import ask, running
from streaming import OPEN, serving
from waiting import PATIENCE, wait_for

from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.ledger import Ledger
from referee.server import serve
from referee.server.bridge import Bridge
from referee.server.live import Streams
from referee.store.broadcasts import Broadcast, Broadcasts
from referee.web.broadcast import looking
from referee.web.broadcast.misses import MOST

SECRET = "s" * 22
LINES = ("table deal leader=A", "A lay 4", "B lay 3", "C lay 2")
MOST_ENTRIES = 400
DOCS = Path(__file__).parents[2] / "docs" / "live-pages.md"


class Onlooker:
    """A stream as a browser reads it."""

    def __init__(self, port: int, path: str, last: str = "") -> None:
        OPEN.append(self)
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        known = {"Last-Event-ID": last} if last else {}
        self._connection.request("GET", path, headers={"Accept": "text/event-stream", **known})
        self._answer = self._connection.getresponse()
        self.status = self._answer.status

    def hears(self) -> str:
        """The next id or line of data; ``EOFError`` if the answer is over."""
        for line in self._answer:
            if line.startswith((b"id: ", b"data: ")):
                return line.decode().strip()
        raise EOFError

    def picture(self) -> list[str]:
        """The next picture with its id; its sign is the last part."""
        lines = [self.hears()]
        while "</p>" not in lines[-1]:
            lines.append(self.hears())
        return lines

    def entry(self) -> tuple[str, str]:
        """The id of the next event, and its line of the record."""
        number, data = self.hears(), self.hears()
        return number.removeprefix("id: "), str(json.loads(data.removeprefix("data: "))["line"])

    def pinged(self) -> bool:
        return any(line == b":\n" for line in self._answer)

    def leaves(self) -> None:
        self._answer.close()
        self._connection.close()


@pytest.fixture
def match(ledger: Ledger) -> str:
    match = ledger.open(Header(WIDEST, ("A", "B", "C"))).match
    Broadcasts(ledger.store).begin(SECRET, Broadcast(match, "n", 0))
    return match


def declare_up_to(ledger: Ledger, match: str, upto: int) -> None:
    for seq in range(ledger.view(match).seq, upto):
        ledger.declare(match, LINES[seq], seq, f"key-{seq:06}")


def test_the_feed_tells_every_entry_as_it_comes(app: Flask, ledger: Ledger, match: str) -> None:
    declare_up_to(ledger, match, 1)
    with serving(app) as (port, streams):
        onlookers = [Onlooker(port, f"/live/{SECRET}/events") for _ in range(3)]
        assert [each.entry() for each in onlookers] == [("1", LINES[0])] * 3
        for seq in (2, 3):
            declare_up_to(ledger, match, seq)
            assert [each.entry() for each in onlookers] == [(str(seq), LINES[seq - 1])] * 3
        late = Onlooker(port, f"/live/{SECRET}/events", last="2")
        assert late.entry() == ("3", LINES[2])
        for each in (*onlookers, late):
            each.leaves()
        wait_for(lambda: not streams.held)


def test_a_picture_comes_with_the_stream(app: Flask, ledger: Ledger, match: str) -> None:
    with serving(app) as (port, _):
        onlooker = Onlooker(port, f"/live/{SECRET}/stream?look=score&lang=en")
        before = onlooker.picture()
        declare_up_to(ledger, match, 2)
        after = onlooker.picture()  # the deal alone may come first
        assert not any('class="turn' in line for line in before)
        assert any('class="turn' in line for line in after)
        assert after[0].startswith("id: ")
        assert after[0] != before[0]
        onlooker.leaves()


def test_streams_end_as_soon_as_the_page_is_off(app: Flask, ledger: Ledger, match: str) -> None:
    with serving(app) as (port, streams):
        onlooker = Onlooker(port, f"/live/{SECRET}/events")
        wait_for(lambda: streams.held == 1)
        Broadcasts(ledger.store).end(match)
        ledger.reseated(match)
        with pytest.raises(EOFError):
            onlooker.hears()
        wait_for(lambda: not streams.held)
        assert Onlooker(port, f"/live/{SECRET}/events").status == HTTPStatus.NOT_FOUND


def test_who_guesses_at_one_address_does_not_end_the_streams_there(
    app: Flask, ledger: Ledger, match: str
) -> None:
    with serving(app) as (port, _):
        onlooker = Onlooker(port, f"/live/{SECRET}/events")
        for number in range(MOST):
            assert ask(port, "GET", f"/live/{number:022}")[0].status == HTTPStatus.NOT_FOUND
        assert ask(port, "GET", f"/live/{SECRET}")[0].status == HTTPStatus.NOT_FOUND
        declare_up_to(ledger, match, 1)
        assert onlooker.entry() == ("1", LINES[0])


def test_a_delay_lets_an_entry_through_by_itself(app: Flask, ledger: Ledger, match: str) -> None:
    Broadcasts(ledger.store).delay(match, 1)
    with serving(app) as (port, _):
        onlooker = Onlooker(port, f"/live/{SECRET}/events")
        declare_up_to(ledger, match, 1)
        assert onlooker.entry() == ("1", LINES[0])
        onlooker.leaves()


def test_a_quiet_stream_is_pinged(app: Flask, match: str) -> None:
    with serving(app, ping_seconds=0.1) as (port, _):
        assert Onlooker(port, f"/live/{SECRET}/events").pinged()


def test_a_stream_that_stalls_is_ended(
    app: Flask, ledger: Ledger, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that reads nothing, while pictures come: after the time of one that has vanished."""
    if not hasattr(socket, "TCP_USER_TIMEOUT"):
        pytest.skip("this system has no such timeout")
    monkeypatch.setattr(serve, "VANISHED_SECONDS", 1.0)
    listener = serve.listen("127.0.0.1", 0)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    streams = Streams(ledger, ping_seconds=0.2)
    declare_up_to(ledger, match, 1)
    with running(Bridge(app, streams), listener) as port, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", port))
        head = (f"GET /live/{SECRET}/stream?look=page&lang=en HTTP/1.1", "Host: a")
        deaf.sendall("\r\n".join([*head, "Accept: text/event-stream", "", ""]).encode())
        reader = Onlooker(port, f"/live/{SECRET}/events")
        wait_for(lambda: streams.held == 2)
        while streams.held == 2 and (seq := ledger.view(match).seq) < MOST_ENTRIES:
            ledger.declare(match, LINES[1], seq, f"key-{seq:06}")
            ledger.undo(match, seq + 1, f"undo-{seq:06}")
        wait_for(lambda: streams.held == 1)
        assert reader.entry() == ("1", LINES[0])


def test_the_host_is_told_how_many_look_on(app: Flask, ledger: Ledger, match: str) -> None:
    with serving(app) as (port, _):
        onlookers = [Onlooker(port, f"/live/{SECRET}/events") for _ in range(2)]
        wait_for(lambda: ledger.contacts.onlookers(match) == 2)
        onlookers[0].leaves()
        wait_for(lambda: ledger.contacts.onlookers(match) == 1)


def test_a_long_feed_comes_in_several_answers(
    app: Flask, ledger: Ledger, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "MOST_LINES", 2)
    declare_up_to(ledger, match, 4)
    with serving(app) as (port, _):
        onlooker = Onlooker(port, f"/live/{SECRET}/events")
        assert [onlooker.entry()[0] for _ in LINES] == ["1", "2", "3", "4"]


def test_unknown_secrets_are_refused_as_by_a_page(app: Flask, match: str) -> None:
    with serving(app) as (port, streams):
        assert Onlooker(port, f"/live/{'x' * 22}/events").status == HTTPStatus.NOT_FOUND
        assert not streams.held


def test_the_program_of_the_docs_follows_a_table(app: Flask, ledger: Ledger, match: str) -> None:
    [program] = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert len(program.splitlines()) <= 25
    with serving(app) as (port, _):
        address = f"http://127.0.0.1:{port}/live/{SECRET}"
        command = [sys.executable, "-c", program, address]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as follows:
            assert follows.stdout is not None
            for seq in (1, 2, 3):
                declare_up_to(ledger, match, seq)
                assert follows.stdout.readline().split(maxsplit=2) == [
                    str(seq),
                    "legal",
                    f"{LINES[seq - 1]}\n",
                ]
            Broadcasts(ledger.store).end(match)
            ledger.reseated(match)
            assert follows.wait(PATIENCE) == 0
