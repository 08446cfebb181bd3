"""How players leave a deal, and the places at its end."""

from __future__ import annotations

from referee.core.verdict import Seat
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.state import State
from referee.kit.text.scope import Scope


def leaves(state: State, seat: Seat, *, foul: bool) -> tuple[State, bool]:
    """The state after ``seat`` has emptied its hand, and whether the deal is over.

    ``foul``: it has no place but the last. Otherwise some of the others may fall.
    """
    rules, round_ = rules_of(state), state.round
    live = tuple(each for each in round_.live if each != seat)
    if foul:
        round_ = round_._replace(live=live, fouls=(*round_.fouls, seat))
    else:
        round_ = round_._replace(live=live, outs=(*round_.outs, seat))
    state = state._replace(round=round_)
    if not foul and rules.finish.falls is not None:
        state = _fallen(state)
    over = len(state.round.live) <= 1
    if not over and rules.finish.until is not None:
        over = bool(rules.finish.until(Scope(state)))
    return state, over


def _fallen(state: State) -> State:
    rules, round_ = rules_of(state), state.round
    assert rules.finish.falls is not None
    scope, falling = Scope(state), list[Seat]()
    for seat in round_.live:
        scope.seat = rules.index[seat]
        if rules.finish.falls(scope):
            falling.append(seat)
    if not falling:
        return state
    held, known = (
        tuple(0 if seat in falling else each for seat, each in zip(rules.seats, of, strict=True))
        for of in (round_.held, round_.known)
    )
    live = tuple(seat for seat in round_.live if seat not in falling)
    fallen = (*round_.fallen, *falling)
    return state._replace(round=round_._replace(live=live, fallen=fallen, held=held, known=known))


def title_of(state: State, place: int) -> int | None:
    """The number of the title in the file that the seat at ``place`` has; None without one."""
    scope, titles = Scope(state, place), rules_of(state).finish.titles
    return next((i for i, (when, _) in enumerate(titles) if when is None or when(scope)), None)


def places(state: State) -> tuple[int, ...]:
    """The place of each seat at the end of the deal; 0 for seats that are not in it."""
    round_ = state.round
    found = {seat: i for i, seat in enumerate(round_.outs, 1)}
    found |= dict.fromkeys(round_.live, len(round_.outs) + 1)
    last = len(round_.live) + len(round_.outs) + len(round_.fouls) + len(round_.fallen)
    found |= {seat: last - i for i, seat in enumerate((*round_.fouls, *round_.fallen))}
    return tuple(found.get(seat, 0) for seat in state.table.seats)
