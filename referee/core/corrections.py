"""Entries about others, or about the result: corrections, undo, accepted plays, votes, consent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.game import TABLE
from referee.core.generic import Entry
from referee.core.verdict import Evidence, Seat


@dataclass(frozen=True, slots=True)
class Rewind:
    """The table is again as it was after entry ``to`` (0: before the first)."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "rewind {to:number}"
    to: int


@dataclass(frozen=True, slots=True)
class Amend:
    """Entry ``number`` is corrected: it should have been ``play``."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "amend {number} {play:entry}"
    number: int
    play: Entry


@dataclass(frozen=True, slots=True)
class Strike:
    """Entry ``number`` is cancelled: it did not happen."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "strike {number}"
    number: int


@dataclass(frozen=True, slots=True)
class Insert:
    """``play`` was missing: it happened just before entry ``number``."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "insert {number} {play:entry}"
    number: int
    play: Entry


@dataclass(frozen=True, slots=True)
class Rule:
    """The table accepts entry ``number`` although the referee calls it illegal."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "rule {number} stands"
    number: int


@dataclass(frozen=True, slots=True)
class Void:
    """The deal in which entry ``number`` lies does not count, nor does its ``deal`` entry."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "void {number}"
    number: int


@dataclass(frozen=True, slots=True)
class Together:
    """Several corrections as one entry: each aims at another entry, at most one inserts."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "together {parts:corrections}"
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Contest:
    """``seat`` claims that entry ``number`` should be ``play``; None: that it must not stand."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "contest {number} [as {play:entry}]"
    seat: Seat
    number: int
    play: Entry | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """``seat`` votes on the contest that is entry ``number``; only its latest vote counts."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "vote {number} {agrees:yes_or_no}"
    seat: Seat
    number: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class Decide:
    """The table upholds or rejects the contest that is entry ``number``, with a reason."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "decide {number} {right:yes_or_no} [because {reason:text}]"
    number: int
    right: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Agree:
    """``seat`` agrees with the result of the match."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "agree"
    OWN_WORD: ClassVar[bool] = True
    seat: Seat


@dataclass(frozen=True, slots=True)
class Unread:
    """A stored line that today's record format cannot express, and why; it has no effect."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "unread"
    text: str
    why: Evidence


Part: TypeAlias = Amend | Strike | Insert | Rule
CORRECTIONS = (Rewind, Amend, Strike, Insert, Rule, Void, Together, Contest, Vote, Decide, Agree)
PARTS = (Amend, Strike, Insert, Rule)
NO_PLAYS = (*CORRECTIONS, Unread)
