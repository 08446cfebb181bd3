"""Which cards prove that declarations of a seat are false.

A proof is shrunk until every card in it is necessary: a card can be left out if the declarations
are still excluded when it counts as unseen, so that it is known only that a card moved.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from operator import ge

from referee.core.cards import Bag, Deck
from referee.core.hands import HandClaim, Refutation
from referee.core.moves import Fact, Held, Lost, Played, Shown, Turned
from referee.core.places import Places
from referee.core.traces import retraced, spare
from referee.core.verdict import Seat
from referee.core.worlds import World, dealt, moved


class Case:
    """The facts against which declarations of ``seat`` are tested; ``worlds``: after all ``facts``.

    A fact moves cards of one hand only. So hands are computed one by one and cached: from one
    question to the next, the facts of few hands differ.
    """

    def __init__(
        self, deck: Deck, facts: Sequence[Fact], worlds: tuple[World, ...], seat: Seat
    ) -> None:
        self.deck, self.facts, self.worlds, self.seat = deck, facts, worlds, seat
        self.turned = [fact for fact in facts if isinstance(fact, Turned)]
        self.moves: dict[Seat, list[Fact]] = {other: [] for other in worlds[0].hands}
        for fact in facts:
            if not isinstance(fact, Turned):
                self.moves[fact.seat].append(fact)
        self.known: dict[tuple[Seat, frozenset[int]], set[Bag]] = {}

    def exclusion(self, claim: HandClaim, earlier: list[HandClaim], at: int) -> Refutation:
        """The fewest earlier claims that exclude ``claim``, and the cards that are needed for
        it.
        """
        needed = list(earlier)
        for spared in earlier:
            rest = [c for c in needed if c is not spared]
            if not self.consistent([*rest, claim]):
                needed = rest
        cards = self.proof([*needed, claim])
        proof = sorted({*cards, *(c.at for c in needed), at})
        return Refutation(claim, tuple(proof), tuple(needed))

    def proof(self, claims: Sequence[HandClaim]) -> tuple[int, ...]:
        """Positions whose cards exclude ``claims``; without any one of them they don't.

        Positions that show fewer cards are left out first, then older ones.
        """
        kinds = set(chain.from_iterable(claim.only for claim in claims))
        weight: dict[int, int] = {}
        for fact in self.facts:
            if isinstance(fact, Turned | Played | Held | Shown):
                own = not isinstance(fact, Turned) and fact.seat == self.seat
                count = sum(own or card in kinds for card in fact.cards)
                weight[fact.at] = weight.get(fact.at, 0) + count
        left = sorted(weight, key=lambda at: (weight[at], at))
        needed: list[int] = []
        forgotten: set[int] = set()
        while left:
            # With fewer known cards more claims are possible, so galloping and bisection find the
            # next card that is needed.
            spared, needs, leap = 0, len(left) + 1, 1
            while needs - spared > 1:
                n = min(spared + leap, (spared + needs) // 2)
                if self.consistent(claims, forgotten.union(left[:n])):
                    needs = n
                else:
                    spared, leap = n, 2 * leap
            forgotten.update(left[:spared])
            needed += left[spared:needs]
            left = left[needs:]
        return tuple(sorted(needed))

    def consistent(self, claims: Sequence[HandClaim], forgotten: Collection[int] = ()) -> bool:
        """Whether ``claims`` can all be true.

        Cards at ``forgotten`` positions count as unseen: it is known only that they moved.
        """
        own = less(self.moves[self.seat], forgotten)
        # copies that were not with others when they turned up
        pools = self.pools(forgotten)
        if any(isinstance(fact, Lost) for fact in own):
            places = Places(self.deck, own, self.seat, claims)
            return any(places.suffice(pool) for pool in pools)
        trace = retraced(self.deck, own, self.seat, claims)
        [pinned] = self._pinned(self.seat, forgotten)
        return trace is not None and any(spare(pool - pinned, trace) >= 0 for pool in pools)

    def pools(self, forgotten: Collection[int]) -> set[Bag]:
        """The bags of copies that were seen nowhere but with ``seat``, one for each world."""
        deck = self.deck
        if not forgotten:
            return {world.unseen + world.hands[self.seat].pinned for world in self.worlds}
        seen = (fact.cards for fact in self.turned if fact.at not in forgotten)
        pools = {deck.full - sum(deck.one[card] for card in chain.from_iterable(seen))}
        for seat in self.moves:
            if seat != self.seat:
                found = self._pinned(seat, forgotten)
                pools = {pool - bag for pool in pools for bag in found if _has(deck, pool, bag)}
        return pools

    def _pinned(self, seat: Seat, forgotten: Collection[int]) -> set[Bag]:
        """The bags of cards that were first seen in the hand of ``seat``, one for each world."""
        facts = self.moves[seat]
        shown = (fact.at for fact in facts if isinstance(fact, Played | Held | Shown))
        key = seat, frozenset(at for at in shown if at in forgotten)
        if key not in self.known:
            worlds = moved(self.deck, (dealt(self.deck, (seat,), 0),), *less(facts, forgotten))
            self.known[key] = {world.hands[seat].pinned for world in worlds}
        return self.known[key]


def less(facts: Sequence[Fact], forgotten: Collection[int]) -> Sequence[Fact]:
    """``facts`` without the cards seen at the ``forgotten`` positions."""
    if not forgotten:
        return facts
    left: list[Fact] = []
    for fact in facts:
        if not isinstance(fact, Played | Held | Shown) or fact.at not in forgotten:
            left.append(fact)
        elif isinstance(fact, Played):
            left += [Lost(fact.seat, fact.at)] * len(fact.cards)
    return left


def _has(deck: Deck, bag: Bag, part: Bag) -> bool:
    """Whether all cards of ``part`` are in ``bag``."""
    return all(map(ge, deck.counts(bag), deck.counts(part)))
