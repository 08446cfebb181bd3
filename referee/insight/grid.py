"""Who can hold what: a row for each place with hidden cards, a cell for each kind of card."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import NamedTuple

from referee.core.cards import Bag, copies_in, size
from referee.core.hidden import NEVER, SURE, HiddenPlace, Knowledge, Placement
from referee.core.verdict import Card, Seat


class Cell(NamedTuple):
    """How many copies of ``card`` can be at a place: ``least`` to ``most``.

    ``odds``: the probability of at least one.
    """

    card: Card
    least: int
    most: int
    odds: Fraction

    @property
    def word(self) -> str:
        """``certain``, ``possible`` or ``impossible``."""
        if self.odds == SURE:
            return "certain"
        return "possible" if self.odds else "impossible"


class PlaceRow(NamedTuple):
    """A place as in ``core.hidden.HiddenPlace``; ``cards``: how many, known ones included."""

    kind: str
    seat: Seat | None
    cards: int
    cells: tuple[Cell, ...]


class Grid(NamedTuple):
    """The rows; ``ways``: the number of possible distributions, all copies being distinct."""

    ways: int
    rows: tuple[PlaceRow, ...]


def grid(knowledge: Knowledge) -> Grid:
    """What everybody can know of every place, by counting; no rows if the facts are impossible."""
    placements = knowledge.placements
    if not placements:
        return Grid(0, ())
    every = sum((placement.weight for placement in placements), NEVER)
    names = dict.fromkeys((p.kind, p.seat) for each in placements for p in each.places)
    if len(placements) == 1:
        rows = tuple(_sure_row(knowledge, placements[0], p) for p in placements[0].places)
        return Grid(placements[0].ways(), rows)
    rows = tuple(_row(knowledge, every, *name) for name in names)
    return Grid(sum(placement.ways() for placement in placements), rows)


def _sure_row(knowledge: Knowledge, placement: Placement, place: HiddenPlace) -> PlaceRow:
    """A row if the facts have one interpretation; kinds with equal counts are computed once."""
    deck, counted = knowledge.deck, dict[tuple[int, int], tuple[int, int, Fraction]]()
    cells = []
    known_counts, unseen_counts = deck.counts(place.known), deck.counts(placement.unseen)
    every = size(placement.unseen)
    for card, known, unseen in zip(deck.cards, known_counts, unseen_counts, strict=True):
        if (known, unseen) not in counted:
            counted[known, unseen] = _counted(known, unseen, every, place.hidden)
        cells.append(Cell(card, *counted[known, unseen]))
    return PlaceRow(place.kind, place.seat, size(place.known) + place.hidden, tuple(cells))


def _row(knowledge: Knowledge, every: Fraction, kind: str, seat: Seat | None) -> PlaceRow:
    """A row if the facts have several interpretations."""
    deck = knowledge.deck
    places = [
        (next((p for p in each.places if (p.kind, p.seat) == (kind, seat)), None), each)
        for each in knowledge.placements
    ]
    there = [
        (place or HiddenPlace(kind, seat, 0, 0), each.unseen, each.weight / every)
        for place, each in places
    ]
    cells = [_cell(card, deck.one[card], there) for card in deck.cards]
    most = max(size(place.known) + place.hidden for place, _, _ in there)
    return PlaceRow(kind, seat, most, tuple(cells))


def _cell(card: Card, one: Bag, there: list[tuple[HiddenPlace, Bag, Fraction]]) -> Cell:
    counted = [
        (
            _counted(copies_in(p.known, one), copies_in(unseen, one), size(unseen), p.hidden),
            share,
        )
        for p, unseen, share in there
    ]
    least = min(found[0] for found, _ in counted)
    most = max(found[1] for found, _ in counted)
    return Cell(card, least, most, sum((found[2] * share for found, share in counted), NEVER))


def _counted(known: int, unseen: int, every: int, hidden: int) -> tuple[int, int, Fraction]:
    """Least and most copies of a kind among ``hidden`` of ``every`` cards, and the odds of one."""
    least = known + max(0, hidden - (every - unseen))
    most = known + min(hidden, unseen)
    if least:
        return least, most, SURE
    if not most:
        return 0, 0, NEVER
    return least, most, 1 - Fraction(comb(every - unseen, hidden), comb(every, hidden))
