"""How long it takes to read a record and to replay it."""

from __future__ import annotations

import time

from referee.core.log import Log
from referee.core.record import Grammar, Header, Record, read, write
from referee.games import GAMES
from referee.games.simulation import WIDEST, played
from referee.rulings.report import replay


def run() -> None:
    """Print milliseconds at four lengths, the best of three each, and the hundred-seat deal."""
    print("\nReading a record and replaying it")
    for entries, seats in ((10, 5), (100, 5), (1_000, 25), (10_000, 40)):
        log = many_seats(seats, entries)
        _print(f"{WIDEST}, {seats} seats, {len(log):,} entries", _text(log))
    _print(f"{WIDEST}, 100 seats, 20,100 cards, one deal", _text(many_seats(100, deals=1)))


def many_seats(seats: int, most: int = 100_000, deals: int = 10) -> Log:
    """A match with this number of seats and deals, cut short after ``most`` entries."""
    names = [f"P{i}" for i in range(seats)]
    return played(GAMES[WIDEST], names, seed=1, most=most, options={"rounds": str(deals)})


def _text(log: Log) -> bytes:
    header = Header(log.game.NAME, log.table.seats, log.table.chosen)
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
