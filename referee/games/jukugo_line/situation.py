"""Cards at the flags, for quick checks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from referee.core.game import Table
from referee.core.situation import ImpossibleSituation
from referee.core.verdict import Illegal, Seat
from referee.games.jukugo_line.effects import apply
from referee.games.jukugo_line.judging import judge
from referee.games.jukugo_line.plays import Deal, Place
from referee.games.jukugo_line.state import HAND, State, setup
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import COLUMN


def situation(
    table: Table,
    columns: Mapping[Seat, Sequence[str]],
    gone: Sequence[str] = (),
    spent: Collection[Seat] = (),
) -> State:
    """The first seat has placed its card and may claim the first flag, where ``columns`` lie.

    ``columns``: in the order in which they were completed. ``gone``: cards at other flags.
    ``spent``: seats whose joker lies at another flag. Cards may have been placed out of turn.
    Raises ``ImpossibleSituation`` with a seat or "gone" as its field.
    """
    seats = table.seats
    state = apply(setup(table), Deal(seats[0]))
    for seat, cards in columns.items():
        for card in cards:
            state = _placed(state, Place(seat, 1, card), seat)
    for seat in spent:
        state = _placed(state, Place(seat, 2, JOKER), seat)
    taken = {seat: int(seat in spent) for seat in seats}
    for card in gone:
        seat = min(seats, key=lambda each: taken[each])
        state = _placed(state, Place(seat, 2 + taken[seat] // COLUMN, card), "gone")
        taken[seat] += 1
    return state._replace(turn=seats[0], done=True)


def _placed(state: State, play: Place, field: str) -> State:
    """The state after ``play`` in a turn of its own, with a full hand."""
    hands = dict.fromkeys(state.table.seats, HAND)
    state = state._replace(turn=play.seat, done=False, hands=hands)
    verdict = judge(state, play)
    if isinstance(verdict, Illegal):
        raise ImpossibleSituation(field, verdict)
    return apply(state, play)
