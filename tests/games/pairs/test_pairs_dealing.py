"""The steps of dealing that the table page shows."""

from __future__ import annotations

from dealt_how import steps


def test_the_cards_are_dealt_as_the_rules_say() -> None:
    assert steps("pairs", 3) == [
        "全55枚を使う",
        "上から5枚を伏せたまま捨てる",
        "表向きに1枚ずつ配る（3枚）",
    ]
