"""The points of tricks, deals and matches, and how a match ends."""

from __future__ import annotations

from collections.abc import Mapping

from referee.kit.chapters.trump import TrumpChange
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import Laid, State, Trick
from referee.kit.scored import Given, grown, term_given, with_points
from referee.kit.text.scope import Scope


def trick_scored(state: State, trick: Trick) -> State:
    """``state`` with the points of a finished trick, whose cards are still on the table."""
    rules = rules_of(state)
    counting = [counter for counter in rules.scoring.counters if counter.in_tricks]
    if not rules.scoring.card and not rules.scoring.trick and not counting:
        return state
    scope = Scope(state)
    scope.cards = len(trick.cards)
    gaps = _gaps(rules, trick.cards)
    given: list[Given] = []
    counters = state.score.counters
    of_cards = [counter for counter in counting if counter.per == "card"]
    for laid in trick.cards if rules.scoring.card or of_cards else ():
        _about(rules, scope, laid, trick, gaps)
        for term in rules.scoring.card:
            if term.when is None or term.when(scope):
                given.append(term_given(term, scope, laid))
        counters = grown(rules, counters, scope, of_cards, (scope.seat,))
    of_trick = [counter for counter in counting if counter.per == "trick"]
    if trick.won_with is not None and (rules.scoring.trick or of_trick):
        _about(rules, scope, trick.won_with, trick, gaps)
        for term in rules.scoring.trick:
            if term.when is None or term.when(scope):
                given.append(term_given(term, scope, trick.won_with))
        counters = grown(rules, counters, scope, of_trick, (scope.seat,))
    elif of_trick:  # the table counts tricks that nobody wins, too
        nobody = Scope(state)
        nobody.cards = scope.cards
        of_table = [counter for counter in of_trick if counter.of == "table"]
        counters = grown(rules, counters, nobody, of_table, (rules.index[trick.cards[0].seat],))
    return with_points(state, trick.number, given, counters)


def changing(state: State, trick: Trick) -> tuple[TrumpChange, Laid] | None:
    """The card of a finished trick that changes the trump suit, and by which row: of several the
    card that was played last. None if there is no such card.
    """
    rules = rules_of(state)
    if not rules.trump.after_trick or rules.trump.without(state):
        return None
    scope = Scope(state)
    scope.cards = len(trick.cards)
    gaps = _gaps(rules, trick.cards)
    for laid in reversed(trick.cards):
        _about(rules, scope, laid, trick, gaps)
        for change in rules.trump.after_trick if laid.card and not laid.down else ():
            here = scope.card & change.cards(state, scope)
            if here and (change.when is None or change.when(scope)):
                return change, laid
    return None


def _gaps(rules: Rules, cards: tuple[Laid, ...]) -> Mapping[int, int]:
    """For each value that counts in the trick, the difference to the next lower one."""
    values = {rules.cards.value[laid.card] for laid in cards if not laid.out and not laid.down}
    order = sorted(values)
    below = dict(zip(order[1:], order, strict=False))
    return {value: value - below[value] if value in below else value for value in order}


def _about(rules: Rules, scope: Scope, laid: Laid, trick: Trick, gaps: Mapping[int, int]) -> None:
    """Make ``scope`` refer to this card of ``trick``; ``gaps`` as ``_gaps`` returns them."""
    cards = rules.cards
    scope.seat = rules.index[laid.seat]
    scope.card = cards.bits.get(laid.card, 0)
    scope.rank = cards.ranks.get(cards.rank.get(laid.card, ""), 0)
    scope.value = cards.value.get(laid.card, 0)
    scope.gap = gaps.get(scope.value, scope.value)
    scope.out = laid.out or laid.down
    scope.won = laid is trick.won_with
