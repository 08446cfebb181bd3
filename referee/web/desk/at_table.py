"""What the page of a match shows of the desk whose table it is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from referee.desk import DeskView, TablePlace
from referee.http.access import Way
from referee.http.current import desks
from referee.http.local_time import clock, local_time
from referee.tonight.entries import ClockSet
from referee.tonight.evening import DirectorCall


class LineOfDesk(NamedTuple):
    """The table of a match, the open call from it, and the clock; ``left``: its seconds.

    ``seq``: the last entry of the desk. ``until``: when the round ends, "" if the clock stands.
    """

    place: TablePlace
    seq: int
    call: DirectorCall | None
    clock: ClockSet | None
    left: int
    until: str


def of_match(match: str, there: Way) -> LineOfDesk | None:
    """The line for a match; None if there is no ``place_of`` it."""
    place = place_of(match, there)
    return line(desks().view(place.desk), place) if place else None


def place_of(match: str, there: Way) -> TablePlace | None:
    """The table of this evening's desk that plays a match; None for phones of no member."""
    place = desks().place_of(match, there.circle) if there.member else None
    return place if place and desks().store.current(there.circle) == place.desk else None


def line(found: DeskView, place: TablePlace) -> LineOfDesk:
    """The line for a table of a desk."""
    evening = found.evening
    last = place.round == len(evening.published)
    set_ = evening.clock if last else None
    return LineOfDesk(
        place,
        found.seq,
        evening.call(place.round, place.table),
        set_,
        set_.seconds_left(datetime.now(UTC)) if set_ else 0,
        clock(local_time(set_.ends)) if set_ and set_.ends else "",
    )
