"""Random calls for seats, and witnesses that find the best seating by trying all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from random import Random

from referee.tonight.call import Limits, Mode, SeatedRound, SeatingCall, Wish
from referee.tonight.measure import Measure, measure
from referee.tonight.seating import Effort

QUICK = Effort(restarts=1, fewest=300, each=10, most=1000)
"""For laws that hold however far the search goes."""
LIMITS = [(3, 5, 4), (2, 2, 2), (4, 4, 4), (2, 4, 3), (3, 4, 4), (3, 6, 5)]


def names(count: int) -> tuple[str, ...]:
    return tuple(f"P{number}" for number in range(1, count + 1))


def tables(people: int, least: int = 3, most: int = 5, prefer: int = 4) -> tuple[Limits, ...]:
    return tuple(
        Limits(str(number), least, most, prefer) for number in range(1, people // least + 1)
    )


def call(seed: str, people: tuple[int, int], rounds: int, mode: Mode = Mode.MIX) -> SeatingCall:
    """A call by chance."""
    chance = Random(seed)
    count = chance.randint(*people)
    if mode == Mode.STANDING:
        rounds = 1
    everybody = range(count)
    absent = chance.choice([0, 0, 0.1])
    away = {
        (at, person) for at in range(rounds) for person in everybody if chance.random() < absent
    }
    present = max(count - sum((at, each) in away for each in everybody) for at in range(rounds))
    pairs = list(combinations(everybody, 2))
    wishes = chance.sample(pairs, min(len(pairs), chance.choice([0, 0, 1, 2, 4])))
    often = chance.choice([0, 0.2, 0.5])
    return SeatingCall(
        people=names(count),
        tables=tables(present, *chance.choice(LIMITS)),
        rounds=rounds,
        mode=mode,
        away=frozenset(away),
        wishes=tuple(Wish(chance.random() < 0.5, pair) for pair in wishes),
        sat_out={each: chance.randint(1, 2) for each in everybody if chance.random() < 0.2},
        met={pair: chance.randint(1, 2) for pair in pairs if chance.random() < often},
        season={pair: chance.randint(1, 9) for pair in pairs if chance.random() < 0.3},
        points={
            each: Fraction(chance.randint(0, 8), chance.choice([1, 2, 3]))
            for each in everybody
            if mode == Mode.STANDING
        },
    )


def all_sizes(tables: Sequence[Limits], held: Sequence[int], present: int) -> list[tuple[int, ...]]:
    """Every list of sizes for at most so many people."""
    options = [
        [size for size in range(table.most + 1) if _fits(size, table, least)]
        for table, least in zip(tables, held, strict=True)
    ]
    return [sizes for sizes in product(*options) if sum(sizes) <= present]


def _fits(size: int, table: Limits, held: int) -> bool:
    return held <= size and (table.least <= size if size else True)


def best_sizes(
    tables: Sequence[Limits], held: Sequence[int], present: int
) -> tuple[int, ...] | None:
    """The best of all lists, by the words of the format."""

    def worse(sizes: tuple[int, ...]) -> tuple[int, int, int, list[int]]:
        used = [(size, table) for size, table in zip(sizes, tables, strict=True) if size]
        squares = sum((size - table.prefer) ** 2 for size, table in used)
        return present - sum(sizes), squares, -len(used), [-size for size in sizes]

    return min(all_sizes(tables, held, present), key=worse, default=None)


def best(call: SeatingCall) -> Measure:
    """The least measure of all seatings: for small calls."""
    rounds = [list(_rounds(call, number)) for number in range(call.rounds)]
    return min(measure(call, seating) for seating in product(*rounds))


def _rounds(call: SeatingCall, number: int) -> Iterator[SeatedRound]:
    present = call.present(number)
    held = {each: at for (at_round, each), at in call.held.items() if at_round == number}
    at_each = [list(held.values()).count(at) for at in range(len(call.tables))]
    sizes = best_sizes(call.tables, at_each, len(present))
    assert sizes is not None
    for seated in _split(present, sizes):
        out = tuple(each for each in present if not any(each in table for table in seated))
        if all(each in seated[at] for each, at in held.items()):
            yield SeatedRound(seated, out)


def _split(people: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    if not sizes:
        yield ()
        return
    for first in combinations(people, sizes[0]):
        rest = [each for each in people if each not in first]
        for others in _split(rest, sizes[1:]):
            yield (first, *others)
