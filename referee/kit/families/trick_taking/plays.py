"""The plays of a game file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.game import TABLE
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """A new deal; ``leader`` may be left out where the rule decides it. ``turn``: the turn-up."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal [leader={leader:seat}] [turn={turn:card}]"
    leader: Seat | None = None
    turn: str | None = None


@dataclass(frozen=True, slots=True)
class DealBySheet(Deal):
    """The start of a deal that is entered by its sheet, without the turn-up."""


@dataclass(frozen=True, slots=True)
class Passed:
    """All seats have passed cards on, face down."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "passed"


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid: a number, or one of the game's words."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "bid {said:bid}"
    seat: Seat
    said: str


@dataclass(frozen=True, slots=True)
class NameTrump:
    """The trump suit is named: the letter of a suit, or "none"."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "trump {suit}"
    seat: Seat
    suit: str


@dataclass(frozen=True, slots=True)
class Call:
    """A card is called; its holder need not say so."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "call {card}"
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Lay:
    """One card to the trick. Below a step of the ladder it declares: "I hold nothing of the steps
    above".
    """

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "lay {card}"
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Cover:
    """One card face down. It declares: "I hold nothing of any step"."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "cover"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Show:
    """``seat`` shows its whole present hand; from then on everybody knows it."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "show {cards}"
    seat: Seat
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """``seat`` claims all tricks that are left in this deal, the one on the table included."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "rest"
    seat: Seat


@dataclass(frozen=True, slots=True)
class GrantRest:
    """The side of ``seat`` agrees to the open claim."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "grant rest"
    OWN_WORD: ClassVar[bool] = True
    seat: Seat


Play: TypeAlias = Deal | Passed | Bid | NameTrump | Call | Lay | Cover | Show | Rest | GrantRest
