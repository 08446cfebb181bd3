"""Computes the sheet of a finished deal of ペアーズ大富豪."""

from __future__ import annotations

from typing import Any

from referee.core.game import SheetLine
from referee.core.log import Log
from referee.core.sheets import TableSheet


def sheet(log: Log, deal: int, after: Any) -> TableSheet:
    leader = next(step.play.leader for step in log.steps() if step.state.deal == deal)
    first = [SheetLine(None, "leader", ((leader, ""),))] if leader else []
    return TableSheet((*first, SheetLine(None, "winner", ((after.won.last.seat, ""),))))
