"""The steps of dealing that the table page shows."""

from __future__ import annotations

from dealt_how import steps


def test_the_cards_are_dealt_as_the_rules_say() -> None:
    assert steps("pairs_daifugo", 4) == [
        "全55枚を使う",
        "13枚ずつ配る",
        "余りはだれも見ない（3枚）",
        "うち6枚で3段のピラミッド、手札は7枚",
    ]
