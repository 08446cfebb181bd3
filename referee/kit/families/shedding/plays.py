"""The plays of a shedding game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.game import TABLE
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """A new deal. ``extra``: who gets the first of the cards left over."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal [leader={leader:seat}] [from={extra:seat}]"
    leader: Seat | None = None
    extra: Seat | None = None


@dataclass(frozen=True, slots=True)
class DealBySheet(Deal):
    """The start of a deal that is entered by its sheet."""


@dataclass(frozen=True, slots=True)
class HandsExchanged:
    """All exchanges of this deal are done, face down."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "exchanged"


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid: a number, or one of the game's words."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "bid {said:bid}"
    seat: Seat
    said: str


@dataclass(frozen=True, slots=True)
class Kitty:
    """The cards put aside are shown, and taken by the highest bidder."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "kitty {cards}"
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lay:
    """Cards on the table: a card, or ``XB=8`` for a joker that stands for one.

    ``combo``: the combination that they are, if the player says so.
    """

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "lay {cards:cards_named} [as {combo:combination}]"
    seat: Seat
    cards: tuple[str, ...]
    combo: str | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing is played."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "pass"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Give:
    """Cards are handed on, face down."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "give {count}"
    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class Discard:
    """Cards are put aside, face up."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "discard {cards}"
    seat: Seat
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameRanks:
    """Ranks are named, of which all players put their cards aside."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "name {ranks:cards}"
    seat: Seat
    ranks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drop:
    """Cards of a rank just named are put aside, face up."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "drop {cards}"
    seat: Seat
    cards: tuple[str, ...]


Play: TypeAlias = (
    Deal | HandsExchanged | Bid | Kitty | Lay | Pass | Give | Discard | NameRanks | Drop
)
