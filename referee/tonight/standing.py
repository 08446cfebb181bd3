"""Who leads: exact points of all rounds, and how each sum came about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

HALF, NOTHING = Fraction(1, 2), Fraction(0)
Scale = Literal["share", "beaten"] | tuple[Fraction, ...]
"""What a place is worth: the part of the others that one has beaten, their number, or a list."""


@dataclass(frozen=True)
class TableResult:
    """The places of a table, by person; in teams all members have one place."""

    places: Mapping[int, int]
    teams: Sequence[Sequence[int]] = ()


@dataclass(frozen=True)
class PlayedRound:
    """The results of a round, and who sat out."""

    tables: Sequence[TableResult]
    sat_out: Sequence[int] = ()


@dataclass(frozen=True)
class Tonight:
    """All rounds so far, and what they count."""

    people: tuple[str, ...]
    rounds: Sequence[PlayedRound]
    scale: Scale = "share"
    sit_out: Fraction = HALF
    late_points: Fraction = NOTHING
    late: Mapping[int, int] = field(default_factory=dict)
    """The first round of those who came late, counted from 1."""
    dropped: Mapping[int, int] = field(default_factory=dict)
    """The first round that somebody no longer plays, counted from 1."""


class RoundScore(NamedTuple):
    """What one round brought: at a table with a place, or by sitting out, or before coming."""

    round: int
    points: Fraction
    table: int | None = None
    place: int | None = None
    before: bool = False


@dataclass(frozen=True)
class StandingRow:
    """A person's place, and the sum behind it. ``person``: the number in the list of people."""

    person: int
    place: int
    name: str
    points: Fraction
    firsts: int
    strength: Fraction
    played: int
    sat_out: int
    dropped: bool
    scores: Sequence[RoundScore]
    met: Sequence[tuple[str, Fraction]]
    """Everybody met at a table, once for each meeting, with their points."""


def standing(tonight: Tonight) -> list[StandingRow]:
    """Everybody, by place and then in the order of people."""
    people = range(len(tonight.people))
    scores = [_scores(tonight, person) for person in people]
    points = [sum((each.points for each in mine), NOTHING) for mine in scores]
    firsts = [sum(each.place == 1 for each in mine) for mine in scores]
    met = [_met(tonight, person) for person in people]
    strength = [sum((points[other] for other in others), NOTHING) for others in met]
    ranks = list(zip(points, firsts, strength, strict=True))
    rows = [
        StandingRow(
            person=person,
            place=1 + sum(other > ranks[person] for other in ranks),
            name=tonight.people[person],
            points=points[person],
            firsts=firsts[person],
            strength=strength[person],
            played=sum(each.place is not None for each in scores[person]),
            sat_out=sum(person in each.sat_out for each in tonight.rounds),
            dropped=person in tonight.dropped,
            scores=scores[person],
            met=[(tonight.people[other], points[other]) for other in met[person]],
        )
        for person in people
    ]
    return sorted(rows, key=lambda row: row.place)


def _scores(tonight: Tonight, person: int) -> list[RoundScore]:
    found = []
    for number, each in enumerate(tonight.rounds, 1):
        if number < tonight.late.get(person, 1):
            found.append(RoundScore(number, tonight.late_points, before=True))
        if person in each.sat_out:
            found.append(RoundScore(number, tonight.sit_out))
        for at, table in enumerate(each.tables, 1):
            if person in table.places:
                worth = points_of(tonight.scale, table, person)
                found.append(RoundScore(number, worth, at, table.places[person]))
    return found


def points_of(scale: Scale, table: TableResult, person: int) -> Fraction:
    """What a person's place at a table is worth."""
    place = table.places[person]
    if isinstance(scale, tuple):
        level = sum(other == place for other in table.places.values())
        return sum(scale[place - 1 : place - 1 + level], NOTHING) / level
    own = next((team for team in table.teams if person in team), (person,))
    others = [at for other, at in table.places.items() if other not in own]
    beaten = sum(at > place for at in others) + Fraction(sum(at == place for at in others), 2)
    return beaten / len(others) if scale == "share" else beaten


def _met(tonight: Tonight, person: int) -> list[int]:
    return [
        other
        for each in tonight.rounds
        for table in each.tables
        if person in table.places
        for other in sorted(table.places)
        if other != person
    ]


def is_ranking(places: Iterable[int]) -> bool:
    """Whether these are the places of a standard competition ranking, such as 1 2 2 4."""
    found = list(places)
    return all(place == 1 + sum(other < place for other in found) for place in found)
