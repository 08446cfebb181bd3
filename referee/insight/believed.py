"""Who can hold what if everybody has declared the truth, for example followed suit.

Only for hands that nobody adds cards to: a declaration about such a hand is about all that is left
of it. Cards that the same places can hold are counted together, so no distribution is listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import compress
from math import comb, factorial, prod
from operator import not_
from typing import NamedTuple, TypeAlias

from referee.core.cards import size
from referee.core.hidden import NEVER, SURE, HiddenPlace, Knowledge, Placement
from referee.core.verdict import Card
from referee.insight.grid import Cell, Grid, PlaceRow

STEPS = 50_000
"""How many ways to divide one group of cards are looked at, at most, for one table."""

Room: TypeAlias = tuple[int, ...]
"""How many more cards each place takes."""


class Alike(NamedTuple):
    """Unseen cards that the same places can hold; ``copies``: of each kind."""

    places: tuple[bool, ...]
    copies: dict[Card, int]

    @property
    def size(self) -> int:
        return sum(self.copies.values())


class TooMany(Exception):
    """There are more ways than ``STEPS``."""


def believed(knowledge: Knowledge) -> Grid | None:
    """The table under all declarations that are not refuted.

    None if there is no declaration, if they contradict each other, or if counting takes too long.
    """
    if not knowledge.bound or len(knowledge.placements) != 1:
        return None
    [placement] = knowledge.placements
    groups = _groups(knowledge, placement)
    room = tuple(place.hidden for place in placement.places)
    try:
        every, shares = _Counting(groups).shares(room)
    except TooMany:
        return None
    if not every:
        return None
    rows = []
    for i, place in enumerate(placement.places):
        of_card = {
            card: (NEVER, 0, 0) if not group.places[i] else _cell(group, card, shares[g][i], every)
            for g, group in enumerate(groups)
            for card in group.copies
        }
        rows.append(_row(knowledge, place, of_card))
    return Grid(every, tuple(rows))


def _groups(knowledge: Knowledge, placement: Placement) -> list[Alike]:
    deck = knowledge.deck
    groups: dict[tuple[bool, ...], Alike] = {}
    for card, count in zip(deck.cards, deck.counts(placement.unseen), strict=True):
        if count:
            fits = tuple(
                place.kind != "hand"
                or place.seat is None
                or place.seat not in knowledge.bound
                or bool(knowledge.bound[place.seat] & deck.one[card])
                for place in placement.places
            )
            groups.setdefault(fits, Alike(fits, {})).copies[card] = count
    return sorted(groups.values(), key=lambda group: sum(group.places))


def _cell(group: Alike, card: Card, shares: Counter[int], every: int) -> tuple[Fraction, int, int]:
    """The probability of a copy of ``card`` at a place, and its least and most copies there.

    ``shares``: in how many of ``every`` ways the place has so many cards of the group.
    """
    copies, others = group.copies[card], group.size - group.copies[card]
    without = (
        Fraction(ways * comb(others, count), comb(group.size, count))
        for count, ways in shares.items()
    )
    none = sum(without, NEVER)
    counts = [count for count, ways in shares.items() if ways]
    return (
        1 - none / every,
        max(0, min(counts) - others),
        min(copies, max(counts)),
    )


def _row(
    knowledge: Knowledge, place: HiddenPlace, of_card: dict[Card, tuple[Fraction, int, int]]
) -> PlaceRow:
    deck, cells = knowledge.deck, []
    for card, known in zip(deck.cards, deck.counts(place.known), strict=True):
        odds, least, most = of_card.get(card, (NEVER, 0, 0))
        cells.append(Cell(card, known + least, known + most, SURE if known else odds))
    return PlaceRow(place.kind, place.seat, size(place.known) + place.hidden, tuple(cells))


class _Counting:
    """Counts the ways to put groups of different cards at places."""

    def __init__(self, groups: Sequence[Alike]) -> None:
        self.groups, self.steps = groups, 0
        self.ends: dict[tuple[int, Room], int] = {}
        # how many cards of the groups after each one fit at each place
        places = range(len(groups[0].places)) if groups else ()
        self.later = [
            [sum(each.size for each in groups[g + 1 :] if each.places[i]) for i in places]
            for g in range(len(groups))
        ]

    def shares(self, room: Room) -> tuple[int, list[list[Counter[int]]]]:
        """The number of all ways; and for each group and each place, in how many of them the place
        has so many of its cards. Raises ``TooMany``.
        """
        every = self._ways(0, room)
        shares = [[Counter[int]() for _ in room] for _ in self.groups]
        before = {room: 1}
        for g, group in enumerate(self.groups):
            after = Counter[Room]()
            places = [place for place, fits in enumerate(group.places) if fits]
            for left, ways in before.items():
                for rest, orders in self._splits(g, left):
                    if ends := self._ways(g + 1, rest):
                        after[rest] += ways * orders
                        for place in places:
                            shares[g][place][left[place] - rest[place]] += ways * orders * ends
            before = dict(after)
        return every, shares

    def _ways(self, g: int, room: Room) -> int:
        """The ways to put all groups from ``g`` on, so that every place is full."""
        if g == len(self.groups):
            return int(not any(room))
        ways = self.ends.get((g, room))
        if ways is None:
            if g + 1 == len(self.groups):  # every place takes what it still needs
                fits = self.groups[g].places
                ways = 0 if any(compress(room, map(not_, fits))) else _orders(room)
            else:
                ways = sum(n * self._ways(g + 1, rest) for rest, n in self._splits(g, room))
            self.ends[g, room] = ways
        return ways

    def _splits(self, g: int, room: Room) -> list[tuple[Room, int]]:
        """What each place still takes after all cards of group ``g`` have been put, and in how many
        orders they can be put so. No place takes more then than there are cards for it.

        A list that grows place by place: there are tens of thousands of ways in one review.
        """
        group = self.groups[g]
        bounds = [
            (max(0, have - later), have if fits else 0)
            for have, later, fits in zip(room, self.later[g], group.places, strict=True)
        ]
        least = sum(low for low, _high in bounds)
        most = sum(high for _low, high in bounds)
        begun: list[tuple[Room, int, int]] = [((), group.size, 1)]  # with the cards that are left
        for have, (low, high) in zip(room, bounds, strict=True):
            least -= low
            most -= high
            if high:
                begun = [
                    ((*rest, have - more), left - more, orders * comb(left, more))
                    for rest, left, orders in begun
                    for more in range(max(low, left - most), min(high, left - least) + 1)
                ]
            elif low:
                return []
            else:
                begun = [((*rest, have), left, orders) for rest, left, orders in begun]
            if self.steps + len(begun) > STEPS:
                raise TooMany
        self.steps += len(begun)
        return [(rest, orders) for rest, left, orders in begun if not left]


def _orders(split: Room) -> int:
    """In how many ways different cards can be divided so."""
    return factorial(sum(split)) // prod(map(factorial, split))
