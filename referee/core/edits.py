"""How a correction changes the plays in force, before they are judged again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.core import contests
from referee.core.corrections import Amend, Decide, Insert, Part, Rule, Strike, Void
from referee.core.generic import Entry
from referee.core.verdict import Legal, evidence


class PlayToJudge(NamedTuple):
    """A play to be judged: the entry that records it, and the entry that accepts it or None."""

    seq: int
    play: Entry
    ruled: int | None


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
    if not any(isinstance(part, Strike) for part in parts):
        yield row


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
