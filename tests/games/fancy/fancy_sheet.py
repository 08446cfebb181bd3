"""Computes the sheet of a finished deal of Fancy."""

from __future__ import annotations

from typing import Any

from referee.core.game import SheetLine
from referee.core.log import Log
from referee.core.sheets import TableSheet
from referee.games import fancy


def sheet(log: Log, deal: int, after: Any) -> TableSheet:
    lines = [SheetLine(None, "leader", ((after.starter, ""),))]
    for trick in fancy.family.tricks(after):
        if trick.deal == deal:
            cards = tuple((card.seat, str(card.rank)) for card in trick.cards)
            lines.append(SheetLine(None, "trick", cards))
    return TableSheet(tuple(lines))
