"""Who is due in a trick when the table lets a card out of turn stand."""

from __future__ import annotations

from referee.core.game import Table
from referee.core.verdict import Seat


def left_after(table: Table, due: tuple[Seat, ...], seat: Seat, *, leads: bool) -> tuple[Seat, ...]:
    """Those of ``due`` who lay after ``seat`` has laid out of turn, in their order.

    ``leads``: its card is the first of the trick, so the others follow from its left.
    """
    if not leads:
        return tuple(other for other in due if other != seat)
    waiting = set(due)
    return tuple(other for other in table.starting(seat)[1:] if other in waiting)
