"""The plays of a shedding game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.generic import BySeat, ByTable
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal(ByTable):
    """A new deal. ``extra``: who gets the first of the cards left over."""

    FORM: ClassVar[str] = "deal [leader={leader:seat}] [from={extra:seat}]"
    leader: Seat | None = None
    extra: Seat | None = None


@dataclass(frozen=True, slots=True)
class DealBySheet(Deal):
    """The start of a deal that is entered by its sheet."""


@dataclass(frozen=True, slots=True)
class HandsExchanged(ByTable):
    """All exchanges of this deal are done, face down."""

    FORM: ClassVar[str] = "exchanged"


@dataclass(frozen=True, slots=True)
class Bid(BySeat):
    """A bid: a number, or one of the game's words."""

    FORM: ClassVar[str] = "bid {said:bid}"
    said: str


@dataclass(frozen=True, slots=True)
class Kitty(ByTable):
    """The cards put aside are shown, and taken by the highest bidder."""

    FORM: ClassVar[str] = "kitty {cards}"
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lay(BySeat):
    """Cards on the table: a card, or ``XB=8`` for a joker that stands for one.

    ``combo``: the combination that they are, if the player says so.
    """

    FORM: ClassVar[str] = "lay {cards:cards_named} [as {combo:combination}]"
    cards: tuple[str, ...]
    combo: str | None = None


@dataclass(frozen=True, slots=True)
class Pass(BySeat):
    """Nothing is played."""

    FORM: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Give(BySeat):
    """Cards are handed on, face down."""

    FORM: ClassVar[str] = "give {count}"
    count: int


@dataclass(frozen=True, slots=True)
class Discard(BySeat):
    """Cards are put aside, face up."""

    FORM: ClassVar[str] = "discard {cards}"
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameRanks(BySeat):
    """Ranks are named, of which all players put their cards aside."""

    FORM: ClassVar[str] = "name {ranks:cards}"
    ranks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drop(BySeat):
    """Cards of a rank just named are put aside, face up."""

    FORM: ClassVar[str] = "drop {cards}"
    cards: tuple[str, ...]


Play: TypeAlias = (
    Deal | HandsExchanged | Bid | Kitty | Lay | Pass | Give | Discard | NameRanks | Drop
)
