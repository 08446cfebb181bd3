"""Evenings by chance, press by press: the laws of a desk hold after each of its entries."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tonight import asking
from referee.tonight.entries import (
    Came,
    DeskEntry,
    Dropped,
    Exchanged,
    FixedSeat,
    LockedIn,
    PlacesHeard,
    PlacesTyped,
    Published,
    RoundTakenBack,
    TickedByMistake,
    Wished,
    read,
    written,
)
from referee.tonight.evening import DeskState, EveningRound, Stamp, after
from referee.tonight.seating import Effort, NoSizes

HASTY = Effort(restarts=1, fewest=40, each=0, most=40)
NAMES = [f"P{number}" for number in range(20)]
STAMP = Stamp("phone", "2026-11-28T19:00:00+00:00")


class Night:
    """An evening that presses make; every entry goes through its written form."""

    def __init__(self, seed: int) -> None:
        self.chance, self.state = Random(seed), DeskState()
        for person in range(self.chance.randint(3, 14)):
            self.press(Came(person, 1))

    def press(self, entry: DeskEntry) -> None:
        seats = [frozen(each) for each in self.state.published]
        assert read(written(entry)) == entry
        self.state = after(self.state, entry, STAMP)
        now = [frozen(each) for each in self.state.published][: len(seats)]
        if not isinstance(entry, Exchanged | RoundTakenBack):
            assert now == seats, f"{entry} changed a published round"

    def round(self) -> None:
        """Propose, sometimes change, publish, and type results of the rounds so far."""
        chance, state = self.chance, self.state
        for person in state.present(state.next):
            if chance.random() < 0.04:
                self.press(Dropped(person, state.next))
        if chance.random() < 0.3 and len(self.state.guests) < len(NAMES):
            self.press(Came(len(self.state.guests), state.next))
        self.wish()
        if not self.propose():
            return
        if chance.random() < 0.5:
            self.exchange()
        self.press(Published(self.state.next))
        if chance.random() < 0.1:
            self.press(RoundTakenBack(len(self.state.published)))
            self.press(Published(self.state.next))
        if chance.random() < 0.2:
            self.exchange(len(self.state.published))
        for _ in range(6):
            self.result()

    def wish(self) -> None:
        one, other = self.chance.sample(sorted(self.state.guests), 2)
        if self.chance.random() < 0.3:
            together = self.chance.random() < 0.5
            self.press(Wished(one, other, together, self.chance.random() < 0.8))
        if self.chance.random() < 0.1:
            self.press(FixedSeat(one, self.chance.choice(["1", ""])))

    def propose(self) -> bool:
        for seed in range(2):
            question = asking.asked(self.state, NAMES, {}, ranked=self.chance.random() < 0.3)
            try:
                entry = asking.proposed(self.state, question, seed, HASTY)
            except NoSizes:
                return False
            self.press(entry)
            here = sorted(self.state.present(entry.round))
            everybody = [*entry.idle, *(who for _, _, people in entry.tables for who in people)]
            assert sorted(everybody) == here, "nobody is lost or at two tables"
            self.fair(set(entry.idle), set(here))
            people = tuple(entry.tables[0][2][:1]) if entry.tables else ()
            self.press(LockedIn(people, seed == 0))
        return True

    def fair(self, idle: set[int], here: set[int]) -> None:
        """Nobody sits out again before everybody else who is free to has."""
        before, bound = self.state.sat_out(), {*self.state.fixed, *self.state.locked}
        apart = any(wish.together for wish in self.state.wishes)
        seated = [before.get(person, 0) for person in here - idle - bound]
        for person in idle:
            assert apart or before.get(person, 0) <= min(seated, default=99)

    def exchange(self, number: int = 0) -> None:
        round_ = self.state.rounds[number - 1]
        if len(round_.seated()) > 1:
            one, other = self.chance.sample(sorted(round_.seated()), 2)
            self.press(Exchanged(round_.number, one, other))

    def result(self) -> None:
        """A result of any published table, its correction, or none."""
        tables = [(each.number, t) for each in self.state.published for t in each.tables]
        if not tables:
            return
        number, table = self.chance.choice(tables)
        scores = {who: self.chance.randint(0, 3) for who in table.people}
        places = tuple(
            (who, 1 + sum(other > score for other in scores.values()))
            for who, score in scores.items()
        )
        kind = self.chance.choice([PlacesTyped, PlacesTyped, PlacesHeard])
        self.press(kind(number, table.table, places if self.chance.random() < 0.9 else ()))


def frozen(round_: EveningRound) -> object:
    """What of a published round must not change by itself."""
    return [(t.table, t.people) for t in round_.tables], round_.idle


def night(seed: int) -> None:
    now = Night(seed)
    for _ in range(now.chance.randint(1, 5)):
        now.round()
    rows = asking.ranked(now.state, NAMES)
    seen = {person for each in now.state.published for person in each.seated()}
    assert {person for person, _ in rows} >= seen, "nobody is lost"
    assert max(Counter(person for person, _ in rows).values()) == 1
    sums = {person: sum(score.points for score in row.scores) for person, row in rows}
    assert all(row.points == sums[person] for person, row in rows)
    places = [row.place for _, row in rows]
    assert places == sorted(places)


@given(st.integers(0, 10**9))
@settings(deadline=None, max_examples=25)
def test_every_press_keeps_the_laws(seed: int) -> None:
    night(seed)


def test_a_correction_of_the_first_round_after_the_fifth_moves_the_standing_alone() -> None:
    now = Night(5)
    while len(now.state.published) < 5:
        now.round()
    before = asking.ranked(now.state, NAMES)
    table = now.state.published[0].tables[0]
    now.press(PlacesTyped(1, table.table, tuple((who, 1) for who in table.people)))
    level = asking.ranked(now.state, NAMES)
    order = tuple((who, at) for at, who in enumerate(table.people, 1))
    now.press(PlacesTyped(1, table.table, order))
    again = asking.ranked(now.state, NAMES)
    assert level != again
    assert {person for person, _ in before} == {person for person, _ in again}
    first, last = dict(level), dict(again)
    for person, at in order:
        moved = last[person].points - first[person].points
        others = len(order) - 1
        assert moved * 2 * others == 2 * (len(order) - at) - others


def test_a_tick_by_mistake_leaves_nothing() -> None:
    state = after(DeskState(), Came(0, 1), STAMP)
    state = after(state, TickedByMistake(0), STAMP)
    assert state.present(1) == []
    assert asking.ranked(replace(state), ["A"]) == []
