"""The time to open a table while eight phones write to a disk that takes a tenth of a second."""

from __future__ import annotations

import secrets
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

from referee.app import create_app
from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.server.bridge import Bridge
from referee.store.sqlite import Sqlite
from tests.introduced import COOKIE, introduced
from tests.sockets import ask, running

COMMIT_SECONDS = 0.1
WRITERS, TIMES = 8, 15
FORM = {"Cookie": COOKIE, "Content-Type": "application/x-www-form-urlencoded"}


def run() -> None:
    """Print the times of the page of a table without writers, and of one with writers."""
    with tempfile.TemporaryDirectory() as folder, patch.object(Sqlite, "transaction", _slow()):
        app = create_app(Path(folder))
        ledger = app.extensions["ledger"]
        circle = introduced(ledger.store)
        tables = [ledger.open(Header(WIDEST, ("A", "B")), circle).match for _ in range(WRITERS + 1)]
        over = Event()
        with running(Bridge(app)) as port:
            _opens(port, tables[-1])  # templates are compiled
            phones = [Thread(target=_writes, args=(port, m, over)) for m in tables[:WRITERS]]
            for phone in phones:
                phone.start()
            time.sleep(1)
            print(
                f"\n{WRITERS} phones write, every commit takes {COMMIT_SECONDS} s: a table opens in"
            )
            for which, match in (("another table", tables[-1]), ("a table of theirs", tables[0])):
                took = [_opens(port, match) for _ in range(TIMES)]
                middle, worst = statistics.median(took), max(took)
                print(f"  {which:20} p50 {middle * 1e3:5.0f} ms   worst {worst * 1e3:5.0f} ms")
            over.set()
            for phone in phones:
                phone.join()
        ledger.store.close()


def _slow() -> Any:
    """``Sqlite.transaction`` as on a slow disk."""
    real = Sqlite.transaction

    @contextmanager
    def transaction(engine: Sqlite) -> Iterator[Any]:
        with real(engine) as db:
            yield db
            time.sleep(COMMIT_SECONDS)  # before its commit, with the lock held

    return transaction


def _writes(port: int, match: str, over: Event) -> None:
    seq = 0
    while not over.is_set():
        line = f"table rewind {seq - 1}" if seq else "table deal leader=A"
        form = {"line": line, "seen": seq, "key": secrets.token_urlsafe(8)}
        ask(port, "POST", f"/t/{match}/play", urlencode(form).encode(), FORM)
        seq += 1


def _opens(port: int, match: str) -> float:
    began = time.perf_counter()
    answer, _ = ask(port, "GET", f"/t/{match}", headers=FORM)
    assert answer.status == 200, answer.status
    took = time.perf_counter() - began
    time.sleep(0.05)
    return took
