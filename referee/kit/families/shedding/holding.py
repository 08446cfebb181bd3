"""Whether cards can be in a hand, by what everybody has seen: row 11 of the verdict table."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.cards import Bag, copies_in, size
from referee.core.verdict import Illegal, Seat, evidence
from referee.kit.families.shedding.evidence import rules_of, seen, seen_fact, shown_before
from referee.kit.families.shedding.rules import CardsShown
from referee.kit.families.shedding.state import State


def unreadable(shown: CardsShown) -> Illegal | None:
    """Why the cards of an entry cannot be read; None if they can."""
    fault = shown.fault
    return Illegal(fault.clause, (fault.fact,)) if fault is not None else None


def cannot_hold(state: State, seat: Seat, shown: CardsShown) -> Illegal | None:
    """Why these cards cannot be in the hand of ``seat``; None if they can."""
    fault = unreadable(shown) or too_many(state, seat, shown)
    if fault is not None:
        return fault
    rules, round_ = rules_of(state), state.round
    place = rules.index[seat]
    held, number = round_.held[place], len(shown.cards)
    if number > held:
        return Illegal(
            "hand.1", evidence("kit_shed_hand_size", seat=seat, held=held, played=number)
        )
    known = round_.known[place]
    if known and number - from_known(state, known, shown.counts) > held - size(known):
        facts = evidence("kit_shed_hand_known", seat=seat, held=held, known=size(known))
        kitty = [seen_fact(each) for each in seen(state) if each.how == "kitty"]
        return Illegal("hand.2", (*facts, *kitty))
    return None


def from_known(state: State, known: Bag, counts: Mapping[str, int]) -> int:
    """How many of these cards are among those known to be in the hand."""
    rules = rules_of(state)
    if not rules.open:
        return sum(min(many, copies_in(known, rules.one(card))) for card, many in counts.items())
    ranks: dict[str, int] = {}
    for card, many in counts.items():
        rank = rules.rank_of(card) or card
        ranks[rank] = ranks.get(rank, 0) + many
    return sum(min(many, in_bag_of_rank(state, known, rank)) for rank, many in ranks.items())


def in_bag_of_rank(state: State, bag: Bag, rank: str) -> int:
    """How many cards of a rank, or of a special kind, are in a bag."""
    rules = rules_of(state)
    if rank not in rules.cards.ranks:
        return copies_in(bag, rules.one(rank)) if rank in rules.kinds else 0
    mask = rules.cards.ranks[rank] | rules.compiler.open_bits.get(rank, 0)
    return size(bag & mask)


def too_many(state: State, seat: Seat | None, shown: CardsShown) -> Illegal | None:
    """Why there are not so many of these cards left; None if there are.

    What is known to be in other hands than that of ``seat`` is not left.
    """
    rules, gone = rules_of(state), _elsewhere(state, seat)
    deck = rules.kinds
    for card, many in shown.counts.items():
        place = deck.place[card]
        total = deck.copies[place]
        if rules.open and (rank := rules.rank_of(card)):
            of_rank = rules.cards.deck.full & rules.cards.ranks.get(rank, 0)
            alike = sum(n for c, n in shown.counts.items() if rules.rank_of(c) == rank)
            if in_bag_of_rank(state, gone, rank) + alike > size(of_rank):
                return _too_many(state, card, size(of_rank))
            if card == rank:
                continue
        if copies_in(gone, rules.one(card)) + many > total:
            return _too_many(state, card, total)
    return None


def possible(state: State, seat: Seat) -> dict[str, int]:
    """How many copies of each card can be in the hand of ``seat``, by what everybody has seen."""
    rules, gone = rules_of(state), _elsewhere(state, seat)
    deck, left, of_rank = rules.cards.deck, dict[str, int](), dict[str, int]()
    for card, copies in zip(map(str, deck.cards), deck.copies, strict=True):
        left[card] = copies - copies_in(gone, rules.one(card))
        if rules.open and (rank := rules.rank_of(card)):
            if rank not in of_rank:
                all_of_it = size(deck.full & rules.cards.ranks[rank])
                of_rank[rank] = all_of_it - in_bag_of_rank(state, gone, rank)
            left[card] = min(left[card], of_rank[rank])
            of_rank[rank] -= left[card]
    return left


def _elsewhere(state: State, seat: Seat | None) -> Bag:
    """The cards that were seen, and those known to be in other hands than that of ``seat``."""
    rules, round_ = rules_of(state), state.round
    if not any(round_.known):
        return round_.gone
    others = (bag for bag, of in zip(round_.known, rules.seats, strict=True) if of != seat)
    return round_.gone + sum(others)


def _too_many(state: State, card: str, total: int) -> Illegal:
    facts = evidence("kit_shed_copies", card=card, count=total)
    return Illegal("deck.2", (*facts, *shown_before(state, card)))
