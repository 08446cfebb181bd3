"""Slips in Trumps, each put right in four taps."""

from __future__ import annotations

from dataclasses import replace

from put_right import Opens


def test_two_seats_mixed_up(opens: Opens) -> None:
    table = opens("trumps", "ABC", seed=6)
    first, second = table.truth[1:3]
    table.take(table.truth[:1])
    swapped = [replace(first, seat=second.seat), replace(second, seat=first.seat)]
    table.take([*swapped, *table.truth[3:4]])
    table.open(2)
    table.key("amend", first)
    table.confirm()
    plays = table.stands()
    assert {p.seat: p.rank for p in plays[1:4]} == {p.seat: p.rank for p in table.truth[1:4]}
