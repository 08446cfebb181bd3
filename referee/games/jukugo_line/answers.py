"""What accompanies the verdict on a claim: a counterexample, a proof, the hands that could
beat it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations, product
from math import comb

from referee.core.hidden import HiddenPlace as Where
from referee.core.hidden import Knowledge, placed
from referee.core.moves import Drew, Fact, Gained, Played, Turned
from referee.core.verdict import Illegal, Unprovable
from referee.games.jukugo_line.claims import question, trusting
from referee.games.jukugo_line.evidence import as_json
from referee.games.jukugo_line.judging import judge
from referee.games.jukugo_line.plays import Claim, Deal, Place, Play
from referee.games.jukugo_line.state import State, jokers_left, other, side_of
from referee.games.jukugo_line.turns import begun, can_act
from referee.jukugo import proofs
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import best
from referee.jukugo.prover import prove, stronger

STRONGEST = 12  # hands that are listed one by one, at most


def answered(state: State, play: Play) -> dict[str, object]:
    """Keys of the JSON answer for a claim that is open, or that the cards decide."""
    if not isinstance(play, Claim):
        return {}
    verdict = judge(state, play)
    if isinstance(verdict, Unprovable):
        return {"claim": "open"}
    if verdict.clause not in ("claim.4", "claim.5", "claim.6"):
        return {}
    if not isinstance(verdict, Illegal):
        return {"claim": "proven"}
    words = trusting(state, play)
    theirs = side_of(state, other(state, play.seat), play.flag)
    better = (
        prove(words, question(state, play.seat, play.flag)).witness
        if theirs.full is None
        else best(words, theirs.cards)
    )
    assert better is not None
    refuted = {"refuted_by": list(better.order), "formation": as_json(better)}
    return {"claim": refuted}


def proof(state: State, play: Play) -> proofs.ProofData | None:
    """The proof of a claim as data that ``referee.jukugo.proofs.check`` goes through.

    None if nothing was to be proven: both columns are full, or it is no claim of the seat in turn.
    """
    if not isinstance(play, Claim) or judge(state, play).clause not in ("claim.6", "words.2"):
        return None
    if side_of(state, other(state, play.seat), play.flag).full is not None:
        return None
    words, asked = trusting(state, play), question(state, play.seat, play.flag)
    return proofs.export(words, asked, prove(words, asked))


def knowledge(state: State) -> Knowledge | None:
    """What is known of hands and stock.

    If each seat was dealt a joker, it holds the joker until it is placed (J2).
    """
    if not state.deal or state.words is None:
        return None
    deck = state.deck
    one_each = state.table.option("joker_deal") == "one_each"
    unseen = deck.full - sum(deck.one[card] for card in state.laid)
    unseen -= sum(state.jokers.values()) * deck.one[JOKER]
    hands = []
    for seat, count in state.hands.items():
        known = deck.one[JOKER] * (one_each and count > 0 and jokers_left(state, seat) > 0)
        unseen -= known
        hands.append(Where("hand", seat, known, count - bool(known)))
    found = placed(unseen, tuple(hands), "stock")
    return Knowledge(deck, (found,) if found else ())


def happened(before: State, play: Play, after: State) -> tuple[Fact, ...]:
    """How cards moved: those dealt or drawn since ``before``, then the card that was placed."""
    one_each = before.table.option("joker_deal") == "one_each"
    facts: list[Fact] = []
    for seat, held in after.hands.items():
        came = held - before.hands[seat]
        if isinstance(play, Deal) and one_each:
            facts += (Turned((JOKER,), after.at), Gained(seat, JOKER))
            came -= 1
        elif isinstance(play, Place) and play.seat == seat:
            came += 1
        if came:
            facts.append(Drew(seat, came))
    if isinstance(play, Place):
        facts.append(Played(play.seat, (play.card,), after.at))
    return tuple(facts)


def could_beat(state: State, play: Play) -> dict[str, object] | None:
    """The hands that could still have beaten a claim by proof, the strongest first.

    ``hands``: their number; ``odds``: the probability that the opponent held the cards of one of
    them, as numerator and denominator; null if hands are not counted.
    """
    if not isinstance(play, Claim) or judge(state, play).clause not in ("claim.6", "words.2"):
        return None
    rival = other(state, play.seat)
    theirs = side_of(state, rival, play.flag)
    if theirs.full is not None:
        return None
    words = trusting(state, play)
    found = stronger(words, question(state, play.seat, play.flag))
    first = [best(words, cards) for cards in found[:STRONGEST]]
    odds = None
    known = knowledge(begun(state, play)) if can_act(state, play) else None
    if known and known.placements:
        [placement] = known.placements
        [hand] = (p for p in placement.places if p.kind == "hand" and p.seat == rival)
        unseen = tuple(map(str, known.deck.listed(placement.unseen)))
        lacking = (missing(cards, theirs.cards, bool(hand.known)) for cards in found)
        lacked = without_any(unseen, hand.hidden, frozenset(lacking))
        odds = (1 - Fraction(lacked, comb(len(unseen), hand.hidden))).as_integer_ratio()
    return {
        "hands": len(found),
        "strongest": [{"cards": list(each.order), "formation": as_json(each)} for each in first],
        "odds": list(odds) if odds else None,
    }


def missing(cards: tuple[str, ...], laid: tuple[str, ...], joker: bool) -> tuple[str, ...]:
    """The cards of a hand that are neither on the table nor, with ``joker``, certain to be held.

    Both jokers can be among them.
    """
    left = Counter(cards) - Counter(laid) - Counter([JOKER] * joker)
    return tuple(sorted(left.elements()))


@lru_cache(maxsize=64)  # a page of a review asks for all claims of its deal
def without_any(unseen: tuple[str, ...], held: int, sets: frozenset[tuple[str, ...]]) -> int:
    """The number of hands of ``held`` of the ``unseen`` cards that contain no whole set of
    ``sets``; a set names a card as often as it needs it.

    Cards are bits, chosen from the lowest up.
    """
    if () in sets:
        return 0
    needed = frozenset(card for each in sets for card in each)
    cards = [card for card in unseen if card in needed]
    others = len(unseen) - len(cards)
    allowed, closed, threes = _completing(cards, sets)

    def chosen(left: int, rest: int, closed: dict[int, int]) -> int:
        """The number of ways to choose ``rest`` more cards from ``left``."""
        if rest <= 1:
            return comb(others, rest) + rest * left.bit_count()
        ways = comb(others, rest)
        while left:
            bit = left & -left
            left ^= bit
            free = left & ~closed[bit]
            if rest == 2:  # the last card is counted here: most calls would be for it
                ways += others + free.bit_count()
                continue
            beside = threes[bit]
            if beside:
                grown = closed.copy()
                for other, last in beside.items():
                    if other & free:
                        grown[other] |= last
                ways += chosen(free, rest - 1, grown)
            else:
                ways += chosen(free, rest - 1, closed)
        return ways

    return chosen(allowed, held, closed)


def _completing(
    cards: Sequence[str], sets: frozenset[tuple[str, ...]]
) -> tuple[int, dict[int, int], dict[int, dict[int, int]]]:
    """The cards that are no set alone; for each card, the higher ones that complete a set with it;
    the same for two cards, by the lower and then the higher one.

    Card i of ``cards`` is bit i.
    """
    bits: dict[str, int] = {}
    for i, card in enumerate(cards):
        bits[card] = bits.get(card, 0) | 1 << i
    ones = {card: _each(copies) for card, copies in bits.items()}
    allowed = (1 << len(cards)) - 1
    closed: dict[int, int] = dict.fromkeys(_each(allowed), 0)
    threes: dict[int, dict[int, int]] = {bit: {} for bit in closed}
    for each in sets:
        copies_of = [combinations(ones.get(card, ()), many) for card, many in Counter(each).items()]
        for some in product(*copies_of):
            first, *more = sorted(chain(*some))
            if not more:
                allowed &= ~first
            elif len(more) == 1:
                closed[first] |= more[0]
            else:
                beside = threes[first]
                beside[more[0]] = beside.get(more[0], 0) | more[1]
    return allowed, closed, threes


def _each(mask: int) -> list[int]:
    """The bits of ``mask``, each as an integer, the lowest first."""
    return [1 << i for i in range(mask.bit_length()) if mask >> i & 1]
