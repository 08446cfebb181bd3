"""Base Pairs as a file agrees with the game that is written by hand, verdict by verdict."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from referee.core.game import COMMON_OPTIONS, Table
from referee.core.log import Log
from referee.core.verdict import Illegal, word_of
from referee.games import pairs
from referee.games.pairs.player import entries
from referee.kit.families.draw_or_stop import plays
from referee.kit.load import load

FILE = Path(__file__).parent / "pairs_deck.toml"
KIT = load(FILE.read_bytes())
NAMED_OTHERWISE = {
    "round.1": "starter.1",
    "pair.1": "effect.pair",
    "fold.1": "effect.fold",
}
"""Clauses of legal entries by hand → those of the file."""


def as_file(play: pairs.Play) -> plays.Play:
    """The entry of the file for one of the hand-written game."""
    match play:
        case pairs.Deal():
            return plays.Deal()
        case pairs.Reveal(seat, rank):
            return plays.Reveal(seat, str(rank))
        case pairs.Hit(seat, rank):
            return plays.Hit(seat, str(rank))
        case pairs.Fold(seat, rank):
            return plays.Fold(seat, None if rank is None else str(rank))
        case pairs.Shuffle():
            return plays.Shuffle()
        case pairs.Starter(named):
            return plays.Starter(named)


def slips(state: pairs.State) -> Iterator[pairs.Play]:
    """Entries of every kind, by everybody, most of them out of place."""
    yield from (pairs.Deal(), pairs.Shuffle())
    for seat in state.table.seats:
        yield from (pairs.Fold(seat), pairs.Fold(seat, 3), pairs.Fold(seat, 11))
        yield from (pairs.Reveal(seat, 2), pairs.Reveal(seat, 12), pairs.Hit(seat, 10))
        yield from (pairs.Hit(seat, 11), pairs.Hit(seat, 1), pairs.Starter(seat))


def agree(hand: pairs.State, file: object, play: pairs.Play) -> None:
    by_hand, by_file = pairs.judge(hand, play), KIT.judge(file, as_file(play))
    assert word_of(by_hand) == word_of(by_file), (play, by_hand, by_file)
    clause = by_hand.clause
    if not isinstance(by_hand, Illegal):
        clause = NAMED_OTHERWISE.get(clause, clause)
    assert clause == by_file.clause, (play, by_hand, by_file)


def compared(seed: int) -> None:
    """Play one match by hand and by the file; after each entry try one that may be wrong."""
    rng = Random(seed)
    seats = tuple("ABCDEFGH"[: rng.randint(2, 8)])
    chosen = {"limit": rng.choice(("", "printed"))}
    table = Table(seats, chosen, {**COMMON_OPTIONS, **pairs.OPTIONS})
    log = Log(pairs, table)
    file = KIT.setup(Table(seats, chosen, {**COMMON_OPTIONS, **KIT.OPTIONS}))
    for entry in entries(log, rng, 0, 0):
        agree(log.state, file, rng.choice(list(slips(log.state))))
        agree(log.state, file, entry)
        assert log.game.to_act(log.state) == KIT.to_act(file)
        log.push(entry)
        file = KIT.apply(file, as_file(entry))
        assert KIT.score(file).totals == pairs.score(log.state).totals
        assert (file.stock.left, file.stock.unseen) == (log.state.stock, log.state.unseen)
    ended, by_file = pairs.outcome(log.state), KIT.outcome(file)
    assert ended is not None
    assert by_file is not None
    assert (ended.winners, ended.losers) == (by_file.winners, by_file.losers)


@pytest.mark.parametrize("part", range(4))
def test_random_matches_agree(part: int) -> None:
    for seed in range(50 * part, 50 * part + 50):
        compared(seed)
