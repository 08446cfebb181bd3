"""``situation`` of Trumps: what is described is judged card by card, and a fault is named."""

from __future__ import annotations

from impossible import refused

from referee.games import trumps
from referee.games.simulation import table

AB, ABC = table(trumps, ("A", "B")), table(trumps, ("A", "B", "C"))


def test_a_seat_that_has_not_played_is_skipped() -> None:
    plays = [trumps.Lay("A", (6,)), trumps.Lay("C", (2, 2))]
    assert trumps.situation(ABC, plays).ranking == ("C", "A", "B")


def test_what_can_not_be_names_its_field_and_its_clause() -> None:
    plays = [trumps.Lay("A", (6,)), trumps.Lay("B", (6, 6))]
    refused("B", "play.2", lambda: trumps.situation(AB, plays))
    refused("A", "cover.3", lambda: trumps.situation(AB, [trumps.Cover("A", 3)]))
