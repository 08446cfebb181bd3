"""The steps of dealing that the table page shows."""

from __future__ import annotations

from dealt_how import steps


def test_the_cards_are_dealt_as_the_rules_say() -> None:
    assert steps("perite", 4) == [
        "9・10を抜く（残り36枚）",
        "8枚ずつ配る",
        "余りはだれも見ない（4枚）",
    ]


def test_one_pack_serves_five_and_more_need_made_cards() -> None:
    assert steps("perite", 5)[0] == "全55枚を使う"
    assert steps("perite", 7)[0] == "11から14のカードを自作して足す（計105枚）"
