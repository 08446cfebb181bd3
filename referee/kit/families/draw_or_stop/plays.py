"""The entries of a game of this family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.generic import BySeat, ByTable
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal(ByTable):
    """A new round; ``leader`` may be left out where the rule decides it."""

    FORM: ClassVar[str] = "deal [leader={leader:seat}]"
    leader: Seat | None = None


@dataclass(frozen=True, slots=True)
class DealBySheet(Deal):
    """The start of a round that is entered by its sheet."""


@dataclass(frozen=True, slots=True)
class Reveal(BySeat):
    """A card dealt to a seat at the start of a round."""

    FORM: ClassVar[str] = "reveal {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Hit(BySeat):
    """A card taken from the stock."""

    FORM: ClassVar[str] = "hit {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Stay(BySeat):
    """The seat stops; its cards count."""

    FORM: ClassVar[str] = "stay"


@dataclass(frozen=True, slots=True)
class Fold(BySeat):
    """The seat stops and takes a card that lies before somebody; it may be named."""

    FORM: ClassVar[str] = "fold [{card}]"
    card: str | None = None


@dataclass(frozen=True, slots=True)
class Aim(BySeat):
    """The seat says whom the effect of its card concerns."""

    FORM: ClassVar[str] = "aim {target:seat}"
    target: Seat


@dataclass(frozen=True, slots=True)
class Shuffle(ByTable):
    """The stock is empty: all cards that lie nowhere are shuffled."""

    FORM: ClassVar[str] = "shuffle"


@dataclass(frozen=True, slots=True)
class Starter(ByTable):
    """Who starts by lot, after a tie that no card can break."""

    FORM: ClassVar[str] = "starter {named:seat}"
    named: Seat


Play: TypeAlias = Deal | Reveal | Hit | Stay | Fold | Aim | Shuffle | Starter
