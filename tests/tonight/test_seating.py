"""Who sits where: sizes, what never breaks, and the best that can be had."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from evenings import QUICK, best, best_sizes, call, names, tables
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tonight.call import Limits, Mode, SeatedRound, SeatingCall, Wish
from referee.tonight.measure import broken, measure
from referee.tonight.seating import NoSizes, plans, seating
from referee.tonight.sizes import sizes


@pytest.mark.parametrize(
    ("people", "expected"),
    [(6, "3 3"), (7, "4 3"), (9, "5 4"), (10, "4 3 3"), (11, "4 4 3"), (2, "")],
)
def test_sizes_of_three_to_five(people: int, expected: str) -> None:
    found = sizes(tables(people), [0] * (people // 3), people)
    assert found is not None
    assert [size for size in found if size] == [int(size) for size in expected.split()]


def test_pairs_leave_one_over() -> None:
    found = seating(SeatingCall(names(7), tables(7, 2, 2, 2)))
    assert [len(table) for table in found[0].tables] == [2, 2, 2]
    assert len(found[0].sits_out) == 1


def test_two_people_both_sit_out() -> None:
    assert seating(SeatingCall(names(2), tables(2))) == [SeatedRound((), (0, 1))]


limits = st.tuples(st.integers(2, 4), st.integers(0, 3), st.integers(0, 3)).map(
    lambda drawn: Limits("A", drawn[0], drawn[0] + drawn[1], drawn[0] + min(drawn[1:]))
)


@given(st.lists(limits, max_size=4), st.integers(0, 16), st.data())
def test_no_list_of_sizes_is_better(found: list[Limits], present: int, data: st.DataObject) -> None:
    held = [data.draw(st.integers(0, table.most)) for table in found]
    assert sizes(found, held, present) == best_sizes(found, held, present)


def test_a_table_with_a_held_person_is_used() -> None:
    asked = SeatingCall(names(7), tables(7), held={(0, 6): 1})
    [found] = seating(asked)
    assert 6 in found.tables[1]
    assert sizes(tables(12), [0, 0, 0, 1], 12) == (4, 4, 0, 4)


@pytest.mark.parametrize(
    "held",
    [
        pytest.param({(0, each): 0 for each in range(6)}, id="six at a table of five"),
        pytest.param({(0, 0): 0, (0, 1): 1, (0, 2): 2}, id="three tables for eight people"),
    ],
)
def test_people_who_do_not_fit_their_tables(held: dict[tuple[int, int], int]) -> None:
    three = tuple(Limits(name, 3, 5, 4) for name in "ABC")
    with pytest.raises(NoSizes):
        plans(SeatingCall(names(8), three, held=held))


def valid(asked: SeatingCall, found: list[SeatedRound]) -> None:
    """What is never broken."""
    assert len(found) == asked.rounds
    for number, (seated, plan) in enumerate(zip(found, plans(asked), strict=True)):
        everybody = [*seated.sits_out, *(each for table in seated.tables for each in table)]
        assert sorted(everybody) == asked.present(number)
        assert tuple(map(len, seated.tables)) == tuple(plan.sizes)
        assert all(list(table) == sorted(table) for table in seated.tables)
        for (at, person), table in asked.held.items():
            assert at != number or person in seated.tables[table]


modes = st.sampled_from([Mode.MIX, Mode.STANDING])


@given(st.integers(0, 10**6), st.integers(1, 5), modes)
@settings(deadline=None, max_examples=60)
def test_everybody_who_is_there_is_at_one_place(seed: int, rounds: int, mode: Mode) -> None:
    asked = call(f"valid {seed}", (1, 24), rounds, mode)
    valid(asked, seating(asked, seed, QUICK))


@given(st.integers(0, 10**6), modes, st.booleans())
@settings(deadline=None, max_examples=25)
def test_no_seating_of_a_small_call_is_better(seed: int, mode: Mode, several: bool) -> None:
    rounds, people = (2, (3, 6)) if several else (1, (3, 8))
    asked = call(f"small {seed}", people, rounds, mode)
    assert measure(asked, seating(asked, seed)) == best(asked)


def test_the_same_seed_makes_the_same_proposal_and_others_differ() -> None:
    asked = call("seeds", (20, 20), 3)
    first = seating(asked, 5, QUICK)
    assert first == seating(asked, 5, QUICK)
    assert any(first != seating(asked, seed, QUICK) for seed in range(6, 9))


def test_sixteen_people_meet_everybody_once_in_five_rounds() -> None:
    asked = SeatingCall(names(16), tables(16, 4, 4, 4), rounds=5)
    assert measure(asked, seating(asked)).repeats == 0


def test_sitting_out_goes_round_however_people_come_and_go() -> None:
    """Who is there in one round alone sits out then, so that nobody does twice."""
    away = frozenset((at, person) for at in range(3) for person in (0, 1, 2) if person != at)
    asked = SeatingCall(names(7), tables(5, 2, 2, 2), rounds=3, away=away)
    found = seating(asked)
    assert max(Counter(each for round_ in found for each in round_.sits_out).values()) == 1


def test_couples_that_sit_out_sit_out_together() -> None:
    couples = tuple(Wish(True, (at, at + 1)) for at in (0, 2, 4))
    one_table = (Limits("A", 4, 4, 4),)
    asked = SeatingCall(names(6), one_table, rounds=3, wishes=couples)
    found = seating(asked)
    assert broken(asked, found) == []
    assert measure(asked, found).sit_outs == 6


def test_a_wish_against_two_locks_is_the_only_one_that_breaks() -> None:
    wishes = (Wish(False, (0, 1)), Wish(True, (2, 3)), Wish(True, (6, 7)))
    asked = SeatingCall(names(8), tables(8), wishes=wishes, held={(0, 0): 0, (0, 1): 0})
    assert broken(asked, seating(asked)) == [(0, wishes[0])]


def test_six_who_are_all_to_be_apart_at_five_tables() -> None:
    """One pair must meet, and no more than that one wish is given up."""
    clique = tuple(Wish(False, (a, b)) for b in range(6) for a in range(b))
    asked = SeatingCall(names(20), tables(20, 4, 4, 4), wishes=clique)
    assert measure(asked, seating(asked)).wishes == 1


def test_many_wishes_that_cannot_hold_are_still_answered() -> None:
    everybody_apart = tuple(Wish(False, (a, b)) for b in range(12) for a in range(b))
    asked = SeatingCall(names(12), tables(12, 4, 4, 4), wishes=everybody_apart)
    found = seating(asked)
    valid(asked, found)
    assert measure(asked, found).wishes == 18


@pytest.mark.parametrize("seed", range(5))
def test_wishes_that_can_hold_do_hold(seed: int) -> None:
    """A seating by chance is the witness that they can."""
    asked = call(f"planted {seed}", (24, 24), 1)
    plain = SeatingCall(asked.people, tables(24, 4, 4, 4))
    hidden = seating(plain, seed, QUICK)[0]
    at = {each: number for number, table in enumerate(hidden.tables) for each in table}
    pairs = [(a, b) for b in range(24) for a in range(b)]
    near = [Wish(True, pair) for pair in pairs if at[pair[0]] == at[pair[1]]][seed::3]
    far = [Wish(False, pair) for pair in pairs if at[pair[0]] != at[pair[1]]][seed::4]
    wanted = SeatingCall(plain.people, plain.tables, wishes=(*near, *far))
    assert broken(wanted, seating(wanted, seed)) == []


def test_a_swiss_round_pairs_equal_points_and_the_lowest_has_the_bye() -> None:
    points = {0: Fraction(3), 1: Fraction(1), 2: Fraction(3), 3: Fraction(2), 4: Fraction(2)}
    asked = SeatingCall(
        names(5), tables(5, 2, 2, 2), mode=Mode.STANDING, points=points, sat_out={1: 1}
    )
    [found] = seating(asked)
    assert found.sits_out == (3,) or found.sits_out == (4,)  # 1 has had a bye already
    everybody = SeatingCall(names(5), tables(5, 2, 2, 2), mode=Mode.STANDING, points=points)
    [found] = seating(everybody)
    assert found == SeatedRound(((0, 2), (3, 4)), (1,)) or set(found.tables) == {(0, 2), (3, 4)}
    assert found.sits_out == (1,)


def test_a_round_robin_of_six() -> None:
    """As printed in every club: the rounds of Berger."""
    expected = "1–6 2–5 3–4 · 6–4 5–3 1–2 · 2–6 3–1 4–5 · 6–5 1–4 2–3 · 3–6 4–2 5–1"
    found = seating(SeatingCall(names(6), mode=Mode.ROUND_ROBIN, rounds=5))
    shown = " · ".join(
        " ".join("–".join(str(each + 1) for each in board) for board in round_.tables)
        for round_ in found
    )
    assert shown == expected


@given(st.integers(2, 60))
@settings(max_examples=20, deadline=None)
def test_everybody_plays_everybody_once(people: int) -> None:
    rounds = people + people % 2 - 1
    found = seating(SeatingCall(names(people), mode=Mode.ROUND_ROBIN, rounds=rounds))
    met = Counter(pair for round_ in found for pair in round_.meetings())
    assert set(met.values()) == {1}
    assert len(met) == people * (people - 1) // 2
    if people % 2:
        assert sorted(each for round_ in found for each in round_.sits_out) == list(range(people))
        assert all(round_.tables[0] == () for round_ in found)
