"""Scores alone: the piles of Trumps."""

from __future__ import annotations

from phones import Phone
from thumb import FOUR, new_table


def test_a_pile_of_trumps_is_set_column_by_column(phone: Phone) -> None:
    thumb = new_table(phone, "trumps", FOUR[:3])
    thumb.tap("k9x5", "k8x3", "k8x2", "k7x1", "k7x1", "knext", "k10x6", "knext")
    assert not thumb.savable()
    tops = thumb.page.select(".stairs .r9 s")
    assert len(tops) == 5  # the cards of others
    thumb.tap("k6x2")
    thumb.save()
    assert phone.log() == ['table sheet あかね="8*2 9*5" 源五郎="10*6" みどり子="6*2"']


def test_the_same_piles_in_another_order_are_no_correction(phone: Phone) -> None:
    thumb = new_table(phone, "trumps", FOUR[:3])
    phone.lays('table sheet あかね="9*5 8*2" 源五郎="10*6" みどり子="6*2"')
    thumb.at("?instead=1&at=0&edit=1")
    assert not thumb.savable()
    thumb.tap("k8x3")
    assert thumb.savable()
    assert not thumb.page.select(".over")  # the end of the match has no place beside the pad
