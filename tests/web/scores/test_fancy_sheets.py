"""Scores alone: the tricks of Fancy."""

from __future__ import annotations

from phones import Phone
from thumb import FOUR, new_table


def test_tricks_of_fancy_need_only_numbers(phone: Phone) -> None:
    thumb = new_table(phone, "fancy", FOUR[:3])
    tricks = [("5", "6", "7"), ("5", "6", "7"), ("5", "6", "8"), ("5", "8", "9")]
    tricks += [("10", "9", "8"), ("10", "9", "8"), ("10", "9", "7"), ("10", "9", "7")]
    for trick in tricks:
        thumb.tap(*(f"k{rank}" for rank in trick))
    thumb.save()
    [line] = phone.log()
    assert line.startswith('table sheet leader=あかね trick="あかね5 源五郎6 みどり子7"')
    # the third card of the fifth trick was the lowest
    assert 'trick="みどり子10 あかね9 源五郎8"' in line
