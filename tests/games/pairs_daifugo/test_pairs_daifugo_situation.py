"""``situation`` of ペアーズ大富豪: what is described is judged, and a fault is named."""

from __future__ import annotations

from impossible import refused

from referee.games import pairs_daifugo
from referee.games.simulation import table

ABC = table(pairs_daifugo, ("A", "B", "C"))


def test_who_plays_on_four_of_a_kind_in_a_revolution() -> None:
    lies = pairs_daifugo.situation(ABC, [6] * 4, revolution=True, passed=True)
    assert (lies.due, lies.reversed) == ("C", False)


def test_what_can_not_be_names_its_field_and_its_clause() -> None:
    refused("lies", "cards.1", lambda: pairs_daifugo.situation(ABC, [7, 8]))
    refused("passed", "lead.1", lambda: pairs_daifugo.situation(ABC, [], passed=True))
