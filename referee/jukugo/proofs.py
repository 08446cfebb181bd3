"""A proof as plain data, and a small check of it that shares no code with the prover.

The data contain all that the check needs: deck, words, options and the cards on the table. So a
proof can be saved, sent and checked anywhere, by this function or another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import TypedDict

from referee.jukugo.formations import Lexicon
from referee.jukugo.prover import FlagClaim, Proof

FORMAT = "referee-proof-1"


class ProofData(TypedDict):
    """A proof as JSON data: cards are kanji, ``deck`` gives the rank and the value of each.

    ``own`` and ``other``: the cards at the flag, ``gone`` those seen elsewhere, ``jokers`` how many
    are left, ``witness`` a best hand that can still come, None if none can.
    """

    format: str
    deck: dict[str, list[int]]
    words: list[str]
    three_with_noma: bool
    same_pair_counts: bool
    own: list[str]
    other: list[str]
    gone: list[str]
    jokers: int
    proven: bool
    witness: list[str] | None


def export(lexicon: Lexicon, claim: FlagClaim, proof: Proof) -> ProofData:
    """The proof as JSON data; lists of cards in no particular order."""
    return {
        "format": FORMAT,
        "deck": {card.kanji: [card.rank, card.value] for card in lexicon.deck.cards},
        "words": sorted(lexicon.words),
        "three_with_noma": lexicon.three_with_noma,
        "same_pair_counts": lexicon.same_pair_counts,
        "own": list(claim.own),
        "other": list(claim.other),
        "gone": sorted(claim.gone),
        "jokers": claim.jokers,
        "proven": proof.proven,
        "witness": None if proof.witness is None else list(proof.witness.order),
    }


def check(data: ProofData) -> str:
    """ "" if what ``data`` (the form of ``export``) says is true, else what is wrong with it.

    Tries every hand that the opponent could still complete, in every order; takes most of a second.
    Data of another form raise KeyError, TypeError, ValueError, AttributeError or IndexError.
    """
    words = {word for word in data["words"] if word[0] != "々"}
    own = _rank(data, words, data["own"])
    hands = {tuple(sorted(hand)): _rank(data, words, hand) for hand in _completions(data)}
    stronger = ["".join(hand) for hand, rank in hands.items() if rank > own]
    if data["proven"] and stronger:
        return f"it is not proven: {stronger[0]} would win"
    if not data["proven"] and not stronger:
        return "it is proven: nothing that is left would win"
    if data["witness"] is None:
        return f"{''.join(next(iter(hands)))} could be completed" if hands else ""
    witness = tuple(sorted(data["witness"]))
    if witness not in hands:
        return f"{''.join(witness)} can't be completed"
    if hands[witness] != max(hands.values()):
        return f"{''.join(witness)} is not the best that is left"
    return ""


def _completions(data: ProofData) -> Iterator[list[str]]:
    """The opponent's cards with every choice of cards that nobody has seen."""
    seen = {*data["own"], *data["other"], *data["gone"]}
    unseen = [card for card in data["deck"] if card not in seen] + ["々"] * data["jokers"]
    laid = list(data["other"])
    for more in combinations(unseen, 3 - len(laid)):
        yield laid + list(more)


def _rank(data: ProofData, words: set[str], cards: list[str]) -> tuple[int, int, int]:
    """The strength of three cards: kind (0…5), sum, and with one word the third card's value."""
    values = [0 if card == "々" else data["deck"][card][1] for card in cards]
    total = sum(values)
    three = {"".join(order) for order in permutations(cards)} & words
    if any(data["three_with_noma"] or "々" not in word for word in three):
        return 5, total, 0
    if "々" not in cards and len({data["deck"][card][0] for card in cards}) == 1:
        return 4, total, 0
    places = list(permutations(range(3), 2))
    two = [(i, j) for i, j in places if cards[i] + cards[j] in words]
    if any(u[1] == v[0] and u[0] != v[1] for u in two for v in two):
        return 3, total, 0
    shapes = {frozenset(word) for word in two}
    if len(shapes) > 1 or (data["same_pair_counts"] and len(two) > 1):
        return 2, total, 0
    if not two:
        return 0, total, 0
    pair = sum(values[i] for i in shapes.pop())
    return 1, pair, total - pair
