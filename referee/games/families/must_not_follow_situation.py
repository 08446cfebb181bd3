"""A trick on the table, for the quick checks of Fancy and ペリテ."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.core.situation import ImpossibleSituation
from referee.core.verdict import Illegal, Verdict, evidence
from referee.games.families.must_not_follow import Deal, Lay, State, deal


def trick_lying(
    start: State,
    cards: Iterable[int],
    judge: Callable[[State, Lay], Verdict],
    apply: Callable[[State, Lay], State],
) -> State:
    """The state after the first seat has led ``cards``, one from each seat in turn order.

    ``start``: before the first deal. Every seat holds one card: the trick may be the last of a
    deal, where any repeated number can be right, so only the copies in the deck count. Raises
    ``ImpossibleSituation`` with the field "cards".
    """
    seats = start.table.seats
    state = deal(start, Deal(seats[0]), 1)
    for i, rank in enumerate(cards):
        if i == len(seats):
            again = evidence("already_laid", seat=seats[0])
            raise ImpossibleSituation("cards", Illegal("turn.1", again))
        play = Lay(seats[i], rank)
        verdict = judge(state, play)
        if isinstance(verdict, Illegal):
            raise ImpossibleSituation("cards", verdict)
        state = apply(state, play)
    return state
