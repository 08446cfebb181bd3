"""Scores alone: ペアーズ大富豪 and Pairs."""

from __future__ import annotations

from phones import Phone
from thumb import new_table


def test_naming_the_seat_that_went_out_first_takes_two_taps(phone: Phone) -> None:
    thumb = new_table(phone, "pairs_daifugo")
    thumb.tap("p-winner-2")
    thumb.save()
    assert thumb.taps <= 4
    assert phone.log() == ["table sheet leader=あかね winner=みどり子"]


def test_a_round_of_pairs(phone: Phone) -> None:
    thumb = new_table(phone, "pairs")
    thumb.tap("p--1", "k8")
    thumb.save()
    assert phone.log() == ['table sheet あかね="" 源五郎="8" みどり子="" "B B"=""']
