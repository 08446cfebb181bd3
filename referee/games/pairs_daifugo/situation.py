"""The top of a trick, for quick checks."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.game import Table
from referee.core.situation import ImpossibleSituation
from referee.core.verdict import Illegal
from referee.games.pairs_daifugo.effects import apply
from referee.games.pairs_daifugo.judging import judge
from referee.games.pairs_daifugo.plays import Deal, Lay, Pass
from referee.games.pairs_daifugo.state import DECK, State, setup


def situation(
    table: Table, lies: Sequence[int], *, revolution: bool = False, passed: bool = False
) -> State:
    """The state after the first seat has led ``lies``; if that is empty, it is yet to lead.

    Every seat may hold anything and has no pyramid, so only the cards count. ``revolution``: the
    order was reversed before that. ``passed``: the second seat has passed. Raises
    ``ImpossibleSituation`` with the field "lies" or "passed".
    """
    leader, follower = table.seats[:2]
    state = apply(setup(table), Deal(leader))._replace(
        unknown_rows=(),
        pyramids={seat: {} for seat in table.seats},
        hands=dict.fromkeys(table.seats, len(DECK)),
        reversed=revolution,
    )
    if lies:
        state = _after(state, Lay(leader, tuple(lies)), "lies")
    if passed:
        state = _after(state, Pass(follower if lies else leader), "passed")
    return state


def _after(state: State, play: Lay | Pass, field: str) -> State:
    verdict = judge(state, play)
    if isinstance(verdict, Illegal):
        raise ImpossibleSituation(field, verdict)
    return apply(state, play)
