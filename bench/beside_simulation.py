"""Plays at a table while a simulation runs, and without one: `python -m bench beside_simulation`.

The server and the simulation are processes of their own, as always. One phone plays; another one
begins the simulation and shows its progress, and in the end fetches the report on thousands of
matches, as page, CSV and JSON in turn, one every second.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from urllib.parse import urlencode

from referee.games.simulation import WIDEST
from torture.uploads import Phone, Server, during

ROUNDS = 5
SECONDS = 10.0
LAB = f"/rules/{WIDEST}/lab"
FORM = {"seats": "4", "games": "10000", "players": "random", "other.final_tie": "first_in_seat"}
FORM_TYPE = {"Content-Type": "application/x-www-form-urlencoded"}
REPORT = {"page": "", "CSV": "/matches.csv", "JSON": "/report.json"}
LONGEST = 330.0  # seconds until the server ends a simulation


def run() -> None:
    """Print the times of plays with and without a simulation, in turns, and beside its report."""
    print("\nFrom a tap to its answer, milliseconds")
    taken: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            designer, player = Phone(server.port), Phone(server.port)

            def measure(kind: str, act: Callable[[], None]) -> None:
                with during(server, player) as seen:
                    act()
                taken.setdefault(kind, []).extend(seen.plays)

            for _ in range(ROUNDS):
                measure("no simulation", lambda: time.sleep(SECONDS))
                _begin(designer)
                measure("beside a simulation", lambda: _watch(designer, SECONDS))
                designer.ask("POST", f"{LAB}/stop")
                _watch(designer, LONGEST)
            _begin(designer)
            _watch(designer, LONGEST)
            for name, path in REPORT.items():
                began = time.perf_counter()
                size = len(designer.ask("GET", LAB + path)[2])
                took = time.perf_counter() - began
                print(f"  {name} of the report: {size / 1024:,.0f} kB in {took * 1e3:.0f} ms")
            measure("beside its report", lambda: _fetch(designer))
        finally:
            server.end()
    for kind, plays in taken.items():
        middle, worst = statistics.median(plays), statistics.quantiles(plays, n=100)[98]
        times = f"p50 {middle * 1e3:6.1f}   p99 {worst * 1e3:6.1f}   {len(plays)} plays"
        print(f"  {kind:24} {times}")


def _begin(designer: Phone) -> None:
    status, _to, text = designer.ask("POST", LAB, urlencode(FORM).encode(), FORM_TYPE)
    if status != 303:
        raise RuntimeError(text.decode())


def _watch(designer: Phone, seconds: float) -> None:
    """Request the progress every second until the simulation is over, for at most ``seconds``."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and b"<progress" in designer.ask("GET", LAB)[2]:
        time.sleep(max(0.0, min(1.0, until - time.monotonic())))


def _fetch(designer: Phone) -> None:
    """Fetch the report in each of its forms, again and again for ``ROUNDS * SECONDS``."""
    until, paths = time.monotonic() + ROUNDS * SECONDS, cycle(REPORT.values())
    while time.monotonic() < until:
        designer.ask("GET", LAB + next(paths))
        time.sleep(1.0)
