"""The plays of Pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.generic import BySeat, ByTable
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal(ByTable):
    """A new round begins: each seat gets a card."""

    FORM: ClassVar[str] = "deal"


@dataclass(frozen=True, slots=True)
class Reveal(BySeat):
    """A card dealt to a seat at the start of a round, or to break a tie for the start."""

    FORM: ClassVar[str] = "reveal {rank}"
    rank: int


@dataclass(frozen=True, slots=True)
class Starter(ByTable):
    """The seat that starts by lot, after a tie that no card can break (ruling B6)."""

    FORM: ClassVar[str] = "starter {named:seat}"
    named: Seat


@dataclass(frozen=True, slots=True)
class Hit(BySeat):
    """A card taken from the deck."""

    FORM: ClassVar[str] = "hit {rank}"
    rank: int


@dataclass(frozen=True, slots=True)
class Fold(BySeat):
    """The seat takes the lowest card in play as points; its number may be entered."""

    FORM: ClassVar[str] = "fold [{rank}]"
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Shuffle(ByTable):
    """The deck is empty: all cards outside rows and points are shuffled."""

    FORM: ClassVar[str] = "shuffle"


Play: TypeAlias = Deal | Reveal | Starter | Hit | Fold | Shuffle
PLAYS: tuple[type[Play], ...] = (Deal, Reveal, Starter, Hit, Fold, Shuffle)
