"""The plays of 熟語ライン."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.game import TABLE
from referee.core.verdict import Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """Each player gets a joker and four cards; ``leader`` begins."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal leader={leader:seat}"
    leader: Seat


@dataclass(frozen=True, slots=True)
class Place:
    """``card`` is placed on the seat's side of ``flag`` (1…9)."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "place {flag:number} {card:kanji}"
    seat: Seat
    flag: int
    card: str


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim that ``flag`` can't be lost any more; ``words`` are read in the own column."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "claim {flag:number} [{words}]"
    seat: Seat
    flag: int
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """The turn ends with a card from the stock, if there is one."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "draw"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Pass:
    """The seat has no place for a card, or no card."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "pass"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Word:
    """The table agrees that ``word`` counts, or that it does not."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "word {word} {counts:yes_or_no}"
    word: str
    counts: bool


@dataclass(frozen=True, slots=True)
class Grant:
    """``seat`` agrees that its opponent gets ``flag``, which the opponent has claimed."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "grant {flag:number}"
    OWN_WORD: ClassVar[bool] = True
    seat: Seat
    flag: int


TurnPlay: TypeAlias = Place | Claim | Draw | Pass
"""The plays of the seat whose turn it is."""

Play: TypeAlias = Deal | TurnPlay | Word | Grant

PLAYS: tuple[type[Play], ...] = (Deal, Place, Claim, Draw, Pass, Word, Grant)
