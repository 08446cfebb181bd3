"""Tables that people paste."""

from __future__ import annotations

from datetime import date

import pytest

from referee.foreign import pasted
from referee.foreign.plays import PAD, NoPlays

DAY = date(2026, 11, 28)
TABLE = "date\tgame\tKen\tMei\tAki\n2026-11-28\tUNO\t120\t80\t\n2026/11/28\tCatan\t1位\t2位\t2位\n"


def test_a_line_is_a_match_of_those_who_were_there() -> None:
    found = pasted.read(TABLE)
    assert not found.faults
    uno, catan = found.plays
    assert uno.record([player.name for player in uno.players], DAY) == (
        f'referee: 1\ngame: {PAD}\ncalled: "UNO"\nseats: Ken Mei\ndate: 2026-11-28\n\n'
        "table round Ken=120 Mei=80\ntable end\n"
    )
    assert catan.record(["Ken", "Mei", "Aki"], DAY).endswith(
        "option: wins=places\ndate: 2026-11-28\n\ntable places Ken=1 Mei=2 Aki=2\n"
    )


@pytest.mark.parametrize(
    ("line", "column", "fact"),
    [
        ("2026-11-28\tUNO\t12o\t80\t", 3, "foreign_number"),
        ("2026-02-30\tUNO\t1\t80\t", 1, "foreign_day"),
        ("28.11.2026\tUNO\t1\t80\t", 1, "foreign_day"),
        ("2026-11-28\tUNO\t1位\t80\t", 4, "foreign_mixed"),
        ("2026-11-28\tUNO\t1位\t3位\t", 3, "foreign_ranking"),
        ("2026-11-28\tUNO\t\t\t", 0, "foreign_nobody"),
        ("2026-11-28\tUNO\t1\t2", 0, "foreign_cells_few"),
        ("2026-11-28\tUNO\t1\t2\t3\t4", 0, "foreign_cells_many"),
        ("2026-11-28\t\t1\t2\t3", 2, "foreign_called"),
        ("2026-11-28\tUNO\t1.234\t2\t3", 3, "foreign_number"),
        ("2026-11-28\tUNO\t12345678\t2\t3", 3, "foreign_number"),
    ],
)
def test_a_fault_names_its_line_and_column(line: str, column: int, fact: str) -> None:
    found = pasted.read(f"{TABLE}{line}\n")
    assert len(found.plays) == 2
    [fault] = found.faults
    assert (fault.number, fault.column, fault.fact) == (4, column, fact)


@pytest.mark.parametrize(
    ("head", "body", "points"),
    [
        ("日付;ゲーム;Ken;Mei", "2026年11月28日 19:03;UNO;7,5;-3", "Ken=7.5 Mei=-3"),
        ("date,game,Ken,Mei", '2026-11-28,"UNO, fast",7.5,－３', "Ken=7.5 Mei=-3"),
        ("DATE\tGame\tKen\tMei", "2026-11-28\tUNO\t0\t0,25", "Ken=0 Mei=0.25"),
    ],
)
def test_separators_widths_and_decimals(head: str, body: str, points: str) -> None:
    found = pasted.read(f"{head}\r\n{body}\r\n")
    assert not found.faults
    assert f"table round {points}\n" in found.plays[0].record(["Ken", "Mei"], DAY)


def test_a_comma_that_separates_is_no_decimal_point() -> None:
    [fault] = pasted.read('date,game,Ken\n2026-11-28,UNO,"7,5"\n').faults
    assert (fault.number, fault.column, fault.fact) == (2, 3, "foreign_number")


@pytest.mark.parametrize(
    ("text", "fact", "word"),
    [
        ("", "foreign_empty", ""),
        ("game\tKen\nUNO\t1\n", "foreign_no_heading", "date"),
        ("date\tKen\n2026-11-28\t1\n", "foreign_no_heading", "game"),
        ("date\tgame\n2026-11-28\tUNO\n", "foreign_no_people", ""),
        ('date\tgame\tKen\n2026-11-28\t"UNO\t1\n', "foreign_quotes", "2"),
    ],
)
def test_what_is_no_table_is_said_in_one_sentence(text: str, fact: str, word: str) -> None:
    with pytest.raises(NoPlays) as caught:
        pasted.read(text)
    assert (caught.value.fact, caught.value.values["text"]) == (fact, word)


def test_a_heading_that_stands_twice_is_a_fault_of_its_line() -> None:
    [fault] = pasted.read("date\tgame\tKen\tＫｅｎ\n2026-11-28\tUNO\t1\t2\n").faults
    assert (fault.number, fault.column, fault.fact) == (1, 4, "foreign_heading_twice")
    assert not pasted.without([fault])


def test_equal_lines_are_two_games_and_the_same_two_the_next_time() -> None:
    line = "2026-11-28\tUNO\t120\t80\t\n"
    once, twice = pasted.read(TABLE).plays[0], pasted.read(TABLE + line).plays
    assert twice[0].keys == once.keys != twice[2].keys


def test_excel_in_japan() -> None:
    assert pasted.decoded("日付,ゲーム\n".encode("cp932")) == "日付,ゲーム\n"
    assert pasted.decoded("\ufeff日付".encode()) == "日付"
    with pytest.raises(NoPlays) as caught:
        pasted.decoded(b"\xff\xfe\x00\x81")
    assert caught.value.fact == "foreign_encoding"
