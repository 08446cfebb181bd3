"""The steps of dealing that the table page shows."""

from __future__ import annotations

from dealt_how import steps


def test_the_cards_are_dealt_as_the_rules_say() -> None:
    assert steps("fancy", 4) == [
        "全55枚を使う",
        "8枚ずつ配る",
        "余りはだれも見ない（23枚）",
    ]
