"""The plays of Three Kings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.game import TABLE
from referee.core.verdict import Seat
from referee.games.three_kings.cards import KING, KINGS_TO_END


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards are dealt; ``tableau`` lies face up."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal dealer={dealer:seat} tableau={tableau:row_of_faces}"
    dealer: Seat
    tableau: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Capture:
    """A set: ``rank`` from the hand with two table cards."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "capture {rank:face} with {pair:two_faces}"
    seat: Seat
    rank: str
    pair: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Discard:
    """A card from the hand to the table. It declares: "nothing in my hand makes a set"
    (ruling K8).
    """

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "discard {rank:face}"
    seat: Seat
    rank: str


@dataclass(frozen=True, slots=True)
class King:
    """A king of the hand and one on the table, both into the hand."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "king"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Pass:
    """The seat can do nothing. It declares: "I hold nothing but kings", or no card (ruling K21)."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "pass"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Refill:
    """New table cards after the last one was taken, kings included.

    ``left``: how many of these kings stay on the table; None if the seat in turn takes all.
    """

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "refill {ranks:faces} [left={left:count}]"
    ranks: tuple[str, ...]
    left: int | None = None

    @property
    def kings(self) -> int:
        """How many kings were turned up."""
        return self.ranks.count(KING)

    @property
    def taken(self) -> int:
        """How many kings go into the hand of the seat in turn."""
        return self.kings - (self.left or 0)


@dataclass(frozen=True, slots=True)
class Declare:
    """The seat shows three kings, or ``count`` of them."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "declare [{count}]"
    seat: Seat
    count: int | None = None

    @property
    def kings(self) -> int:
        return KINGS_TO_END if self.count is None else self.count


Play: TypeAlias = Deal | Capture | Discard | King | Pass | Refill | Declare

PLAYS: tuple[type[Play], ...] = (Deal, Capture, Discard, King, Pass, Refill, Declare)
