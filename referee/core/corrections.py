"""Entries that are no plays: what the table says about earlier entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.game import TABLE
from referee.core.generic import Entry
from referee.core.verdict import Evidence, Seat


@dataclass(frozen=True, slots=True)
class Rewind:
    """The table stands again as entry ``to`` left it (0: before the first)."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "rewind {to:number}"
    to: int


@dataclass(frozen=True, slots=True)
class Amend:
    """Entry ``number`` was really ``play``."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "amend {number} {play:entry}"
    number: int
    play: Entry


@dataclass(frozen=True, slots=True)
class Strike:
    """Entry ``number`` never happened."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "strike {number}"
    number: int


@dataclass(frozen=True, slots=True)
class Insert:
    """``play`` happened just before entry ``number``."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "insert {number} {play:entry}"
    number: int
    play: Entry


@dataclass(frozen=True, slots=True)
class Rule:
    """The table lets entry ``number`` stand although the referee calls it illegal."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "rule {number} stands"
    number: int


@dataclass(frozen=True, slots=True)
class Void:
    """The deal in which entry ``number`` lies counts for nothing, its dealing included."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "void {number}"
    number: int


@dataclass(frozen=True, slots=True)
class Together:
    """Several corrections at once: each aims at another entry, one of them may insert."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "together {parts:corrections}"
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Contest:
    """``seat`` says that entry ``number`` was really ``play``, or (None) that it can't stand."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "contest {number} [as {play:entry}]"
    seat: Seat
    number: int
    play: Entry | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """``seat`` agrees with the contest that is entry ``number``, or not; its last word counts."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "vote {number} {agrees:yes_or_no}"
    seat: Seat
    number: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class Decide:
    """The table finds the contest that is entry ``number`` right, or not, and says why."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "decide {number} {right:yes_or_no} [because {reason:text}]"
    number: int
    right: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A stored line that the record format of today can't express, and why; it does nothing."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "unread"
    text: str
    why: Evidence


Part: TypeAlias = Amend | Strike | Insert | Rule
CORRECTIONS = (Rewind, Amend, Strike, Insert, Rule, Void, Together, Contest, Vote, Decide)
PARTS = (Amend, Strike, Insert, Rule)
NO_PLAYS = (*CORRECTIONS, Unread)
