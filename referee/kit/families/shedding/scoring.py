"""The points of plays and of deals that have ended."""

from __future__ import annotations

from referee.kit.families.shedding.compiler import PlayScope
from referee.kit.families.shedding.evidence import proven, rules_of
from referee.kit.families.shedding.finishing import places
from referee.kit.families.shedding.state import BETWEEN, State, Trick
from referee.kit.scored import Given, grown, term_given, with_points
from referee.kit.scored import deal_scored as scored


def play_scored(state: State, scope: PlayScope) -> State:
    """``state`` with the points of a play; ``scope`` knows it, and the table as it was before."""
    scoring = rules_of(state).scoring
    terms = scoring.given["play"]
    counting = [counter for counter in scoring.counters if counter.per == "play"]
    if not terms and not counting:
        return state
    given = [
        term_given(term, scope, None) for term in terms if term.when is None or term.when(scope)
    ]
    counters = grown(rules_of(state), state.score.counters, scope, counting, (scope.seat,))
    return with_points(state, None, given, counters)


def deal_ended(
    state: State, entered: list[Given] | None = None, finish: tuple[int, ...] = ()
) -> State:
    """The state after the end of a deal: places, points, and perhaps the end of the match.

    ``entered``: the points, and ``finish``: the places, if the table has entered them. A deal in
    which nobody has played gives no places, and those of the deal before hold on.
    """
    round_ = state.round
    if round_.begun:
        finish = finish or places(state)
        round_ = round_._replace(finish=finish, was=finish)
    score = state.score._replace(found=(*state.score.found, *proven(state)))
    state = state._replace(
        round=round_._replace(lacking=()),
        score=score,
        phase=BETWEEN,
        turn=None,
        trick=Trick(),
        due=None,
        naming=None,
    )
    return scored(state, entered)
