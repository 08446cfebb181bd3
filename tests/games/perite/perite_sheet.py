"""Computes the sheet of a finished deal of ペリテ."""

from __future__ import annotations

from typing import Any

from referee.core.game import SheetLine
from referee.core.log import Log
from referee.core.sheets import TableSheet
from referee.games import perite


def sheet(log: Log, deal: int, after: Any) -> TableSheet:
    piles: dict[str, list[str]] = {seat: [] for seat in log.table.seats}
    for trick in perite.family.tricks(after):
        if trick.deal == deal and trick.winner:
            one = f"1/{len(trick.cards)}"
            piles[trick.winner].append(one if trick.rank == 1 else str(trick.rank))
    lines = [
        SheetLine(seat, "", tuple((None, word) for word in piles[seat])) for seat in log.table.seats
    ]
    return TableSheet((SheetLine(None, "leader", ((after.starter, ""),)), *lines))
