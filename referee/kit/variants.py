"""The tables by which a game file is examined: numbers of seats, choices of house rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from referee.core.game import COMMON_OPTIONS, Table, clash
from referee.kit.game import KitGame, seat_names


def counts(game: KitGame) -> list[int]:
    """The numbers of seats that are examined: up to eight, and the highest."""
    few = [n for n in game.SEATS if n <= 8]
    return few if game.SEATS[-1] in few else [*few, game.SEATS[-1]]


def tables(game: KitGame) -> Iterator[Table]:
    """A table for each number of seats, with the default rules and with each choice alone."""
    known = {**COMMON_OPTIONS, **game.OPTIONS}
    for n in counts(game):
        yield Table(seat_names(n), {}, known)
        for name, value in _few_choices(game):
            yield Table(seat_names(n), {name: value}, known)


def pairs(game: KitGame) -> Iterator[Table]:
    """A table for each number of seats and each two choices that do not exclude each other."""
    known = {**COMMON_OPTIONS, **game.OPTIONS}
    for n in counts(game):
        for one, other in combinations(_few_choices(game), 2):
            chosen = dict((one, other))
            if len(chosen) == 2 and not clash(chosen, game.OPTIONS):
                yield Table(seat_names(n), chosen, known)


def _few_choices(game: KitGame) -> list[tuple[str, str]]:
    """The choices that are examined: the first three besides the default, and the last."""
    return [
        (name, value)
        for name, option in game.OPTIONS.items()
        for value in dict.fromkeys((*option.values[1:4], *option.values[-1:]))
        if value != option.default
    ]
