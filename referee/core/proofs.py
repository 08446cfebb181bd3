"""Which cards prove that declarations of a seat are false.

A proof is shrunk until nothing in it can be spared: cards are taken for unseen, of which it is
known only that they moved, so long as what is left still excludes the declarations.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import NamedTuple

from referee.core.cards import Deck
from referee.core.hands import Claim, Refutation
from referee.core.moves import Fact, Held, Lost, Played, Shown, Turned
from referee.core.places import Places
from referee.core.traces import retraced, spare
from referee.core.verdict import Seat
from referee.core.worlds import World, dealt, moved


class Case(NamedTuple):
    """What the declarations of ``seat`` are measured by; ``worlds``: after all ``facts``."""

    deck: Deck
    facts: Sequence[Fact]
    worlds: tuple[World, ...]
    seat: Seat

    def exclusion(self, claim: Claim, earlier: list[Claim], at: int) -> Refutation:
        """The fewest earlier claims that exclude ``claim``, with the cards that it takes."""
        needed = list(earlier)
        for spared in earlier:
            rest = [c for c in needed if c is not spared]
            if not self.consistent([*rest, claim]):
                needed = rest
        cards = self.proof([*needed, claim])
        proof = sorted({*cards, *(c.at for c in needed), at})
        return Refutation(claim, tuple(proof), tuple(needed))

    def proof(self, claims: Sequence[Claim]) -> tuple[int, ...]:
        """Positions whose cards exclude ``claims``; without any one of them they don't.

        Positions that show fewer cards are spared first, then the older ones.
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
            # The less is known, the more can be true: one can leap and halve to the next needed.
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

    def consistent(self, claims: Sequence[Claim], forgotten: Collection[int] = ()) -> bool:
        """Whether ``claims`` can all be true.

        Cards at ``forgotten`` positions are taken for unseen: it is known that they moved.
        """
        facts, possible = self.facts, self.worlds
        if forgotten:
            facts = [less for fact in facts for less in _less(fact, forgotten)]
            possible = (dealt(self.deck, self.worlds[0].hands, 0),)
            for fact in facts:
                possible = moved(self.deck, possible, fact)
        if not any(isinstance(fact, Lost) and fact.seat == self.seat for fact in facts):
            trace = retraced(self.deck, facts, self.seat, claims)
            return trace is not None and any(spare(w, trace) >= 0 for w in possible)
        # copies that were not with others when they turned up
        pools = dict.fromkeys(world.unseen + world.hands[self.seat].pinned for world in possible)
        places = Places(self.deck, facts, self.seat, claims)
        return any(places.suffice(pool) for pool in pools)


def _less(fact: Fact, forgotten: Collection[int]) -> tuple[Fact, ...]:
    """What is left of ``fact`` for who has not seen the cards of the ``forgotten`` positions."""
    if not isinstance(fact, Turned | Played | Held | Shown) or fact.at not in forgotten:
        return (fact,)
    return (Lost(fact.seat, fact.at),) * len(fact.cards) if isinstance(fact, Played) else ()
