"""Slips in Three Kings, each put right in four taps."""

from __future__ import annotations

from dataclasses import replace

from put_right import Opens, other_rank

from referee.games import three_kings as fishing


def test_a_wrong_table_card(opens: Opens) -> None:
    table = opens("three_kings", "AB")
    deal = table.truth[0]
    others = [c for c in fishing.NUMBERS if c not in deal.tableau]
    table.take([replace(deal, tableau=(others[0], *deal.tableau[1:])), *table.truth[1:3]])
    table.open(1)
    table.key("amend", deal)
    table.confirm()
    table.finish()


def test_a_discard_that_was_another_card(opens: Opens) -> None:
    table = opens("three_kings", "AB")
    at = next(i for i, e in enumerate(table.truth) if isinstance(e, fishing.Discard))
    table.take(table.truth[:at])
    wrong = other_rank(table, table.truth[at], fishing.NUMBERS)
    table.take([wrong])
    table.open(at + 1)
    table.key("amend", table.truth[at])
    table.confirm()
    table.finish()
