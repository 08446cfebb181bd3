"""CPU time of reviewing an entry of a finished deal, for every game and table."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from referee.core.game import Game
from referee.core.log import Log
from referee.games import ON_CARDS
from referee.games.simulation import player, room_of, table
from referee.insight.review import finished, review
from referee.kit import shipped
from referee.server.serve import rarely_collect

MATCHES = 2
MOST = 400  # entries of a match
LIMIT = 50.0  # milliseconds


def run() -> None:
    """Print percentiles in milliseconds per entry, for all that the page of an entry computes."""
    print(f"\nReading an entry of a finished deal again; at most {LIMIT:.0f} ms at p99")
    rarely_collect()  # as the server does
    games: Iterable[Game] = (*ON_CARDS.values(), *shipped.games().values())
    for game in games:
        for seats in game.SEATS:
            if seats > 8:
                break
            spent = sorted(_spent(game, seats))
            if not spent:
                continue
            middle, most = spent[len(spent) // 2], spent[int(len(spent) * 0.99)]
            print(
                f"  {game.NAME:<22} {seats} seats: {len(spent)} entries, p50 {middle:.2f}, "
                f"p99 {most:.2f}, longest {spent[-1]:.2f} ms{'' if most <= LIMIT else '  TOO LONG'}"
            )


def _spent(game: Game, seats: int) -> Iterator[float]:
    for seed in range(MATCHES):
        log = match(game, [f"P{i}" for i in range(1, seats + 1)], seed)
        for deal in finished(log):
            began = time.process_time()
            found = review(log, deal)
            shared = (time.process_time() - began) / len(found.entries)
            for read in found.entries:
                began = time.process_time()
                assert read.grid is None or read.hindsight is None or read.grid.rows
                yield (shared + time.process_time() - began) * 1000


def match(game: Game, seats: Sequence[str], seed: int) -> Log:
    """A match in which players lie at 30 % of the occasions where the table can't see it."""
    log = Log(game, table(game, seats))
    for entry in player(room_of(game))(log, Random(seed), 0.3, 0.01):
        if len(log) >= MOST and not game.to_act(log.state):
            break
        log.push(entry)
    return log
