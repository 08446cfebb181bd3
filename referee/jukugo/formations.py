"""The value of three cards: the best formation over all their orders (rulings J18–J29).

Formations are compared by ``strength``: first the kind, then the sum, then the third card's value
if the kind is one word. Ties are decided elsewhere, by who completed first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from referee.core.persistent import PersistentMap
from referee.jukugo.decks import JOKER, KanjiDeck
from referee.jukugo.words import Words

COLUMN = 3  # cards on a side of a flag
NOTHING_AGREED = PersistentMap[bool]()


class FormationKind(IntEnum):
    """The kinds of formations, weak to strong; records have their names in lower case."""

    NOTHING = 0
    ONE_WORD = 1
    TWO_WORDS = 2
    CHAIN = 3
    THREE_OF_A_KIND = 4
    THREE_KANJI = 5

    @property
    def label(self) -> str:
        return self.name.lower()


class Formation(NamedTuple):
    """A formation; ``order``: an order of its cards that shows it.

    ``primary``: the sum that is compared first; ``secondary``: with one word, the value of the
    third card, else 0. ``words``: the words read in ``order``; if no order shows both words, each
    in its own order. Kinds without words have none.
    """

    kind: FormationKind
    primary: int
    secondary: int
    order: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def strength(self) -> tuple[int, int, int]:
        """The sort key for comparisons; ties are decided by who completed first (J17)."""
        return self.kind, self.primary, self.secondary


@dataclass(frozen=True)
class Lexicon:
    """A deck, the words that its cards spell, and the two options that affect formations.

    ``listed`` has forms of two and three kanji. ``agreed``: the words on which the table has
    agreed, which override the list both ways. Lexicons are equal if their parts are.
    """

    deck: KanjiDeck
    listed: frozenset[str]
    three_with_noma: bool = True
    same_pair_counts: bool = False
    agreed: PersistentMap[bool] = NOTHING_AGREED

    def __hash__(self) -> int:  # a set caches its hash, a deck computes it from all its cards
        return hash((self.listed, self.agreed))

    def __contains__(self, word: str) -> bool:
        """Whether ``word`` counts at the table."""
        if self.agreed is NOTHING_AGREED:  # asked thousands of times for a proof
            return word in self.listed
        return self.agreed.get(word, word in self.listed)

    @property
    def words(self) -> frozenset[str]:
        """All words that count, as a new set."""
        return frozenset(word for word in (*self.listed, *self.agreed) if word in self)

    def is_pair(self, word: str) -> bool:
        """Whether it is a two-kanji word; 々 is never first (J28)."""
        return word in self and len(word) == 2 and word[0] != JOKER

    def is_triple(self, word: str) -> bool:
        """Whether it is a three-kanji word; 々 is never first, and counts in it only if the table
        says so (J20).
        """
        if word not in self or len(word) != COLUMN or word[0] == JOKER:
            return False
        return self.three_with_noma or JOKER not in word

    def value(self, card: str) -> int:
        """The value of a card: 1…5, and 0 for 々; KeyError for a card that is not in the deck."""
        return 0 if card == JOKER else self.deck.by_kanji[card].value

    def agree(self, word: str, counts: bool) -> Lexicon:
        """The lexicon after the table has agreed on ``word`` (J31)."""
        if (word in self) is counts:
            return self
        return replace(self, agreed=self.agreed.with_item(word, counts))


def lexicon(
    deck: KanjiDeck, words: Words, *, three_with_noma: bool = True, same_pair_counts: bool = False
) -> Lexicon:
    """What ``deck`` can spell of ``words``; takes 50 ms for a list that comes with the package."""
    spelled = words.made_of([*deck.by_kanji, JOKER])
    return Lexicon(deck, spelled, three_with_noma, same_pair_counts)


@lru_cache(maxsize=8192)
def best(lexicon: Lexicon, cards: tuple[str, ...]) -> Formation:
    """The best formation of three ``cards`` (J18, J19); KeyError for a card not in the deck."""
    total = sum(map(lexicon.value, cards))
    found = [_shown(lexicon, order, total) for order in permutations(cards)]
    return max(found, key=lambda formation: formation.strength)


def _shown(lexicon: Lexicon, order: tuple[str, ...], total: int) -> Formation:
    """The best formation that one order shows."""
    x, y, z = order
    pair = lexicon.is_pair
    if lexicon.is_triple(x + y + z):
        return Formation(FormationKind.THREE_KANJI, total, 0, order, (x + y + z,))
    if JOKER not in order and len({lexicon.deck.by_kanji[card].rank for card in order}) == 1:
        return Formation(FormationKind.THREE_OF_A_KIND, total, 0, order, ())
    if not pair(x + y):
        return Formation(FormationKind.NOTHING, total, 0, order, ())
    if pair(y + z):
        return Formation(FormationKind.CHAIN, total, 0, order, (x + y, y + z))
    # two words that share a card, but no order shows both: both begin or both end with it (J24)
    for second in (x + z, z + y):
        if pair(second):
            return Formation(FormationKind.TWO_WORDS, total, 0, order, (x + y, second))
    if lexicon.same_pair_counts and pair(y + x):
        return Formation(FormationKind.TWO_WORDS, total, 0, order, (x + y, y + x))
    third = lexicon.value(z)
    return Formation(FormationKind.ONE_WORD, total - third, third, order, (x + y,))
