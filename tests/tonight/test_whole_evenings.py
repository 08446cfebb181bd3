"""Evenings by chance, round by round: people come late and drop, results are corrected."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random

import pytest
from evenings import names, tables
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tonight.call import Mode, Pair, SeatedRound, SeatingCall
from referee.tonight.seating import Effort, seating
from referee.tonight.standing import PlayedRound, StandingRow, TableResult, Tonight, standing

HASTY = Effort(restarts=1, fewest=40, each=0, most=40)
LIMITS = [(3, 5, 4), (3, 4, 4), (4, 4, 4), (2, 2, 2), (3, 3, 3), (2, 6, 4)]


@dataclass
class Played:
    """An evening so far."""

    people: int
    limits: tuple[int, int, int]
    late: dict[int, int] = field(default_factory=dict)
    dropped: dict[int, int] = field(default_factory=dict)
    published: list[SeatedRound] = field(default_factory=list)
    results: list[PlayedRound] = field(default_factory=list)

    def present(self) -> set[int]:
        """Who is there in the next round."""
        number = len(self.published) + 1
        return {
            each
            for each in range(self.people)
            if self.late.get(each, 1) <= number < self.dropped.get(each, 99)
        }

    def standing(self) -> list[StandingRow]:
        return standing(
            Tonight(names(self.people), self.results, late=self.late, dropped=self.dropped)
        )


def evening(seed: int) -> None:
    chance = Random(seed)
    now = Played(chance.randint(3, 16), chance.choice(LIMITS))
    latest = {each: chance.randint(2, 4) for each in range(now.people) if chance.random() < 0.15}
    now.late = latest
    for number in range(1, chance.randint(2, 6)):
        for each in sorted(now.present()):
            if chance.random() < 0.05:
                now.dropped[each] = number
        publish(now, chance, seed + number)
        if now.results and chance.random() < 0.3:
            correct(now, chance)
    # late entries of rounds that never came are not there yet
    now.late = {each: at for each, at in now.late.items() if at <= len(now.results) + 1}
    assert_exact(now)


def publish(now: Played, chance: Random, seed: int) -> None:
    """Seat the next round and play it; nobody sits out again before everybody else has."""
    there = now.present()
    idle = Counter(each for round_ in now.published for each in round_.sits_out)
    held = fixed(now, there, chance)
    asked = SeatingCall(
        names(now.people),
        tables(len(there), *now.limits),
        mode=chance.choice([Mode.MIX, Mode.STANDING]),
        away=frozenset((0, each) for each in range(now.people) if each not in there),
        held=held,
        sat_out=dict(idle),
        met=Counter[Pair](pair for round_ in now.published for pair in round_.meetings()),
        points={number: Fraction(number, 3) for number in range(now.people)},
    )
    [seated] = seating(asked, seed, HASTY)
    everybody = [*seated.sits_out, *(each for table in seated.tables for each in table)]
    assert sorted(everybody) == sorted(there), "nobody is lost or at two tables"
    free = there - {each for _, each in held}
    for each in seated.sits_out:
        assert each in free
        assert idle[each] <= min((idle[other] for other in free - {*seated.sits_out}), default=99)
    now.published.append(seated)
    now.results.append(played(seated, chance))


def fixed(now: Played, there: set[int], chance: Random) -> dict[tuple[int, int], int]:
    """Sometimes one person has a table of their own."""
    able = len(there) >= now.limits[0] and chance.random() < 0.3
    return {(0, chance.choice(sorted(there))): 0} if able else {}


def played(seated: SeatedRound, chance: Random) -> PlayedRound:
    results = [ranking(table, chance) for table in seated.tables if table]
    return PlayedRound(results, seated.sits_out)


def ranking(people: tuple[int, ...], chance: Random) -> TableResult:
    scores = {each: chance.randint(0, len(people)) for each in people}
    return TableResult(
        {
            each: 1 + sum(other > score for other in scores.values())
            for each, score in scores.items()
        }
    )


def correct(now: Played, chance: Random) -> None:
    """Another result of a table of any round; what is published stays."""
    before = repr(now.published)
    at = chance.randrange(len(now.results))
    tables_ = list(now.results[at].tables)
    if tables_:
        table = chance.randrange(len(tables_))
        tables_[table] = ranking(tuple(tables_[table].places), chance)
    now.results[at] = replace(now.results[at], tables=tables_)
    assert repr(now.published) == before


def assert_exact(now: Played) -> None:
    """The standing is that of somebody who counts with a pencil."""
    points: Counter[int] = Counter()
    for round_ in now.results:
        points.update(dict.fromkeys(round_.sat_out, Fraction(1, 2)))  # type: ignore[arg-type]
        for table in round_.tables:
            for each, place in table.places.items():
                others = [at for other, at in table.places.items() if other != each]
                duels = [Fraction(1) if at > place else Fraction(at == place, 2) for at in others]
                points[each] += sum(duels) / len(others)  # type: ignore[assignment]
    rows = now.standing()
    assert sorted(row.name for row in rows) == sorted(names(now.people)), "nobody is lost"
    for row in rows:
        assert row.points == points[names(now.people).index(row.name)]
    keys = [(-row.points, -row.firsts, -row.strength) for row in rows]
    assert keys == sorted(keys)
    assert [row.place for row in rows] == [1 + sum(each < key for each in keys) for key in keys]


@given(st.integers(0, 10**9))
@settings(deadline=None, max_examples=40)
def test_an_evening_keeps_its_laws(seed: int) -> None:
    evening(seed)


TEAMS = TableResult({0: 1, 1: 3, 2: 1, 3: 3}, [[0, 2], [1, 3]])
LEVEL = TableResult({0: 1, 1: 2, 2: 2, 3: 4})


@pytest.mark.parametrize(
    ("scale", "table", "expected"),
    [
        ("share", LEVEL, "1 1/2 1/2 0"),
        ("beaten", LEVEL, "3 3/2 3/2 0"),
        ((Fraction(5), Fraction(3), Fraction(2), Fraction(1)), LEVEL, "5 5/2 5/2 1"),
        ((Fraction(5),), LEVEL, "5 0 0 0"),
        ((Fraction(5), Fraction(3, 2)), LEVEL, "5 3/4 3/4 0"),
        ("share", TEAMS, "1 0 1 0"),
        ("beaten", TEAMS, "2 0 2 0"),
        ((Fraction(5), Fraction(3), Fraction(2), Fraction(1)), TEAMS, "4 3/2 4 3/2"),
        ("share", replace(TEAMS, places=dict.fromkeys(range(4), 1)), "1/2 1/2 1/2 1/2"),
    ],
)
def test_the_points_of_a_place(scale: object, table: TableResult, expected: str) -> None:
    rows = standing(Tonight(names(4), [PlayedRound([table])], scale))  # type: ignore[arg-type]
    points = {row.name: str(row.points) for row in rows}
    assert [points[name] for name in names(4)] == expected.split()


def test_partners_count_as_met() -> None:
    rows = standing(Tonight(names(4), [PlayedRound([TEAMS])]))
    assert [(row.place, str(row.strength)) for row in rows] == [
        (1, "1"),
        (1, "1"),
        (3, "2"),
        (3, "2"),
    ]


def test_points_for_rounds_before_a_late_entry_and_for_sitting_out() -> None:
    rounds = [PlayedRound([LEVEL], [4]), PlayedRound([LEVEL], [5])]
    tonight = Tonight(names(7), rounds, late_points=Fraction(1, 4), late={5: 2, 6: 3})
    points = {row.name: str(row.points) for row in standing(tonight)}
    assert (points["P5"], points["P6"], points["P7"]) == ("1/2", "3/4", "1/2")


def test_firsts_break_a_tie_before_strength() -> None:
    one = PlayedRound([TableResult({0: 1, 1: 2, 2: 3})])
    two = PlayedRound([TableResult({1: 2, 3: 1, 4: 3})])
    rows = {row.name: row for row in standing(Tonight(names(5), [one, two]))}
    assert rows["P1"].points == rows["P2"].points == 1
    assert (rows["P1"].firsts, rows["P2"].firsts) == (1, 0)
    assert (rows["P1"].strength, rows["P2"].strength) == (1, 2)
    assert (rows["P1"].place, rows["P4"].place, rows["P2"].place) == (1, 1, 3)
