"""What could still have beaten a claim, against all hands that the cards left make."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

from referee.core.log import steps
from referee.core.verdict import Illegal
from referee.games import jukugo_line
from referee.games.jukugo_line.plays import Claim
from referee.games.jukugo_line.state import column, jokers_left
from referee.games.simulation import played
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import best

SEATS = ("A", "B")


def test_what_could_still_have_beaten_a_claim() -> None:
    checked: Counter[bool] = Counter()
    single = 0
    for seed in range(40):
        log = played(jukugo_line, SEATS, seed, lies=1, most=200)
        for step in steps(log.now.step):
            state = step.before.state if step.before else log.start
            told = jukugo_line.HOOKS.could_beat(state, step.play)
            if told is None:
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
            assert told["hands"] == len(hands)
            assert isinstance(step.verdict, Illegal) == bool(hands)
            checked[bool(hands)] += 1
            if len(theirs) == 2:
                single += 1
                needed = {card for hand in hands for card in Counter(hand) - Counter(theirs)}
                kanji = len(needed - {JOKER})
                unseen = len(left) - left.count(JOKER)
                joker = jokers_left(state, rival) > 0
                known = jukugo_line.HOOKS.knowledge(state)
                assert known is not None
                hand = next(p for p in known.placements[0].places if p.seat == rival)
                if step.play.seat == state.turn:
                    odds = 1 - Fraction(
                        comb(unseen - kanji, hand.hidden), comb(unseen, hand.hidden)
                    )
                    expected = Fraction(1) if joker and JOKER in needed else odds
                    assert Fraction(*told["odds"]) == expected
    assert checked[True] > 10
    assert checked[False] > 10
    assert single > 10


def test_nothing_is_counted_where_nobody_knows_the_cards() -> None:
    log = played(jukugo_line, SEATS, 1, most=30)
    states = [step.state for step in steps(log.now.step)]
    assert all(jukugo_line.HOOKS.knowledge(state) for state in states)
    assert jukugo_line.HOOKS.knowledge(log.start) is None
