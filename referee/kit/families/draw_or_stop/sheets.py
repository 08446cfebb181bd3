"""A round entered by its sheet: the points of each player."""

from __future__ import annotations

import re

from referee.core.game import DealSheet, SheetLine
from referee.kit.families.draw_or_stop.plays import DealBySheet, Play
from referee.kit.families.draw_or_stop.state import BETWEEN, State
from referee.kit.families.draw_or_stop.stock import rules_of
from referee.kit.scored import deal_scored
from referee.kit.sheets import entered, one_word, points, reader

_POINTS = re.compile(r"-?[0-9]{1,5}")


def sheet(lowest: bool) -> DealSheet[State, Play]:
    """The sheet of the game; ``lowest``: the lowest card leads, so nobody is named."""
    return DealSheet(
        deal=lambda table, leader: DealBySheet(leader),
        ended=_ended,
        card=reader(_POINTS),
        first="" if lowest else "leader",
    )


def _ended(state: State, lines: tuple[SheetLine, ...]) -> State:
    """The end of a round that has just begun; raises ``Impossible``."""
    given = entered(rules_of(state), points(one_word(lines, state.table.seats)))
    over = state._replace(
        phase=BETWEEN, order=(), due=(), stock=state.stock._replace(uncounted=True)
    )
    return deal_scored(over, given)
