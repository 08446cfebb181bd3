"""How plays are read, and what beats what, against a second program that tries everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, pairwise, product

import pytest

from referee.core.game import COMMON_OPTIONS, Table
from referee.core.verdict import Legal
from referee.kit.families.shedding.game import SheddingGame
from referee.kit.families.shedding.plays import Deal, Lay
from referee.kit.load import load

RANKS = ("3", "4", "5", "6", "7")
FILE = """
kit = 1
family = "shedding"
key = "small"
title = { ja = "小さい", en = "small" }
seats.count = 2
deck = { ranks = ["3", "4", "5", "6", "7"], copies = 4, special.X = { copies = 2, en = "joker" } }
deal = { hand = 9, leader = "pick" }
order = { top = ["special"], wild = "special" }
combo.set = { same = "1..4" }
combo.run = { run = "3..4" }
combo.bomb = { same = 4, over = ["all"] }
effect.turn = { when = "combo is run", do = "reverse deal" }
score.place = { per = "deal", points = "finish" }
match = { deals = 1, winner = "most" }
"""
JOKER = 5  # how strong a joker alone is, whatever the order

Read = tuple[str, int, tuple[int, ...]]
"""A combination, its number of cards, and its ranks."""


def all_readings(cards: tuple[str, ...]) -> Iterator[Read]:
    """Every way to read cards, by trying each rank for each joker."""
    jokers = cards.count("X")
    if jokers == len(cards):
        yield "set", len(cards), (JOKER,) * len(cards)
        return
    fixed = [RANKS.index(card) for card in cards if card != "X"]
    for standing in product(range(5), repeat=jokers):
        ranks = tuple(sorted((*fixed, *standing)))
        if len({*ranks}) == 1:
            yield "set", len(ranks), ranks
            if len(ranks) == 4:
                yield "bomb", 4, ranks
        if len(ranks) >= 3 and all(b - a == 1 for a, b in pairwise(ranks)):
            yield "run", len(ranks), ranks


def strength(read: Read, turned: bool) -> int:
    high = max(read[2])
    if high == JOKER:
        return JOKER
    return 4 - min(read[2]) if turned else high


def beats(read: Read, top: Read | None, turned: bool) -> bool:
    if top is None:
        return True
    if read[0] == "bomb" and top[0] != "bomb":
        return True
    return read[:2] == top[:2] and strength(read, turned) > strength(top, turned)


def chosen(cards: tuple[str, ...], top: Read | None, turned: bool) -> Read | None:
    """The reading that counts if it is legal: bombs first, then sets, then runs, the strongest."""
    order = ("bomb", "set", "run")
    legal = [read for read in all_readings(cards) if beats(read, top, turned)]
    return min(legal, key=lambda r: (order.index(r[0]), -strength(r, turned)), default=None)


PLAYS = [
    cards
    for many in range(1, 5)
    for cards in combinations_with_replacement((*RANKS, "X"), many)
    if cards.count("X") <= 2
]


@pytest.fixture(scope="module")
def game() -> SheddingGame:
    made = load(FILE.encode())
    assert isinstance(made, SheddingGame)
    return made


def test_every_play_on_every_play_is_judged_as_the_witness_says(game: SheddingGame) -> None:
    table = Table(("A", "B"), {}, COMMON_OPTIONS)
    begun = game.apply(game.setup(table), Deal("A"))
    compared = 0
    for first in PLAYS:
        lead = chosen(first, None, turned=False)
        verdict = game.judge(begun, Lay("A", first))
        assert isinstance(verdict, Legal) == (lead is not None), first
        if lead is None:
            continue
        state = game.apply(begun, Lay("A", first))
        turned = lead[0] == "run"
        assert game.public(state)["turned"] == turned
        for second in PLAYS[:: 1 if len(first) < 3 else 3]:
            counts = Counter((*first, *second))
            if counts["X"] > 2 or max(counts.values()) > 4:
                continue
            found, play = chosen(second, lead, turned), Lay("B", second)
            legal = isinstance(game.judge(state, play), Legal)
            assert legal == (found is not None), (first, second)
            compared += 1
            if found is not None:
                top = game.apply(state, play).trick.top
                if top is None:
                    continue  # the hand is empty
                ranks = tuple(
                    sorted(RANKS.index(f.rank) if f.rank else JOKER for f in top.reading.faces)
                )
                assert (top.reading.combo.name, len(ranks), ranks) == found, (first, second)
    assert compared > 5000
