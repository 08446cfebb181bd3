"""Whether a flag can still be lost: all hands of a deck are ranked once, then searched.

The question of a claim is what the opponent could still place, by the cards on the table and the
jokers alone (rulings J11–J16). All hands of three cards are ranked once per lexicon, the strongest
first; the first one that the opponent could still complete is the answer, and its own witness.
Nothing is estimated, and the order of draws does not matter.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

from referee.jukugo.decks import JOKER
from referee.jukugo.formations import COLUMN, Formation, FormationKind, Lexicon, best

JOKERS = 2
TABLES = 16  # cached ranked tables: 2 MB each


class FlagClaim(NamedTuple):
    """The cards on the table when a flag is claimed.

    ``own``: the three cards of the claimant. ``other``: those of the opponent at this flag, 0…3.
    ``gone``: every other card on the table, at claimed flags, too (J12). ``jokers``: how many
    jokers the opponent may still have, not counting one in ``other`` (J14, J15).
    """

    own: tuple[str, ...]
    other: tuple[str, ...]
    gone: frozenset[str]
    jokers: int


class Proof(NamedTuple):
    """The answer to a claim.

    ``witness``: the best hand that the opponent could still have, a refutation if ``proven`` is
    false; None if no hand can be completed any more.
    """

    proven: bool
    own: Formation
    witness: Formation | None


class RankedHands:
    """All hands of a lexicon, the strongest first.

    A hand is a bit mask: bit i for the deck's i-th card, then one bit for each joker.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        cards = [card.kanji for card in lexicon.deck.cards]
        self.bits = {kanji: 1 << i for i, kanji in enumerate(cards)}
        self.joker_bits = tuple(1 << (len(cards) + i) for i in range(JOKERS))
        self.cards = {bit: kanji for kanji, bit in self.bits.items()}
        self.cards.update(dict.fromkeys(self.joker_bits, JOKER))
        ranked = sorted(_strengths(lexicon), reverse=True)
        self.masks = [mask for _strength, mask in ranked]
        self.weaknesses = [-strength for strength, _mask in ranked]

    @cached_property
    def holding(self) -> dict[int, list[int]]:
        """For each bit the hands that contain it, the strongest first."""
        found: dict[int, list[int]] = {bit: [] for bit in (*self.bits.values(), *self.joker_bits)}
        for mask in self.masks:
            rest = mask
            while rest:
                bit = rest & -rest
                found[bit].append(mask)
                rest ^= bit
        return found

    def best_left(
        self, laid: Sequence[str], gone: Collection[str], jokers: int
    ) -> tuple[str, ...] | None:
        """The strongest hand that contains ``laid`` and none of ``gone``; None if there is none.

        ``jokers``: how many jokers may be added to ``laid``.
        """
        held, barred = self._limits(laid, gone, jokers)
        if held:
            few = min((self.holding[bit] for bit in _single(held)), key=len)
            found = (m for m in few if m & held == held and not m & barred)
        else:
            found = (m for m in self.masks if not m & barred)
        mask = next(found, None)
        return None if mask is None else self._cards(mask)

    def left(
        self, laid: Sequence[str], gone: Collection[str], jokers: int, over: int
    ) -> list[tuple[str, ...]]:
        """All hands as in ``best_left`` that are stronger than ``over``, the strongest first.

        ``over``: a strength as one number, as ``_strengths`` has it.
        """
        held, barred = self._limits(laid, gone, jokers)
        masks = self.masks[: bisect_left(self.weaknesses, -over)]
        return [self._cards(m) for m in masks if m & held == held and not m & barred]

    def _limits(self, laid: Sequence[str], gone: Collection[str], jokers: int) -> tuple[int, int]:
        """The bits that a hand must have, and those that it can't have."""
        held = self._mask(laid)
        allowed = sum(card == JOKER for card in laid) + jokers
        barred = self._mask([card for card in gone if card != JOKER]) & ~held
        return held, barred | sum(self.joker_bits[allowed:])

    def _mask(self, cards: Collection[str]) -> int:
        mask, bits = 0, self.bits
        jokers = iter(self.joker_bits)
        for card in cards:
            mask |= next(jokers) if card == JOKER else bits[card]
        return mask

    def _cards(self, mask: int) -> tuple[str, ...]:
        return tuple([self.cards[bit] for bit in _single(mask)])


@lru_cache(maxsize=TABLES)
def ranked_hands(lexicon: Lexicon) -> RankedHands:
    """The ranked hands of ``lexicon``; computed once, in about 100 ms, and cached."""
    return RankedHands(lexicon)


def prove(lexicon: Lexicon, claim: FlagClaim) -> Proof:
    """Whether ``claim`` can be proven: no hand left to the opponent is strictly stronger (J16).

    Does not consider who completed first if both columns are full (J17).
    """
    own = best(lexicon, claim.own)
    gone = claim.gone | {card for card in claim.own if card != JOKER}
    left = ranked_hands(lexicon).best_left(claim.other, gone, claim.jokers)
    if left is None:
        return Proof(True, own, None)
    witness = best(lexicon, left)
    return Proof(witness.strength <= own.strength, own, witness)


def stronger(lexicon: Lexicon, claim: FlagClaim) -> list[tuple[str, ...]]:
    """Every hand that the opponent could still have and that beats the claim, strongest first."""
    kind, primary, secondary = best(lexicon, claim.own).strength
    gone = claim.gone | {card for card in claim.own if card != JOKER}
    over = kind << 16 | primary << 8 | secondary
    return ranked_hands(lexicon).left(claim.other, gone, claim.jokers, over)


def _single(mask: int) -> Iterator[int]:
    """The bits of ``mask``, each as an integer, the lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


# A pair of cards i < j is described by two bits: 1 if ij is a word, 2 if ji is one. The kind that
# follows from the three pairs of three cards is tabulated once for all 64 cases.
_FORTH, _BACK = 1, 2


def _kinds(same_pair_counts: bool) -> list[tuple[FormationKind, int]]:
    """For each of the 64 cases ``ij | jk << 2 | ik << 4``: the kind, and for one word its pair
    (0: ij, 1: jk, 2: ik).
    """
    found = []
    ends = ((0, 1), (1, 2), (0, 2))
    for case in range(64):
        words = [
            (a, b) if way == _FORTH else (b, a)
            for pair, (a, b) in enumerate(ends)
            for way in (_FORTH, _BACK)
            if case >> 2 * pair & way
        ]
        pairs = {frozenset(word) for word in words}
        chained = any(u[1] == v[0] and set(u) != set(v) for u in words for v in words)
        if not words:
            found.append((FormationKind.NOTHING, 0))
        elif chained:
            found.append((FormationKind.CHAIN, 0))
        elif len(pairs) > 1 or (same_pair_counts and len(words) > 1):
            found.append((FormationKind.TWO_WORDS, 0))
        else:
            found.append((FormationKind.ONE_WORD, ends.index(tuple(sorted(words[0])))))
    return found


def _strengths(lexicon: Lexicon) -> Iterator[tuple[int, int]]:
    """Each hand's strength as one number, and its mask.

    The number is ``kind << 16 | primary << 8 | secondary`` of its formation.
    """
    cards = [card.kanji for card in lexicon.deck.cards]
    ranks = [card.rank for card in lexicon.deck.cards] + [0] * JOKERS
    values = [lexicon.value(card) for card in cards] + [0] * JOKERS
    cards += [JOKER] * JOKERS
    places = range(len(cards))
    words = lexicon.words
    pairs = {word for word in words if lexicon.is_pair(word)}
    ways = [
        [(_FORTH * (a + b in pairs)) | (_BACK * (b + a in pairs)) for b in cards] for a in cards
    ]
    spelled = {frozenset(word) for word in words if lexicon.is_triple(word)}
    spelled = {word for word in spelled if len(word) == COLUMN}
    letters = {card: i for i, card in enumerate(cards[: -JOKERS + 1])}
    triples = {sum(1 << letters[card] for card in word) for word in spelled}
    kinds = [(int(kind) << 16, pair) for kind, pair in _kinds(lexicon.same_pair_counts)]
    one_word, three_of_a_kind = FormationKind.ONE_WORD << 16, FormationKind.THREE_OF_A_KIND << 16
    three_kanji = FormationKind.THREE_KANJI << 16
    first_joker = len(cards) - JOKERS
    for i, j, k in combinations(places, COLUMN):
        if k > first_joker and j != first_joker:
            continue  # the second joker is used only in hands with the first one
        mask = 1 << i | 1 << j | 1 << k
        sums = values[i] + values[j] + values[k]
        if mask in triples:
            yield three_kanji | sums << 8, mask
        elif ranks[i] == ranks[j] == ranks[k]:
            yield three_of_a_kind | sums << 8, mask
        else:
            kind, pair = kinds[ways[i][j] | ways[j][k] << 2 | ways[i][k] << 4]
            if kind == one_word:
                third = values[(k, i, j)[pair]]
                yield kind | (sums - third) << 8 | third, mask
            else:
                yield kind | sums << 8, mask
