"""The plays of this family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.generic import BySeat, ByTable
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal(ByTable):
    """A new deal; ``leader`` may be left out where the rule decides it."""

    FORM: ClassVar[str] = "deal [leader={leader:seat}]"
    leader: Seat | None = None


@dataclass(frozen=True, slots=True)
class Lay(BySeat):
    """One card to the trick. A number that is showing also declares: "I hold nothing else"."""

    FORM: ClassVar[str] = "lay {rank}"
    rank: int


@dataclass(frozen=True, slots=True)
class Show(BySeat):
    """``seat`` shows its whole present hand; from then on everybody knows it."""

    FORM: ClassVar[str] = "show {ranks}"
    ranks: tuple[int, ...]


Play: TypeAlias = Deal | Lay | Show

PLAYS: tuple[type[Play], ...] = (Deal, Lay, Show)
