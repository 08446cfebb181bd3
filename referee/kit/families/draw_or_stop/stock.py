"""The cards to draw from: what can still come, and what a shuffle brings back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import cast

from referee.kit.families.draw_or_stop.plays import Fold
from referee.kit.families.draw_or_stop.rules import RowRules
from referee.kit.families.draw_or_stop.state import RowCard, State, Stock
from referee.kit.text.scope import Scope


def rules_of(state: State) -> RowRules:
    """The rules of the table of ``state``."""
    return cast(RowRules, state.rules)


def lying(state: State) -> Iterator[RowCard]:
    """The cards that lie before the seats."""
    return chain.from_iterable(state.round.rows)


def outside(state: State) -> tuple[int, ...]:
    """Copies of each kind that lie before nobody and are not kept: a shuffle mixes these."""
    left, place = list(state.deck.copies), state.deck.place
    for shown in chain(lying(state), state.stock.kept):
        left[place[shown.card]] -= 1
    return tuple(max(0, each) for each in left)


def burned(state: State) -> int:
    """How many cards are burned after a shuffle."""
    return max(0, rules_of(state).deal.burn(Scope(state)))


def can_draw(state: State) -> bool:
    """Whether a card can be drawn, after a shuffle if need be."""
    if state.stock.left > 0:
        return True
    return not rules_of(state).deal.reshuffles and sum(outside(state)) > burned(state)


def must_shuffle(state: State) -> bool:
    """Whether the stock is empty and can be shuffled again."""
    return state.stock.left == 0 and can_draw(state)


def shuffled(state: State) -> Stock:
    """The stock after a shuffle of all cards that lie nowhere."""
    unseen = outside(state)
    open_ = (*state.stock.kept, *lying(state))
    return Stock(unseen, max(0, sum(unseen) - burned(state)), open_, state.stock.kept)


def drawn(state: State, shown: RowCard) -> Stock:
    """The stock without a card that was drawn."""
    stock, place = state.stock, state.deck.place[shown.card]
    unseen = stock.unseen
    less = (*unseen[:place], max(0, unseen[place] - 1), *unseen[place + 1 :])
    return stock._replace(unseen=less, left=max(0, stock.left - 1), seen=(*stock.seen, shown))


def size_of(rules: RowRules, state: State) -> int:
    """How many cards each seat gets in the next deal."""
    scope = Scope(state)
    scope.deal = state.deal + 1
    return max(0, min(rules.deal.cards(scope), len(state.deck)))


def about(state: State, shown: RowCard) -> Scope:
    """The scope of sums about a card that ``shown.seat`` has drawn or taken."""
    rules = rules_of(state)
    cards = rules.cards
    scope = Scope(state, rules.index[shown.seat])
    scope.card = cards.bits[shown.card]
    scope.rank = cards.ranks.get(cards.rank[shown.card], 0)
    scope.value = cards.value[shown.card] if cards.rank[shown.card] else 0
    return scope


def without(state: State, shown: RowCard) -> State:
    """``state`` in which the card lies in no row."""
    i = rules_of(state).index[shown.seat]
    rows = state.round.rows
    if shown not in rows[i]:
        return state
    row = tuple([each for each in rows[i] if each != shown])
    rows = (*rows[:i], row, *rows[i + 1 :])
    return state._replace(round=state.round._replace(rows=rows))


def to_fold(state: State) -> RowCard | None:
    """The card that a fold takes, of equal ones the first shown; None if no card has a rank."""
    rules = rules_of(state)
    sign = -1 if rules.stops.highest else 1
    height = rules.height
    ranked = [shown for shown in lying(state) if height[shown.card] >= 0]
    return min(ranked, key=lambda shown: (sign * height[shown.card], shown.at), default=None)


def folded(state: State, play: Fold) -> RowCard | None:
    """The card that this fold takes: the one that it names, if it lies anywhere."""
    taken, height = to_fold(state), rules_of(state).height
    if play.card is None or taken is None or taken.card == play.card:
        return taken
    alike = height.get(play.card) == height[taken.card]
    ranked = (shown for shown in lying(state) if shown.card == play.card)
    named = min(ranked, key=lambda shown: shown.at, default=None)
    return named or (taken if alike else None)
