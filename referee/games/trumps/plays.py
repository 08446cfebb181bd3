"""The plays of Trumps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.generic import BySeat, ByTable
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal(ByTable):
    """The cards are dealt."""

    FORM: ClassVar[str] = "deal"


@dataclass(frozen=True, slots=True)
class Reveal(BySeat):
    """A card for the start, turned up at the same time as those of the others."""

    FORM: ClassVar[str] = "reveal {rank}"
    rank: int


@dataclass(frozen=True, slots=True)
class Starter(ByTable):
    """The seat chosen by lot among those that tied with all their cards (ruling T3)."""

    FORM: ClassVar[str] = "starter {named:seat}"
    named: Seat


@dataclass(frozen=True, slots=True)
class Lay(BySeat):
    """A single or a pair, face up."""

    FORM: ClassVar[str] = "lay {ranks}"
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cover(BySeat):
    """One card face down. It declares: "I hold only forbidden numbers"; ``shows``: the whole
    hand.
    """

    FORM: ClassVar[str] = "cover [{rank}] [shows {shows:ranks}]"
    rank: int | None = None
    shows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Take(BySeat):
    """Taking a number from the table: all its copies, or in the last place one."""

    FORM: ClassVar[str] = "take {rank}"
    rank: int


@dataclass(frozen=True, slots=True)
class Draw(BySeat):
    """A card from the stock into the hand instead of one from the table."""

    FORM: ClassVar[str] = "draw"


@dataclass(frozen=True, slots=True)
class Pass(BySeat):
    """The last place takes nothing (ruling T20)."""

    FORM: ClassVar[str] = "pass"


Play: TypeAlias = Deal | Reveal | Starter | Lay | Cover | Take | Draw | Pass

PLAYS: tuple[type[Play], ...] = (Deal, Reveal, Starter, Lay, Cover, Take, Draw, Pass)
