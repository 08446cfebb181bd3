"""Decks: which cards there are, and how many of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from referee.core.verdict import Card


@dataclass(frozen=True, slots=True)
class Deck:
    """Kinds of cards in the deck's order, with the number of copies of each."""

    cards: tuple[Card, ...]
    copies: tuple[int, ...]
    place: dict[Card, int] = field(init=False, repr=False, compare=False)
    kinds: frozenset[Card] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "place", {card: i for i, card in enumerate(self.cards)})
        object.__setattr__(self, "kinds", frozenset(self.cards))

    def __contains__(self, card: Card) -> bool:
        return card in self.place

    def __len__(self) -> int:
        return sum(self.copies)

    def count(self, cards: Iterable[Card]) -> tuple[int, ...]:
        """Copies of each kind among ``cards``, in the deck's order; KeyError for a stranger."""
        counts = [0] * len(self.cards)
        for card in cards:
            counts[self.place[card]] += 1
        return tuple(counts)


@cache
def pairs_deck(top: int) -> Deck:
    """The *Pairs* deck up to ``top``: n copies of n, top(top+1)/2 cards."""
    ranks = tuple(range(1, top + 1))
    return Deck(ranks, ranks)
