"""Cards in a pyramid: one at the top, one more in each row, a card on two of the row below.

Places have letters from the top, left to right: ``a``, ``b c``, ``d e f``, … up to ``u``. Each row
lies *on* the row above it, so a card is free once both cards below it are gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from typing import TypeAlias

PLACES = "abcdefghijklmnopqrstu"
Pyramid: TypeAlias = Mapping[str, int | None]
"""Every occupied place, from the top, and the rank that lies there; None: face down."""


@cache
def rows(count: int) -> tuple[str, ...]:
    """The places of each row from the top, in a pyramid of ``count`` rows."""
    ends = [row * (row + 1) // 2 for row in range(count + 1)]
    return tuple(PLACES[a:b] for a, b in pairwise(ends))


POSITIONS: Mapping[str, tuple[int, int]] = {
    place: (number, card)
    for number, row in enumerate(rows(6), 1)
    for card, place in enumerate(row, 1)
}
"""Each place as people find it: the row from the top, and the card in it, both from 1."""


def built(count: int) -> Pyramid:
    """A whole pyramid of ``count`` rows, all face down."""
    return dict.fromkeys("".join(rows(count)))


COVERS: Mapping[str, str] = dict.fromkeys(PLACES, "") | {
    row[i]: low[i : i + 2] for row, low in pairwise(rows(6)) for i in range(len(row))
}
"""The two places whose cards lie on each place; none for the places of the sixth row."""


def covers(pyramid: Pyramid, place: str) -> tuple[str, ...]:
    """The places whose cards still lie on ``place``."""
    return tuple(lower for lower in COVERS[place] if lower in pyramid)


def without(pyramid: Pyramid, places: Iterable[str]) -> Pyramid:
    """``pyramid`` when the cards at ``places`` are gone."""
    gone = frozenset(places)
    return {place: rank for place, rank in pyramid.items() if place not in gone}


def uncovered(pyramid: Pyramid) -> tuple[str, ...]:
    """The face-down places on which no card lies, from the top."""
    free = pyramid.keys().isdisjoint
    return tuple([p for p, rank in pyramid.items() if rank is None and free(COVERS[p])])
