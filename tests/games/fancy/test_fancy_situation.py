"""``situation`` of Fancy: what is described is judged card by card, and a fault is named."""

from __future__ import annotations

from impossible import refused

from referee.games import fancy
from referee.games.simulation import table

ABC = table(fancy, ("A", "B", "C"))


def test_a_trick_that_is_over_has_its_winner() -> None:
    over = fancy.situation(ABC, [5, 2, 4])
    assert over.last is not None
    assert over.last.winner == "B"


def test_what_can_not_be_names_its_field_and_its_clause() -> None:
    refused("cards", "turn.1", lambda: fancy.situation(ABC, [1, 2, 3, 4]))
