"""Whether declarations about a hand can be true after cards have left it unseen.

Every card that a seat ever got is a place, numbered in order of arrival. A card that the seat
played fills one of the places that existed then; cards that have not turned up fill the rest and
stay. A card of a kind that a declaration excludes can fill only places that came after it. All
played cards and all places must be matched; by the theorem of Mendelsohn and Dulmage this is
possible if the cards can be matched and the places can be matched, so two simple matchings decide
it. Only the kinds of cards that left unseen have to be tried out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from referee.core.cards import Bag, Deck
from referee.core.hands import HandClaim
from referee.core.moves import Drew, Fact, Gained, Held, Lost, Played, Shown, Turned
from referee.core.verdict import Card, Seat


class Leave(NamedTuple):
    """A card that left the hand: for every kind that it can be, the places it can have filled.

    Places are bits of an integer.
    """

    places: Mapping[Card, int]
    early: bool  # whether a claim was made after it left
    at: int

    def anywhere(self, supply: Mapping[Card, int]) -> int:
        """The places for a card of any kind with a copy in ``supply``."""
        mask = 0
        for card, places in self.places.items():
            if supply[card]:
                mask |= places
        return mask


class Places:
    """The places of one hand, and the cards that have to fill them.

    Places are bits, numbered as cards arrived. ``open`` ones can have held any card, ``fixed`` ones
    a card that everybody knew. ``first``: for each kind, the first place that the claims so far
    allow. ``claimed``: the position of each claim, and how many places there were then.
    """

    def __init__(
        self, deck: Deck, facts: Iterable[Fact], seat: Seat, claims: Collection[HandClaim]
    ) -> None:
        self.deck, self.claims = deck, claims
        self.number = 0
        self.open = 0
        self.fixed = dict.fromkeys(deck.cards, 0)
        self.first = dict.fromkeys(deck.cards, 0)
        self.certain: list[tuple[Card, Leave]] = []
        self.unsure: list[Leave] = []
        self.claimed: list[tuple[int, int]] = []
        left = len(claims)
        for fact in facts:
            if isinstance(fact, Turned) or fact.seat != seat:
                continue
            match fact:
                case Drew():
                    self.open |= ((1 << fact.size) - 1) << self.number
                    self.number += fact.size
                case Played():
                    self._leave(fact.cards, left > 0, fact.at)
                case HandClaim() if fact in claims:
                    left -= 1
                    self.claimed.append((fact.at, self.number))
                    for card in deck.cards:
                        if card not in fact.only:
                            self.first[card] = self.number
                case Gained():
                    self._keep((fact.card,))
                case Held() | Shown():
                    self._leave(fact.cards, left > 0, fact.at)
                    self._keep(fact.cards)
                case Lost():
                    places = {card: self.places(card) for card in deck.cards}
                    self.unsure.append(Leave(places, left > 0, fact.at))

    def places(self, card: Card) -> int:
        """The places that exist now and can hold ``card``, if the claims so far are true."""
        window = (1 << self.number) - (1 << self.first[card])
        return window & (self.open | self.fixed[card])

    def _leave(self, cards: Iterable[Card], early: bool, at: int) -> None:
        self.certain += ((card, Leave({card: self.places(card)}, early, at)) for card in cards)

    def _keep(self, cards: Iterable[Card]) -> None:
        for card in cards:
            self.fixed[card] |= 1 << self.number
            self.number += 1

    def suffice(self, pool: Bag) -> bool:
        """Whether the claims can be true; ``pool``: the copies that were seen nowhere else."""
        supply = dict(zip(self.deck.cards, self.deck.counts(pool), strict=True))
        for card, places in self.fixed.items():
            supply[card] += places.bit_count()
        for card, _ in self.certain:
            supply[card] -= 1
        left = [leave.places[card] for card, leave in self.certain]
        return self._fits(supply, left, self.unsure, set())

    def _fits(
        self,
        supply: Mapping[Card, int],
        left: list[int],
        unsure: Sequence[Leave],
        failed: set[tuple[int, ...]],
    ) -> bool:
        """Whether ``supply``, the cards that stayed in the hand, left it ``unsure`` or are
        elsewhere, can fill the places.

        ``left``: the possible places of every card whose kind is known. ``failed``: counts of
        ``supply`` that were tried without success.
        """
        if min(supply.values()) < 0:
            return False
        perhaps = [leave.anywhere(supply) for leave in unsure]
        leaving = left + perhaps
        if _matching(leaving, len(leaving)) < len(leaving):
            return False
        # After the last claim it makes no difference whether a card stays or leaves unseen.
        early = [mask for mask, leave in zip(perhaps, unsure, strict=True) if leave.early]
        stay = [
            mask
            for card, count in supply.items()
            if count and (mask := self.places(card))
            for _ in range(min(count, mask.bit_count()))
        ]
        if _matching(left + early + stay, self.number) < self.number:
            return False
        if not unsure:
            return True
        key = (len(unsure), *sorted(left), *supply.values())
        if key in failed:
            return False
        for card in self._different(unsure[0], supply):
            less = {**supply, card: supply[card] - 1}
            if self._fits(less, [*left, unsure[0].places[card]], unsure[1:], failed):
                return True
        failed.add(key)
        return False

    def _different(self, leave: Leave, supply: Mapping[Card, int]) -> list[Card]:
        """One card of each sort that the claims distinguish, those that can't have stayed first."""
        sorts: dict[object, Card] = {}
        for card in leave.places:
            if supply[card]:
                known = card if self.fixed[card] else None
                sorts.setdefault((*(card in c.only for c in self.claims), known), card)
        return sorted(sorts.values(), key=lambda card: -self.first[card])


def _matching(masks: Sequence[int], enough: int) -> int:
    """How many of ``masks`` can get a bit of their own, at most ``enough``.

    Stops, too, as soon as ``enough`` can't be reached. Bits that could not be freed for one mask
    can't be freed for another.
    """
    owner: dict[int, int] = {}
    taken = tried = stuck = 0

    def place(i: int) -> bool:
        nonlocal taken, tried
        free = masks[i] & ~taken
        if free:
            bit = free & -free
            taken |= bit
            owner[bit] = i
            return True
        while rest := masks[i] & ~tried:
            bit = rest & -rest
            tried |= bit
            if place(owner[bit]):
                owner[bit] = i
                return True
        return False

    found, spare = 0, len(masks) - enough
    for i in range(len(masks)):
        if found == enough or spare < 0:
            break
        tried = stuck
        if place(i):
            found += 1
        else:
            stuck = tried
            spare -= 1
    return found
