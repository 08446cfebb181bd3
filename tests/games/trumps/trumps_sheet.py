"""Computes the sheet of a finished deal of Trumps."""

from __future__ import annotations

from typing import Any

from referee.core.game import SheetLine
from referee.core.log import Log
from referee.core.sheets import TableSheet


def sheet(log: Log, deal: int, after: Any) -> TableSheet:
    piles = {
        seat: [f"{rank}*{n}" for rank, n in sorted(pile.items())]
        for seat, pile in after.piles.items()
    }
    lines = [
        SheetLine(seat, "", tuple((None, word) for word in piles[seat])) for seat in log.table.seats
    ]
    return TableSheet(tuple(lines))
