"""A round entered by its sheet: the points of each player."""

from __future__ import annotations

import re

from referee.core.game import DealSheet, Impossible, SheetLine, Table
from referee.core.record import Unreadable
from referee.core.sheets import seat_words
from referee.core.verdict import Seat
from referee.kit.families.draw_or_stop.plays import DealBySheet, Play
from referee.kit.families.draw_or_stop.state import BETWEEN, State
from referee.kit.families.draw_or_stop.stock import rules_of
from referee.kit.scored import SHEET, Given, deal_scored

_POINTS = re.compile(r"-?[0-9]{1,5}")


def sheet(lowest: bool) -> DealSheet[State, Play]:
    """The sheet of the game; ``lowest``: the lowest card leads, so nobody is named."""
    return DealSheet(_begun, _ended, _word, "" if lowest else "leader")


def _begun(table: Table, leader: Seat | None) -> Play:
    return DealBySheet(leader)


def _word(text: str) -> str:
    if not _POINTS.fullmatch(text):
        raise Unreadable("read_sheet_line", text=text)
    return text


def _ended(state: State, lines: tuple[SheetLine, ...]) -> State:
    """The end of a round that has just begun; raises ``Impossible``."""
    rules, seats = rules_of(state), state.table.seats
    words_of, given = seat_words(lines, seats), []
    for place, seat in enumerate(seats):
        if len(words_of[seat]) != 1:
            raise Impossible("sheet.1", "sheet_lacks", seat, key=seat)
        if rules.teams[place][0] == place:
            given.append(Given(place, int(words_of[seat][0]), SHEET, None))
    over = state._replace(
        phase=BETWEEN, order=(), due=(), stock=state.stock._replace(uncounted=True)
    )
    return deal_scored(over, given)
