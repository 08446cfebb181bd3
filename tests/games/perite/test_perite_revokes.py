"""When a revoke became provable, against every deal of a small deck by the rules as they read.

A number that shows in the trick may be repeated only by a seat that holds nothing but showing
numbers. So a repeat says what the hand holds. It is a revoke from the entry on after which no deal
fits all cards laid, this declaration and the earlier ones of the same player that still stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

import pytest

from referee.core.log import Log
from referee.core.verdict import Illegal, Unprovable
from referee.games import perite
from referee.games.simulation import table
from referee.insight.review import finished, review

SEATS = ("A", "B")
HAND = 4
REPEATS = 0.7
DECK = (1, 2, 2, 3, 3, 3, 4, 4, 4, 4)


class Said(NamedTuple):
    """``at``: number of the entry; ``laid``: cards of this seat laid before it."""

    seat: str
    at: int
    only: frozenset[int]
    laid: tuple[int, ...]


def hands(cards: Sequence[int]) -> set[tuple[int, ...]]:
    return set(combinations(sorted(cards), HAND))


def deals(laid: dict[str, tuple[int, ...]]) -> Iterator[dict[str, Counter[int]]]:
    """Every deal in which each seat has been dealt the cards that it has laid."""
    for first in hands(DECK):
        rest = Counter(DECK) - Counter(first)
        for second in hands(tuple(rest.elements())):
            deal = {"A": Counter(first), "B": Counter(second)}
            if all(Counter(cards) <= deal[seat] for seat, cards in laid.items()):
                yield deal


def true(said: Said, deal: dict[str, Counter[int]]) -> bool:
    """What the seat held when it said so is nothing else."""
    return set(deal[said.seat] - Counter(said.laid)) <= said.only


def convicted(laid: dict[str, tuple[int, ...]], declared: Sequence[Said]) -> set[int]:
    """The entries that are revokes by what was laid."""
    possible, found = list(deals(laid)), set[int]()
    for seat in SEATS:
        stand: list[Said] = []
        for said in (each for each in declared if each.seat == seat):
            if any(all(true(each, deal) for each in (*stand, said)) for deal in possible):
                stand.append(said)
            else:
                found.add(said.at)
    return found


def by_chance(seed: int) -> Log:
    """A deal in which a player lays anything that is not refused, most often a repeat."""
    rng, log = Random(seed), Log(perite, table(perite, SEATS, rounds="1"))
    while not perite.outcome(log.state):
        verdicts = [(play, perite.judge(log.state, play)) for play in perite.candidates(log.state)]
        plays = [play for play, verdict in verdicts if not isinstance(verdict, Illegal)]
        repeats = [play for play, verdict in verdicts if isinstance(verdict, Unprovable)]
        log.push(rng.choice(repeats if repeats and rng.random() < REPEATS else plays))
    return log


@pytest.mark.parametrize("part", range(4))
def test_each_revoke_is_provable_from_the_same_entry_on(part: int) -> None:
    told_of = proven_later = 0
    for seed in range(part * 150, part * 150 + 150):
        log = by_chance(seed)
        [deal] = finished(log)
        laid: dict[str, tuple[int, ...]] = {"A": (), "B": ()}
        declared: list[Said] = []
        since: dict[int, int] = {}
        for step in log.steps():
            if isinstance(step.play, perite.Lay):
                seat, rank = step.play.seat, step.play.rank
                showing = frozenset(step.before.state.showing) if step.before else frozenset()
                if rank in showing:
                    declared.append(Said(seat, step.seq, showing, laid[seat]))
                laid[seat] += (rank,)
            now = convicted(laid, declared)
            since = {at: since.get(at, step.seq) for at in now}
        found = {each.offence.seq: each.provable for each in review(log, deal).revokes}
        assert found == since, seed
        told_of += len(found)
        proven_later += sum(at < provable for at, provable in found.items())
    assert told_of > 15
    assert proven_later > 8
