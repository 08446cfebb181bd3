"""The plays of ペアーズ大富豪."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.generic import BySeat, ByTable
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal(ByTable):
    """A new deal; ``leader`` may be left out where the rule decides it."""

    FORM: ClassVar[str] = "deal [leader={leader:seat}]"
    leader: Seat | None = None


@dataclass(frozen=True, slots=True)
class Row(BySeat):
    """The bottom row of the pyramid, face up, left to right."""

    FORM: ClassVar[str] = "row {ranks}"
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lay(BySeat):
    """Equal cards to the trick; those at the places ``using`` come from the pyramid."""

    FORM: ClassVar[str] = "lay {ranks} [using {using:places}]"
    ranks: tuple[int, ...]
    using: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn(BySeat):
    """A pyramid card that is no longer covered is turned face up."""

    FORM: ClassVar[str] = "turn {place} {rank}"
    place: str
    rank: int


@dataclass(frozen=True, slots=True)
class Pass(BySeat):
    """The seat plays no cards until the trick is over."""

    FORM: ClassVar[str] = "pass"


Play: TypeAlias = Deal | Row | Lay | Turn | Pass

PLAYS: tuple[type[Play], ...] = (Deal, Row, Lay, Turn, Pass)
