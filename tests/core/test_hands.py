"""Hidden hands against a witness that knows no arithmetic: it deals the cards in every way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.cards import Deck, pairs_deck
from referee.core.hands import HandClaim, Hands, Refutation, Truth

Counts = tuple[int, ...]

# top of the deck, seats, cards to each; some cards are always left over
TABLES = [
    (3, "AB", 2),
    (3, "AB", 3),
    (3, "ABC", 1),
    (4, "AB", 4),
    (4, "ABC", 2),
    (4, "ABC", 3),
    (5, "AB", 4),
    (5, "ABC", 2),
]


@cache
def every_deal(top: int, seats: str, size: int) -> tuple[dict[str, Counts], ...]:
    """All ways to deal ``size`` cards to each seat, as copies of 1, 2, … in every hand."""

    def hands(left: Counts, cards: int) -> Iterator[Counts]:
        if not left:
            if cards == 0:
                yield ()
            return
        for n in range(min(left[0], cards) + 1):
            for rest in hands(left[1:], cards - n):
                yield (n, *rest)

    def deals(left: Counts, seats: str) -> Iterator[dict[str, Counts]]:
        if not seats:
            yield {}
            return
        for hand in hands(left, size):
            rest = tuple(a - b for a, b in zip(left, hand, strict=True))
            for others in deals(rest, seats[1:]):
                yield {seats[0]: hand, **others}

    return tuple(deals(tuple(range(1, top + 1)), seats))


@dataclass
class Event:
    """At position ``at`` a seat played one card (perhaps declaring) or showed its hand."""

    at: int
    seat: str
    cards: tuple[int, ...]
    show: bool = False
    only: frozenset[int] | None = None


@dataclass
class Witness:
    """Remembers what happened and which deals fit it."""

    top: int
    seats: str
    size: int
    events: list[Event] = field(default_factory=list)
    fitting: list[list[dict[str, Counts]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.fitting.append(list(every_deal(self.top, self.seats, self.size)))

    @property
    def deals(self) -> list[dict[str, Counts]]:
        return self.fitting[-1]

    def happened(self, event: Event) -> None:
        self.events.append(event)
        seat = event.seat
        laid = self.laid(seat, 0, event.at)
        now = counted(self.top, event.cards)

        def fits(deal: dict[str, Counts]) -> bool:
            held = minus(deal[seat], laid)
            return held == now if event.show else covers(held, now)

        self.fitting.append([deal for deal in self.deals if fits(deal)])

    def laid(self, seat: str, since: int, before: int) -> Counts:
        """The cards that ``seat`` played at positions from ``since`` to just before ``before``."""
        cards = [
            e.cards[0]
            for e in self.events
            if e.seat == seat and not e.show and since <= e.at < before
        ]
        return counted(self.top, cards)

    def held(self, deal: dict[str, Counts], seat: str, at: int) -> Counts:
        """The hand of ``seat`` in ``deal`` before position ``at``."""
        return minus(deal[seat], self.laid(seat, 0, at))

    def true_in(self, deal: dict[str, Counts], *claims: HandClaim) -> bool:
        return all(
            {i + 1 for i, n in enumerate(self.held(deal, c.seat, c.at)) if n} <= c.only
            for c in claims
        )

    def possible(self, *claims: HandClaim, now: int | None = None) -> bool:
        """Whether a deal fits all that had happened up to ``now`` and the claims."""
        deals = self.deals if now is None else self.fitting[now]
        return any(self.true_in(deal, *claims) for deal in deals)

    def guilty(self, claims: list[HandClaim]) -> tuple[set[HandClaim], set[HandClaim]]:
        """Claims that facts exclude, and claims that only earlier ones of the seat exclude."""
        refuted = {claim for claim in claims if not self.possible(claim)}
        kept: dict[str, list[HandClaim]] = {seat: [] for seat in self.seats}
        excluded = set()
        for claim in claims:
            if claim in refuted:
                continue
            if self.possible(claim, *kept[claim.seat]):
                kept[claim.seat].append(claim)
            else:
                excluded.add(claim)
        return refuted, excluded

    def suffices(
        self, proof: Iterable[int], claim: HandClaim, against: tuple[HandClaim, ...]
    ) -> bool:
        """Whether the entries of ``proof``, and nothing else, exclude the claims."""
        facts = [e for e in self.events if e.at in set(proof)]
        only = claim.only.intersection(*(c.only for c in against))
        own = [e for e in facts if e.seat == claim.seat and e.at >= claim.at]
        if any(not only.issuperset(e.cards) for e in own):
            return True
        before = [e for e in facts if e.at < claim.at]
        held = self.size - sum(self.laid(claim.seat, 0, claim.at))
        for deal in every_deal(self.top, self.seats, self.size):
            seen = all(covers(deal[seat], self.known(facts, seat)) for seat in self.seats)
            mine = minus(deal[claim.seat], self.known(before, claim.seat))
            if seen and sum(n for i, n in enumerate(mine) if i + 1 in only) >= held:
                return False
        return True

    def known(self, facts: list[Event], seat: str) -> Counts:
        """Cards that ``facts`` prove to have been in the hand of ``seat``."""
        shown = [e for e in facts if e.seat == seat and e.show]
        since = min((e.at for e in shown), default=10**9)
        laid = [e.cards[0] for e in facts if e.seat == seat and not e.show and e.at < since]
        return counted(self.top, [*laid, *(shown[0].cards if shown else ())])


def counted(top: int, cards: Iterable[int]) -> Counts:
    cards = list(cards)
    return tuple(cards.count(rank) for rank in range(1, top + 1))


def minus(a: Counts, b: Counts) -> Counts:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def covers(a: Counts, b: Counts) -> bool:
    return all(x >= y for x, y in zip(a, b, strict=True))


def subsets(top: int) -> list[frozenset[int]]:
    ranks = range(1, top + 1)
    return [
        frozenset(s) for s in chain.from_iterable(combinations(ranks, n) for n in range(1, top + 1))
    ]


@st.composite
def stories(draw: Any, honest: bool | None = None) -> tuple[int, str, int, bool, list[Event]]:
    """Really dealt cards, and plays of the seats in any order."""
    top, seats, size = draw(st.sampled_from(TABLES))
    honest = draw(st.booleans()) if honest is None else honest
    order = draw(st.permutations([r for r in range(1, top + 1) for _ in range(r)]))
    hands = {seat: sorted(order[i * size : (i + 1) * size]) for i, seat in enumerate(seats)}
    shown: set[str] = set()
    events: list[Event] = []
    for at in range(1, size * len(seats) + 3):
        able = [seat for seat in seats if hands[seat]]
        if not able or draw(st.integers(0, 11)) == 0:
            break
        seat = draw(st.sampled_from(able))
        if seat not in shown and draw(st.integers(0, 9)) == 0:
            shown.add(seat)
            events.append(Event(at, seat, tuple(hands[seat]), show=True))
            continue
        card = draw(st.sampled_from(hands[seat]))
        only = None
        if seat not in shown and draw(st.integers(0, 3)):
            most = draw(st.sampled_from((1, top)))
            kinds = draw(st.frozensets(st.integers(1, top), max_size=most))
            only = kinds | (set(hands[seat]) if honest else {card})
        hands[seat].remove(card)
        events.append(Event(at, seat, (card,), only=only))
    return top, seats, size, honest, events


class Witnessed:
    """The hands under test and their witness, given the same events."""

    def __init__(self, top: int, seats: str, size: int) -> None:
        self.deck: Deck = pairs_deck(top)
        self.hands = Hands.dealt(self.deck, seats, size)
        self.witness = Witness(top, seats, size)
        self.claims: list[HandClaim] = []

    def take(self, event: Event) -> None:
        at, seat = event.at, event.seat
        claim = HandClaim(seat, at, event.only) if event.only else None
        if claim and self.witness.possible(claim):  # the judge refuses an impossible one
            assert self.hands.truth(seat, claim.only) is not Truth.IMPOSSIBLE
            self.claims.append(claim)
            self.hands = self.hands.declare(seat, claim.only, at)
        elif claim:
            assert self.hands.truth(seat, claim.only) is Truth.IMPOSSIBLE
        if event.show:
            self.hands = self.hands.show(seat, event.cards, at)
        else:
            self.hands = self.hands.lay(seat, event.cards[0], at)
        self.witness.happened(event)

    def check_truth(self) -> None:
        """The three answers, for every seat and set of kinds, as the deals have it."""
        witness, now = self.witness, len(self.witness.events) + 100
        for seat in witness.seats:
            held = {witness.held(deal, seat, now) for deal in witness.deals}
            for only in subsets(witness.top):
                inside = [all(not n or i + 1 in only for i, n in enumerate(h)) for h in held]
                for rank in only:
                    mine = [ok for h, ok in zip(held, inside, strict=True) if h[rank - 1]]
                    if not mine:
                        continue  # nobody could lay this card
                    truth = self.hands.truth(seat, only)
                    assert (truth is Truth.IMPOSSIBLE) == (not any(inside))
                    assert (truth is Truth.CERTAIN) == all(mine)

    def check_findings(self) -> None:
        refuted, excluded = self.witness.guilty(self.claims)
        found = self.hands.refutations()
        assert {r.claim for r in found} == refuted | excluded
        assert {r.claim for r in found if not r.against} == refuted
        assert [r.claim.at for r in found] == sorted(r.claim.at for r in found)
        for refutation in found:
            self.check_proof(refutation)

    def check_proof(self, refutation: Refutation) -> None:
        claim, proof, against = refutation
        witness = self.witness
        assert list(proof) == sorted(set(proof))
        assert all(c.seat == claim.seat and c.at < claim.at for c in against)
        assert {c.at for c in against} <= set(proof)
        assert witness.suffices(proof, claim, against)
        first = next(
            now
            for now in range(len(witness.fitting))
            if now >= claim.at and not witness.possible(claim, *against, now=now)
        )
        assert proof[-1] == first
        contradicted = {c.at for c in against} | {claim.at}
        for entry in set(proof) - contradicted:
            assert not witness.suffices(set(proof) - {entry}, claim, against)
        for spared in against:
            rest = tuple(c for c in against if c != spared)
            assert witness.possible(claim, *rest)


@given(stories())
@settings(max_examples=120)
def test_the_arithmetic_answers_as_if_it_had_dealt_the_cards_in_every_way(
    story: tuple[int, str, int, bool, list[Event]],
) -> None:
    top, seats, size, honest, events = story
    witnessed = Witnessed(top, seats, size)
    witnessed.check_truth()
    for event in events:
        witnessed.take(event)
        witnessed.check_truth()
        witnessed.check_findings()
        if honest:
            assert not witnessed.hands.refutations()


@given(stories(honest=True))
@settings(max_examples=100)
def test_nobody_who_says_the_truth_is_found_guilty(
    story: tuple[int, str, int, bool, list[Event]],
) -> None:
    top, seats, size, _, events = story
    hands = Hands.dealt(pairs_deck(top), seats, size)
    for event in events:
        if event.show:
            hands = hands.show(event.seat, event.cards, event.at)
            continue
        if event.only:
            assert hands.truth(event.seat, event.only) is not Truth.IMPOSSIBLE
            hands = hands.declare(event.seat, event.only, event.at)
        hands = hands.lay(event.seat, event.cards[0], event.at)
        assert hands.refutations() == ()


def laid(hands: Hands, *plays: tuple[str, int]) -> Hands:
    """Cards laid at positions that follow those already there."""
    at = hands.seen.at if hands.seen else 0
    for i, (seat, card) in enumerate(plays, at + 1):
        hands = hands.lay(seat, card, i)
    return hands


def test_a_card_laid_later_from_the_same_hand_proves_the_revoke_alone() -> None:
    hands = Hands.dealt(pairs_deck(10), "ABCDE", 10)
    hands = laid(hands, ("A", 4), ("B", 9))
    hands = hands.declare("D", frozenset({4, 9}), 3).lay("D", 4, 3)
    hands = laid(hands, ("E", 9))
    assert hands.refutations() == ()
    hands = laid(hands, ("D", 7))
    claim = HandClaim("D", 3, frozenset({4, 9}))
    assert hands.refutations() == (Refutation(claim, (5,)),)


def test_counting_convicts_with_the_cards_that_others_laid() -> None:
    hands = Hands.dealt(pairs_deck(4), "AB", 3)
    hands = laid(hands, ("A", 4))
    hands = hands.declare("B", frozenset({4}), 2).lay("B", 4, 2)
    assert hands.refutations() == ()  # B may hold the other two 4s
    hands = laid(hands, ("A", 4))
    assert hands.refutations() == (Refutation(HandClaim("B", 2, frozenset({4})), (1, 3)),)


def test_what_the_seat_itself_laid_since_proves_nothing_against_it() -> None:
    hands = Hands.dealt(pairs_deck(4), "AB", 3)
    hands = laid(hands, ("A", 4))
    hands = hands.declare("B", frozenset({4}), 2).lay("B", 4, 2)
    hands = laid(hands, ("B", 4), ("B", 4))
    assert hands.refutations() == ()


def test_two_declarations_of_one_seat_that_exclude_each_other_count_against_the_later() -> None:
    hands = Hands.dealt(pairs_deck(10), "AB", 8)
    first, second = HandClaim("A", 1, frozenset({5, 9})), HandClaim("A", 3, frozenset({8, 10}))
    hands = hands.declare("A", first.only, 1).lay("A", 9, 1)
    hands = laid(hands, ("B", 1))
    hands = hands.declare("A", second.only, 3)
    assert hands.refutations() == (Refutation(second, (1, 3), (first,)),)


def test_facts_that_convict_take_the_place_of_an_earlier_declaration() -> None:
    hands = Hands.dealt(pairs_deck(10), "AB", 8)
    wide, narrow = frozenset({5, 6, 7, 8, 9}), frozenset({9, 2})
    hands = hands.declare("A", wide, 1).lay("A", 9, 1)
    hands = hands.declare("A", narrow, 2).lay("A", 9, 2)
    hands = laid(hands, ("B", 9), ("B", 9))
    against = (HandClaim("A", 1, wide),)
    assert hands.refutations() == (Refutation(HandClaim("A", 2, narrow), (1, 3, 4), against),)
    hands = laid(hands, ("B", 2), ("B", 2))
    assert hands.refutations() == (Refutation(HandClaim("A", 2, narrow), (1, 3, 4, 5, 6)),)


def test_declarations_that_no_deck_could_make_true_together_need_no_cards_as_proof() -> None:
    hands = Hands.dealt(pairs_deck(10), "AB", 8)
    hands = laid(hands, ("B", 2), ("B", 3))
    first, second = (
        HandClaim("A", 3, frozenset({2, 3, 9})),
        HandClaim("A", 4, frozenset({2, 3, 10})),
    )
    hands = hands.declare("A", first.only, 3).lay("A", 9, 3)
    hands = hands.declare("A", second.only, 4)
    assert hands.refutations() == (Refutation(second, (3, 4), (first,)),)


def test_a_proof_names_no_entry_that_it_can_do_without() -> None:
    """With the two 5s that C shows, the one that A laid first is not needed."""
    hands = Hands.dealt(pairs_deck(5), "ABCD", 3)
    hands = hands.declare("D", frozenset({5}), 1).lay("D", 5, 1)
    hands = laid(hands, ("A", 5), ("B", 5))
    assert hands.refutations() == ()
    hands = hands.show("C", (1, 5, 5), 4)
    assert hands.refutations() == (Refutation(HandClaim("D", 1, frozenset({5})), (3, 4)),)


def test_declarations_of_two_seats_are_never_held_against_each_other() -> None:
    hands = Hands.dealt(pairs_deck(4), "AB", 4)
    hands = hands.declare("A", frozenset({4}), 1).lay("A", 4, 1)
    hands = hands.declare("B", frozenset({4, 1}), 2)
    assert hands.refutations() == ()


def test_the_last_card_of_a_hand_is_certainly_all_of_it() -> None:
    hands = Hands.dealt(pairs_deck(3), "AB", 1)
    assert hands.truth("A", frozenset({3})) is Truth.CERTAIN


def test_a_hand_laid_open_leaves_nothing_to_declare() -> None:
    hands = Hands.dealt(pairs_deck(3), "AB", 2).show("A", (3, 3), 1)
    assert hands.truth("A", frozenset({3})) is Truth.CERTAIN
    assert hands.truth("A", frozenset({1, 2})) is Truth.IMPOSSIBLE
    assert hands.truth("B", frozenset({3})) is Truth.IMPOSSIBLE


def test_a_card_that_the_deck_lacks() -> None:
    hands = Hands.dealt(pairs_deck(3), "AB", 2)
    with pytest.raises(KeyError):
        hands.gone(4)
    with pytest.raises(KeyError):
        hands.lay("A", 4, 1)
