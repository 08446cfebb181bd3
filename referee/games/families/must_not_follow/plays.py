"""The plays of this family."""

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
class Lay:
    """One card to the trick. A number that is showing also declares: "I hold nothing else"."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "lay {rank}"
    seat: Seat
    rank: int


@dataclass(frozen=True, slots=True)
class Show:
    """``seat`` shows its whole present hand; from then on everybody knows it."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "show {ranks}"
    seat: Seat
    ranks: tuple[int, ...]


Play: TypeAlias = Deal | Lay | Show

PLAYS: tuple[type[Play], ...] = (Deal, Lay, Show)
