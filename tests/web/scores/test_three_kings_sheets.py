"""Scores alone: the sets of Three Kings."""

from __future__ import annotations

from phones import Phone
from thumb import FOUR, new_table


def test_a_set_of_three_kings_takes_two_taps(phone: Phone) -> None:
    thumb = new_table(phone, "three_kings", FOUR[:2])
    thumb.tap("k4+", "k4+8=Q", "kA+", "kA+5=6", "knext", "knext", "p-declarer-1")
    points = [n.get_text() for n in thumb.page.select(".entry .n")]
    assert points == ["36", "15"]
    thumb.save()
    [line] = phone.log()
    assert line.endswith('あかね="4+8=Q A+5=6" 源五郎="" declarer=源五郎')
