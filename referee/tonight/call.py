"""What a seating is asked for, and what it is: people, tables and rounds are numbers from 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import combinations

Pair = tuple[int, int]
"""Two people, the first in the list first."""

PEOPLE, ROUNDS, TABLES, SEATS = 128, 12, 64, 32
"""The most of each in one call; the most seats of one table."""


class Mode(StrEnum):
    """How people are brought together."""

    MIX = "mix"
    STANDING = "standing"
    ROUND_ROBIN = "round_robin"


@dataclass(frozen=True, slots=True)
class Limits:
    """How many people a table takes."""

    table: str
    least: int
    most: int
    prefer: int

    def numbered(self, people: int) -> list[Limits]:
        """Tables with these limits, as many as so many people could need."""
        return [replace(self, table=str(n)) for n in range(1, people // self.least + 1)]


@dataclass(frozen=True, slots=True)
class Wish:
    """Two people who are to sit at one table, or are not to."""

    together: bool
    people: Pair

    @property
    def name(self) -> str:
        """The key of the wish in files."""
        return "together" if self.together else "apart"


@dataclass(frozen=True)
class SeatingCall:
    """A call for seats: people, tables, and what is known of both."""

    people: tuple[str, ...]
    tables: tuple[Limits, ...] = ()
    rounds: int = 1
    mode: Mode = Mode.MIX
    away: frozenset[tuple[int, int]] = frozenset()
    """(round, person)"""
    held: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """(round, person): the table where the person must sit; only people who are present."""
    wishes: tuple[Wish, ...] = ()
    sat_out: Mapping[int, int] = field(default_factory=dict)
    met: Mapping[Pair, int] = field(default_factory=dict)
    season: Mapping[Pair, int] = field(default_factory=dict)
    points: Mapping[int, Fraction] = field(default_factory=dict)

    def present(self, number: int) -> list[int]:
        """The people who are there in a round."""
        everybody = range(len(self.people))
        return [person for person in everybody if (number, person) not in self.away]


@dataclass(frozen=True, slots=True, order=True)
class SeatedRound:
    """Who sits at each table, the first player first, and who sits out; nobody at unused tables."""

    tables: tuple[tuple[int, ...], ...]
    sits_out: tuple[int, ...]

    def meetings(self) -> list[Pair]:
        """Every two people who sit at one table."""
        return [pair for people in self.tables for pair in combinations(sorted(people), 2)]
