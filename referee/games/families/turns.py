"""The order of a trick after the table has accepted a card out of turn."""

from __future__ import annotations

from referee.core.game import Table
from referee.core.verdict import Seat


def left_after(table: Table, due: tuple[Seat, ...], seat: Seat, *, leads: bool) -> tuple[Seat, ...]:
    """The seats of ``due`` that still play after ``seat`` has played out of turn, in order.

    ``leads``: its card is the first of the trick, so the others follow from its left.
    """
    if not leads:
        return tuple(other for other in due if other != seat)
    waiting = set(due)
    return tuple(other for other in table.starting(seat)[1:] if other in waiting)
