"""The bounds of sums against the numbers that they are in random matches of every game file."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from kit_files import OF_TRICKS

from referee.core.log import Log
from referee.games.simulation import table
from referee.kit.bounds import Bounds, SumBounds, comparisons
from referee.kit.families.trick_taking.player import entries
from referee.kit.game import KitGame
from referee.kit.load import load
from referee.kit.text.compiler import Compiler
from referee.kit.text.faults import FilePosition
from referee.kit.text.formula import FormulaText, Node
from referee.kit.text.parsing import parse
from referee.kit.text.scope import Number, Scope

SMALL = """kit = 1
family = "trick_taking"
key = "small"
title = { ja = "小", en = "small" }
seats = { count = 4, teams = "opposite" }
deck = { pack = "french32", worth = { A = 11, J = 2 } }
deal = { hand = "4 + deal" }
bid = { values = "1..hand" }
trump = { from = "fixed", suit = "S" }
play = { follow = ["suit led"] }
trick = { best = ["suit trump", "suit led"] }
values.eyes = "team(worth(all))"
score.made = { per = "deal", points = "tricks" }
match = { deals = 3, winner = "most" }
"""


def rules_and_reach(game: KitGame, seats: int) -> SumBounds:
    one = table(game, tuple("ABCDEFG"[:seats]))
    return SumBounds(game.rules(one), game.setup(one))


@pytest.mark.parametrize("file", OF_TRICKS, ids=lambda file: file.stem)
def test_every_sum_stays_within_its_bounds(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    met: dict[tuple[str, Node], set[int]] = {}
    compiled = Compiler._number

    def watched(compiler: Compiler, node: Node, text: FormulaText, where: str) -> Number:
        number = compiled(compiler, node, text, where)
        numbers = met.setdefault((text.path, node), set())

        def seen(scope: Scope) -> int:
            found = number(scope)
            numbers.add(int(found))
            return found

        return seen

    game = load(file.read_bytes())
    monkeypatch.setattr(Compiler, "_number", watched)
    game = load(file.read_bytes())
    seats = min(game.SEATS[-1], 6)
    log = Log(game, table(game, tuple("ABCDEF"[:seats]), final_tie="replay"))
    for entry in entries(log, Random(file.stem), 0, 0):
        log.push(entry)
        if len(log) > 1200:
            break
    monkeypatch.undo()
    reach = rules_and_reach(game, seats)
    compared = 0
    for (path, node), numbers in met.items():
        reach.look_at(path)
        low, high = reach.bounds(node)
        assert low <= min(numbers, default=low), (path, node, low)
        assert max(numbers, default=high) <= high, (path, node, high)
        compared += len(numbers)
    assert compared


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("tricks", 0, 8),
        ("team(tricks)", 0, 8),
        ("every(tricks)", 0, 8),
        ("eyes", 0, 52),
        ("taken(rank A) - taken(suit S)", -8, 4),
        ("bids", 0, 32),
        ("2*team(bid) + 1", 1, 33),
        ("most(tricks)*n", 0, 32),
        ("hand/2", 2, 4),
        ("every(if bid > 9 then 5 else worth(suit S))", 0, 13),
        ("every(if bid > 3 then worth(all) - 40 else 0)", -160, 12),
        ("every(if bid > 3 then (if bid > 5 then worth(all) else 0) - 40 else 0)", -160, 48),
        ("if tricks > 8 then 100 else 3", 3, 3),
        ("if tricks > 7 then 100 else 3", 3, 100),
        ("abs(tricks - 9)", 1, 9),
        ("min(tricks, 3, hand)", 0, 3),
        ("tricks < 9 and not bid > 8", 1, 1),
        ("tricks >= 9 or bid < 0", 0, 0),
        ("own(suit trump)", 0, 32),
        ("own(suit trump and rank A)", 0, 4),
    ],
)
def test_bounds_of_sums(text: str, low: int, high: int) -> None:
    reach = rules_and_reach(load(SMALL.encode()), 4)
    node = parse(text, FilePosition(1, 1), "score.made.when", "sum").node
    assert reach.bounds(node) == Bounds(low, high)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("tricks >= 0", True),
        ("tricks > 8", False),
        ("9 > tricks", True),
        ("tricks < 0", False),
        ("bid <= 8", True),
        ("tricks = 9", False),
        ("n = 4", True),
        ("turn = 0", False),
        ("tricks = 8", None),
        ("deal <= 3", None),
        ("total > 1000", None),
    ],
)
def test_a_comparison_that_comes_out_the_same_in_every_deal(text: str, holds: bool | None) -> None:
    reach = rules_and_reach(load(SMALL.encode()), 4)
    formula = parse(text, FilePosition(3, 5), "score.made.when", "sum")
    [(place, decided)] = comparisons(reach, formula)
    assert place.line == 3
    assert (decided and decided.holds) == holds
