"""Entries about others, or about the result: corrections, undo, accepted plays, votes, consent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core.generic import BySeat, ByTable, Entry
from referee.core.verdict import Evidence


@dataclass(frozen=True, slots=True)
class Rewind(ByTable):
    """The table is again as it was after entry ``to`` (0: before the first)."""

    FORM: ClassVar[str] = "rewind {to:number}"
    to: int


@dataclass(frozen=True, slots=True)
class Amend(ByTable):
    """Entry ``number`` is corrected: it should have been ``play``."""

    FORM: ClassVar[str] = "amend {number} {play:entry}"
    number: int
    play: Entry


@dataclass(frozen=True, slots=True)
class Strike(ByTable):
    """Entry ``number`` is cancelled: it did not happen."""

    FORM: ClassVar[str] = "strike {number}"
    number: int


@dataclass(frozen=True, slots=True)
class Insert(ByTable):
    """``play`` was missing: it happened just before entry ``number``."""

    FORM: ClassVar[str] = "insert {number} {play:entry}"
    number: int
    play: Entry


@dataclass(frozen=True, slots=True)
class Rule(ByTable):
    """The table accepts entry ``number`` although the referee calls it illegal."""

    FORM: ClassVar[str] = "rule {number} stands"
    number: int


@dataclass(frozen=True, slots=True)
class Void(ByTable):
    """The deal in which entry ``number`` lies does not count, nor does its ``deal`` entry."""

    FORM: ClassVar[str] = "void {number}"
    number: int


@dataclass(frozen=True, slots=True)
class Together(ByTable):
    """Several corrections as one entry: each aims at another entry, at most one inserts."""

    FORM: ClassVar[str] = "together {parts:corrections}"
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Contest(BySeat):
    """``seat`` claims that entry ``number`` should be ``play``; None: that it must not stand."""

    FORM: ClassVar[str] = "contest {number} [as {play:entry}]"
    number: int
    play: Entry | None = None


@dataclass(frozen=True, slots=True)
class Vote(BySeat):
    """``seat`` votes on the contest that is entry ``number``; only its latest vote counts."""

    FORM: ClassVar[str] = "vote {number} {agrees:yes_or_no}"
    number: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class Decide(ByTable):
    """The table upholds or rejects the contest that is entry ``number``, with a reason."""

    FORM: ClassVar[str] = "decide {number} {right:yes_or_no} [because {reason:text}]"
    number: int
    right: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Agree(BySeat):
    """``seat`` agrees with the result of the match."""

    FORM: ClassVar[str] = "agree"
    OWN_WORD: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Unread(ByTable):
    """A stored line that today's record format cannot express, and why; it has no effect."""

    FORM: ClassVar[str] = "unread"
    text: str
    why: Evidence


Part: TypeAlias = Amend | Strike | Insert | Rule
CORRECTIONS = (Rewind, Amend, Strike, Insert, Rule, Void, Together, Contest, Vote, Decide, Agree)
PARTS = (Amend, Strike, Insert, Rule)
NO_PLAYS = (*CORRECTIONS, Unread)
