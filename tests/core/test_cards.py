"""Bags against counters."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from referee.core.cards import Deck, copies_in, size

KINDS = ("A", "2", "K", "Q")
DECK = Deck(KINDS, (20_000, 3, 0, 45_000))
cards = st.lists(st.sampled_from(KINDS), max_size=40)


@given(cards, st.frozensets(st.sampled_from(KINDS)))
def test_bags_count_cards(held: list[str], kinds: frozenset[str]) -> None:
    bag, counter = sum(DECK.one[card] for card in held), Counter(held)
    assert size(bag) == len(held)
    assert DECK.counts(bag) == DECK.count(held)
    assert DECK.listed(bag) == tuple(sorted(held, key=KINDS.index))
    assert all(copies_in(bag, DECK.one[card]) == counter[card] for card in KINDS)
    assert size(bag & DECK.mask(kinds)) == sum(counter[card] for card in kinds)


def test_a_full_bag_holds_the_whole_deck_and_no_digit_runs_over() -> None:
    assert size(DECK.full) == len(DECK)
    assert DECK.counts(DECK.full) == DECK.copies
    assert size(DECK.full & DECK.mask(("Q", "2"))) == 45_003
