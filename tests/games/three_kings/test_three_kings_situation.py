"""``situation`` of Three Kings: what is described is judged card by card, and a fault is named."""

from __future__ import annotations

from impossible import refused

from referee.games import three_kings
from referee.games.simulation import table

AB = table(three_kings, ("A", "B"))


def test_the_seat_with_the_hand_is_to_act() -> None:
    seven = three_kings.situation(AB, ["5", "J"], ["6"], 1)
    assert three_kings.to_act(seven) == ("A",)


def test_what_can_not_be_names_its_field_and_its_clause() -> None:
    refused("tableau", "deck.2", lambda: three_kings.situation(AB, ["5"] * 4, ["5"], 1))
