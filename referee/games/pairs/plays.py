"""The plays of Pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.game import TABLE
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """A new round begins: each seat gets a card."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal"


@dataclass(frozen=True, slots=True)
class Reveal:
    """A card dealt to a seat at the start of a round, or to break a tie for the start."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "reveal {rank}"
    seat: Seat
    rank: int


@dataclass(frozen=True, slots=True)
class Starter:
    """The seat that starts by lot, after a tie that no card can break (ruling B6)."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "starter {named:seat}"
    named: Seat


@dataclass(frozen=True, slots=True)
class Hit:
    """A card taken from the deck."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "hit {rank}"
    seat: Seat
    rank: int


@dataclass(frozen=True, slots=True)
class Fold:
    """The seat takes the lowest card in play as points; its number may be entered."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "fold [{rank}]"
    seat: Seat
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The deck is empty: all cards outside rows and points are shuffled."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "shuffle"


Play: TypeAlias = Deal | Reveal | Starter | Hit | Fold | Shuffle
PLAYS: tuple[type[Play], ...] = (Deal, Reveal, Starter, Hit, Fold, Shuffle)
