"""Slips in ペアーズ大富豪, each put right in four taps."""

from __future__ import annotations

from dataclasses import replace

from put_right import Opens

from referee.games import pairs_daifugo as climbing


def test_a_wrong_card_of_a_pyramid(opens: Opens) -> None:
    table = opens("pairs_daifugo", "ABC")
    at = next(i for i, e in enumerate(table.truth) if isinstance(e, climbing.Row))
    row = table.truth[at]
    table.take(table.truth[:at])
    wrong = (row.ranks[0] % 10 + 1, *row.ranks[1:])
    table.take([replace(row, ranks=wrong), *table.truth[at + 1 : at + 5]])
    table.open(at + 1)
    table.key("amend", row)
    table.confirm()
    table.finish()


def test_a_wrong_card_turned_up(opens: Opens) -> None:
    table = opens("pairs_daifugo", "ABC")
    at = next(i for i, e in enumerate(table.truth) if isinstance(e, climbing.Turn))
    turn = table.truth[at]
    table.take(table.truth[:at])
    table.take([replace(turn, rank=9 if turn.rank != 9 else 10), *table.truth[at + 1 : at + 3]])
    table.open(at + 1)
    table.key("amend", turn)
    table.confirm()
    table.finish()
