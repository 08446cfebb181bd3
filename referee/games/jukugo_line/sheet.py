"""A match entered by its sheet: the flags that each seat owns at the end."""

from __future__ import annotations

import re

from referee.core.game import DealSheet, Impossible, SheetLine
from referee.core.record import Unreadable
from referee.core.sheets import seat_words
from referee.core.verdict import Seat
from referee.games.jukugo_line.plays import Deal, Play
from referee.games.jukugo_line.scoring import decided
from referee.games.jukugo_line.state import FLAGS, State


def entered_as_sheet(state: State, lines: tuple[SheetLine, ...]) -> State:
    """The end of the match that has just begun; it is not known where cards lie.

    Raises ``Impossible``.
    """
    seats = state.table.seats
    owners: list[Seat | None] = [None] * FLAGS
    for seat, flags in seat_words(lines, seats).items():
        for flag in map(_flag, flags):
            if not 1 <= flag <= FLAGS:
                raise Impossible("place.1", "no_such_flag", seat, flag=flag)
            owner = owners[flag - 1]
            if owner is not None:
                raise Impossible("claim.2", "sheet_flag_twice", seat, flag=flag)
            owners[flag - 1] = seat
    _decided_by_the_last(seats, tuple(owners))
    claimed = tuple(state.at if owner else None for owner in owners)
    none = dict.fromkeys(seats, 0)
    return state._replace(turn=None, owners=tuple(owners), claimed=claimed, hands=none, stock=0)


def _decided_by_the_last(seats: tuple[Seat, ...], owners: tuple[Seat | None, ...]) -> None:
    """Raise ``Impossible`` unless the match can have been decided by the last flag taken."""
    ended = decided(seats, owners)
    counts = tuple(f"{seat} {owners.count(seat)}" for seat in seats)
    if ended is None:
        raise Impossible("end.3", "sheet_undecided", flags=counts)
    [winner] = ended.winners
    for i, owner in enumerate(owners):
        if owner == winner and decided(seats, (*owners[:i], None, *owners[i + 1 :])) is None:
            return
    raise Impossible(ended.clause, "sheet_decided_before", flags=counts)


def _flag(word: str) -> int:
    if not re.fullmatch("0|[1-9][0-9]{0,3}", word):
        raise Unreadable("read_number", text=word)
    return int(word)


SHEET: DealSheet[State, Play] = DealSheet(
    lambda table, leader: Deal(leader or table.seats[0]), entered_as_sheet, _flag, first="leader"
)
