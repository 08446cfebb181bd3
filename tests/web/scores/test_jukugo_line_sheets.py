"""Scores alone: the flags of 熟語ライン."""

from __future__ import annotations

from phones import Phone, text
from thumb import FOUR, new_table


def test_flags_of_jukugo_line_are_saved_once_they_decide(phone: Phone) -> None:
    thumb = new_table(phone, "jukugo_line", FOUR[:2])
    thumb.tap("k1", "k3", "knext", "k5")
    assert not thumb.savable()
    [taken] = thumb.page.find_all("a", id="k3")
    assert "off" in taken["class"]
    assert "end.3" in text(thumb.page, ".strip.refused")
    thumb.tap("kback", "kback")
    thumb.at("?sheet=1+3+2;5")
    thumb.save()
    assert phone.log()[-1] == 'table sheet あかね="1 3 2" 源五郎="5"'
