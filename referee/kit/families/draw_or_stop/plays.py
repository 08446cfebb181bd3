"""The entries of a game of this family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.game import TABLE
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """A new round; ``leader`` may be left out where the rule decides it."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal [leader={leader:seat}]"
    leader: Seat | None = None


@dataclass(frozen=True, slots=True)
class DealBySheet(Deal):
    """The start of a round that is entered by its sheet."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """A card dealt to a seat at the start of a round."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "reveal {card}"
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A card taken from the stock."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "hit {card}"
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Stay:
    """The seat stops; its cards count."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "stay"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Fold:
    """The seat stops and takes a card that lies before somebody; it may be named."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "fold [{card}]"
    seat: Seat
    card: str | None = None


@dataclass(frozen=True, slots=True)
class Aim:
    """The seat says whom the effect of its card concerns."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "aim {target:seat}"
    seat: Seat
    target: Seat


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The stock is empty: all cards that lie nowhere are shuffled."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "shuffle"


@dataclass(frozen=True, slots=True)
class Starter:
    """Who starts by lot, after a tie that no card can break."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "starter {named:seat}"
    named: Seat


Play: TypeAlias = Deal | Reveal | Hit | Stay | Fold | Aim | Shuffle | Starter
