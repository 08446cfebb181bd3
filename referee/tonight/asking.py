"""What an evening asks of the search and of the standing, and what it makes of the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from referee.tonight.call import Limits, Mode, Pair, SeatedRound, SeatingCall
from referee.tonight.entries import Proposed
from referee.tonight.evening import DeskState, EveningRound, RoundTable
from referee.tonight.measure import Measure, measure
from referee.tonight.seating import FULL, Effort, seating
from referee.tonight.standing import PlayedRound, StandingRow, Tonight, standing


def tables_of(evening: DeskState, present: int) -> list[Limits]:
    """The tables of the next round: those that are listed, or as many as could be needed."""
    if evening.tables:
        return [limits for limits, _ in evening.tables.values()]
    return evening.sizes.numbered(present)


@dataclass(frozen=True)
class SeatingQuestion:
    """A call for one round, with the names of its tables."""

    call: SeatingCall
    number: int

    def table(self, name: str) -> int | None:
        """The place of a table in the call."""
        names = [limits.table for limits in self.call.tables]
        return names.index(name) if name in names else None


def asked(
    evening: DeskState, names: Sequence[str], season: Mapping[Pair, int], *, ranked: bool
) -> SeatingQuestion:
    """The call for the next round. Those who are locked stay where the proposal has them."""
    number = evening.next
    present = evening.present(number)
    tables = tuple(tables_of(evening, len(present)))
    at = {limits.table: place for place, limits in enumerate(tables)}
    held = {person: at[table] for person, table in evening.fixed.items() if table in at}
    proposal = evening.proposal
    for person in evening.locked:
        seat = proposal.of(person) if proposal else None
        if seat and seat.table in at:
            held[person] = at[seat.table]
    here = frozenset(present)
    rows = standing(tonight(evening, names)) if ranked else []
    call = SeatingCall(
        people=tuple(names),
        tables=tables,
        mode=Mode.STANDING if ranked else Mode.MIX,
        away=frozenset((0, person) for person in range(len(names)) if person not in here),
        held={(0, person): table for person, table in held.items() if person in here},
        wishes=evening.wishes,
        sat_out=evening.sat_out(),
        met=evening.meetings(),
        season=season,
        points={row.person: row.points for row in rows},
    )
    return SeatingQuestion(call, number)


def proposed(
    evening: DeskState, question: SeatingQuestion, seed: int, effort: Effort = FULL
) -> Proposed:
    """The best seating that the search finds; raises ``NoSizes``."""
    [found] = seating(question.call, seed, effort)
    tables = tuple(
        (limits.table, _game(evening, limits.table), people)
        for limits, people in zip(question.call.tables, found.tables, strict=True)
        if people
    )
    ranked = question.call.mode == Mode.STANDING
    return Proposed(question.number, seed, ranked, tables, found.sits_out)


def _game(evening: DeskState, table: str) -> str:
    listed = evening.tables.get(table)
    return (listed[1] if listed else "") or evening.game


def seated(question: SeatingQuestion, round_: EveningRound) -> SeatedRound:
    """A round as the call numbers its tables."""
    people: list[tuple[int, ...]] = [() for _ in question.call.tables]
    for each in round_.tables:
        place = question.table(each.table)
        if place is not None:
            people[place] = each.people
    return SeatedRound(tuple(people), round_.idle)


def cost(question: SeatingQuestion, round_: EveningRound) -> Measure:
    """How good a proposal is."""
    return measure(question.call, [seated(question, round_)])


def tonight(evening: DeskState, names: Sequence[str]) -> Tonight:
    """The published rounds as the standing counts them."""
    guests = evening.guests
    return Tonight(
        people=tuple(names),
        rounds=[
            PlayedRound([each.result for each in done(found) if each.result], found.idle)
            for found in evening.published
        ],
        late={person: guest.first for person, guest in guests.items() if guest.first > 1},
        dropped={person: guest.dropped for person, guest in guests.items() if guest.dropped},
    )


def done(round_: EveningRound) -> list[RoundTable]:
    """The tables of a round that have a result, as the standing numbers them."""
    return [each for each in round_.tables if each.result]


class RankedGuest(NamedTuple):
    """A person's row of the standing."""

    person: int
    row: StandingRow


def ranked(evening: DeskState, names: Sequence[str]) -> list[RankedGuest]:
    """The standing of all who are or were here."""
    seen = {person for each in evening.published for person in each.seated()}
    counts = {person for person, guest in evening.guests.items() if guest.here or person in seen}
    rows = standing(tonight(evening, names))
    return [RankedGuest(row.person, row) for row in rows if row.person in counts]
