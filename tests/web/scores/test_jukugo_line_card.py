"""The result card of 熟語ライン: how the flags won."""

from __future__ import annotations

import pytest
from kept import card_and_picture, kept
from phones import Phone


@pytest.mark.parametrize(
    ("playthrough", "won"),
    [("breakthrough", "並んだフラッグ3・4・5を取った"), ("five-flags", "5本")],
)
def test_card_and_picture_carry_what_won(phone: Phone, playthrough: str, won: str) -> None:
    kept(phone, "jukugo_line", playthrough)
    for words in card_and_picture(phone):
        assert won in words
        assert "フラッグ" in words
