"""A first seating of one round: least broken wishes, then least sitting out; all else by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import combinations
from typing import NamedTuple

from referee.tonight.call import Wish
from referee.tonight.measure import holds

IDLE = -1
"""The place of those who sit out."""
STEPS = 30_000  # of the search for one round
CHOICES = 300  # of people who sit out, tried for one set of wishes
DROPPED = 2  # wishes that are given up one by one before the search gives up all

Load = tuple[int, Fraction]
"""What it costs that somebody sits out: by the times before, then by the points."""
Chance = Callable[[], float]
FREE: Load = (0, Fraction(0))


class Party(NamedTuple):
    """People who go to one table together."""

    people: tuple[int, ...]
    table: int | None
    """The table where one of them must sit."""


@dataclass(frozen=True)
class RoundPlan:
    """One round to be seated: who is present, the size of each table, who must sit where."""

    present: Sequence[int]
    sizes: Sequence[int]
    held: dict[int, int]

    @property
    def idle(self) -> int:
        """How many sit out."""
        return len(self.present) - sum(self.sizes)


class StepBudget:
    """The steps that a search may still take."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def step(self) -> bool:
        """Take a step; False if none is left."""
        self.left -= 1
        return self.left >= 0


def draft(
    plan: RoundPlan, wishes: Sequence[Wish], loads: Sequence[Load], chance: Chance
) -> dict[int, int]:
    """The table of everybody who is present."""
    there = set(plan.present)
    wanted = [wish for wish in wishes if there.issuperset(wish.people)]
    possible = [wish for wish in wanted if not _against(wish, plan.held)]
    budget = StepBudget(STEPS)
    for dropped in range(min(DROPPED, len(possible)) + 1):
        found = []
        for given_up in combinations(possible, dropped):
            kept = [wish for wish in possible if wish not in given_up]
            seating = _seated(plan, kept, loads, chance, budget) if budget.left > 0 else None
            found += [seating] if seating is not None else []
        if found:
            return min(found, key=lambda seating: cost_of(seating, wishes, loads))
    free = _seated(plan, (), loads, chance, StepBudget(STEPS))
    assert free is not None, "the sizes fit those who are present"
    return free


def _against(wish: Wish, held: dict[int, int]) -> bool:
    """Whether both are held, so that the wish cannot hold."""
    one, other = (held.get(person) for person in wish.people)
    return one is not None and other is not None and (one == other) != wish.together


def cost_of(
    seating: dict[int, int], wishes: Sequence[Wish], loads: Sequence[Load]
) -> tuple[int, Load]:
    """The wishes that a seating breaks, and what it costs who sits out."""
    broken = sum(not holds(wish, *map(seating.get, wish.people)) for wish in wishes)
    return broken, _sum([loads[person] for person, at in seating.items() if at == IDLE])


def _sum(loads: Sequence[Load]) -> Load:
    return sum(load[0] for load in loads), sum((load[1] for load in loads), Fraction(0))


def _seated(
    plan: RoundPlan,
    wishes: Sequence[Wish],
    loads: Sequence[Load],
    chance: Chance,
    budget: StepBudget,
) -> dict[int, int] | None:
    """A seating in which all ``wishes`` hold, and which sits out at the least cost; None: none."""
    groups = _groups(plan, wishes, chance)
    apart = [wish.people for wish in wishes if not wish.together]
    if groups is None:
        return None
    for tried, idle in enumerate(_idle(groups, plan.idle, loads)):
        if tried >= CHOICES or not budget.step():
            return None
        seated = [group for group in groups if group not in idle]
        packing = Packing(plan.sizes, seated, apart, chance, budget)
        if packing.done:
            out = {person: IDLE for group in idle for person in group.people}
            return packing.places() | out
    return None


def _groups(plan: RoundPlan, wishes: Sequence[Wish], chance: Chance) -> list[Party] | None:
    """Who sits together, in an order by chance; None if two tables hold one group."""
    group_of = {person: {person} for person in plan.present}
    for wish in wishes:
        if wish.together:
            one, other = (group_of[person] for person in wish.people)
            if one is not other:
                one |= other
                group_of.update(dict.fromkeys(other, one))
    found = []
    for people in {id(group): group for group in group_of.values()}.values():
        tables = {plan.held[person] for person in people if person in plan.held}
        if len(tables) > 1:
            return None
        found.append(Party(tuple(sorted(people)), min(tables, default=None)))
    return shuffled(found, chance)


def shuffled(items: Sequence[Party], chance: Chance) -> list[Party]:
    """The items in an order by chance: the same with every version of Python."""
    drawn = [(chance(), at) for at in range(len(items))]
    return [items[at] for _, at in sorted(drawn)]


def _idle(groups: Sequence[Party], places: int, loads: Sequence[Load]) -> Iterator[list[Party]]:
    """Those who could sit out, ``places`` people each time, the cheapest first."""
    free = [group for group in groups if group.table is None]
    costs = [_sum([loads[person] for person in group.people]) for group in free]
    least = _least(free, costs, places)
    if least[0][places] is None:
        return
    heap: list[tuple[Load, int, int, int, Load, list[Party]]] = []
    heappush(heap, (FREE, 0, 0, places, FREE, []))
    number = 0
    while heap:
        _, back, _, left, spent, chosen = heappop(heap)
        at = -back
        if at == len(free):
            yield chosen
            continue
        with_it = left - len(free[at].people), _plus(spent, costs[at]), [*chosen, free[at]]
        for rest, cost, now in (with_it, (left, spent, chosen)):
            if rest >= 0 and (behind := least[at + 1][rest]) is not None:
                number += 1
                heappush(heap, (_plus(cost, behind), -at - 1, number, rest, cost, now))


def _least(free: Sequence[Party], costs: Sequence[Load], places: int) -> list[list[Load | None]]:
    """For each group: the least cost of some number of people of it and those behind it."""
    last: list[Load | None] = [FREE, *[None] * places]
    rows = [last]
    for group, cost in zip(reversed(free), reversed(costs), strict=True):
        size, behind = len(group.people), rows[-1]
        row = list(behind)
        for places_taken in range(size, places + 1):
            if (rest := behind[places_taken - size]) is not None:
                kept = row[places_taken]
                taken = _plus(rest, cost)
                row[places_taken] = taken if kept is None else min(kept, taken)
        rows.append(row)
    return rows[::-1]


def _plus(one: Load, other: Load) -> Load:
    return one[0] + other[0], one[1] + other[1]


class Packing:
    """Groups that are put to tables, so that nobody meets whom they are to be apart from."""

    def __init__(
        self,
        sizes: Sequence[int],
        groups: Sequence[Party],
        apart: Sequence[tuple[int, int]],
        chance: Chance,
        budget: StepBudget,
    ) -> None:
        self._room = list(sizes)
        self._at: list[list[Party]] = [[] for _ in sizes]
        self._chance, self._budget = chance, budget
        self._apart = self._apart_of(groups, apart)
        free = [group for group in groups if group.table is None]
        choosy = [group for group in free if len(group.people) > 1 or group in self._apart]
        self._easy = [group for group in free if group not in choosy]
        self.done = self._hold(groups) and self._place(choosy)

    def places(self) -> dict[int, int]:
        """The table of everybody."""
        seats = [at for at, room in enumerate(self._room) for _ in range(room)]
        easy = [group.people[0] for group in self._easy]
        return dict(zip(easy, seats, strict=True)) | {
            person: at
            for at, groups in enumerate(self._at)
            for group in groups
            for person in group.people
        }

    @staticmethod
    def _apart_of(
        groups: Sequence[Party], apart: Sequence[tuple[int, int]]
    ) -> dict[Party, set[Party]]:
        group_of = {person: group for group in groups for person in group.people}
        found: dict[Party, set[Party]] = {}
        for one, other in apart:
            if one in group_of and other in group_of:
                found.setdefault(group_of[one], set()).add(group_of[other])
                found.setdefault(group_of[other], set()).add(group_of[one])
        return found

    def _hold(self, groups: Sequence[Party]) -> bool:
        for group in groups:
            if group.table is not None:
                if group.table not in self._tables(group):
                    return False
                self._put(group, group.table)
        return True

    def _place(self, groups: list[Party]) -> bool:
        """Place those first for whom the fewest tables are left."""
        if not groups:
            return True
        if not self._budget.step():
            return False
        choices = [self._tables(group) for group in groups]
        at = min(range(len(groups)), key=lambda each: len(choices[each]))
        group, rest = groups[at], groups[:at] + groups[at + 1 :]
        for _, table in sorted((self._chance(), table) for table in choices[at]):
            self._put(group, table)
            if self._place(rest):
                return True
            self._at[table].pop()
            self._room[table] += len(group.people)
        return False

    def _put(self, group: Party, table: int) -> None:
        self._at[table].append(group)
        self._room[table] -= len(group.people)

    def _tables(self, group: Party) -> list[int]:
        """Where a group can go; of empty tables with equal room one is enough."""
        others = self._apart.get(group, set())
        if group in others:
            return []
        found = []
        seen: set[int] = set()
        for table, room in enumerate(self._room):
            fits = room >= len(group.people) and others.isdisjoint(self._at[table])
            if not fits or group.table not in (None, table):
                continue
            if self._at[table] or room not in seen or group.table is not None:
                found.append(table)
            if not self._at[table]:
                seen.add(room)
        return found
