"""The plays of ペアーズ大富豪."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.game import TABLE
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """A new deal; ``leader`` may be left out where the rule decides it."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal [leader={leader:seat}]"
    leader: Seat | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """The bottom row of the pyramid, face up, left to right."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "row {ranks}"
    seat: Seat
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lay:
    """Equal cards to the trick; those at the places ``using`` come from the pyramid."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "lay {ranks} [using {using:places}]"
    seat: Seat
    ranks: tuple[int, ...]
    using: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """A pyramid card that is no longer covered is turned face up."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "turn {place} {rank}"
    seat: Seat
    place: str
    rank: int


@dataclass(frozen=True, slots=True)
class Pass:
    """The seat plays no cards until the trick is over."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "pass"
    seat: Seat


Play: TypeAlias = Deal | Row | Lay | Turn | Pass

PLAYS: tuple[type[Play], ...] = (Deal, Row, Lay, Turn, Pass)
