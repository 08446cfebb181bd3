"""Every play that could be declared now, for the pad and for players that know their hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from referee.kit.families.shedding.combinations import MOST_CARDS, Combination
from referee.kit.families.shedding.dealing import cards_left, kitty_size, next_leader
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.holding import possible
from referee.kit.families.shedding.judging import bidder
from referee.kit.families.shedding.plays import (
    Bid,
    Deal,
    Discard,
    Drop,
    Give,
    HandsExchanged,
    Kitty,
    Lay,
    NameRanks,
    Pass,
    Play,
)
from referee.kit.families.shedding.rules import SheddingRules
from referee.kit.families.shedding.state import BETWEEN, BID, EXCHANGE, KITTY, State
from referee.kit.scored import in_match

MOST = 2000  # sets of cards that are listed for a turn, at most


def candidates(state: State) -> Iterator[Play]:
    """Every play that could be declared now, legal or not; cards by the shapes of the game, as far
    as they can be in the hand.
    """
    if state.score.ended:
        return
    if state.phase == BETWEEN:
        yield from _deals(state)
    elif state.phase == EXCHANGE:
        yield HandsExchanged()
    elif state.phase == BID:
        seat = bidder(state)
        yield from (Bid(seat, said) for said in rules_of(state).bidding.possible(state))
    elif state.phase == KITTY:
        yield _some_kitty(state)
    elif state.due is not None:
        yield from _due(state)
    else:
        yield from _turns(state)


def _deals(state: State) -> Iterator[Play]:
    leader, by_holder = next_leader(state)
    playing = in_match(state)
    leaders = (None,) if by_holder else (leader,) if leader else playing
    over = rules_of(state).deal.dealt_on and cards_left(state, next_deal=True) > 0
    extras = playing if over else (None,)
    yield from (Deal(seat, extra) for seat in leaders for extra in extras)


def _some_kitty(state: State) -> Kitty:
    """The first cards of the deck: any cards can be shown."""
    deck = rules_of(state).cards.deck
    return Kitty(tuple(map(str, deck.listed(deck.full)[: kitty_size(state)])))


def _due(state: State) -> Iterator[Play]:
    due, rules = state.due, rules_of(state)
    assert due is not None
    if due.give:
        yield Give(due.seat, due.give)
    elif due.discard:
        cards = [str(card) for card in rules.cards.deck.cards]
        yield from (Discard(due.seat, (card,) * due.discard) for card in cards)
    else:
        ranks = rules.cards.order
        yield from (
            NameRanks(due.seat, (*ranks[i:], *ranks)[: due.name]) for i in range(len(ranks))
        )


def _turns(state: State) -> Iterator[Play]:
    """The plays of who is to play, and the cards that can be dropped."""
    rules = rules_of(state)
    if state.turn is None:
        yield from (Lay(seat, (str(rules.deal.holder),)) for seat in state.round.live)
        return
    if state.naming is not None:
        for seat in state.round.live:
            for card in map(str, rules.cards.deck.cards):
                if rules.rank_of(card) in state.naming.ranks:
                    yield Drop(seat, (card,))
    held = state.round.held[rules.index[state.turn]]
    for number, cards in enumerate(shapes(rules, possible(state, state.turn), held)):
        if number >= MOST:
            break
        yield Lay(state.turn, cards)
    if state.trick.plays:
        yield Pass(state.turn)


def shapes(rules: SheddingRules, held: Mapping[str, int], most: int) -> Iterator[tuple[str, ...]]:
    """Sets of cards, out of those held, that are combinations: without jokers in them, and with
    the first cards of each rank. Each once, at most ``most`` cards.
    """
    found: set[tuple[str, ...]] = set()
    for combo in rules.reading.combos:
        for cards in islice(of_shape(rules, combo, held), MOST):
            if 0 < len(cards) <= most and cards not in found:
                found.add(cards)
                yield cards


def of_shape(
    rules: SheddingRules, combo: Combination, held: Mapping[str, int]
) -> Iterator[tuple[str, ...]]:
    """Sets of cards, out of those held, that have one shape; see ``shapes``."""
    if combo.cards:
        if all(held.get(card, 0) >= combo.cards.count(card) for card in combo.cards):
            yield combo.cards
        return
    by_suit: dict[str, dict[str, list[str]]] = {}
    for card, many in held.items():
        rank, suit = rules.rank_of(card), rules.cards.suit.get(card, "") if combo.suited else ""
        if rank:
            by_suit.setdefault(suit, {}).setdefault(rank, []).extend([card] * min(many, MOST_CARDS))
    for suit_cards in by_suit.values():
        yield from _ranked(combo, [suit_cards.get(rank, []) for rank in rules.cards.order])
    if combo.same.few == 1 and not combo.runs and not combo.kicked and not combo.any:
        yield from ((card,) for card in held if not rules.rank_of(card) and held[card])


def _ranked(combo: Combination, ranks: list[list[str]]) -> Iterator[tuple[str, ...]]:
    """The sets of one shape, by the cards of each rank."""
    if combo.any:
        every = [card for rank in ranks for card in rank]
        yield from (tuple(every[i : i + combo.any]) for i in range(len(every) - combo.any + 1))
        return
    for size in range(combo.same.few, min(combo.same.many, max(map(len, ranks), default=0)) + 1):
        for length in range(combo.run.few, min(combo.run.many, len(ranks)) + 1):
            for start in range(len(ranks) - length + 1):
                main = ranks[start : start + length]
                if any(len(each) < size for each in main):
                    continue
                cards = tuple(card for each in main for card in each[:size])
                if not combo.kicked:
                    yield cards
                    continue
                others = [*ranks[:start], *ranks[start + length :]]
                yield from _kicked(combo, cards, others, combo.kickers or length)


def _kicked(
    combo: Combination, main: tuple[str, ...], others: list[list[str]], groups: int
) -> Iterator[tuple[str, ...]]:
    """The main part with kickers of the lowest ranks, beginning at each rank."""
    able = [
        each[i : i + combo.kicked]
        for each in others
        for i in range(0, len(each) - combo.kicked + 1, combo.kicked)
    ]
    for i in range(len(able) - groups + 1):
        yield (*main, *(card for each in able[i : i + groups] for card in each))
