"""Pairs with points that the table has adjusted: the first to reach the limit has lost."""

from __future__ import annotations

from table_talk import check, recorded

from referee.rulings.report import report

HEAD = "referee: 1\ngame: pairs\nseats: A B\n\n"  # 31 points lose


def test_an_adjustment_loses_no_match_before_the_round_is_over() -> None:
    check(
        HEAD
        + 'table sheet A="8" B="" # legal sheet.1\n'
        + 'table adjust A=23 because "so" # legal adjust.1\n'
        + "# score A 31, B 0\n# outcome open\n"
        + 'table sheet A="" B="3" # legal sheet.1\n'
        + "# outcome A loses lose.1\n"
        + 'table adjust A=-30 B=99 because "so" # legal adjust.1\n'
        + "# score A 1, B 102\n# outcome A loses lose.1\n"
    )


def test_points_taken_away_in_time_are_not_lost() -> None:
    check(
        HEAD
        + 'table adjust A=23 because "so" # legal adjust.1\n'
        + 'table adjust A=-5 because "so" # legal adjust.1\n'
        + 'table sheet A="8" B="" # legal sheet.1\n'
        + "# score A 26, B 0\n# outcome open\n"
    )


def test_a_tally_sheet_with_adjustments() -> None:
    head = "referee: 1\ntally: pairs\nseats: A B\n\n"
    lines = 'adjust: A=5 B=-1 because "so"\nadjust: A=20 because "so"\n'
    answer = report(recorded(head + "A: 8\nB: 9*2\n" + lines), "en")
    assert answer["score"] == {"A": 33, "B": 17}
    assert answer["outcome"]["losers"] == ["A"]
    assert [row["points"] for row in answer["arithmetic"]] == [8, 9, 9, 5, -1, 20]
