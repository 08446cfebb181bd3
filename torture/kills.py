"""``kill -9`` of the server at any instant, while eight phones play and send lost plays again.

One kill in four hits a server that is still starting and recovering from the previous kill. On
PostgreSQL there can be several servers, between which the phones change, and the database server
can be killed, too.
"""

from __future__ import annotations

import faulthandler
import html
import http.client
import logging
import os
import re
import secrets
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread, current_thread
from typing import NamedTuple
from urllib.parse import urlencode

from sqlite_utils.utils import sqlite3

from referee import cli, paths
from referee.core.verdict import Illegal
from referee.games.simulation import WIDEST
from referee.ledger import Ledger
from referee.store import Store, Stored
from torture import ports

PHONES = 8
TABLES = 4  # so two phones play at each
SEATS = ("A", "B", "C", "D", "E")
WAIT = 0.02  # seconds until a phone sends again what was not answered
STARTING = 0.25  # share of the kills that hit a server that does not answer yet
# a server needs a third of a second of processor time, for which it may have to wait long
START_SECONDS = 600.0
STACKS = "stacks.txt"  # where servers write the stacks of their threads on SIGUSR1
AWAKE_SECONDS = 0.4  # from the first answer to the kill, at most

_FIELD = re.compile(r'name="(seen|key)" value="([^"]*)"')
_KEY = re.compile(r'<button[^>]*name="line" value="([^"]+)"')


class Sent(NamedTuple):
    """A play as a phone sent it: on top of entry ``seen``."""

    match: str
    seen: int
    key: str
    line: str


class Answer(NamedTuple):
    """The server's answer: HTTP status, redirect address, page."""

    status: int
    location: str
    text: str


class Report(NamedTuple):
    """The promises to the phones over all kills, and what the log lacks.

    ``starting``: kills of a server that did not answer yet; ``fallen``: kills of the database
    server. ``slowest``: longest time in seconds from the last sending of a request to its answer.
    """

    kills: int
    starting: int
    fallen: int
    matches: int
    entries: int
    promises: int
    resent: int
    slowest: float
    faults: list[str]


@dataclass
class Evening:
    """What all phones share: the servers, the cookies, and what was sent and acknowledged."""

    ports: Sequence[int]
    # whether the database server is killed, too: 503 is the right answer then
    falls: bool = False
    imported: str = ""  # prefix of the ids of matches that no phone has played
    cookies: dict[str, str] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)
    over: Event = field(default_factory=Event)
    tables: list[str] = field(default_factory=list)
    sent: dict[tuple[str, str], Sent] = field(default_factory=dict)
    promised: list[Sent] = field(default_factory=list)
    resent: int = 0
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)
    asking: dict[str, str] = field(default_factory=dict)  # by thread, its latest request

    def ask(
        self, method: str, path: str, form: Sequence[tuple[str, str]] = (), phone: int = 0
    ) -> Answer:
        """Repeat a request until a server answers; raises ``OSError`` when the evening is over.

        A ``phone`` begins with its own server and changes to the next one if that does not answer.
        """
        first, turn = True, phone
        while True:
            began = time.perf_counter()
            asked = f"{time.strftime('%X')} {method} {path}"
            self.asking[current_thread().name] = asked
            try:
                port = self.ports[turn % len(self.ports)]
                answer = self._ask(port, method, path, urlencode(form))
                if self.falls and answer.status == http.HTTPStatus.SERVICE_UNAVAILABLE:
                    raise ConnectionRefusedError(answer.text)
                self.slowest = max(self.slowest, time.perf_counter() - began)
                self.asking[current_thread().name] = f"{asked}: {answer.status}"
                if answer.status >= 500:
                    self.faults.append(f"{answer.status} for {method} {path}")
                return answer
            except (OSError, http.client.HTTPException) as fault:
                if method == "POST" and first:
                    with self.lock:
                        self.resent += 1
                self.asking[current_thread().name] = f"{asked}: {fault!r}"
                first, turn = False, turn + 1
                if self.over.is_set():
                    raise OSError from fault
                time.sleep(WAIT)

    def wait_for_promises(self, more: int) -> None:
        """Wait until ``more`` plays have been acknowledged; raises ``RuntimeError``."""
        wanted, until = len(self.promised) + more, time.monotonic() + START_SECONDS
        while len(self.promised) < wanted:
            if time.monotonic() > until:
                found = [*self.faults, *(f"{name}: {said}" for name, said in self.asking.items())]
                raise RuntimeError("\n".join(["no play is acknowledged any more", *found]))
            time.sleep(0.001)

    def _ask(self, port: int, method: str, path: str, body: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
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


class Servers:
    """The servers of an evening, by number, on one folder or database.

    ``awake``: whether each has answered since it was started last. ``start_seconds``: how long the
    latest start took that was waited for.
    """

    def __init__(self, folder: Path, database: str, ports: Sequence[int]) -> None:
        self._folder, self._database, self._ports = folder, database, ports
        self._running = [self._spawned(port) for port in ports]
        self.awake = [True] * len(ports)
        self.start_seconds = 0.0

    def wait(self) -> None:
        """Wait until all servers answer; raises ``RuntimeError``."""
        pairs = zip(self._running, self._ports, strict=True)
        self.start_seconds = max(awaited(server.is_alive, port) for server, port in pairs)

    def kill(self, n: int) -> None:
        self._running[n].kill()
        self._running[n].join()

    def start(self, n: int, *, wait: bool) -> None:
        """Start server ``n``, which was killed; ``wait``: until it answers."""
        self._running[n] = self._spawned(self._ports[n])
        self.awake[n] = wait
        if wait:
            self.start_seconds = awaited(self._running[n].is_alive, self._ports[n])

    def restart_sleeping(self) -> None:
        """Start the servers again that have not answered yet: none starts without a database."""
        for n, awake in enumerate(self.awake):
            if not awake:
                self.kill(n)
                self.start(n, wait=False)

    def stacks(self) -> str:
        """The stacks of the threads of servers that no longer answer."""
        for server in self._running:
            if server.pid and server.is_alive():
                os.kill(server.pid, signal.SIGUSR1)
        time.sleep(1)
        file = self._folder / STACKS
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def _spawned(self, port: int) -> BaseProcess:
        """A newly started server, forked from an interpreter that has its modules loaded.

        So it starts at once, and more time is left for kills.
        """
        context = get_context("forkserver")
        context.set_forkserver_preload(
            ["__main__", "referee.app", "referee.upkeep.backup", "referee.server.serve"]
        )
        server = context.Process(target=_serve, args=(str(self._folder), str(port), self._database))
        server.start()
        return server


def run(
    folder: Path,
    kills: int,
    seed: int,
    done: Callable[[int], object] = lambda count: None,
    *,
    database: str = "",
    servers: int = 1,
    fell: Callable[[], None] | None = None,
    traffic: Callable[[Evening], Sequence[Thread]] = lambda evening: (),
) -> Report:
    """Kill one of ``servers`` ``kills`` times; their data are in ``folder``, or at ``database``.

    ``done`` is called after each kill with its number. ``fell``: called instead of each fifth kill;
    it kills the database server and starts it again. ``traffic``: returns threads with further load
    until the evening is over. Ctrl+C ends the evening early; the promises until then are checked.
    """
    rng = Random(seed)
    evening = Evening([ports.free() for _ in range(servers)], falls=fell is not None)
    phones, killed, starting, fallen = list[Thread](), 0, 0, 0
    running = Servers(folder, database, evening.ports)
    try:
        running.wait()
        evening.tables = [opened(evening) for _ in range(TABLES)]
        phones = [
            *(
                Thread(target=play_on_phone, args=(evening, number, Random(f"{seed} {number}")))
                for number in range(PHONES)
            ),
            *traffic(evening),
        ]
        for phone in phones:
            phone.start()
        with suppress(KeyboardInterrupt):
            while killed < kills:
                n = killed % servers
                awake = running.awake[n]
                if awake:  # otherwise, on a busy machine, no request would be under way
                    evening.wait_for_promises(2)
                time.sleep(rng.uniform(0, AWAKE_SECONDS if awake else running.start_seconds))
                killed += 1
                if fell is not None and killed % 5 == 0:
                    fell()
                    fallen += 1
                    running.restart_sleeping()
                    continue
                running.kill(n)
                starting += not awake
                done(killed)
                running.start(n, wait=rng.random() >= STARTING)
        running.wait()
        time.sleep(AWAKE_SECONDS)
    except RuntimeError as fault:  # the promises until then are checked all the same
        evening.faults.append(f"{fault}\n{running.stacks()}")
    finally:
        evening.over.set()
        # servers first, since one that does not answer would block the phones
        for n in range(servers):
            running.kill(n)
        for phone in phones:
            phone.join()
    place = paths.place(database) or folder / paths.DATABASE
    matches, entries, faults = examined(place, evening)
    return Report(
        kills=killed,
        starting=starting,
        fallen=fallen,
        matches=matches,
        entries=entries,
        promises=len(evening.promised),
        resent=evening.resent,
        slowest=evening.slowest,
        faults=evening.faults + faults,
    )


def _serve(folder: str, port: str, database: str) -> None:
    os.environ["REFEREE_DATABASE"] = database
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # it logs every outage
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    stacks = (Path(folder) / STACKS).open("a")
    faulthandler.register(signal.SIGUSR1, stacks)
    cli.main(["serve", "--data", folder, "--host", "127.0.0.1", "--port", port])


def awaited(alive: Callable[[], bool], port: int) -> float:
    """How many seconds it took until a server answered.

    Raises ``RuntimeError`` if it is no longer ``alive`` before that, or takes too long.
    """
    began = time.perf_counter()
    while alive() and time.perf_counter() < began + START_SECONDS:
        try:  # the port is open before the app is ready
            with closing(
                http.client.HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
            ) as probe:
                probe.request("GET", "/healthz")
                probe.getresponse().read()
            return time.perf_counter() - began
        except (OSError, http.client.HTTPException):
            time.sleep(0.02)
    if not alive():
        raise RuntimeError("a server has ended by itself")
    raise RuntimeError(f"a server does not answer within {START_SECONDS:.0f} s")


def opened(evening: Evening) -> str:
    """Open a table of the game with the most seats; returns its address."""
    form = [("game", WIDEST), *(("name", seat) for seat in SEATS)]
    answer = evening.ask("POST", "/new", form)
    assert answer.status == 303, answer.status
    return answer.location


def play_on_phone(evening: Evening, number: int, rng: Random) -> None:
    """Play on phone ``number`` (from 0) until the evening is over."""
    while not evening.over.is_set():
        try:
            _play(evening, number, rng)
        except OSError:
            return  # the evening is over


def _play(evening: Evening, number: int, rng: Random) -> None:
    """Look at the table, tap a key, and send it until it is answered."""
    place = number % TABLES
    address = evening.tables[place]
    page = evening.ask("GET", address, phone=number).text
    fields = dict(_FIELD.findall(page))
    lines = [html.unescape(line) for line in _KEY.findall(page)]
    if not lines or "seen" not in fields:
        table = opened(evening)  # the previous match is over
        with evening.lock:
            if evening.tables[place] == address:
                evening.tables[place] = table
        return
    sent = Sent(address, int(fields["seen"]), secrets.token_urlsafe(9), rng.choice(lines))
    with evening.lock:
        evening.sent[address, sent.key] = sent
    form = [("seen", fields["seen"]), ("key", sent.key), ("line", sent.line)]
    status = evening.ask("POST", f"{address}/play", form, number).status
    if status == 303:
        with evening.lock:
            evening.promised.append(sent)
    elif status not in (200, 409):  # refused, or another phone was faster
        evening.faults.append(f"{status} for {sent}")


def examined(place: Path | str, evening: Evening) -> tuple[int, int, list[str]]:
    """The number of matches and entries in the store, and its faults."""
    found = []
    if isinstance(place, Path):
        with closing(sqlite3.connect(place)) as db:
            said = [str(row[0]) for row in db.execute("PRAGMA integrity_check")]
        found = [text for text in said if text != "ok"]
    promised = defaultdict[str, list[Sent]](list)
    for promise in evening.promised:
        promised[promise.match].append(promise)
    store = Store(place)
    ledger, entries = Ledger(store), 0
    try:
        matches = {f"/t/{row.id}": row.id for row in store.matches()}
        found += [f"lost: {address}" for address in promised.keys() - matches.keys()]
        for address, match in matches.items():
            if evening.imported and match.startswith(evening.imported):
                continue
            stored = store.read(match)
            entries += len(stored)
            found += _faults(address, stored, promised[address], evening.sent)
            if any(
                isinstance(moment.verdict, Illegal) for moment in ledger.view(match).log.moments
            ):
                found.append(f"{address}: an illegal entry stands")
    finally:
        store.close()
    return len(matches), entries, found


def _faults(
    address: str,
    stored: Sequence[Stored],
    promised: Sequence[Sent],
    sent: Mapping[tuple[str, str], Sent],
) -> Iterator[str]:
    """The faults of one log.

    Every promised entry must be at its place, and every entry must have been sent for that place,
    exactly once.
    """
    if [entry.seq for entry in stored] != list(range(1, len(stored) + 1)):
        yield f"{address}: entries are not numbered one after the other"
    entries = {entry.seq: entry for entry in stored}
    for promise in promised:
        entry = entries.get(promise.seen + 1)
        if entry is None or entry.line != promise.line:
            yield f"lost: {promise}, there is {entry}"
    for entry in stored[1:]:  # the first one is the deal, recorded when the table was opened
        meant = sent.get((address, entry.key))
        if meant is None:
            yield f"{address}: {entry} was never sent"
        elif (meant.seen + 1, meant.line) != (entry.seq, entry.line):
            yield f"doubled or out of order: {meant} stands as {entry}"
