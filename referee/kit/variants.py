"""The tables by which a game file is examined: numbers of seats, choices of house rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from referee.core.game import Table, clash
from referee.core.generic import P
from referee.kit.game import KitGame
from referee.kit.scored import Q
from referee.kit.table import R
from referee.kit.text.faults import Wrong


def counts(game: KitGame) -> list[int]:
    """The numbers of seats that are examined: up to eight, and the highest."""
    few = [n for n in game.SEATS if n <= 8]
    return few if game.SEATS[-1] in few else [*few, game.SEATS[-1]]


def few_and_many(game: KitGame, most: int) -> tuple[int, int]:
    """The fewest seats, and the most up to ``most``, of the tables that are played at random."""
    return counts(game)[0], max(n for n in (game.SEATS[0], *game.SEATS) if n <= most)


def working(game: KitGame[Q, P, R], looked_at: Iterable[Table]) -> Iterator[tuple[Table, R]]:
    """The tables for which the file makes a game, with their rules: what is wrong with the others
    has its own line.
    """
    for one in looked_at:
        try:
            rules = game.rules(one)
        except Wrong:
            continue
        yield one, rules


def tables(game: KitGame) -> Iterator[Table]:
    """A table for each number of seats, with the default rules and with each choice alone."""
    for plain in map(game.plain_table, counts(game)):
        yield plain
        for name, value in _few_choices(game):
            yield replace(plain, chosen={name: value})


def pairs(game: KitGame) -> Iterator[Table]:
    """A table for each number of seats and each two choices that do not exclude each other."""
    for plain in map(game.plain_table, counts(game)):
        for one, other in combinations(_few_choices(game), 2):
            chosen = dict((one, other))
            if len(chosen) == 2 and not clash(chosen, game.OPTIONS):
                yield replace(plain, chosen=chosen)


def _few_choices(game: KitGame) -> list[tuple[str, str]]:
    """The choices that are examined: the first three besides the default, and the last."""
    return [
        (name, value)
        for name, option in game.OPTIONS.items()
        for value in dict.fromkeys((*option.values[1:4], *option.values[-1:]))
        if value != option.default
    ]
