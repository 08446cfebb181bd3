"""``kill -9`` of the server at any instant, while eight phones play and send lost plays again."""

from __future__ import annotations

import html
import http.client
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread
from typing import NamedTuple
from urllib.parse import urlencode

from referee import paths
from referee.core.verdict import Illegal
from referee.desk import Desk
from referee.store import Store

PHONES = 8
TABLES = 4  # so two phones play at each
SEATS = ("A", "B", "C", "D", "E")
WAIT = 0.02  # seconds until a phone sends again what was not answered

_FIELD = re.compile(r'name="(seen|key)" value="([^"]*)"')
_KEY = re.compile(r'<button[^>]*name="line" value="([^"]+)"')


class Sent(NamedTuple):
    """A play as a phone sent it: on top of entry ``seen``."""

    match: str
    seen: int
    key: str
    line: str


class Answer(NamedTuple):
    """What the server says: HTTP status, where to go, and the page."""

    status: int
    location: str
    text: str


class Report(NamedTuple):
    """What the phones were promised through how many kills, and what the log lacks."""

    kills: int
    promises: int
    resent: int
    faults: list[str]


@dataclass
class Evening:
    """What all phones share: the address, the cookies, and what was sent and acknowledged."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)
    over: Event = field(default_factory=Event)
    tables: list[str] = field(default_factory=list)
    sent: dict[tuple[str, str], Sent] = field(default_factory=dict)
    promised: list[Sent] = field(default_factory=list)
    resent: int = 0

    def ask(self, method: str, path: str, form: Sequence[tuple[str, str]] = ()) -> Answer:
        """Asks again until somebody answers; raises ``OSError`` when the evening is over."""
        first = True
        while True:
            try:
                return self._ask(method, path, urlencode(form))
            except (OSError, http.client.HTTPException) as fault:
                if method == "POST" and first:
                    self.resent += 1
                first = False
                if self.over.is_set():
                    raise OSError from fault
                time.sleep(WAIT)

    def _ask(self, method: str, path: str, body: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            headers = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            for line in answer.headers.get_all("Set-Cookie") or ():
                self.cookies |= {name: m.value for name, m in SimpleCookie(line).items()}
            return Answer(answer.status, answer.headers.get("Location", ""), text)
        finally:
            connection.close()


def run(folder: Path, kills: int, seed: int) -> Report:
    """Kill a server ``kills`` times; its data lie in ``folder``."""
    rng = Random(seed)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    evening = Evening(port)
    server = _started(folder, port)
    try:
        evening.tables = [_opened(evening) for _ in range(TABLES)]
        phones = [
            Thread(target=_phone, args=(evening, number, Random(f"{seed} {number}")))
            for number in range(PHONES)
        ]
        for phone in phones:
            phone.start()
        for _ in range(kills):
            time.sleep(rng.uniform(0, 0.4))
            server.send_signal(signal.SIGKILL)
            server.wait()
            server = _started(folder, port)
        time.sleep(0.2)
        evening.over.set()
        for phone in phones:
            phone.join()
    finally:
        server.kill()
        server.wait()
    return Report(kills, len(evening.promised), evening.resent, _faults(folder, evening))


def _started(folder: Path, port: int) -> subprocess.Popen[bytes]:
    """A server that answers."""
    command = [sys.executable, "-m", "referee", "serve", "--data", str(folder)]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    for _ in range(500):
        try:  # the port is open before the app is ready
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as probe:
                probe.request("GET", "/")
                probe.getresponse().read()
            return server
        except (OSError, http.client.HTTPException):
            if server.poll() is not None:
                break
            time.sleep(0.02)
    raise RuntimeError("the server does not start")


def _opened(evening: Evening) -> str:
    """A new table of ペリテ; its address."""
    form = [("game", "perite"), *(("name", seat) for seat in SEATS)]
    answer = evening.ask("POST", "/new", form)
    assert answer.status == 303, answer.status
    return answer.location


def _phone(evening: Evening, number: int, rng: Random) -> None:
    place = number % TABLES
    while not evening.over.is_set():
        try:
            _play(evening, place, rng)
        except OSError:
            return  # the evening is over


def _play(evening: Evening, place: int, rng: Random) -> None:
    """Look at the table, tap a key, and send it until it is answered."""
    address = evening.tables[place]
    page = evening.ask("GET", address).text
    fields = dict(_FIELD.findall(page))
    lines = [html.unescape(line) for line in _KEY.findall(page)]
    if not lines or "seen" not in fields:
        table = _opened(evening)  # that match is over
        with evening.lock:
            if evening.tables[place] == address:
                evening.tables[place] = table
        return
    sent = Sent(address, int(fields["seen"]), secrets.token_urlsafe(9), rng.choice(lines))
    with evening.lock:
        evening.sent[address, sent.key] = sent
    form = [("seen", fields["seen"]), ("key", sent.key), ("line", sent.line)]
    status = evening.ask("POST", f"{address}/play", form).status
    if status == 303:
        with evening.lock:
            evening.promised.append(sent)
    elif status not in (200, 409):  # refused, or somebody was faster
        raise AssertionError(f"{status} for {sent}")


def _faults(folder: Path, evening: Evening) -> list[str]:
    """What is wrong in the store, given what was sent and acknowledged."""
    store = Store(folder / paths.DATABASE)
    desk = Desk(store)
    found: list[str] = []
    try:
        for row in store.matches():
            address = f"/t/{row.id}"
            entries = {entry.seq: entry for entry in store.read(row.id)}
            if sorted(entries) != list(range(1, len(entries) + 1)):
                found.append(f"{address}: entries are not numbered one after the other")
            for promise in evening.promised:
                entry = entries.get(promise.seen + 1)
                if promise.match == address and (entry is None or entry.line != promise.line):
                    found.append(f"lost: {promise}, there is {entry}")
            for entry in list(entries.values())[1:]:  # the first was dealt with the table
                base = entry.key.partition(".")[0]
                if (address, base) not in evening.sent:
                    found.append(f"{address}: {entry} was never sent")
            log = desk.view(row.id).log
            if any(isinstance(moment.verdict, Illegal) for moment in log.moments[1:]):
                found.append(f"{address}: an illegal entry stands")
    finally:
        store.close()
    return found
