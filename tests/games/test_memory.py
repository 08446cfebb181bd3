"""What a match takes in memory: in proportion to its entries, whatever they are.

A few people can write thousands of entries in an hour, and a state that copies what grows, or a
correction whose timeline is kept, would take memory with the square of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from typing import Any

import pytest
from weighed import MOST, Entries, match_of, taken

from referee.core.corrections import (
    Amend,
    Contest,
    Decide,
    Insert,
    Rewind,
    Rule,
    Strike,
    Together,
    Void,
    Vote,
)
from referee.core.log import Log
from referee.games import GAMES
from referee.games.simulation import WIDEST, player, room_of
from referee.kit import shipped
from referee.weight import weight

MANY, SOME = 1_500, 400


def plays(log: Log) -> Iterator[Any]:
    """Matches one after the other at one table: each begins again at the start."""
    for seed in range(MANY):
        yield from _honest(log, seed, 0.1)
        yield Rewind(0)


def _honest(log: Log, seed: int, lies: float) -> Iterator[Any]:
    return player(room_of(log.game))(log, Random(seed), lies, 0.01)


def first_plays(log: Log) -> Iterator[Any]:
    yield from islice(_honest(log, 1, 0), SOME // 3)


def amended(log: Log) -> Iterator[Any]:
    """The second play and the third are confused with each other, again and again."""
    yield from first_plays(log)
    one, other = log.steps()[1:3]
    for first, second in cycle(((other, one), (one, other))):
        yield Together((Amend(one.seq, first.play), Amend(other.seq, second.play)))


def cancelled_and_undone(log: Log) -> Iterator[Any]:
    yield from first_plays(log)
    made = len(log)
    for number in cycle((2, 3)):
        yield Strike(number)
        yield Rewind(made)


def missing_and_accepted(log: Log) -> Iterator[Any]:
    yield from first_plays(log)
    made = log.steps()
    while True:
        yield Insert(2, made[1].play)
        yield Rule(2)
        yield Rewind(len(made))


def voided(log: Log) -> Iterator[Any]:
    yield from first_plays(log)
    made = len(log)
    while True:
        yield Void(1)
        yield Rewind(made)


def contested(log: Log) -> Iterator[Any]:
    yield from first_plays(log)
    numbers = [step.seq for step in log.steps()]
    for n, number in enumerate(cycle(numbers)):
        yield Contest(log.table.seats[0], number)
        made = len(log)
        yield from (Vote(seat, made, False) for seat in log.table.seats)
        yield Decide(made, False, f"{n}: seen by all")


ALL: dict[str, Any] = {**GAMES, **shipped.games()}
OF_FILE = next(iter(shipped.games()))
CORRECTIONS = (amended, cancelled_and_undone, missing_and_accepted, voided)
KINDS: list[tuple[str, Entries, int]] = [
    *((name, kind, MANY) for name in ALL for kind in (plays, contested)),
    *((name, kind, SOME) for name in (*GAMES, OF_FILE) for kind in CORRECTIONS),
]


@pytest.mark.parametrize(("name", "kind", "count"), KINDS)
def test_a_match_takes_memory_in_proportion_to_its_entries(
    name: str, kind: Entries, count: int
) -> None:
    game = ALL[name]
    seats = [f"P{n}" for n in range(4 if 4 in game.SEATS else game.SEATS[-1])]
    assert taken(game, seats, kind, count) < MOST * count


@pytest.mark.parametrize(("kind", "count"), [(plays, MANY), (amended, SOME)])
def test_so_does_a_table_of_a_hundred_seats(kind: Entries, count: int) -> None:
    seats = [f"P{n}" for n in range(100)]
    assert taken(GAMES[WIDEST], seats, kind, count) < MOST * count


@pytest.mark.parametrize("seats", [4, 100])
@pytest.mark.parametrize("name", ALL)
def test_what_a_match_takes_is_estimated_within_a_factor(name: str, seats: int) -> None:
    game = ALL[name]
    names = [f"P{n}" for n in range(seats if seats in game.SEATS else game.SEATS[-1])]
    estimate = weight(match_of(game, names, plays, 600))  # first: this fills caches of the rules
    really = taken(game, names, plays, 600)
    assert really / 2 < estimate < really * 2
