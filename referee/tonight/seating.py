"""The search for a seating: annealing over exchanges within a round, from several beginnings.

It is bounded by steps, not by time. It computes without ``exp``, ``log`` and powers, whose last
digits differ between systems: an exchange that costs more is accepted with the chance
(1 - cost / 4t)⁴, nearly exp(-cost / t).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from referee.tonight.berger import round_robin
from referee.tonight.board import HARD, SOFT, UNIT, Board, Swap
from referee.tonight.call import Mode, SeatedRound, SeatingCall
from referee.tonight.draft import IDLE, Chance, Load, RoundPlan, cost_of, draft
from referee.tonight.measure import Measure, measure, points
from referee.tonight.sizes import sizes

COOLER = 0.94
"""How much of a temperature is left at the next one."""


@dataclass(frozen=True)
class Effort:
    """How far a search goes: the number of beginnings, and the steps from each."""

    restarts: int = 8
    fewest: int = 10_000
    each: int = 800
    """Steps for every person and round, where there are several rounds."""
    most: int = 300_000

    def steps(self, call: SeatingCall) -> int:
        """The steps from one beginning."""
        wanted = self.fewest + self.each * len(call.people) * (call.rounds - 1)
        return min(self.most, wanted)


FULL = Effort()


class NoSizes(ValueError):
    """There are too few people for the tables at which somebody must sit, or too many for one."""


def plans(call: SeatingCall) -> list[RoundPlan]:
    """What is given for each round; ``NoSizes`` if no sizes are possible."""
    found = []
    for number in range(call.rounds):
        held = {person: table for (at, person), table in call.held.items() if at == number}
        at_each = [list(held.values()).count(table) for table in range(len(call.tables))]
        present = call.present(number)
        fit = all(n <= table.most for n, table in zip(at_each, call.tables, strict=True))
        list_ = sizes(call.tables, at_each, len(present)) if fit else None
        if list_ is None:
            raise NoSizes
        found.append(RoundPlan(present, list_, held))
    return found


def seating(call: SeatingCall, seed: int = 0, effort: Effort = FULL) -> list[SeatedRound]:
    """The best rounds that the search finds."""
    if call.mode == Mode.ROUND_ROBIN:
        return round_robin(len(call.people), call.rounds)
    given = plans(call)
    chance = Random(seed).random
    best: tuple[Measure, list[SeatedRound]] | None = None
    for _ in range(effort.restarts):
        found = Search(call, given, chance).run(effort.steps(call))
        if best is None or found[0] < best[0]:
            best = found
        if best[0] <= _least(call, given, best[0]):
            break
    assert best is not None, "a search has a beginning"
    return best[1]


def _least(call: SeatingCall, given: Sequence[RoundPlan], found: Measure) -> Measure:
    """A measure that nothing can be below, where as many sit out as in ``found``."""
    met = [0] * (len(call.people) * (len(call.people) - 1) // 2 - len(call.met))
    counts = [*call.met.values(), *met]
    meetings = sum(size * (size - 1) // 2 for plan in given for size in plan.sizes)
    repeats = sum(count * (count - 1) // 2 for count in counts)
    counts.sort(reverse=True)
    level = counts[-1] if counts else 0
    while meetings > 0 and counts:
        at_level = sum(count <= level for count in counts)
        repeats += min(meetings, at_level) * level
        meetings -= at_level
        level += 1
    return Measure(0, found.sit_outs, found.low, repeats, Fraction(0), 0)


def _beginning(
    call: SeatingCall, given: Sequence[RoundPlan], chance: Chance
) -> list[dict[int, int]]:
    """A first seating, round by round; then each round again, beside the others."""
    times = [call.sat_out.get(person, 0) for person in range(len(call.people))]
    found = []
    for plan in given:
        found.append(draft(plan, call.wishes, _loads(call, times), chance))
        _count(times, found[-1], 1)
    bound = any(wish.together for wish in call.wishes)
    if bound and len(given) > 1 and any(plan.idle for plan in given):
        for number, plan in enumerate(given):
            _count(times, found[number], -1)
            loads = _loads(call, times)
            again = draft(plan, call.wishes, loads, chance)
            found[number] = min(
                found[number], again, key=lambda each: cost_of(each, call.wishes, loads)
            )
            _count(times, found[number], 1)
    return found


def _loads(call: SeatingCall, times: Sequence[int]) -> list[Load]:
    """What it costs that each person sits out once more."""
    ranked = call.mode == Mode.STANDING
    return [
        (2 * count + 1, points(call, person) if ranked else Fraction(0))
        for person, count in enumerate(times)
    ]


def _count(times: list[int], seating: dict[int, int], by: int) -> None:
    for person, table in seating.items():
        times[person] += by * (table == IDLE)


def fourth(number: float) -> float:
    """The fourth power; ``**`` rounds differently on different systems."""
    square = number * number
    return square * square


class Search:
    """One beginning, and the way from there to a seating that no exchange improves."""

    def __init__(self, call: SeatingCall, given: Sequence[RoundPlan], chance: Chance) -> None:
        self._call, self._chance = call, chance
        self._free = [
            [person for person in plan.present if person not in plan.held] for plan in given
        ]
        self._board = Board(call, _beginning(call, given, chance), SOFT)
        self._share_out()
        self._begun = [dict(where) for where in self._board.where]

    def run(self, steps: int) -> tuple[Measure, list[SeatedRound]]:
        """Anneal, then take every exchange that improves.

        If wishes or sitting out come out worse than they began, once more without passing by them.
        """
        begun = self._found()
        found = self._annealed(SOFT, steps)
        if found[0][:3] > begun[0][:3]:
            found = self._annealed(HARD, steps)
        return min(begun, found)

    def _found(self) -> tuple[Measure, list[SeatedRound]]:
        rounds = self._board.rounds()
        return measure(self._call, rounds), rounds

    def _annealed(self, weights: tuple[int, int], steps: int) -> tuple[Measure, list[SeatedRound]]:
        last = len(self._call.tables)
        seatings = [
            {person: IDLE if at == last else at for person, at in where.items()}
            for where in self._begun
        ]
        self._board = Board(self._call, seatings, weights)
        for hot, cold, part in self._phases():
            self._anneal(hot, cold, int(steps * part))
        self._share_out()
        self._improve()
        return self._found()

    def _phases(self) -> list[tuple[float, float, float]]:
        """Hottest and coldest temperature, and the part of the steps: repeats, then the rest."""
        costs = [cost % UNIT for row in self._board.costs for cost in row if cost % UNIT]
        if not costs:
            return [(UNIT * 0.7, UNIT * 0.15, 1.0)]
        usual = sum(costs) / len(costs)
        return [(UNIT * 0.7, UNIT * 0.15, 0.6), (min(usual * 4, UNIT * 0.2), usual / 30, 0.4)]

    def _anneal(self, hot: float, cold: float, steps: int) -> None:
        heats = [hot]
        while heats[-1] > cold:
            heats.append(heats[-1] * COOLER)
        for heat in heats:
            self._at(heat, steps // len(heats))

    def _at(self, heat: float, steps: int) -> None:
        """Try ``steps`` exchanges at one temperature."""
        chance, board, most = self._chance, self._board, heat * 4
        for _ in range(steps):
            drawn = self._drawn()
            if drawn is None:
                continue
            _, one, other = drawn
            if board.bound[one] or board.bound[other]:
                self._try(self._block(*drawn), most)
                continue
            cost = board.cost(*drawn)
            taken = cost <= 0 or (cost < most and chance() < fourth(1 - cost / most))
            if taken and board.lower(*drawn) <= 0:
                board.swap(*drawn)

    def _drawn(self) -> Swap | None:
        """Two people of different tables in a round."""
        free = self._free
        number = int(self._chance() * len(free)) if len(free) > 1 else 0
        people = free[number]
        count = len(people)
        if count < 2:
            return None
        drawn = int(self._chance() * count * count)
        one, other = people[drawn // count], people[drawn % count]
        where = self._board.where[number]
        return None if where[one] == where[other] else (number, one, other)

    def _block(self, number: int, one: int, other: int) -> list[Swap]:
        """Exchanges that take those along who sit together with the two; none if that fails."""
        mine, its = self._bound(number, one), self._bound(number, other)
        for short, long in ((mine, its), (its, mine)):
            missing = len(long) - len(short)
            if missing > 0:
                short += self._alone(number, short)[:missing]
        if len(mine) != len(its) or not set(self._free[number]).issuperset(mine + its):
            return []
        return [(number, *pair) for pair in zip(mine, its, strict=True)]

    def _bound(self, number: int, person: int) -> list[int]:
        """A person and those at the same table who are to be together with them."""
        where, found = self._board.where[number], [person]
        for each in found:
            for partner in self._board.bound[each]:
                if partner not in found and where.get(partner) == where[person]:
                    found.append(partner)
        return found

    def _alone(self, number: int, but: Sequence[int]) -> list[int]:
        """Others of the table who are bound to nobody, in an order by chance."""
        board = self._board
        table = board.tables[number][board.where[number][but[0]]]
        alone = [each for each in table if each not in but and len(self._bound(number, each)) == 1]
        return [each for _, each in sorted((self._chance(), each) for each in alone)]

    def _try(self, swaps: Sequence[Swap], most: float) -> None:
        """Make several exchanges; take them back if they cost too much."""
        total, lower = 0, 0
        for swap in swaps:
            total += self._board.cost(*swap)
            lower += self._board.lower(*swap)
            self._board.swap(*swap)
        accepted = total <= 0 or (total < most and self._chance() < fourth(1 - total / most))
        if swaps and (not accepted or lower > 0):
            for number, one, other in reversed(swaps):
                self._board.swap(number, one, other)

    def _improve(self) -> None:
        """Take exchanges that improve, until there is none."""
        improved = True
        while improved:
            improved = False
            for number, people in enumerate(self._free):
                for at, one in enumerate(people):
                    for other in people[at + 1 :]:
                        improved = self._improves(number, one, other) or improved

    def _improves(self, number: int, one: int, other: int) -> bool:
        board = self._board
        where, last = board.where[number], len(self._call.tables)
        if where[one] == where[other]:
            return False
        idle = 0
        if where[one] == last:
            idle = board.idler(one, other)
        elif where[other] == last:
            idle = board.idler(other, one)
        wishes = board.broken_by(number, one, other)
        better = (wishes, idle, board.lower(number, one, other), board.cost(number, one, other))
        if better >= (0, 0, 0, 0):
            return False
        board.swap(number, one, other)
        return True

    def _share_out(self) -> None:
        """Let sitting out pass on from those who did most to those who did least.

        From person to person: in some round one sits out and the next one could, and no more wishes
        are broken. Without wishes the sum of squares is then the least.
        """
        while any(self._pass_on(person) for person in range(len(self._call.people))):
            pass

    def _pass_on(self, person: int) -> bool:
        board = self._board
        came: dict[int, Swap | None] = {person: None}
        reached = [person]
        for one in reached:
            if board.idle[person] - board.idle[one] >= 2:
                return self._along(one, came)
            for number in range(len(board.where)):
                if board.where[number].get(one) == len(self._call.tables):
                    for other in self._free[number]:
                        if other not in came and self._can(number, one, other):
                            came[other] = (number, one, other)
                            reached.append(other)
        return False

    def _can(self, number: int, one: int, other: int) -> bool:
        board = self._board
        seated = board.where[number][other] != len(self._call.tables)
        return seated and board.broken_by(number, one, other) <= 0

    def _along(self, last: int, came: dict[int, Swap | None]) -> bool:
        """Make the exchanges that lead to ``last``; False if together they break a wish."""
        swaps = []
        while (swap := came[last]) is not None:
            swaps.append(swap)
            last = swap[1]
        broken = 0
        for swap in swaps:
            broken += self._board.broken_by(*swap)
            self._board.swap(*swap)
        if broken > 0:
            for swap in reversed(swaps):
                self._board.swap(*swap)
        return broken <= 0
