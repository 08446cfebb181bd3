"""Proofs of claims: the golden tests, and full enumeration as the witness."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from fixture_deck import DECK, EVERY, LEXICON, WORDS, gone_but

from referee.jukugo import library, proofs
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import FormationKind, Lexicon, best, lexicon
from referee.jukugo.prover import FlagClaim, RankedHands, prove


def claim(own: str, other: str = "", gone: object = frozenset(), jokers: int = 1) -> FlagClaim:
    return FlagClaim(tuple(own), tuple(other), frozenset(gone) - set(own + other), jokers)  # type: ignore[call-overload]


class TestGolden:
    @pytest.mark.parametrize("other", ["風流", "風", ""])
    def test_a_three_kanji_word_is_proven(self, other: str) -> None:
        """J-G8: 風流人 needs 人, 日本国 needs 日 and 本; whatever else is weaker."""
        proof = prove(LEXICON, claim("日本人", other))
        assert proof.proven
        assert proof.witness is not None
        assert proof.witness.kind < FormationKind.THREE_KANJI

    def test_a_witness_is_named(self) -> None:
        """J-G9: 和風流 (8) beats 日本音 (3), without 流 it is 和風車 (6), without both nothing."""
        proof = prove(LEXICON, claim("日本音", "和風"))
        assert not proof.proven
        assert proof.witness is not None
        assert proof.witness.order == ("和", "風", "流")
        assert proof.witness[:2] == (FormationKind.CHAIN, 8)
        without = prove(LEXICON, claim("日本音", "和風", "流"))
        assert not without.proven
        assert without.witness is not None
        assert set(without.witness.order) == set("和風車")
        assert prove(LEXICON, claim("日本音", "和風", "流車")).proven

    def test_a_tie_goes_to_the_claimant(self) -> None:
        """J16: the seat that would finish later loses."""
        equal = prove(LEXICON, claim("日本音", "先人", gone_but("生")))
        assert equal.proven
        assert equal.witness is not None
        assert equal.witness.strength == equal.own.strength

    def test_the_joker_of_the_opponent(self) -> None:
        """J14, J15: 先日々 (chain 2) beats 日本+面's word only while that joker is not played."""
        table = claim("本音面", "先日", gone_but(""), jokers=1)
        assert not prove(LEXICON, table).proven
        assert prove(LEXICON, table).witness is not None
        assert JOKER in prove(LEXICON, table).witness.order  # type: ignore[union-attr]
        played = prove(LEXICON, table._replace(jokers=0))
        assert played.proven
        assert played.witness is None

    def test_two_jokers_where_they_were_shuffled(self) -> None:
        table = claim("面場牛", "人", gone_but(""), jokers=2)
        proof = prove(LEXICON, table)
        assert not proof.proven
        assert proof.witness is not None
        assert proof.witness[:3] == (FormationKind.TWO_WORDS, 1, 0)
        assert sorted(proof.witness.order) == sorted("人々々")

    def test_a_disputed_word_is_the_premise(self) -> None:
        table = claim("日本面", "牛", gone_but("王用"), jokers=0)
        assert prove(LEXICON, table).proven
        assert not prove(LEXICON.agree("用牛", True), table).proven


# ---- full enumeration

OPTIONS = [(True, False), (False, True)]


@pytest.mark.parametrize(("noma", "same"), OPTIONS)
def test_the_table_ranks_every_hand_like_the_formations(noma: bool, same: bool) -> None:
    deck = library.open_deck()
    of_deck = lexicon(deck, library.words(), three_with_noma=noma, same_pair_counts=same)
    for lexicon_ in (Lexicon(DECK, WORDS | {"先々日"}, noma, same), of_deck):
        hands = RankedHands(lexicon_)
        cards = len(lexicon_.deck.cards)
        assert len(hands.masks) == len(set(hands.masks))
        assert len(hands.masks) == len(list(combinations(range(cards + 1), 3))) + cards
        some = hands.masks if cards < 30 else hands.masks[::7]
        found = [best(lexicon_, hands._cards(mask)).strength for mask in some]
        assert found == sorted(found, reverse=True)


class Enumeration:
    """Every hand of three once, by the naive ranking of the independent check."""

    def __init__(self, lexicon_: Lexicon) -> None:
        self.cards = list(lexicon_.deck.by_kanji)
        data = proofs.export(lexicon_, claim("日本音"), prove(LEXICON, claim("日本音")))
        words = {word for word in lexicon_.words if word[0] != JOKER}
        every = [*self.cards, JOKER]
        self.ranks = {
            frozenset(hand): proofs._rank(data, words, list(hand))
            for hand in combinations(every, 3)
        }

    def best_left(self, asked: FlagClaim) -> tuple[int, int, int] | None:
        seen = {*asked.own, *asked.other, *asked.gone}
        unseen = [card for card in self.cards if card not in seen] + [JOKER] * asked.jokers
        laid = frozenset(asked.other)
        return max(
            (self.ranks[laid.union(more)] for more in combinations(unseen, 3 - len(laid))),
            default=None,
        )


def positions(cards: list[str], times: int, seed: int) -> list[FlagClaim]:
    """Tables as they come: own three, the opponent's 0…2, any number of others, jokers or not."""
    rng = Random(seed)
    found = []
    for _ in range(times):
        rng.shuffle(cards)
        own, other = cards[:3], cards[3 : 3 + rng.randrange(3)]
        rest = cards[3 + len(other) :]
        gone = rest[: rng.randrange(len(rest) + 1)]
        where = rng.choice(["own", "other", "away", "away", "gone"])
        if where == "own":
            own[rng.randrange(3)] = JOKER
        jokers = int(where != "gone")
        if where == "other" and other:
            other[-1] = JOKER
            jokers = 0
        found.append(FlagClaim(tuple(own), tuple(other), frozenset(gone), jokers))
    return found


@pytest.mark.parametrize(("noma", "same"), OPTIONS)
def test_thousands_of_positions_agree_with_enumeration(noma: bool, same: bool) -> None:
    lexicon_ = Lexicon(DECK, WORDS | {"先々日"}, noma, same)
    every = Enumeration(lexicon_)
    answers = set()
    for asked in positions(sorted(EVERY), 1_500, seed=7):
        proof, left = prove(lexicon_, asked), every.best_left(asked)
        assert (proof.witness.strength if proof.witness else None) == left, asked
        assert proof.proven == (left is None or left <= proof.own.strength), asked
        answers.add((proof.proven, proof.witness is None, len(asked.other)))
    assert len(answers) > 6  # both answers, for every number of cards


def test_positions_of_the_open_deck_agree_with_enumeration() -> None:
    open_deck = lexicon(library.open_deck(), library.words())
    every = Enumeration(open_deck)
    for asked in positions(list(open_deck.deck.by_kanji), 150, seed=8):
        proof, left = prove(open_deck, asked), every.best_left(asked)
        assert (proof.witness.strength if proof.witness else None) == left, asked


# ---- exported proofs


def test_an_exported_proof_can_be_checked_and_a_forged_one_is_found_out() -> None:
    forged = {"it is not proven": 0, "it is proven": 0}
    for asked in positions(sorted(EVERY), 60, seed=9):
        proof = prove(LEXICON, asked)
        data = proofs.export(LEXICON, asked, proof)
        assert proofs.check(data) == ""
        forged[proofs.check({**data, "proven": not data["proven"]}).partition(":")[0]] += 1
        if proof.witness:
            assert "could be completed" in proofs.check({**data, "witness": None})
            taken = {**data, "witness": [*data["witness"][:2], "無"]}
            assert "can't be completed" in proofs.check(taken)
    assert min(forged.values()) > 5


def test_a_witness_that_is_not_the_best_is_found_out() -> None:
    asked = claim("日本音", "和風")
    data = proofs.export(LEXICON, asked, prove(LEXICON, asked))
    assert "not the best" in proofs.check({**data, "witness": ["和", "風", "車"]})
