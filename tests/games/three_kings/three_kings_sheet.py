"""Computes the sheet of a finished deal of Three Kings."""

from __future__ import annotations

from typing import Any

from referee.core.game import SheetLine
from referee.core.log import Log
from referee.core.sheets import TableSheet
from referee.games import three_kings


def sheet(log: Log, deal: int, after: Any) -> TableSheet:
    piles: dict[str, list[str]] = {seat: [] for seat in log.table.seats}
    for taken in after.sets:
        if taken.deal == deal:
            cards = sorted(taken.cards, key=three_kings.VALUE.__getitem__)
            piles[taken.seat].append("{}+{}={}".format(*cards))
    lines = [
        SheetLine(seat, "", tuple((None, word) for word in piles[seat])) for seat in log.table.seats
    ]
    holders = tuple((bonus.seat, "") for bonus in after.bonuses if bonus.deal == deal)
    rest = [SheetLine(None, "declarer", holders)] if holders else []
    return TableSheet((SheetLine(None, "dealer", ((after.dealer, ""),)), *lines, *rest))
