"""A deal entered by its sheet: which seat went out first."""

from __future__ import annotations

from referee.core.game import DealSheet, Impossible, SheetLine
from referee.core.sheets import named_seats
from referee.games.pairs_daifugo.effects import won_by
from referee.games.pairs_daifugo.plays import Deal, Play
from referee.games.pairs_daifugo.state import Laid, State


def entered_as_sheet(state: State, lines: tuple[SheetLine, ...]) -> State:
    """The end of the deal that has just begun: the seat of the line ``winner`` went out first.

    The other seats' cards are not known, so hands and pyramids become empty.
    """
    winners = named_seats(lines, "winner")
    if not winners:
        raise Impossible("sheet.1", "sheet_lacks", "winner", key="winner")
    if len(winners) > 1:
        raise Impossible("win.2", "sheet_one_winner", "winner", seats=winners)
    [seat] = winners
    seats = state.table.seats
    cleared = state._replace(
        unknown_rows=(), hands=dict.fromkeys(seats, 0), pyramids={other: {} for other in seats}
    )
    return won_by(cleared, Laid(seat, 0, 0, state.at))


SHEET: DealSheet[State, Play] = DealSheet(
    lambda table, leader: Deal(leader),
    entered_as_sheet,
    first="leader",
    seats=False,
    named="winner",
)
