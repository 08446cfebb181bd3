"""The plays of Three Kings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.generic import BySeat, ByTable
from referee.core.verdict import Seat
from referee.games.three_kings.cards import KING, KINGS_TO_END


@dataclass(frozen=True, slots=True)
class Deal(ByTable):
    """The cards are dealt; ``tableau`` lies face up."""

    FORM: ClassVar[str] = "deal dealer={dealer:seat} tableau={tableau:row_of_faces}"
    dealer: Seat
    tableau: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Capture(BySeat):
    """A set: ``rank`` from the hand with two table cards."""

    FORM: ClassVar[str] = "capture {rank:face} with {pair:two_faces}"
    rank: str
    pair: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Discard(BySeat):
    """A card from the hand to the table. It declares: "nothing in my hand makes a set"
    (ruling K8).
    """

    FORM: ClassVar[str] = "discard {rank:face}"
    rank: str


@dataclass(frozen=True, slots=True)
class King(BySeat):
    """A king of the hand and one on the table, both into the hand."""

    FORM: ClassVar[str] = "king"


@dataclass(frozen=True, slots=True)
class Pass(BySeat):
    """The seat can do nothing. It declares: "I hold nothing but kings", or no card (ruling K21)."""

    FORM: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Refill(ByTable):
    """New table cards after the last one was taken, kings included.

    ``left``: how many of these kings stay on the table; None if the seat in turn takes all.
    """

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
class Declare(BySeat):
    """The seat shows three kings, or ``count`` of them."""

    FORM: ClassVar[str] = "declare [{count}]"
    count: int | None = None

    @property
    def kings(self) -> int:
        return KINGS_TO_END if self.count is None else self.count


Play: TypeAlias = Deal | Capture | Discard | King | Pass | Refill | Declare

PLAYS: tuple[type[Play], ...] = (Deal, Capture, Discard, King, Pass, Refill, Declare)
