"""Corrections in long matches: judging again after an amendment, and the pages of an entry."""

from __future__ import annotations

import random
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench.replays import many_seats
from bench.timing import seconds
from referee.app import create_app
from referee.core.corrections import Amend, Rewind
from referee.core.game import Game
from referee.core.log import Log
from referee.core.record import FILE_KEY, Header
from referee.core.slips import slips
from referee.core.steps import steps
from referee.games import ON_CARDS
from referee.games.simulation import WIDEST, played
from referee.kit import shipped
from referee.kit.game import KitGame
from referee.ledger import Ledger
from referee.server.serve import rarely_collect
from referee.store import NewEntry

TIMES = 300
LONG = 1_000


def run() -> None:
    """Print milliseconds, median and 99th percentile."""
    rarely_collect()  # as the server does
    print(f"\nCorrections in a match of {LONG:,} entries, milliseconds")
    logs = {f"{WIDEST}, 25 seats": many_seats(25, LONG)}
    for game in (*ON_CARDS.values(), *shipped.games().values()):
        seats = "ABCDEF"[: game.SEATS[-1]]
        logs[f"{game.NAME.partition('-')[0]}, {len(seats)} seats"] = _long(game, seats)
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Path(folder))
        client, ledger = app.test_client(), app.extensions["ledger"]
        for name, log in logs.items():
            view = ledger.open(_head(ledger, log))
            lines = [view.grammar.print(entry) for entry in log.entries]
            rows = [NewEntry(line, f"k{i:06}", "legal", "-", "-") for i, line in enumerate(lines)]
            ledger.store.append(view.match, 0, rows)
            numbers = [step.seq for step in steps(log.now.step)]
            rng = random.Random(1)
            picked = [rng.choice(numbers) for _ in range(TIMES)]
            page = f"/t/{view.match}/e/"
            _print(f"{name}: judge again", [_amend(log, number) for number in picked])
            _print(f"{name}: entry's page", [_get(client, f"{page}{n}") for n in picked])


def _head(ledger: Ledger, log: Log) -> Header:
    """The header of a record of this match; the ledger knows the file of a game of a file."""
    game, seats, chosen = log.game, log.table.seats, log.table.chosen
    if not isinstance(game, KitGame):
        return Header(game.NAME, seats, chosen)
    ledger.store.game_files.keep((game.hash, game.KEY, game.text))
    return Header(game.KEY, seats, chosen, named={FILE_KEY: game.hash})


def _long(game: Game, seats: str) -> Log:
    """A match played to its end, then undone and redone until it is long enough."""
    log = played(game, seats, seed=1, most=LONG)
    while len(log) < LONG:
        log.push(Rewind(len(log) - 2))
        log.push(Rewind(len(log) - 1))
    return log


def _amend(log: Log, number: int) -> Callable[[], object]:
    step = next(step for step in steps(log.now.step) if step.seq == number)
    state = step.before.state if step.before else log.start
    others = slips(log.game, log.table, state, step.play)
    entry = Amend(number, others[number % len(others)] if others else step.play)
    return lambda: log.consider(entry)


def _get(client: object, address: str) -> Callable[[], object]:
    return lambda: client.get(address)  # type: ignore[attr-defined]


def _print(what: str, works: list[Callable[[], object]]) -> None:
    works[0]()  # loads the match into memory
    taken = [seconds(work) * 1e3 for work in works]
    p50, p99 = statistics.median(taken), statistics.quantiles(taken, n=100)[98]
    print(f"  {what:40} p50 {p50:8.2f}   p99 {p99:8.2f}")
