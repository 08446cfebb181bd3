"""A seating that a search changes: who is where, and what an exchange of two people costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import lcm

from referee.tonight.call import Mode, Pair, SeatedRound, SeatingCall
from referee.tonight.draft import IDLE
from referee.tonight.measure import apart, points

UNIT = 10**12
"""What a second meeting costs. Costs are whole numbers, so that they are the same everywhere."""
SOFT = (4 * UNIT, 6 * UNIT // 5)
"""What a broken wish and a unit of ``sit_outs`` cost: so little that a search can pass by them."""
HARD = (1000 * UNIT, 1000 * UNIT)
"""The same, so that no search passes by them."""
Swap = tuple[int, int, int]
"""A round and two people in it."""


class Board:
    """The rounds of a call while they are searched. The last table of a round sits out."""

    def __init__(
        self, call: SeatingCall, seatings: Sequence[dict[int, int]], weights: tuple[int, int]
    ) -> None:
        people = range(len(call.people))
        self.call = call
        self.wish, self.sit_out = weights
        self.costs = _static(call, sum(len(each) for each in seatings))
        self.ranked = call.mode == Mode.STANDING
        self.low = [points(call, person) for person in people]
        self.idle = [call.sat_out.get(person, 0) for person in people]
        self.wishes: list[list[tuple[int, bool]]] = [[] for _ in people]
        for wish in call.wishes:
            for one, other in (wish.people, wish.people[::-1]):
                self.wishes[one].append((other, wish.together))
        self.bound = [[other for other, together in mine if together] for mine in self.wishes]
        for (one, other), count in call.met.items():
            self._meet(one, other, count * UNIT)
        self.tables: list[list[list[int]]] = []
        self.where: list[dict[int, int]] = []
        for seating in seatings:
            self._add(seating)

    def _add(self, seating: dict[int, int]) -> None:
        last = len(self.call.tables)
        tables: list[list[int]] = [[] for _ in range(last + 1)]
        for person, table in sorted(seating.items()):
            tables[last if table == IDLE else table].append(person)
            self.idle[person] += table == IDLE
        for people in tables[:last]:
            for one, other in combinations(people, 2):
                self._meet(one, other, UNIT)
        self.tables.append(tables)
        self.where.append({person: at for at, people in enumerate(tables) for person in people})

    def _meet(self, one: int, other: int, cost: int) -> None:
        self.costs[one][other] += cost
        self.costs[other][one] += cost

    def rounds(self) -> list[SeatedRound]:
        """The seating as a value."""
        return [
            SeatedRound(
                tuple(tuple(sorted(each)) for each in tables[:-1]), tuple(sorted(tables[-1]))
            )
            for tables in self.tables
        ]

    def swap(self, number: int, one: int, other: int) -> None:
        """Exchange two people of a round."""
        where, last = self.where[number], len(self.call.tables)
        for old, new in ((one, other), (other, one)):
            table = where[old]
            people = self.tables[number][table]
            people[people.index(old)] = new
            if table == last:
                self.idle[old] -= 1
                self.idle[new] += 1
                continue
            mine, its = self.costs[old], self.costs[new]
            for person in people:
                if person != new:
                    mine[person] -= UNIT
                    its[person] += UNIT
                    self.costs[person][old] -= UNIT
                    self.costs[person][new] += UNIT
        where[one], where[other] = where[other], where[one]

    def cost(self, number: int, one: int, other: int) -> int:
        """What it costs more to exchange two people of different tables."""
        mine, its = self.costs[one], self.costs[other]
        where, last = self.where[number], len(self.call.tables)
        table, there = where[one], where[other]
        tables = self.tables[number]
        cost = 0
        if table != last:
            here = tables[table]
            cost += UNIT * (len(here) - 1) - its[one]
            for person in here:
                cost += its[person] - mine[person]
        if there != last:
            here = tables[there]
            cost += UNIT * (len(here) - 1) - mine[other]
            for person in here:
                cost += mine[person] - its[person]
        if self.wishes[one] or self.wishes[other]:
            cost += self.wish * self.broken_by(number, one, other)
        if table == last:
            cost += self.sit_out * self.idler(one, other)
        elif there == last:
            cost += self.sit_out * self.idler(other, one)
        return cost

    def idler(self, one: int, other: int) -> int:
        """What ``sit_outs`` grow by if ``other`` sits out for ``one``."""
        return 2 * (self.idle[other] - self.idle[one] + 1)

    def lower(self, number: int, one: int, other: int) -> int:
        """-1 or 1 if an exchange lowers or raises the points of those who sit out, else 0."""
        last, where = len(self.call.tables), self.where[number]
        if not self.ranked or last not in (where[one], where[other]):
            return 0
        out, seated = (one, other) if where[one] == last else (other, one)
        return (self.low[seated] > self.low[out]) - (self.low[seated] < self.low[out])

    def broken_by(self, number: int, one: int, other: int) -> int:
        """How many more wishes an exchange breaks."""
        where = self.where[number]
        return self._moved(one, other, where[one], where[other], where) + self._moved(
            other, one, where[other], where[one], where
        )

    def _moved(self, person: int, but: int, old: int, new: int, where: dict[int, int]) -> int:
        last, more = len(self.call.tables), 0
        for partner, together in self.wishes[person]:
            at = where.get(partner)
            if partner == but or at is None:
                continue
            if together:
                more += (at == old) - (at == new)
            elif at != last:
                more += (at == new) - (at == old)
        return more


def _static(call: SeatingCall, seated: int) -> list[list[int]]:
    """What a meeting of two people costs by points and season: all of it less than a ``UNIT``."""
    people = len(call.people)
    costs = [[0] * people for _ in range(people)]
    share = _share(call, seated)
    spread: dict[Pair, int] = {}
    unit = UNIT
    if call.mode == Mode.STANDING:
        scale = lcm(*(value.denominator for value in call.points.values())) ** 2
        everybody = combinations(range(people), 2)
        spread = {pair: int(apart(call, pair) * scale) for pair in everybody}
        unit = _weight(UNIT, spread.values(), share)
    season = _weight(unit if any(spread.values()) else UNIT, call.season.values(), share)
    for weight, values in ((unit, spread), (season, dict(call.season))):
        for (one, other), value in values.items():
            costs[one][other] += weight * value
            costs[other][one] += weight * value
    return costs


def _share(call: SeatingCall, seated: int) -> float:
    """About how often two people meet."""
    widest = max((table.most for table in call.tables), default=0)
    people = len(call.people)
    return seated * widest / max(people * (people - 1), 1)


def _weight(whole: int, values: Iterable[int], share: float) -> int:
    """What a unit of the values may cost, so that all of them cost about ``whole``."""
    return int(whole / (1 + sum(values) * share))
