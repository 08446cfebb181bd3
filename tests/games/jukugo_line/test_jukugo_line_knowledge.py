"""What could still have beaten a claim, against all hands that the cards left make."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

from referee.core.steps import steps
from referee.core.verdict import Illegal
from referee.games import jukugo_line
from referee.games.jukugo_line.answers import missing, without_any
from referee.games.jukugo_line.plays import Claim
from referee.games.jukugo_line.state import column, jokers_left
from referee.games.simulation import played
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import best

SEATS = ("A", "B")
MANY = 3_000  # hands that are not gone through one by one


def test_what_could_still_have_beaten_a_claim() -> None:
    checked: Counter[bool] = Counter()
    counted: Counter[int] = Counter()
    for seed in range(40):
        log = played(jukugo_line, SEATS, seed, lies=1, most=200)
        for step in steps(log.now.step):
            state = step.before.state if step.before else log.start
            answer = jukugo_line.HOOKS.could_beat(state, step.play)
            if answer is None:
                continue
            assert isinstance(step.play, Claim)
            rival = SEATS[step.play.seat == "A"]
            own = column(state, step.play.seat, step.play.flag)
            theirs = column(state, rival, step.play.flag)
            if len(theirs) == 0:
                continue  # too many to be gone through
            left = [card for card in state.words.deck.by_kanji if card not in state.laid]
            left += [JOKER] * jokers_left(state, rival)
            mine = best(state.words, own).strength
            hands = {
                tuple(sorted((*theirs, *more)))
                for more in combinations(left, 3 - len(theirs))
                if best(state.words, (*theirs, *more)).strength > mine
            }
            assert answer["hands"] == len(hands)
            assert isinstance(step.verdict, Illegal) == bool(hands)
            checked[bool(hands)] += 1
            known = jukugo_line.HOOKS.knowledge(state)
            assert known is not None
            hand = next(p for p in known.placements[0].places if p.seat == rival)
            ways = comb(len(left), hand.hidden)
            if step.play.seat == state.turn and ways < MANY:
                unseen = [card for card in left if card != JOKER]
                sure = {JOKER} if jokers_left(state, rival) else set()
                needed = {frozenset(cards) - set(theirs) - sure for cards in hands}
                dealt = [set(cards) for cards in combinations(unseen, hand.hidden)]
                won = sum(any(cards <= each for cards in needed) for each in dealt)
                assert Fraction(*answer["odds"]) == Fraction(won, len(dealt))
                counted[3 - len(theirs)] += 0 < won < len(dealt)
    assert checked[True] > 10
    assert checked[False] > 10
    assert counted.total() > 3


def test_nothing_is_counted_where_nobody_knows_the_cards() -> None:
    log = played(jukugo_line, SEATS, 1, most=30)
    states = [step.state for step in steps(log.now.step)]
    assert all(jukugo_line.HOOKS.knowledge(state) for state in states)
    assert jukugo_line.HOOKS.knowledge(log.start) is None


def test_hands_without_any_of_some_sets() -> None:
    """Against all hands, one by one: sets of one to three cards, which may need both jokers."""
    rng = Random(1)
    twice = 0
    for _ in range(300):
        unseen = tuple(rng.choices("abcdefghij々々", k=rng.randrange(4, 10)))
        sets = frozenset(
            tuple(sorted(rng.sample("abcdefghij々々", rng.randrange(1, 4))))
            for _ in range(rng.randrange(8))
        )
        held = rng.randrange(4)
        hands = [Counter(hand) for hand in combinations(unseen, held)]
        without = sum(not any(Counter(each) <= hand for each in sets) for hand in hands)
        assert without_any(unseen, held, sets) == without
        twice += any(each.count(JOKER) == 2 for each in sets)
    assert twice > 10


def test_a_hand_that_needs_both_jokers_is_not_counted_as_needing_one() -> None:
    """They are shuffled in: 60 % were shown where it was less, as one joker seemed enough."""
    assert missing(("々", "々", "人"), (), False) == ("々", "々", "人")
    assert missing(("々", "々", "人"), ("人",), False) == ("々", "々")
    assert missing(("々", "々", "人"), ("々", "人"), False) == ("々",)
    assert missing(("々", "人", "日"), ("人",), True) == ("日",)  # each was dealt one
    unseen = ("々", "々", "日", "本", "出", "口")
    assert (
        without_any(unseen, 3, frozenset([missing(("々", "々", "人"), ("人",), False)])) == 20 - 4
    )
