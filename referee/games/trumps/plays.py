"""The plays of Trumps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.game import TABLE
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards are dealt."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal"


@dataclass(frozen=True, slots=True)
class Reveal:
    """A card for the start, turned up at the same time as those of the others."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "reveal {rank}"
    seat: Seat
    rank: int


@dataclass(frozen=True, slots=True)
class Starter:
    """The seat chosen by lot among those that tied with all their cards (ruling T3)."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "starter {named:seat}"
    named: Seat


@dataclass(frozen=True, slots=True)
class Lay:
    """A single or a pair, face up."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "lay {ranks}"
    seat: Seat
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cover:
    """One card face down. It declares: "I hold only forbidden numbers"; ``shows``: the whole
    hand.
    """

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "cover [{rank}] [shows {shows:ranks}]"
    seat: Seat
    rank: int | None = None
    shows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Take:
    """Taking a number from the table: all its copies, or in the last place one."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "take {rank}"
    seat: Seat
    rank: int


@dataclass(frozen=True, slots=True)
class Draw:
    """A card from the stock into the hand instead of one from the table."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "draw"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Pass:
    """The last place takes nothing (ruling T20)."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "pass"
    seat: Seat


Play: TypeAlias = Deal | Reveal | Starter | Lay | Cover | Take | Draw | Pass

PLAYS: tuple[type[Play], ...] = (Deal, Reveal, Starter, Lay, Cover, Take, Draw, Pass)
