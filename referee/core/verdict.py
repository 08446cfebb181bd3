"""The referee's answer: a value with its clause and its evidence, never an exception."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, assert_never

Seat: TypeAlias = str
Card: TypeAlias = int | str


class Term(str):
    """A value that the ruling books put into words: the id of a fact without values."""


class Position(int):
    """A value that is the position of an entry, as ``Evidence.at``; replaced by its number."""


class Evidence(NamedTuple):
    """One fact that anybody at the table can check.

    ``fact`` names a sentence of the ruling books, ``values`` fill it in. ``at`` is the position
    of the entry that shows it among the entries that took effect, 1-based; ``core.log`` turns
    it into the entry's number.
    """

    fact: str
    values: Mapping[str, object]
    at: int | None = None


Facts: TypeAlias = tuple[Evidence, ...]


def evidence(fact: str, at: int | None = None, /, **values: object) -> Facts:
    """Evidence that consists of a single fact."""
    return (Evidence(fact, values, at),)


class Lacks(NamedTuple):
    """The usual premise: the hand of ``seat`` holds none of ``cards`` (in deck order).

    ``others``: the other cards of the deck, where a sentence may name them instead.
    """

    seat: Seat
    cards: tuple[Card, ...]
    others: tuple[Card, ...] = ()


class Agreed(NamedTuple):
    """A premise on which the players agree: that ``words`` count, or if empty, that a claim holds.

    ``seat``: who has used the words, or claims.
    """

    seat: Seat
    words: tuple[str, ...]


Premise: TypeAlias = Lacks | Agreed


@dataclass(frozen=True, slots=True)
class Legal:
    """The entry is legal, whatever the hidden hands are."""

    clause: str
    evidence: Facts = ()


@dataclass(frozen=True, slots=True)
class Illegal:
    """Public facts forbid the entry."""

    clause: str
    evidence: Facts = ()


@dataclass(frozen=True, slots=True)
class Unprovable:
    """The entry is legal if ``premise`` holds, which nobody else at the table can see."""

    clause: str
    premise: Premise
    evidence: Facts = ()


Verdict: TypeAlias = Legal | Illegal | Unprovable


def word_of(verdict: Verdict) -> str:
    """The word for a verdict in the store, in JSON, and in names of classes and symbols."""
    match verdict:
        case Legal():
            return "legal"
        case Illegal():
            return "illegal"
        case Unprovable():
            return "unprovable"
        case _:
            assert_never(verdict)


class Finding(NamedTuple):
    """An infraction that later entries have proven (ruling X7).

    ``at`` and ``proof`` are positions as in ``Evidence``; ``proof`` is ascending, and its last
    position is the entry that completed the proof.
    """

    clause: str
    seat: Seat
    at: int
    proof: tuple[int, ...]
    evidence: Facts


class Outcome(NamedTuple):
    """How a match ended; ``winners`` and ``losers`` are in seat order.

    A game that has only losers has no winners. Both are empty if nobody won and nobody lost.
    ``team``: the winners are the seats of one team, which shares its win with nobody.
    """

    clause: str
    winners: tuple[Seat, ...]
    evidence: Facts
    losers: tuple[Seat, ...] = ()
    team: bool = False
