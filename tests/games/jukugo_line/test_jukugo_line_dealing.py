"""The steps of dealing that the table page shows."""

from __future__ import annotations

from dealt_how import steps


def test_the_cards_are_dealt_as_the_rules_say() -> None:
    assert steps("jukugo_line", 2) == [
        "フラッグを9本並べる",
        "ジョーカーを1枚ずつ持つ",
        "4枚ずつ配る",
        "残りは山札（44枚）",
    ]


def test_jokers_that_are_shuffled_in() -> None:
    assert steps("jukugo_line", 2, joker_deal="shuffled")[1:3] == [
        "ジョーカーも一緒に切る",
        "5枚ずつ配る",
    ]
