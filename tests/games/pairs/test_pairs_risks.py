"""The risk of each hit, and what it would have cost to fold, counted by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.core.log import Log
from referee.core.record import Grammar
from referee.games import pairs
from referee.games.simulation import table
from referee.insight.review import Review
from referee.insight.risks import boldest, luckiest, risks


def test_two_hits_of_a_round() -> None:
    """55 cards. A has 10, B 9: of the 53 others nine are tens and eight are nines."""
    log = Log(pairs, table(pairs, "AB"))
    lines = ("table deal", "A reveal 10", "B reveal 9", "B hit 7", "A hit 10")
    for line in lines:
        log.push(Grammar(pairs, ("A", "B")).parse(line))
    first, second = risks(Review(log, 1, len(log)))
    assert (first.read.seq, first.odds, first.bad) == (4, Fraction(8, 53), False)
    assert first.drawing == pytest.approx(9 * 8 / 53)
    assert first.leaving == 9  # the lowest card of the table
    assert (second.read.seq, second.odds, second.bad) == (5, Fraction(9, 52), True)
    assert second.drawing == pytest.approx(10 * 9 / 52)
    assert second.leaving == 7
    assert boldest([first, second]) is second
    assert luckiest([first, second]) is first
    assert luckiest([second]) is None
