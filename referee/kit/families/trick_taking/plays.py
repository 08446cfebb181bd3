"""The plays of a game file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.generic import BySeat, ByTable
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal(ByTable):
    """A new deal; ``leader`` may be left out where the rule decides it. ``turn``: the turn-up."""

    FORM: ClassVar[str] = "deal [leader={leader:seat}] [turn={turn:card}]"
    leader: Seat | None = None
    turn: str | None = None


@dataclass(frozen=True, slots=True)
class DealBySheet(Deal):
    """The start of a deal that is entered by its sheet, without the turn-up."""


@dataclass(frozen=True, slots=True)
class Passed(ByTable):
    """All seats have passed cards on, face down."""

    FORM: ClassVar[str] = "passed"


@dataclass(frozen=True, slots=True)
class Bid(BySeat):
    """A bid: a number, or one of the game's words."""

    FORM: ClassVar[str] = "bid {said:bid}"
    said: str


@dataclass(frozen=True, slots=True)
class NameTrump(BySeat):
    """The trump suit is named: the letter of a suit, or "none"."""

    FORM: ClassVar[str] = "trump {suit}"
    suit: str


@dataclass(frozen=True, slots=True)
class Call(BySeat):
    """A card is called; its holder need not say so."""

    FORM: ClassVar[str] = "call {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Lay(BySeat):
    """One card to the trick. Below a step of the ladder it declares: "I hold nothing of the steps
    above".
    """

    FORM: ClassVar[str] = "lay {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Cover(BySeat):
    """One card face down. It declares: "I hold nothing of any step"."""

    FORM: ClassVar[str] = "cover"


@dataclass(frozen=True, slots=True)
class Show(BySeat):
    """``seat`` shows its whole present hand; from then on everybody knows it."""

    FORM: ClassVar[str] = "show {cards}"
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rest(BySeat):
    """``seat`` claims all tricks that are left in this deal, the one on the table included."""

    FORM: ClassVar[str] = "rest"


@dataclass(frozen=True, slots=True)
class GrantRest(BySeat):
    """The side of ``seat`` agrees to the open claim."""

    FORM: ClassVar[str] = "grant rest"
    OWN_WORD: ClassVar[bool] = True


Play: TypeAlias = Deal | Passed | Bid | NameTrump | Call | Lay | Cover | Show | Rest | GrantRest
