"""A round on the table, for quick checks."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.draws import Draws
from referee.core.game import Table
from referee.core.moves import Drew
from referee.core.situation import ImpossibleSituation
from referee.core.verdict import Illegal
from referee.games.trumps.effects import apply, begin
from referee.games.trumps.judging import judge
from referee.games.trumps.plays import Cover, Deal, Lay
from referee.games.trumps.state import State, setup


def situation(table: Table, plays: Sequence[Lay | Cover]) -> State:
    """The state after ``plays``, one of a seat, in turn order from the first seat.

    Every seat holds what it plays and nothing else, since a covered card may be the last one; a
    seat without a play is skipped like a seat without cards. Raises ``ImpossibleSituation`` with
    the seat as its field.
    """
    dealt = apply(setup(table), Deal())
    held = (Drew(play.seat, len(play.ranks) if isinstance(play, Lay) else 1) for play in plays)
    hands = Draws.dealt(dealt.deck, table.seats, 0).add(*held)
    state = begin(dealt._replace(hands=hands), table.seats[0])
    for play in plays:
        verdict = judge(state, play)
        if isinstance(verdict, Illegal):
            raise ImpossibleSituation(play.seat, verdict)
        state = apply(state, play)
    return state
