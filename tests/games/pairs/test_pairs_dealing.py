"""The steps of dealing that the table page shows."""

from __future__ import annotations

from dealt_how import steps

from referee.core.game import COMMON_OPTIONS, Table
from referee.games import pairs
from referee.games.pairs import Deal, Fold, Play, Reveal


def test_the_cards_are_dealt_as_the_rules_say() -> None:
    assert steps("pairs", 3) == [
        "全55枚を使う",
        "上から5枚を伏せたまま捨てる",
        "表向きに1枚ずつ配る（3枚）",
    ]


def test_five_cards_are_burned_in_the_first_round_until_it_is_over() -> None:
    """The table and its menu said to discard the cards in play: five cards too many were left."""
    state = pairs.setup(Table(("A", "B"), {}, {**COMMON_OPTIONS, **pairs.OPTIONS}))
    plays: list[Play] = [Deal(), Reveal("A", 4), Reveal("B", 7), Fold("A", 4)]
    said = []
    for play in plays:
        said.append([fact.fact for fact in pairs.dealing(state).steps][-2:])
        state = pairs.apply(state, play)
    assert said == [["deal_burn", "deal_one_each"]] * len(plays)
    assert [fact.fact for fact in pairs.dealing(state).steps] == [
        "deal_from_stock",
        "deal_one_each",
    ]
