"""A game by rounds, a thousand of them: judging all again after the first one was amended."""

from __future__ import annotations

from functools import partial
from statistics import median

from bench.timing import seconds
from referee.core.corrections import Amend
from referee.core.game import COMMON_OPTIONS, Table
from referee.core.log import Log
from referee.core.record import Grammar
from referee.games import GAMES
from referee.server.serve import rarely_collect

ROUNDS = 1_000
TIMES = 50
BY_ROUNDS = next(game for game in GAMES.values() if game.HOOKS.whole_deals)


def run() -> None:
    """Print milliseconds, median and the slowest."""
    rarely_collect()  # as the server does
    print(f"\nA score pad of {ROUNDS:,} rounds, milliseconds")
    for count in (4, 20):
        seats = tuple(f"P{i}" for i in range(count))
        grammar = Grammar(BY_ROUNDS, seats)
        log = Log(BY_ROUNDS, Table(seats, {}, {**COMMON_OPTIONS, **BY_ROUNDS.OPTIONS}, "UNO"))
        for number in range(ROUNDS):
            log.push(grammar.parse(_line(seats, number)))
        again = partial(log.consider, Amend(1, grammar.parse(_line(seats, 7))))
        taken = [seconds(again) * 1e3 for _ in range(TIMES)]
        what = f"{count} seats: all judged again"
        print(f"  {what:40} p50 {median(taken):8.2f}   max {max(taken):8.2f}")


def _line(seats: tuple[str, ...], number: int) -> str:
    points = (f"{seat}={(7 * number + i) % 30}" for i, seat in enumerate(seats))
    return f"table round {' '.join(points)}"
