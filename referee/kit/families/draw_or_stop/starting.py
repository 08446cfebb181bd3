"""Who leads a round: by turns, by name, or by the lowest card dealt."""

from __future__ import annotations

from referee.core.verdict import Seat
from referee.kit.families.draw_or_stop.state import LOT, RowCard, State
from referee.kit.families.draw_or_stop.stock import burned, drawn, outside, rules_of
from referee.kit.scored import in_match


def next_leader(state: State) -> Seat | None:
    """Who leads the next round; None if the table names the leader, or cards decide."""
    if rules_of(state).deal.first != "rotate" or state.round.starter is None:
        return None
    playing = in_match(state)
    return next(seat for seat in state.table.from_left_of(state.round.starter) if seat in playing)


def repeats(state: State, seat: Seat, card: str) -> RowCard | None:
    """The card in the row of ``seat`` that has the number of ``card``; None without one."""
    rules = rules_of(state)
    cards, row = rules.cards, state.round.rows[rules.index[seat]]
    if not cards.rank.get(card):
        return None  # special cards have no number
    number = cards.value[card]
    ranked = (shown for shown in row if cards.rank[shown.card])
    return next((shown for shown in ranked if cards.value[shown.card] == number), None)


def contested(state: State, seat: Seat, card: str) -> State:
    """The state after a card by which the lowest leads; it has a leader if that is clear now.

    A card that repeats a number of its row is discarded, and the seat is still due.
    """
    shown = RowCard(seat, card, state.at + 1)
    state = state._replace(stock=drawn(state, shown), at=shown.at)
    # the new card is in no row yet
    if repeats(state, seat, card) is None:
        i, round_ = rules_of(state).index[seat], state.round
        rows = (*round_.rows[:i], (*round_.rows[i], shown), *round_.rows[i + 1 :])
        state = state._replace(
            round=round_._replace(rows=rows, faced=(*round_.faced, shown)),
            order=tuple([each for each in state.order if each != seat]),
        )
    if state.order and not stuck(state):
        return state
    return _compared(state)


def _compared(state: State) -> State:
    """The state after these cards: with a leader, another card for those tied, or a lot."""
    round_ = state.round
    if not state.order:
        height = rules_of(state).height
        least = min(height[shown.card] for shown in round_.faced)
        tied = {shown.seat for shown in round_.faced if height[shown.card] == least}
        if len(tied) == 1:
            return led_by(state, *tied)
        again = tuple([seat for seat in round_.contest if seat in tied])
        round_ = round_._replace(contest=again, faced=())
        state = state._replace(order=again, round=round_)
    return lot_if_stuck(state)


def lot_if_stuck(state: State) -> State:
    """``state``, in which a lot decides who leads if no card can."""
    return state._replace(phase=LOT, order=state.round.contest) if stuck(state) else state


def led_by(state: State, seat: Seat) -> State:
    """The state in which it is clear that ``seat`` leads."""
    round_ = state.round._replace(starter=seat, contest=(), faced=())
    return state._replace(round=round_)


def stuck(state: State) -> bool:
    """Whether some seat due can get no card but one that repeats a number of its row."""
    stock, rows = state.stock, state.round.rows
    rules = rules_of(state)
    if stock.left and not any(rows[rules.index[seat]] for seat in state.order):
        return False  # a first card repeats nothing
    left = outside(state)
    if not stock.left and (rules.deal.reshuffles or sum(left) <= burned(state)):
        return True
    if rules.deal.reshuffles:
        left = stock.unseen
    value = rules.cards.value
    for seat in state.order:
        own = {value[shown.card] for shown in rows[rules.index[seat]]}
        kinds = zip(map(str, state.deck.cards), left, strict=True)
        if not any(copies and value[card] not in own for card, copies in kinds):
            return True
    return False
