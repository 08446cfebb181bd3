"""``situation`` of ペリテ: what is described is judged card by card, and a fault is named."""

from __future__ import annotations

from impossible import refused

from referee.games import perite
from referee.games.simulation import table

ABC = table(perite, ("A", "B", "C"))


def test_a_pair_in_a_trick_is_out() -> None:
    trick = perite.situation(ABC, [4, 4])
    assert [(card.rank, card.out) for card in trick.trick] == [(4, True), (4, True)]
    assert perite.to_act(trick) == ("C",)


def test_what_can_not_be_names_its_field_and_its_clause() -> None:
    refused("cards", "deck.2", lambda: perite.situation(ABC, [2, 2, 2]))
    refused("cards", "deck.1", lambda: perite.situation(ABC, [7]))
