"""What can be known of hidden cards in ペリテ, against every deal of a small deck."""

from __future__ import annotations

from typing import Any

import pytest
from dealt_again import Known, Places, compared

from referee.core.steps import Step
from referee.games import perite
from referee.games.simulation import played


def unseen(steps: list[Step]) -> tuple[list[Any], Places, Known]:
    cards = [n for n in range(1, 5) for _ in range(n)]
    hands = {"A": 4, "B": 4}
    for step in steps:
        if isinstance(step.play, perite.Lay):
            cards.remove(step.play.rank)
            hands[step.play.seat] -= 1
    places = {("hand", seat): count for seat, count in hands.items()}
    return cards, {**places, ("rest", None): len(cards) - sum(hands.values())}, {}


@pytest.mark.parametrize("seed", range(8))
def test_every_entry_of_a_deal_for_two(seed: int) -> None:
    log = played(perite, ("A", "B"), seed, lies=0.3 * (seed % 2), options={"rounds": "1"})
    assert compared(log, unseen) == len(log)
