"""Computes the sheet of a finished deal of Pairs."""

from __future__ import annotations

from typing import Any

from referee.core.game import SheetLine
from referee.core.log import Log
from referee.core.sheets import TableSheet


def sheet(log: Log, deal: int, after: Any) -> TableSheet:
    piles: dict[str, list[str]] = {seat: [] for seat in log.table.seats}
    for score in after.scores:
        if score.deal == deal:
            piles[score.seat].append(str(score.rank))
    lines = [
        SheetLine(seat, "", tuple((None, word) for word in piles[seat])) for seat in log.table.seats
    ]
    return TableSheet(tuple(lines))
