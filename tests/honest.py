"""Cards really dealt, and players who play from their hands: what a table tells the referee."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from referee.core.game import COMMON_OPTIONS, Game, Table
from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.games.must_not_follow import Deal, Lay, Show


def table(game: Game, seats: Sequence[str], **options: str) -> Table:
    return Table(tuple(seats), options, {**COMMON_OPTIONS, **game.OPTIONS})


def hand_size(log: Log) -> int:
    return 8 if log.game.NAME == "fancy" else 2 * len(log.table.seats)


def must_not_follow(log: Log, rng: Random, lies: float, shows: float) -> Iterator[Any]:
    """Entries of Fancy and ペリテ; each goes into ``log`` before the next is asked for.

    ``lies``: how often a player repeats a number although something else may be laid;
    ``shows``: how often somebody lays the whole hand open.
    """
    hands: dict[str, list[int]] = {}
    while not log.game.outcome(log.state):
        state = log.state
        due = log.game.to_act(state)
        if not due:
            cards = [r for r in state.deck.cards for _ in range(state.deck.copies[r - 1])]
            rng.shuffle(cards)
            hands = {seat: [cards.pop() for _ in range(hand_size(log))] for seat in log.table.seats}
            yield rng.choice([p for p in log.game.candidates(state) if isinstance(p, Deal)])
            continue
        if rng.random() < shows:
            seat = rng.choice([seat for seat in hands if hands[seat]])
            yield Show(seat, tuple(hands[seat]))
            continue
        seat = due[0]
        free = [rank for rank in hands[seat] if rank not in state.showing]
        rank = rng.choice(free or hands[seat])
        if rng.random() < lies:
            told = rng.choice(hands[seat])
            if not isinstance(log.game.judge(state, Lay(seat, told)), Illegal):
                rank = told
        hands[seat].remove(rank)
        yield Lay(seat, rank)


PLAYERS = {"fancy": must_not_follow, "perite": must_not_follow}


def played(
    game: Game,
    seats: Sequence[str],
    seed: int,
    lies: float = 0,
    shows: float = 0,
    most: int = 10_000,
    options: Mapping[str, str] | None = None,
) -> Log:
    """The log of a match played from real hands, up to ``most`` entries."""
    log = Log(game, table(game, seats, **(options or {})))
    for entry in PLAYERS[game.NAME](log, Random(seed), lies, shows):
        if len(log) == most:
            break
        log.push(entry)
    return log
