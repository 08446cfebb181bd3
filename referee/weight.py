"""How many bytes a match takes in memory: an estimate that costs about a millisecond."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from sys import getsizeof

from referee.core.log import Log
from referee.core.persistent import PersistentList, PersistentMap
from referee.core.steps import Moment

SAMPLES = 16  # steps whose states are weighed
DEPTH = 5  # of what is weighed in a state; deeper parts are shared with the state before
ENTRY = 700  # the entry itself, its step, moment and verdict


def weight(log: Log) -> int:
    """The bytes of ``log``, within a factor of about two."""
    made = (moment for moment in log.moments if isinstance(moment, Moment))
    played = [moment.step for moment in made if moment.step]
    some = played[:: max(1, len(played) // SAMPLES)]
    fresh = sum(_fresh(step.state, log.before(step)) for step in some)
    return int((len(log) + log.older) * (ENTRY + fresh / max(1, len(some))))


def _fresh(state: object, before: object) -> int:
    """The bytes of ``state`` that it does not share with the state before it."""
    known = {id(part) for part in _inside(before, set(), DEPTH)}
    return sum(getsizeof(part) for part in _inside(state, known, DEPTH))


def _inside(part: object, known: set[int], depth: int) -> Iterator[object]:
    """``part`` and what is in it, without the parts ``known`` by their ids; adds to these."""
    if id(part) in known or part is None:
        return
    known.add(id(part))
    yield part
    for inner in _parts(part) if depth else ():
        yield from _inside(inner, known, depth - 1)


def _parts(part: object) -> Iterator[object]:
    if isinstance(part, tuple):
        yield from part
    elif isinstance(part, PersistentMap):
        yield part.root
    elif isinstance(part, PersistentList):
        yield from (part.before, part.newest)
    elif isinstance(part, Mapping):
        yield from part.values()
