"""Computes the sheet of a finished deal of 熟語ライン."""

from __future__ import annotations

from typing import Any

from referee.core.game import SheetLine
from referee.core.log import Log
from referee.core.sheets import TableSheet


def sheet(log: Log, deal: int, after: Any) -> TableSheet:
    piles = {
        seat: [str(flag) for flag, owner in enumerate(after.owners, 1) if owner == seat]
        for seat in log.table.seats
    }
    lines = [
        SheetLine(seat, "", tuple((None, word) for word in piles[seat])) for seat in log.table.seats
    ]
    return TableSheet(tuple(lines))
