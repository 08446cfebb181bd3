"""The cards of Three Kings, and which three of them make a set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from referee.core.cards import Deck
from referee.core.verdict import Card

KING = "K"
NUMBERS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q")
VALUE = {face: value for value, face in enumerate(NUMBERS, 1)}
HAND = 4
TABLEAU = 4
KINGS_TO_END = 3
KINGS_ONLY = frozenset((KING,))
KINDS = frozenset((*NUMBERS, KING))


@cache
def deck_for(n: int) -> Deck:
    """The cards of n seats."""
    return Deck((*NUMBERS, KING), (2 * n,) * len(NUMBERS) + (2 * n + 1,))


@lru_cache(maxsize=4096)
def is_set(cards: tuple[str, ...]) -> bool:
    """Whether two of three cards add up to the third."""
    values = [VALUE[card] for card in cards if card != KING]
    return len(values) == 3 and sum(values) == 2 * max(values)


@lru_cache(maxsize=4096)
def sets_with(tableau: tuple[str, ...], rank: str) -> tuple[tuple[str, str], ...]:
    """The different pairs of table cards that make a set with ``rank``."""
    pairs = dict.fromkeys(combinations(tableau, 2))
    distinct = {tuple(sorted(pair, key=value_of)): pair for pair in pairs if is_set((rank, *pair))}
    return tuple((low, high) for low, high in distinct)


class Takers(NamedTuple):
    """The ``ranks`` that make a set with two table cards: one such pair for each; ``others``: all
    other ranks.
    """

    pairs: Mapping[str, tuple[str, str]]
    ranks: tuple[str, ...]
    others: frozenset[Card]


@lru_cache(maxsize=4096)
def takers_of(tableau: tuple[str, ...]) -> Takers:
    """The ``Takers`` of these table cards; their order makes no difference."""
    numbers = sorted(card for card in tableau if card != KING)
    pairs = sorted({(a, b) for a, b in combinations(numbers, 2)})
    first = ((rank, next((p for p in pairs if is_set((rank, *p))), None)) for rank in NUMBERS)
    found = {rank: pair for rank, pair in first if pair}
    return Takers(MappingProxyType(found), tuple(found), all_but(found))


def all_but(ranks: Iterable[str]) -> frozenset[Card]:
    """Every rank of the deck but these, kings among them."""
    return KINDS.difference(ranks)


def without(tableau: tuple[str, ...], cards: Iterable[str]) -> tuple[str, ...]:
    """``tableau`` with a copy less of each of ``cards`` that is in it."""
    left = list(tableau)
    for card in cards:
        if card in left:
            left.remove(card)
    return tuple(left)


def value_of(card: str) -> int:
    """The value of a card in a set; 0 for a king."""
    return VALUE.get(card, 0)
