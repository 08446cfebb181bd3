"""The times of pages and files of a group of 100,000 matches: `python -m bench large_group`.

The matches are short, and follow the rules. Sixty people play twelve in each session, and two
thousand in the last one. They are stored as an import stores them, and counted. With a folder
(`--folder`) the group is made once and kept there.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import years

from bench.timing import seconds
from referee.app import create_app
from referee.history import counting
from referee.store import Store
from referee.store.archive import Archive, batches

PAGE = 0.2  # seconds that a page may take
FIRST = 1.0  # seconds to the first byte of a file
ROUNDS = 9
PAGES = (
    *("/", "/new", "/circle", "/people", "/people/7", "/session/{last}", "/session/7"),
    *("/history", "/history?skip=3000", "/history?skip=7990", "/history?game={game}"),
    *("/history?person=7", "/history?since=2026-01-01&until=2026-02-01", "/history?q={word}"),
    *("/history?q=あ", "/history?q=nothing", "/history?q={word}+7+a", "/history?person=7&q=あ"),
    *("/history/evening/{last}", "/history/evening/7", "/history/people", "/history/person/7"),
    *("/history/files", "/decks", "/own-games", "/words", "/settings"),
    *("/t/{match}", "/t/{match}/score", "/t/{match}/log", "/decisions"),
)
FILES = (
    *("/history/history.json.gz", "/history/results.csv", "/history/records.zip"),
    *("/history/evening/{last}/results.csv", "/history/evening/{last}/history.json"),
    *("/history/evening/{last}/records.zip", "/t/{match}/match.json", "/history/history.db"),
)


def run(flags: Sequence[str] = ()) -> None:
    """Print milliseconds for every page and file, and those above their limit."""
    parser = argparse.ArgumentParser(prog="python -m bench large_group", description=__doc__)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args(flags)
    print(f"\nA group of {args.matches} matches")
    if args.folder:
        args.folder.mkdir(parents=True, exist_ok=True)
        _measure(args.folder, args.matches)
    else:
        with TemporaryDirectory() as folder:
            _measure(Path(folder), args.matches)


def _measure(folder: Path, matches: int) -> None:
    app = create_app(folder, TESTING=True)
    store: Store = app.extensions["ledger"].store
    phone = app.test_client()
    if not store.matches(1):
        print(f"{seconds(lambda: _keep(store, matches)):8.1f} s  stored")
        phone.get("/")  # the first phone adopts the group
        print(f"{seconds(lambda: counting.catch_up(store)):8.1f} s  counted")
        store.engine.analyse()
        (folder / "cookie").write_text(_cookie(phone))
    else:
        phone.set_cookie("phone", (folder / "cookie").read_text())
    last = store._rows("SELECT session, count(*) FROM matches GROUP BY 1 ORDER BY 2 DESC", ())[0][0]
    rows = store.matches(1)
    names = {"last": last, "match": rows[0].id, "word": years.SIX[0], "game": _game(rows[0].header)}
    late = 0
    for path in PAGES:
        times, works = [], []
        for _ in range(ROUNDS):
            began, worked = perf_counter(), process_time()
            answer = phone.get(path.format(**names))
            times.append(perf_counter() - began)
            works.append(process_time() - worked)
            assert answer.status_code == 200, (path, answer.status_code)
        took = statistics.median(times)
        late += took > PAGE
        worked = statistics.median(works) * 1000
        cost = f"{took * 1000:8.1f} ms, {worked:7.1f} of the processor"
        print(f"{cost} {len(answer.data) // 1000:5} kB {path}{'  !!' if took > PAGE else ''}")
    for path in FILES:
        began, worked = perf_counter(), process_time()
        answer = phone.get(path.format(**names), buffered=False)
        pieces = iter(answer.response)
        head = next(pieces)
        first = perf_counter() - began
        size = sum(map(len, chain([head], pieces)))
        answer.close()
        whole = perf_counter() - began
        late += first > FIRST
        print(
            f"{first * 1000:8.1f} ms to the first byte, {whole:6.1f} s,"
            f" {process_time() - worked:6.1f} of the processor {size // 1_000_000:5} MB"
            f" {path}{'  !!' if first > FIRST else ''}",
            flush=True,
        )
    print(f"later than they may be: {late}")
    store.close()


def _keep(store: Store, matches: int) -> None:
    archive = Archive(store, "")
    played = list(years.large(matches))
    years.settle(archive, played)
    for batch in batches(played, 100):
        archive.put(batch)


def _cookie(phone: Any) -> str:
    cookie = phone.get_cookie("phone")
    return str(cookie.value)


def _game(header: str) -> str:
    return next(line[6:] for line in header.splitlines() if line.startswith("game: "))
