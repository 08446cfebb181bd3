"""A long history: the times of its pages, and of a play beside it.

`BENCH_MATCHES=10000 python -m bench history` plays and stores that many matches in a folder of its
own, then requests each page of the history as a phone of the circle.
"""

from __future__ import annotations

import os
import statistics
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import years

from bench.timing import seconds
from referee.app import create_app
from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.history import counting
from referee.store import Store

PAGES = {  # path → limit in milliseconds, 0 for none
    "/history": 50,
    "/history?q=源五郎": 0,
    "/history/year/2025": 0,
    "/history/people": 0,
    "/history/person/1": 80,
}
ROUNDS = 15


def run(matches: int = int(os.environ.get("BENCH_MATCHES", "2000"))) -> None:
    """Print seconds for making it and milliseconds for each page, beside their limits."""
    print("\nA long history")
    with TemporaryDirectory() as folder:
        app = create_app(Path(folder), TESTING=True)
        store: Store = app.extensions["ledger"].store
        print(f"{seconds(lambda: years.keep(store, '', matches)):8.1f} s  {matches} matches stored")
        print(f"{seconds(lambda: counting.catch_up(store)):8.1f} s  counted")
        phone = app.test_client()
        phone.get("/")  # the first phone adopts the circle, so that people and ratings belong to it
        print(f"{seconds(lambda: counting.catch_up(store)):8.1f} s  adopted")
        for path, limit in PAGES.items():
            times = sorted(seconds(lambda path=path: phone.get(path)) for _ in range(ROUNDS))
            limited = f"  (limit {limit})" if limit else ""
            print(f"{statistics.median(times) * 1000:8.1f} ms {path}{limited}")
        print(f"{_plays(app) * 1000:8.2f} ms one play, recorded durably")
        store.close()


def _plays(app: Any) -> float:
    ledger = app.extensions["ledger"]
    match = ledger.open(Header(WIDEST, ("A", "B"))).match
    ledger.declare(match, "table deal leader=A", 0, "the deal of the bench")

    def play() -> None:
        seen = ledger.view(match).seq
        line = "A lay 3" if seen % 2 else "table rewind 1"
        ledger.declare(match, line, seen, f"bench {seen:06}")

    return statistics.median(seconds(play) for _ in range(200))
