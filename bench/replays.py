"""How long it takes to read a record and to replay it."""

from __future__ import annotations

import time

from bench.matches import play
from referee.core.log import Log
from referee.core.record import Grammar, Header, Record, read, write
from referee.games import GAMES
from referee.report import replay


def run() -> None:
    """Print milliseconds at four lengths, the best of three each, and the hundred-seat deal."""
    print("\nReading a record and replaying it")
    for entries, seats in ((10, 5), (100, 5), (1_000, 25), (10_000, 40)):
        header, log = play("perite", seats, entries)
        _print(f"perite, {seats} seats, {len(log):,} entries", _text(header, log))
    _print(
        "perite, 100 seats, 20,100 cards, one deal", _text(*play("perite", 100, 30_000, deals=1))
    )


def _text(header: Header, log: Log) -> bytes:
    grammar = Grammar(log.game, log.table.seats)
    return write(header, map(grammar.print, log.entries)).encode()


def _print(what: str, text: bytes) -> None:
    parse, whole = [], []
    for _ in range(3):
        began = time.perf_counter()
        record = read(text, GAMES)
        assert isinstance(record, Record)
        parse.append(time.perf_counter() - began)
        replay(record)
        whole.append(time.perf_counter() - began)
    each = min(whole) / max(1, len(record.entries)) * 1e6
    print(f"  {what:44} reading {min(parse) * 1e3:8.2f} ms,", end="")
    print(f" with replay {min(whole) * 1e3:9.2f} ms ({each:.1f} µs an entry)")
