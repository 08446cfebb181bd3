"""A deal so small that the chance of the winner is known without counting."""

from __future__ import annotations

from referee.core.log import Log
from referee.core.record import Grammar
from referee.games.simulation import table
from referee.insight.chances import AGAIN, turning_point
from referee.insight.review import review
from referee.kit.load import load

# Three cards, one in each hand and one left over.
SMALL = """kit = 1
family = "trick_taking"
key = "small"
title = { ja = "小さい", en = "small" }
[seats]
count = 2
[deck]
suits.R = { ja = "赤", en = "red" }
ranks = "1..3"
[deal]
hand = 1
[play]
follow = ["suit led"]
[trick]
best = ["suit led"]
[score.made]
per = "deal"
points = "tricks"
[match]
deals = 1
winner = "most"
"""


def test_the_middle_card_is_beaten_by_one_of_the_two_others() -> None:
    """A leads the 2, so B holds the 1 or the 3: even odds. B plays the 3: that decided it."""
    game = load(SMALL.encode())
    log = Log(game, table(game, "AB"))
    for line in ("table deal leader=A", "A lay R2", "B lay R3"):
        log.push(Grammar(game, ("A", "B")).parse(line))
    found = turning_point(review(log, 1))
    assert found
    assert (found.read.seq, found.winners, found.match) == (3, ("B",), True)
    assert abs(found.before - 1 / 2) < 4 * (1 / 4 / AGAIN) ** 0.5
    assert found.after == 1
    assert found.tries == AGAIN
