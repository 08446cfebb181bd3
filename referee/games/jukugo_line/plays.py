"""The plays of 熟語ライン."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.generic import BySeat, ByTable
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal(ByTable):
    """Each player gets a joker and four cards; ``leader`` begins."""

    FORM: ClassVar[str] = "deal leader={leader:seat}"
    leader: Seat


@dataclass(frozen=True, slots=True)
class Place(BySeat):
    """``card`` is placed on the seat's side of ``flag`` (1…9)."""

    FORM: ClassVar[str] = "place {flag:number} {card:kanji}"
    flag: int
    card: str


@dataclass(frozen=True, slots=True)
class Claim(BySeat):
    """The claim that ``flag`` can't be lost any more; ``words`` are read in the own column."""

    FORM: ClassVar[str] = "claim {flag:number} [{words}]"
    flag: int
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw(BySeat):
    """The turn ends with a card from the stock, if there is one."""

    FORM: ClassVar[str] = "draw"


@dataclass(frozen=True, slots=True)
class Pass(BySeat):
    """The seat has no place for a card, or no card."""

    FORM: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Word(ByTable):
    """The table agrees that ``word`` counts, or that it does not."""

    FORM: ClassVar[str] = "word {word} {counts:yes_or_no}"
    word: str
    counts: bool


@dataclass(frozen=True, slots=True)
class Grant(BySeat):
    """``seat`` agrees that its opponent gets ``flag``, which the opponent has claimed."""

    FORM: ClassVar[str] = "grant {flag:number}"
    OWN_WORD: ClassVar[bool] = True
    flag: int


TurnPlay: TypeAlias = Place | Claim | Draw | Pass
"""The plays of the seat whose turn it is."""

Play: TypeAlias = Deal | TurnPlay | Word | Grant

PLAYS: tuple[type[Play], ...] = (Deal, Place, Claim, Draw, Pass, Word, Grant)
