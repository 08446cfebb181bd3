"""The review of Pairs against a second opinion, for every entry of whole matches with shuffles."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from counted_again import Line, Lying, followed, numbers, reviewed, written

from referee.core.log import Log
from referee.core.record import Grammar, Header
from referee.games import pairs
from referee.games.simulation import played, table


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_whole_matches(seats: int, tmp_path: Path) -> None:
    names = tuple("ABCDEFGH")[:seats]
    rows: dict[str, Counter[str]] = {}
    kept: Counter[str] = Counter()

    def shuffled(lie_elsewhere: Counter[str]) -> Lying:
        lying = Lying((Counter(map(str, numbers(10))) - lie_elsewhere).elements())
        lying.hidden["aside", None] = 5
        lying.rest("stock")
        return lying

    def round_over(card: str) -> None:
        kept[card] += 1
        rows.clear()

    def follow(lying: Lying | None, line: Line) -> Lying:
        lying = lying or shuffled(Counter())
        match line.words:
            case ["table", "shuffle"]:
                lying = shuffled(sum(rows.values(), kept.copy()))
            case [seat, "reveal" | "hit" as how, card]:
                lying.turned(card, ("stock", None))
                row = rows.setdefault(seat, Counter())
                if how == "hit" and row[card]:
                    round_over(card)
                elif not row[card]:
                    row[card] += 1
            case [_, "fold", *card]:
                lie = set().union(*rows.values())
                round_over(card[0] if card else min(lie, key=int))
        return lying

    grids = shuffles = 0
    for seed in range(4):
        log = played(pairs, names, seed)
        shuffles += any(isinstance(entry, pairs.Shuffle) for entry in log.entries)
        lying: Lying | None = None
        rows.clear()
        kept.clear()
        for entries in reviewed(written(log, Header(pairs.NAME, names)), tmp_path):
            count, lying = followed(entries, follow, lying)
            grids += count
    assert grids > 100
    assert shuffles or seats == 8


def test_the_luck_of_each_hit() -> None:
    """Odds of a pair and pairs that came, for every card that was hit in a match."""
    log = played(pairs, ("A", "B", "C"), 3)
    left, rows, kept = Counter(numbers(10)), dict[str, set[int]](), Counter[int]()
    hits = 0
    for step in log.steps():
        play = step.play
        found = pairs.HOOKS.luck(step.before.state if step.before else log.start, play)
        assert (found is not None) == isinstance(play, pairs.Hit)
        match play:
            case pairs.Shuffle():
                lie = Counter(card for row in rows.values() for card in row)
                left = Counter(numbers(10)) - lie - kept
            case pairs.Reveal(seat, rank):
                left[rank] -= 1
                rows.setdefault(seat, set()).add(rank)
            case pairs.Fold(_, rank):
                kept[rank or min(set().union(*rows.values()))] += 1
                rows.clear()
            case pairs.Hit(seat, rank):
                row = rows.setdefault(seat, set())
                odds = Fraction(sum(left[card] for card in row), left.total())
                assert found == (odds, rank in row)
                hits += 1
                left[rank] -= 1
                if rank in row:
                    kept[rank] += 1
                    rows.clear()
                else:
                    row.add(rank)
    assert hits > 10


def test_after_a_round_by_its_sheet_nothing_is_counted_until_the_next_shuffle() -> None:
    """Nobody has said which cards the round used up: they may lie in the deck or not."""
    log = Log(pairs, table(pairs, ("A", "B")))
    grammar = Grammar(pairs, log.table.seats)
    log.push(grammar.parse('table sheet A="8" B=""'))
    rest = played(pairs, ("A", "B"), 1).entries
    shuffled = False
    for entry in (*rest[:4], grammar.parse("table shuffle"), *rest[4:]):
        log.push(entry)
        shuffled = shuffled or isinstance(entry, pairs.Shuffle)
        assert (pairs.HOOKS.knowledge(log.state) is not None) == shuffled
    assert shuffled
