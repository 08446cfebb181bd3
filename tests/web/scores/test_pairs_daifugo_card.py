"""What becomes known of a result of ペアーズ大富豪."""

from __future__ import annotations

from kept import began, card_and_picture, kept
from phones import Phone


def test_the_card_counts_wins(phone: Phone) -> None:
    kept(phone, "pairs_daifugo", "two-players")
    for words in card_and_picture(phone):
        assert "勝ち数" in words


def test_a_sheet_says_who_began(phone: Phone) -> None:
    kept(phone, "pairs_daifugo", "entered-by-sheet")
    assert began(phone) == ["A"]
