"""How a correction changes the plays in force, before they are judged again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from referee.core import contests
from referee.core.corrections import (
    NO_PLAYS,
    Agree,
    Amend,
    Contest,
    Decide,
    Insert,
    Part,
    Rule,
    Strike,
    Void,
    Vote,
)
from referee.core.generic import Entry
from referee.core.sheets import of_a_deal
from referee.core.verdict import Legal, Verdict, evidence


class PlayToJudge(NamedTuple):
    """A play to be judged: the entry that records it, and the entry that accepts it or None."""

    seq: int
    play: Entry
    ruled: int | None


class Voided(NamedTuple):
    """What voiding a deal has done: the first and the last of its plays, and the later deals that
    stand as they were dealt.
    """

    first: int
    last: int
    dealt: tuple[int, ...]


Rows: TypeAlias = dict[int, PlayToJudge]
"""The plays of a timeline, in order, by the number of their entry."""


def corrected(rows: Rows, parts: Iterable[Part], seq: int) -> Rows:
    """``rows`` after entry ``seq`` has made the corrections ``parts``; may change ``rows``."""
    edits: dict[int, list[Part]] = {}
    for part in parts:
        edits.setdefault(part.number, []).append(part)
    if any(isinstance(part, Insert) for edit in edits.values() for part in edit):
        found = (edited(row, edits.get(number, []), seq) for number, row in rows.items())
        return {row.seq: row for each in found for row in each}
    for number, edit in edits.items():
        for row in edited(rows.pop(number) if _strikes(edit) else rows[number], edit, seq):
            rows[number] = row  # in the place of the old one
    return rows


def voided(rows: Rows, void: Voided, seq: int) -> Rows:
    """``rows`` after entry ``seq`` has voided a deal."""
    kept, inside = Rows(), False
    for number, row in rows.items():
        inside = inside or number == void.first
        if not inside or not of_a_deal(row.play):
            kept[number] = row._replace(ruled=seq) if number in void.dealt else row
        inside = inside and number != void.last
    return kept


def edited(row: PlayToJudge, parts: list[Part], seq: int) -> Iterator[PlayToJudge]:
    """The plays that replace ``row`` after the corrections ``parts`` by entry ``seq``, in order."""
    for part in parts:
        match part:
            case Insert(play=play):
                yield PlayToJudge(seq, play, None)
            case Amend(play=play):
                row = PlayToJudge(row.seq, play, None)
            case Rule():
                row = row._replace(ruled=seq)
    if not _strikes(parts):
        yield row


def _strikes(parts: list[Part]) -> bool:
    return any(isinstance(part, Strike) for part in parts)


def made(entry: Entry, parts: int) -> Legal:
    """The verdict on a correction that was made; ``parts``: how many entries it changes."""
    match entry:
        case Amend(number=number):
            return Legal("log.2", evidence("amended", number=number))
        case Strike(number=number):
            return Legal("log.2", evidence("struck", number=number))
        case Insert(number=number):
            return Legal("log.2", evidence("inserted", number=number))
        case Rule(number=number):
            return Legal("log.3", evidence("ruled", number=number))
        case Void(number=number):
            return Legal("log.6", evidence("voided", number=number, count=parts))
        case Decide():
            return contests.decided(entry)
        case _:
            return Legal("log.2", evidence("together", count=parts))


def alters(entry: Entry, verdict: Verdict) -> bool:
    """Whether ``entry``, no rewind, is a play or may have changed one."""
    if not isinstance(entry, NO_PLAYS):
        return True
    return isinstance(verdict, Legal) and not isinstance(entry, Contest | Vote | Agree)
