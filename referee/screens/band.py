"""What the board and the pad of a table show: the values of the game's template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.core.verdict import Seat


@dataclass(frozen=True, kw_only=True)
class TableBand:
    """The values that every game has; those of one game are in a class of its own.

    ``phase``: "trick" while a seat is due, "deal" between deals, "end". ``deal``: 1-based, 0 before
    the first. ``places``: see ``Screen.places``. ``seat``: whose pad it is. ``asks``: what the
    table is asked instead of a seat. ``heading``: of a special pause between deals. ``passing``:
    the line that records that cards were passed. ``result``: the outcome as a sentence.

    ``turns``, if any play of ``seat`` by a key leaves no doubt about them: this seat and those due
    after it, in order (see static/js/taps). ``alike``: the seats whose pad differs from this one
    only in their name; None: all of them do. ``lies``: the look of a key whose number is in the
    trick, "dot" (it needs a declaration) or "off" (illegal).
    """

    phase: str = ""
    deal: int = 0
    places: Sequence[tuple[str, object, int | None]] = ()
    due: Seat = ""
    seat: Seat = ""
    asks: str = ""
    turns: tuple[Seat, ...] = ()
    alike: tuple[Seat, ...] | None = None
    lies: str = ""
    heading: str = ""
    passing: str = ""
    result: str = ""
