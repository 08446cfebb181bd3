"""Two servers on one PostgreSQL, phones spread over both; one of them dies."""

from __future__ import annotations

import html
import os
import re
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPException
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlencode

import proxies
import pytest
from cluster import Schemas, running
from introduced import COOKIE, introduced
from sockets import ask, stopped
from waiting import PATIENCE, wait_for

from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.ledger import Ledger
from referee.store import Store
from torture import kills
from torture.ports import free

pytestmark = pytest.mark.thorough

SEATS = ("A", "B", "C", "D", "E")
KNOWN = {"Cookie": COOKIE, "Content-Type": "application/x-www-form-urlencoded"}
OFFERED = re.compile(r'<button[^>]*name="line" value="([^"]+)"')


@pytest.fixture
def address(schemas: Schemas) -> Iterator[str]:
    schema = schemas.take()
    yield schemas.cluster.address(schema)
    schemas.give_back(schema)


class Listener(Thread):
    """A phone with its page open: it asks the next server where one is gone."""

    def __init__(self, ports: list[int], match: str) -> None:
        super().__init__(daemon=True)
        self.ports, self.match = ports, match
        self.heard = 0  # the newest entry that it knows of
        self.calls = 0
        self.over = Event()

    def run(self) -> None:
        while not self.over.is_set():
            try:
                self._listen(self.ports[0])
            except OSError:
                if self.over.is_set():
                    return
                time.sleep(0.05)
            self.ports = self.ports[1:] + self.ports[:1]

    def _listen(self, port: int) -> None:
        head = f"GET /t/{self.match}/live HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n"
        self.calls += 1
        with closing(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)) as connection:
            connection.sendall(f"{head}Cookie: {COOKIE}\r\n\r\n".encode())
            for line in connection.makefile("rb"):
                if line.startswith(b"data: "):
                    self.heard = int(line[6:])
                if self.over.is_set():
                    return


class Player:
    """A phone that plays, at the first server that answers."""

    def __init__(self, ports: list[int], match: str) -> None:
        self.ports, self.match = ports, match
        self.lines: list[str] = []
        self.unanswered = 0

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, str]:
        try:
            answer, content = ask(self.ports[0], method, path, body, KNOWN)
        except (OSError, HTTPException):
            self.unanswered += 1
            self.ports = self.ports[1:] + self.ports[:1]
            answer, content = ask(self.ports[0], method, path, body, KNOWN)
        return answer.status, content.decode()

    def plays(self) -> int:
        """The number of the entry that was acknowledged."""
        while True:
            page = self.ask("GET", f"/t/{self.match}")[1]
            [seen] = set(re.findall(r'name="seen" value="(\d+)"', page))
            for line in map(html.unescape, OFFERED.findall(page)):
                tap = {"line": line, "seen": seen, "key": secrets.token_urlsafe(9)}
                status, _ = self.ask("POST", f"/t/{self.match}/play", urlencode(tap).encode())
                if status == 303:
                    self.lines.append(line)
                    return int(seen) + 1


def test_when_a_server_dies_its_phones_go_on_at_the_other(address: str, tmp_path: Path) -> None:
    store = Store(address)
    ledger = Ledger(store)
    match = ledger.open(Header(WIDEST, SEATS), introduced(store)).match
    ledger.declare(match, "table deal leader=A", 0, "the-first-deal")
    first, second = free(), free()
    servers = [_server(tmp_path / str(port), port, address) for port in (first, second)]
    with stopped(servers[0], first), stopped(servers[1], second):
        orders = ([first, second], [second, first])
        phones = [Listener(list(orders[number % 2]), match) for number in range(8)]
        players = [Player(list(order), match) for order in orders]
        for phone in phones:
            phone.start()
        wait_for(lambda: all(phone.heard == 1 for phone in phones))
        for turn in range(8):
            if turn == 4:
                servers[0].kill()
                servers[0].wait()
            seq = players[turn % 2].plays()
            wait_for(lambda seq=seq: all(phone.heard == seq for phone in phones))  # type: ignore[misc]
        # nobody had to call twice, and those at the other server noticed nothing
        assert [player.unanswered for player in players] == [1, 0]
        assert [phone.calls for phone in phones] == [2, 1] * 4
        for phone in phones:
            phone.over.set()
    lines = [
        line for pair in zip(*(player.lines for player in players), strict=True) for line in pair
    ]
    assert [entry.line for entry in store.read(match)] == ["table deal leader=A", *lines]
    for phone in phones:
        phone.join(PATIENCE)
    store.close()


@pytest.mark.parametrize("proxy", ["nginx", "caddy"])
def test_behind_a_load_balancer_as_the_guide_shows_it(
    address: str, tmp_path: Path, proxy: str
) -> None:
    if not proxies.program(proxy):
        pytest.skip(f"{proxy} is not installed")
    ports = [free(), free()]
    servers = [_server(tmp_path / str(port), port, address, "--public") for port in ports]
    form = urlencode([("game", WIDEST), *(("name", seat) for seat in SEATS)]).encode()
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    with (
        stopped(servers[0], ports[0]),
        stopped(servers[1], ports[1]),
        proxies.front(proxy, tmp_path, ports) as front,
    ):
        own = {**kind, "Origin": f"https://localhost:{front.secure}"}
        opened, _ = front.ask("POST", "/new", form, own)
        cookie = {"Cookie": (opened.getheader("Set-Cookie") or "").partition(";")[0]}
        table = opened.getheader("Location") or ""
        for turn in range(20):
            if turn == 10:
                servers[0].kill()
                servers[0].wait()
            assert front.ask("GET", table, headers=cookie)[0].status == 200
            for _again in range(5 if turn >= 10 else 1):
                answer, _ = front.ask("POST", "/new", form, own | cookie)
                # Until its health is asked for, a form may go to the dead server, and Caddy 2.6
                # does not send a form twice. A phone does.
                if answer.status != 502:
                    break
            assert answer.status == 303
        large = front.ask("POST", "/history/import", bytes(2 * 1024 * 1024), own | cookie)[0]
        assert large.status == 400  # it came through: more than any other address takes


def _server(folder: Path, port: int, address: str, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "referee", "serve", "--host", "127.0.0.1", *more]
    environment = os.environ | {
        "REFEREE_DATABASE": address,
        "REFEREE_KEY": "shared by both of them, and random",
    }
    return subprocess.Popen(
        [*command, "--port", str(port), "--data", str(folder)],
        stdout=subprocess.DEVNULL,
        env=environment,
    )


@pytest.mark.usefixtures("cluster")  # there is PostgreSQL, or this is skipped
def test_kills_of_two_servers_and_their_database_lose_nothing(tmp_path: Path) -> None:
    """The database server dies in each of the ways in which it can."""
    with running(durable=True) as server:

        def fell() -> None:
            for ends in (server.kill, server.kill_one, server.crash):
                ends()
                server.start()
                time.sleep(0.3)

        report = kills.run(
            tmp_path, kills=6, seed=20261, database=server.address(), servers=2, fell=fell
        )
    assert report.faults == []
    assert report.fallen == 1
    assert report.promises > 5
