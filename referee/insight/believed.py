"""Who can hold what if everybody has declared the truth, for example followed suit.

Only for hands that nobody adds cards to: a declaration about such a hand is about all that is left
of it. Cards that the same places can hold are counted together, so no distribution is listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, factorial, prod
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

    def shares(self, room: Room) -> tuple[int, list[list[Counter[int]]]]:
        """The number of all ways; and for each group and each place, in how many of them the place
        has so many of its cards. Raises ``TooMany``.
        """
        every = self._ways(0, room)
        shares = [[Counter[int]() for _ in room] for _ in self.groups]
        before = {room: 1}
        for g, group in enumerate(self.groups):
            after = Counter[Room]()
            for left, ways in before.items():
                for split in self._splits(group, left):
                    rest = tuple(have - more for have, more in zip(left, split, strict=True))
                    each = ways * _orders(split)
                    after[rest] += each
                    for place, count in enumerate(split):
                        shares[g][place][count] += each * self._ways(g + 1, rest)
            before = dict(after)
        return every, shares

    def _ways(self, g: int, room: Room) -> int:
        """The ways to put all groups from ``g`` on, so that every place is full."""
        if g == len(self.groups):
            return int(not any(room))
        if (g, room) not in self.ends:
            self.ends[g, room] = sum(
                _orders(split)
                * self._ways(g + 1, tuple(a - b for a, b in zip(room, split, strict=True)))
                for split in self._splits(self.groups[g], room)
            )
        return self.ends[g, room]

    def _splits(self, group: Alike, room: Room) -> Iterator[Room]:
        """The numbers of cards of ``group`` at each place."""
        most = [have if fits else 0 for have, fits in zip(room, group.places, strict=True)]
        for split in _shared(group.size, most):
            self.steps += 1
            if self.steps > STEPS:
                raise TooMany
            yield split


def _shared(count: int, most: Sequence[int]) -> Iterator[Room]:
    """All ways to divide ``count`` into parts up to ``most``."""
    if not most:
        if not count:
            yield ()
        return
    others = sum(most[1:])
    for first in range(max(0, count - others), min(count, most[0]) + 1):
        for rest in _shared(count - first, most[1:]):
            yield (first, *rest)


def _orders(split: Room) -> int:
    """In how many ways different cards can be divided so."""
    return factorial(sum(split)) // prod(map(factorial, split))
