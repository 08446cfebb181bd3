"""Deals that are played again for ever take memory in proportion to their number."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

from weighed import MOST, taken

from referee.core.game import SheetLine
from referee.core.log import Log
from referee.core.sheets import TableSheet
from referee.games import three_kings

MANY = 400


def tied(log: Log) -> Iterator[TableSheet]:
    """All take the same sets, so that the tie is played again."""
    seats = log.table.seats
    for dealer in cycle(seats):
        taken = (SheetLine(seat, "", ((None, "2+3=5"),) * 6) for seat in seats)
        yield TableSheet((SheetLine(None, "dealer", ((dealer, ""),)), *taken))


def test_the_sets_of_earlier_deals_are_not_copied_into_every_state() -> None:
    found = taken(three_kings, list("ABCD"), tied, MANY, method="2", final_tie="replay")
    assert found < MOST * MANY
