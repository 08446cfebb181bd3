"""Everything at once: phones play while files come in and go out, clocks jump, servers end.

In each round a server with a ceiling of memory is used by the phones of ``kills``, by one that
sends hostile files and histories, and by one that fetches every export. The time of day jumps by
days in both directions. A guest who listens is removed and must hear no more. In the midst of it
the server gets SIGTERM, and must end by itself in little time, or ``kill -9``. In some rounds a
newer program has changed the file: this one must refuse it and leave it as it is. Whatever was
acknowledged is looked up at the end.
"""

from __future__ import annotations

import http.client
import os
import resource
import secrets
import signal
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import NamedTuple

from sqlite_utils.utils import sqlite3

from referee import paths
from referee.http.invites import digest
from referee.store import Doors, Store
from torture import kills, ports, shim, uploads

CEILING = 1024 * uploads.MB
"""Bytes of data a process may have: the ``MemoryMax`` of the unit."""
DAYS = 3 * 24 * 3600  # largest jump of the clock
ROUND_SECONDS = 6.0  # from the first promise to the end of the server, at most
END_SECONDS = 10.0  # the server itself allows 2.5; a busy machine may wake it late
LOOK_SECONDS = 0.05  # interval of looking at the memory
HEAR_SECONDS = 30.0  # within this time the stream of a removed guest must end
REFUSE_SECONDS = 60.0  # within this time a server must have refused a file
IMPORTED = "imported"
"""Prefix of the ids of matches that no phone has played."""
EXPORTS = ("history.json.gz", "results.csv", "records.zip", "history.db")
DEAR = ("1.2 MB: nested lists", "8 MB: people")
"""Two of the hostile files, which would need much memory and are made quickly."""
CLOCK = Path(__file__).with_name("clock.c")


class Report(NamedTuple):
    """What was tried, and what went wrong. ``refused``: rounds with a newer program's file."""

    rounds: int
    ended: int
    refused: int
    files: int
    jumps: int
    promises: int
    faults: list[str]


class Clock:
    """The server's clock, shifted by the offset in a file."""

    def __init__(self, folder: Path) -> None:
        self.file, self.jumps = folder / "clock", 0
        self.file.write_bytes(struct.pack("q", 0))
        self._library = shim.compiled(folder, CLOCK)

    def environment(self) -> dict[str, str]:
        """The environment variables of a process with this clock."""
        return {
            **os.environ,
            "LD_PRELOAD": str(self._library),
            "CLOCK_OFFSET": str(self.file),
        }

    def jump(self, seconds: int) -> None:
        """Set the clock ``seconds`` ahead of the real time."""
        with self.file.open("r+b") as file:
            file.write(struct.pack("q", seconds))
        self.jumps += 1


class Memory(Thread):
    """Measures the memory of a server, and of the processes that it starts.

    The ceiling holds for each process alone, and one that reads a file may die of it: that is
    answered as a file too large, and no fault is seen.
    """

    def __init__(self, pid: int, over: Event) -> None:
        super().__init__()
        self._pid, self._over = pid, over
        self._idle = self.peak = uploads.memory(pid)

    def run(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            self.look()

    def look(self) -> None:
        self.peak = max(self.peak, uploads.memory(self._pid))

    def faults(self) -> Iterator[str]:
        if self.peak - self._idle > uploads.MOST_ABOVE:
            yield f"the server took {self.peak - self._idle:.0f} MB more than when nobody used it"


@dataclass
class Uploads:
    """What is sent in rounds: ``forms`` of files, one after the other.

    ``begun``: the files of the forms whose sending began; ``answered``: the status of those that
    were read completely.
    """

    forms: list[list[uploads.File]]
    begun: list[uploads.File] = field(default_factory=list)
    answered: list[int] = field(default_factory=list)


def run(folder: Path, rounds: int, seed: int, ceiling: int = CEILING) -> Report:
    """Play ``rounds`` rounds on one file in ``folder``; raises ``NoCompiler``."""
    rng, clock = Random(seed), Clock(folder)
    evening, sent = kills.Evening([ports.free()], imported=IMPORTED), Uploads(_files())
    ended, refused = 0, 0
    for number in range(rounds):
        if number % 4 == 3:
            refused += 1
            evening.faults += _newer(folder, evening.ports[0], clock)
        with _serving(folder, evening.ports[0], clock, ceiling) as server:
            kills.awaited(lambda: server.poll() is None, evening.ports[0])
            if not evening.tables:
                evening.tables = [kills.opened(evening) for _ in range(kills.TABLES)]
            over, ending = Event(), Event()
            watch = Memory(server.pid, over)
            threads = [
                watch,
                Thread(target=_send, args=(evening, over, ending, sent)),
                Thread(target=_fetch, args=(evening, over, ending)),
                Thread(target=_jump, args=(clock, over, Random(rng.random()))),
                *(
                    Thread(
                        target=kills.play_on_phone,
                        args=(evening, n, Random(f"{seed} {number} {n}")),
                    )
                    for n in range(kills.PHONES)
                ),
            ]
            for thread in threads:
                thread.start()
            try:
                evening.wait_for_promises(2)
                evening.faults += _removed(folder, evening)
                if number == 0:  # each hostile file is measured at least once
                    _wait_for_answers(sent)
                time.sleep(rng.uniform(0, ROUND_SECONDS))
                if server.poll() is not None:
                    evening.faults.append(f"the server ended by itself: {server.returncode}")
                elif rng.random() < 0.5:
                    ended += 1
                    ending.set()
                    evening.faults += _ends(server)
            except RuntimeError as fault:
                evening.faults.append(str(fault))
            finally:
                server.kill()
                over.set()
                evening.over.set()
                for thread in threads:
                    thread.join()
                evening.over.clear()
                evening.faults += watch.faults()
    clock.jump(0)
    _matches, _entries, faults = kills.examined(folder / paths.DATABASE, evening)
    promises = len(evening.promised)
    return Report(
        rounds, ended, refused, len(sent.begun), clock.jumps, promises, evening.faults + faults
    )


def traffic(evening: kills.Evening) -> list[Thread]:
    """Threads that import and export files until the evening is over."""
    evening.imported = IMPORTED
    return [
        Thread(target=_send, args=(evening, evening.over, Event(), Uploads(_files()))),
        Thread(target=_fetch, args=(evening, evening.over, Event())),
    ]


def _files() -> list[list[uploads.File]]:
    """Two hostile forms and a valid one."""
    hostile = [uploads.HOSTILE[name]() for name in DEAR]
    return [*hostile, [("a.gz", uploads.history(500, IMPORTED))]]


@contextmanager
def _serving(
    folder: Path, port: int, clock: Clock, ceiling: int
) -> Iterator[subprocess.Popen[bytes]]:
    server = subprocess.Popen(
        uploads.serving(folder, port),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=clock.environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (ceiling, ceiling)),
    )
    try:
        yield server
    finally:
        server.kill()
        server.wait()


def _ends(server: subprocess.Popen[bytes]) -> Iterator[str]:
    """Send SIGTERM; yields faults of the shutdown."""
    server.send_signal(signal.SIGTERM)
    try:
        server.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        yield f"SIGTERM did not end the server in {END_SECONDS:.0f} s"


def _send(evening: kills.Evening, over: Event, ending: Event, sent: Uploads) -> None:
    """Send hostile files and a valid history, one after the other.

    A request during the shutdown (``ending``) is cut off with a 503.
    """
    for files in cycle(sent.forms):
        with suppress(OSError, http.client.HTTPException):
            phone = uploads.Phone(evening.ports[0])
            sent.begun += files
            status = phone.sends(files, over)
            if not over.is_set():
                sent.answered.append(status)
            if status >= 500 and not (status == 503 and ending.is_set()):
                evening.faults.append(f"{status} for a file")
        if over.wait(0.1):
            return


def _wait_for_answers(sent: Uploads) -> None:
    """Wait until each form was answered; raises ``RuntimeError`` if the answers do not come."""
    wanted, until = len(sent.forms), time.monotonic() + kills.START_SECONDS
    while len(sent.answered) < wanted:
        if time.monotonic() > until:
            raise RuntimeError(f"{len(sent.answered)} of {wanted} forms were answered")
        time.sleep(LOOK_SECONDS)


def _fetch(evening: kills.Evening, over: Event, ending: Event) -> None:
    """Fetch every export of the group that plays."""
    while not over.wait(0.1):
        for name in EXPORTS:
            if over.is_set():
                return
            with suppress(OSError, http.client.HTTPException):
                status = _fetched(evening, name)
                if status >= 500 and not (status == 503 and ending.is_set()):
                    evening.faults.append(f"{status} for {name}")


def _fetched(evening: kills.Evening, name: str) -> int:
    """Read an export to its end; the status of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", evening.ports[0], timeout=60)
    with closing(connection):
        cookies = "; ".join(f"{key}={value}" for key, value in evening.cookies.items())
        connection.request("GET", f"/history/{name}", headers={"Cookie": cookies})
        answer = connection.getresponse()
        answer.read()
        return answer.status


def _jump(clock: Clock, over: Event, rng: Random) -> None:
    while not over.wait(rng.uniform(0.1, 0.5)):
        clock.jump(rng.randint(-DAYS, DAYS))


def _removed(folder: Path, evening: kills.Evening) -> Iterator[str]:
    """A guest listens and is removed; yields a fault if it receives anything after that."""
    match, token = evening.tables[0].partition("?")[0], secrets.token_urlsafe(16)
    with closing(Store(folder / paths.DATABASE)) as store:
        doors = Doors(store)
        doors.greet(digest(token))
        doors.seat(match.rpartition("/")[2], digest(token), "watching")
    connection = http.client.HTTPConnection("127.0.0.1", evening.ports[0], timeout=HEAR_SECONDS)
    with closing(connection):
        listens = {"Cookie": f"phone={token}", "Accept": "text/event-stream"}
        connection.request("GET", f"{match}/live", headers=listens)
        answer = connection.getresponse()
        if answer.status != http.HTTPStatus.OK:
            yield f"{answer.status} for a guest who listens"
            return
        evening.ask("POST", f"{match}/expel", [("phone", digest(token))])
        until = time.monotonic() + HEAR_SECONDS
        try:
            while answer.read1(4096):
                if time.monotonic() > until:
                    yield "a guest who was removed hears more"
                    return
        except OSError:
            yield "the stream of a guest who was removed does not end"


def _newer(folder: Path, port: int, clock: Clock) -> Iterator[str]:
    """A newer program has changed the file: yields a fault if this one starts on it, or
    changes it.
    """
    file = folder / paths.DATABASE
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("INSERT INTO migrations VALUES ('from a newer program')")
    before = _rows(file)
    with _serving(folder, port, clock, CEILING) as server:
        try:
            if server.wait(REFUSE_SECONDS) == 0:
                yield "a server on a newer program's file ends as if all were well"
        except subprocess.TimeoutExpired:
            yield "a server runs on a newer program's file"
    if _rows(file) != before:
        yield "a newer program's file was changed"
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("DELETE FROM migrations WHERE name = 'from a newer program'")


def _rows(file: Path) -> list[int]:
    with closing(sqlite3.connect(file)) as db:
        tables = ("matches", "entries", "migrations")
        return [int(db.execute(f"SELECT count(*) FROM {t}").fetchone()[0]) for t in tables]
