"""Laws of dealing that hold for all games and numbers of players."""

from __future__ import annotations

import pytest
from chosen_games import having
from dealt_how import dealing

from referee.games import GAMES

APART = ("deal_left_over", "deal_aside", "deal_stock", "deal_face_up", "deal_burn")


@pytest.mark.parametrize("name", having("dealing"))
def test_no_card_is_dealt_that_is_not_there(name: str) -> None:
    game = GAMES[name]
    for seats in (n for n in game.SEATS if n <= 12):
        facts = {fact.fact: fact.values for fact in dealing(name, seats, {})}
        deck = next((values["left"] for values in facts.values() if "left" in values), None)
        if deck is None:  # flags and jokers: its own test counts
            continue
        held = seats * int(str(facts["deal_each"]["count"])) if "deal_each" in facts else seats
        apart = sum(int(str(facts[fact]["count"])) for fact in APART if fact in facts)
        whole = {"deal_stock", "deal_left_over"} & set(facts)
        assert held + apart == deck if whole else held + apart <= int(str(deck)), (name, seats)
