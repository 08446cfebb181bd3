"""Costs of 熟語ライン: ranking a hand, the table of all hands, proofs compared with enumeration."""

from __future__ import annotations

import random
import statistics
from functools import partial
from itertools import combinations

from bench.timing import seconds
from referee.jukugo import library
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import COLUMN, Lexicon, best, lexicon
from referee.jukugo.prover import FlagClaim, RankedHands, prove, ranked_hands

STAGES = {"early": range(2, 8), "middle": range(18, 26), "late": range(34, 44)}
"""The number of other cards on the table."""
TIMES, ENUMERATED = 1_000, 3


def run() -> None:
    """Print milliseconds, median and 99th percentile of many positions."""
    words = lexicon(library.open_deck(), library.words())
    tables = [seconds(lambda: RankedHands(words)) for _ in range(5)]
    ranked_hands(words)
    rng = random.Random(1)
    cards = [*words.deck.by_kanji, JOKER]
    hands = [tuple(rng.sample(cards, COLUMN)) for _ in range(TIMES)]
    best(words, hands[0])  # sorts the words once
    ranking = seconds(lambda: [best(words, hand) for hand in hands]) / TIMES
    print("\n熟語ライン, the open deck and the standard list")
    print(
        f"  a hand ranked in {ranking * 1e6:.1f} µs, all hands once in {min(tables) * 1e3:.0f} ms"
    )
    for laid in range(COLUMN):
        for stage, others in STAGES.items():
            asked = [_position(words, rng, laid, rng.choice(others)) for _ in range(TIMES)]
            # the first proof with a card computes that card's list of hands, which is cached
            taken = [seconds(partial(prove, words, claim)) for claim in asked]
            slow = [seconds(partial(_enumerated, words, claim)) for claim in asked[:ENUMERATED]]
            middle, worst = statistics.median(taken), statistics.quantiles(taken, n=100)[98]
            print(f"  proof, opponent {laid}, {stage:6}", end="")
            print(f" p50 {middle * 1e3:6.3f} ms   p99 {worst * 1e3:6.3f} ms", end="")
            print(f"   enumeration {statistics.median(slow) * 1e3:8.1f} ms")


def _position(words: Lexicon, rng: random.Random, laid: int, others: int) -> FlagClaim:
    cards = rng.sample(list(words.deck.by_kanji), COLUMN + laid + others)
    own, other, gone = cards[:COLUMN], cards[COLUMN : COLUMN + laid], cards[COLUMN + laid :]
    return FlagClaim(tuple(own), tuple(other), frozenset(gone), rng.randrange(2))


def _enumerated(words: Lexicon, claim: FlagClaim) -> tuple[int, int, int]:
    """The best hand that the opponent could complete, found by ranking all of them one by one."""
    seen = {*claim.own, *claim.other, *claim.gone}
    unseen = [card for card in words.deck.by_kanji if card not in seen] + [JOKER] * claim.jokers
    more = combinations(unseen, COLUMN - len(claim.other))
    return max(best(words, (*claim.other, *cards)).strength for cards in more)
