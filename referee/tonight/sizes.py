"""How many people sit at each table of a round."""

from __future__ import annotations

from collections.abc import Sequence

from referee.tonight.call import Limits

Cost = tuple[int, int]
"""Distance from the preferred sizes, and minus the number of tables in use."""


def sizes(tables: Sequence[Limits], held: Sequence[int], present: int) -> tuple[int, ...] | None:
    """The best list for ``present`` people, ``held`` of whom must sit at each table.

    Fewest left over, then nearest to the preferred sizes, then the most tables, then the largest
    list; None if there is none.
    """
    options = [_options(table, least) for table, least in zip(tables, held, strict=True)]
    costs = _costs(tables, options, present)
    left = next((total for total in range(present, -1, -1) if total in costs[0]), None)
    if left is None:
        return None
    found = []
    for at, table in enumerate(tables):
        size = next(
            size
            for size in options[at]
            if (rest := costs[at + 1].get(left - size)) is not None
            and _with(rest, table, size) == costs[at][left]
        )
        found.append(size)
        left -= size
    return tuple(found)


def _options(table: Limits, held: int) -> list[int]:
    """The sizes that a table can have, the largest first."""
    used = list(range(table.most, max(table.least, held) - 1, -1))
    return used if held else [*used, 0]


def _costs(
    tables: Sequence[Limits], options: Sequence[list[int]], present: int
) -> list[dict[int, Cost]]:
    """For each table: what it and those behind it cost at the least, by how many sit there."""
    costs: list[dict[int, Cost]] = [{0: (0, 0)}]
    for table, choices in zip(reversed(tables), reversed(options), strict=True):
        best: dict[int, Cost] = {}
        for behind, rest in costs[0].items():
            for size in choices:
                if (total := behind + size) <= present:
                    cost = _with(rest, table, size)
                    best[total] = min(best.get(total, cost), cost)
        costs.insert(0, best)
    return costs


def _with(rest: Cost, table: Limits, size: int) -> Cost:
    """``rest`` and one table of ``size`` more."""
    return (rest[0] + (size - table.prefer) ** 2, rest[1] - 1) if size else rest
