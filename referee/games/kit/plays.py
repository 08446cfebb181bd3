"""What can be said at a table of a game file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.game import TABLE
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """A new deal; ``leader`` may be left out where the rule decides it. ``turn``: turned up."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal [leader={leader:seat}] [turn={turn:card}]"
    leader: Seat | None = None
    turn: str | None = None


@dataclass(frozen=True, slots=True)
class DealBySheet(Deal):
    """A deal of which only the sheet is entered: nobody says which card was turned up."""


@dataclass(frozen=True, slots=True)
class Passed:
    """Everybody has handed on cards, face down."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "passed"


@dataclass(frozen=True, slots=True)
class Bid:
    """A number, or one of the game's words for a bid."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "bid {said:bid}"
    seat: Seat
    said: str


@dataclass(frozen=True, slots=True)
class NameTrump:
    """The letter of a suit, or "none"."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "trump {suit}"
    seat: Seat
    suit: str


@dataclass(frozen=True, slots=True)
class Call:
    """A card that is named; who has it need not say so."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "call {card}"
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Lay:
    """One card to the trick. Below a step of the ladder: "I hold nothing of the steps above"."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "lay {card}"
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Cover:
    """One card face down: "I hold nothing of any step"."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "cover"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Show:
    """The whole hand as it is now, laid open to the table; a fact from then on."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "show {cards}"
    seat: Seat
    cards: tuple[str, ...]


Play: TypeAlias = Deal | Passed | Bid | NameTrump | Call | Lay | Cover | Show
