"""What can be said at a table of this family."""

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
    """One card to the trick. On a number that is showing: "I hold nothing else"."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "lay {rank}"
    seat: Seat
    rank: int


@dataclass(frozen=True, slots=True)
class Show:
    """The whole hand as it is now, laid open to the table; a fact from then on."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "show {ranks}"
    seat: Seat
    ranks: tuple[int, ...]


Play: TypeAlias = Deal | Lay | Show

PLAYS: tuple[type[Play], ...] = (Deal, Lay, Show)
