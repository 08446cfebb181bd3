"""The costs of a large store for people who play: constant, because every query has an index.

`python -m bench growth --entries 1000 100000 --database postgresql` fills a store with unused
circles, then plays and reads in one of ordinary size.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

import cluster
import crowd
import years

from bench import live
from bench.timing import seconds
from referee import paths
from referee.app import create_app
from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.history import counting
from referee.store import NewEntry, Store

# before the store is filled: without triggers and references, which would take most of the time
FIRST = {"postgresql": ("SET LOCAL session_replication_role = replica",), "sqlite": ()}
SETTINGS = ("shared_buffers=256MB", "max_wal_size=8GB")
EVENINGS = 40  # matches of the circle that is measured
ROUNDS = 100


def run(flags: Sequence[str] = ()) -> None:
    """Print milliseconds and megabytes for each number of entries, in a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m bench growth", description=__doc__)
    parser.add_argument("--entries", type=int, nargs="+", default=[1_000, 100_000])
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    args = parser.parse_args(flags)
    print(f"\nGrowth on {args.database}")
    for entries in args.entries:
        with ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            environment = dict(os.environ)
            if args.database == "postgresql":
                server = stack.enter_context(cluster.running(*SETTINGS, durable=True))
                environment["REFEREE_DATABASE"] = server.address()
            command = [sys.executable, "-m", "bench.growth", folder, str(entries), args.database]
            subprocess.run(command, check=True, env=environment)


def measure(folder: Path, entries: int, database: str) -> None:
    """Fill and measure one store; called in a process of its own."""
    place = paths.database(folder)
    store = Store(place)
    began = perf_counter()
    there = crowd.fill(store, -(-entries // (crowd.MATCHES * crowd.ENTRIES)), FIRST[database])
    store.engine.analyse()
    filled = perf_counter() - began
    years.keep(store, "", EVENINGS)
    store.close()
    app = create_app(folder, TESTING=True)
    ledger = app.extensions["ledger"]
    phone = app.test_client()
    phone.get("/")  # this phone gets the circle made before
    counting.catch_up(ledger.store)
    circle = ledger.store.matches(1)[0]
    table = ledger.open(Header(WIDEST, ("A", "B", "C", "D")))
    ledger.declare(table.match, "table deal leader=A", 0, "the deal of the bench")
    appended = iter(range(1, ROUNDS + 1))

    def append() -> None:
        seq = next(appended)
        entry = NewEntry("table rewind 1", f"bench {seq:06}", "legal", "log.1", "1")
        ledger.store.append(table.match, seq, [entry])

    figures = {
        "entry": _middle(append, ROUNDS),
        "table page": _middle(lambda: phone.get(f"/t/{circle.id}"), 20),
        "history": _middle(lambda: phone.get("/history"), 20),
        "home": _middle(lambda: phone.get("/"), 20),
    }
    times = "  ".join(f"{name} {took * 1e3:6.2f} ms" for name, took in figures.items())
    memory = live.megabytes(os.getpid())
    print(f"  {there:>10,} entries (filled in {filled:4.0f} s)  {times}  {memory:4.0f} MB")
    ledger.store.close()


def _middle(work: Callable[[], object], rounds: int) -> float:
    return statistics.median(seconds(work) for _ in range(rounds))


if __name__ == "__main__":
    measure(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
