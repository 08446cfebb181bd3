"""Enumerates every distribution of unseen cards, for small numbers of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from referee.core.log import Log
from referee.core.steps import Step, steps
from referee.insight.grid import grid

FEW = 4_000  # ways that are gone through


def lying(cards: Sequence[Any], sizes: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The numbers of the ``cards`` at each place; equal cards are distinguished."""

    def spread(left: tuple[int, ...], places: Sequence[int]) -> Iterator[tuple[Any, ...]]:
        if not places:
            yield ()
            return
        for some in combinations(left, places[0]):
            rest = tuple(i for i in left if i not in some)
            for others in spread(rest, places[1:]):
                yield (some, *others)

    yield from spread(tuple(range(len(cards))), sizes)


Places = Mapping[tuple[str, str | None], int]
Known = Mapping[tuple[str, str | None], Sequence[Any]]


def compared(log: Log, unseen: Callable[[list[Step]], tuple[list[Any], Places, Known]]) -> int:
    """Compare grids with all distributions; returns for how many entries these were few enough.

    ``unseen``: the unseen cards after the plays so far, how many are at each place, and what
    everybody knows there.
    """
    played, found = list(reversed(list(steps(log.now.step)))), 0
    for count in range(1, len(played) + 1):
        knowledge = log.game.HOOKS.knowledge(played[count - 1].state)
        assert knowledge is not None
        seen = grid(knowledge)
        if seen.ways > FEW:
            continue
        cards, places, known = unseen(played[:count])
        ways = list(lying(cards, list(places.values())))
        assert len(ways) == seen.ways
        found += 1
        rows = {(row.kind, row.seat): row for row in seen.rows}
        for i, place in enumerate(places):
            if not places[place] and place not in rows:
                continue
            for cell in rows[place].cells:
                sure = known.get(place, ()).count(cell.card)
                copies = Counter(sum(cards[j] == cell.card for j in way[i]) + sure for way in ways)
                assert (cell.least, cell.most) == (min(copies), max(copies))
                assert cell.odds == 1 - Fraction(copies[0], len(ways))
    return found
