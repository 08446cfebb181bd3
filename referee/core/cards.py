"""Decks: which kinds of cards there are, and how many copies of each.

A *bag* is a multiset of cards in one integer: each kind of the deck is a digit in base 2¹⁶ that
counts its copies, the first kind the lowest digit. So bags are added and subtracted in one
operation, and ``bag & mask`` selects kinds. The number of cards in a bag is its sum of digits,
which is the bag modulo the base less one (as in casting out nines in base ten).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from referee.core.verdict import Card

Bag: TypeAlias = int

BITS = 16
DIGIT = (1 << BITS) - 1
MASKS = 10_000  # masks that a deck caches


@dataclass(frozen=True, slots=True)
class Deck:
    """Kinds of cards in the deck's order, with the number of copies of each.

    ``one[card]`` is the bag with one copy of ``card``, ``full`` the bag with all cards of the deck.
    """

    cards: tuple[Card, ...]
    copies: tuple[int, ...]
    place: dict[Card, int] = field(init=False, repr=False, compare=False)
    one: dict[Card, Bag] = field(init=False, repr=False, compare=False)
    full: Bag = field(init=False, repr=False, compare=False)
    _masks: dict[frozenset[Card], int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        place = {card: i for i, card in enumerate(self.cards)}
        one = {card: 1 << BITS * i for card, i in place.items()}
        object.__setattr__(self, "place", place)
        object.__setattr__(self, "one", one)
        object.__setattr__(self, "full", self.bag(self.copies))
        object.__setattr__(self, "_masks", {})
        assert len(self) < DIGIT

    def __contains__(self, card: Card) -> bool:
        return card in self.place

    def __len__(self) -> int:
        return sum(self.copies)

    def count(self, cards: Iterable[Card]) -> tuple[int, ...]:
        """Copies of each kind among ``cards``, in the deck's order; KeyError for an unknown
        card.
        """
        counts = [0] * len(self.cards)
        for card in cards:
            counts[self.place[card]] += 1
        return tuple(counts)

    def counts(self, bag: Bag) -> tuple[int, ...]:
        """Copies of each kind in ``bag``, in the deck's order."""
        return tuple(bag >> BITS * i & DIGIT for i in range(len(self.cards)))

    def bag(self, counts: Iterable[int]) -> Bag:
        """The bag with these numbers of copies, in the deck's order."""
        return sum(copies * one for copies, one in zip(counts, self.one.values(), strict=True))

    def listed(self, bag: Bag) -> tuple[Card, ...]:
        """The cards in ``bag``, in the deck's order."""
        rows = zip(self.cards, self.counts(bag), strict=True)
        return tuple(card for card, copies in rows for _ in range(copies))

    def mask(self, kinds: Iterable[Card]) -> int:
        """The mask that selects ``kinds`` from a bag; KeyError for an unknown card."""
        kinds = frozenset(kinds)
        mask = self._masks.get(kinds)
        if mask is None:
            if len(self._masks) >= MASKS:
                self._masks.clear()
            mask = self._masks[kinds] = sum(self.one[card] * DIGIT for card in kinds)
        return mask


def size(bag: Bag) -> int:
    """The number of cards in ``bag``."""
    return bag % DIGIT


def copies_in(bag: Bag, one: Bag) -> int:
    """The number of copies of a card in ``bag``; ``one`` is the bag with one copy of this card."""
    return bag // one & DIGIT


@cache
def pairs_deck(top: int) -> Deck:
    """The *Pairs* deck up to ``top``: n copies of n, top(top+1)/2 cards."""
    ranks = tuple(range(1, top + 1))
    return Deck(ranks, ranks)
