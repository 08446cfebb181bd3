"""The steps of dealing that the table page shows."""

from __future__ import annotations

from dealt_how import steps


def test_the_cards_are_dealt_as_the_rules_say() -> None:
    assert steps("three_kings", 3) == [
        "A から Q を6枚ずつ、キングを7枚（79枚）",
        "4枚ずつ配る",
        "場に表向きで4枚並べる",
        "残りは山札（63枚）",
    ]


def test_two_players_use_one_pack() -> None:
    assert steps("three_kings", 2)[0] == "52枚にキング（ジョーカー）を1枚足す（53枚）"
    assert steps("three_kings", 2)[-1] == "残りは山札（41枚）"
