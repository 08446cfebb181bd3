"""The steps of dealing that the table page shows."""

from __future__ import annotations

from dealt_how import steps


def test_the_cards_are_dealt_as_the_rules_say() -> None:
    assert steps("trumps", 2) == [
        "10を抜く（残り45枚）",
        "7枚ずつ配る",
        "だれも見ずに脇へ（4枚）",
        "残りは山札（27枚）",
    ]
