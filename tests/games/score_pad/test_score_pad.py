"""The score pad: its header, its numbers, its seats, and totals against a sum computed anew."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pad_histories import check_history, random_history

from referee.core.game import COMMON_OPTIONS, Table
from referee.core.record import Grammar, Record, Unreadable, parse_header, print_header, read, write
from referee.games import GAMES, score_pad
from referee.games.score_pad import SitOut
from referee.rulings import book
from referee.rulings.report import report

HEAD = "referee: 1\ngame: score_pad\ncalled: UNO\nseats: A B C D\n"
OTHER = next(name for name in GAMES if name != "score_pad" and 3 in GAMES[name].SEATS)


def answered(entries: str, head: str = HEAD) -> dict[str, Any]:
    return report(read(f"{head}\n{entries}".encode(), GAMES), "en")


def fault(text: str) -> tuple[int, str]:
    """The line and the fact of the error for which a record is unreadable."""
    with pytest.raises(Unreadable) as found:
        read(text.encode(), GAMES)
    book("common").says(found.value.fact, found.value.values, "ja")
    return found.value.line, found.value.fact


# ---------------------------------------------------------------- the header


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("UNO", "UNO"),
        ("  Die   Siedler ", "Die Siedler"),
        ("Dune: Imperium", "Dune: Imperium"),
        ("UNO   # a comment", "UNO"),
        ('"Uno #2"', "Uno #2"),
        ("ＵＮＯ　ｗｉｌｄ", "UNO wild"),
        ("x" * 60, "x" * 60),
        ("C#", "C#"),
    ],
)
def test_the_name_of_the_game_is_one_line_of_words(written: str, name: str) -> None:
    head = f"referee: 1\ngame: score_pad\ncalled: {written}\nseats: A\n"
    header = parse_header(head.strip(), GAMES)
    assert header.named["called"] == name
    assert parse_header("\n".join(print_header(header)), GAMES) == header
    assert answered("", head)["public"]["called"] == name


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("referee: 1\ngame: score_pad\nseats: A\n\ntable end\n", (4, "read_missing")),
        ("referee: 1\ngame: score_pad\ncalled:\nseats: A\n", (3, "read_called")),
        (f"referee: 1\ngame: score_pad\ncalled: {'x' * 61}\nseats: A\n", (3, "read_called")),
        (f"referee: 1\ngame: {OTHER}\nseats: A B C\ncalled: UNO\n", (4, "read_unknown_key")),
        ("referee: 1\ntally: score_pad\ncalled: UNO\nseats: A\n", (2, "read_tally_none")),
        (f"{HEAD}option: wins=places\noption: target=3\n", (6, "read_option_left_out")),
        (f"{HEAD}option: target=none\noption: wins=places\n", (5, "read_option_left_out")),
        (f"{HEAD}option: wins=together\noption: teams=opposite\n", (6, "read_option_left_out")),
        (f"{HEAD}option: wins=together\noption: sum=0\n", (6, "read_option_left_out")),
        (f"{HEAD}option: target=0\n", (5, "read_target_is_start")),
        (f"{HEAD}option: target=7.50\noption: start=7.5\n", (5, "read_target_is_start")),
        (f"{HEAD}option: target=many\n", (5, "read_option_number")),
        (f"{HEAD}option: start=none\n", (5, "read_option_number")),
        (f"{HEAD}option: rounds=0\n", (5, "read_option_number")),
        (f"{HEAD}option: rounds=1000\n", (5, "read_option_number")),
        (f"{HEAD}option: rounds=2.0\n", (5, "read_option_number")),
        (f"{HEAD}option: wins=lots\n", (5, "read_option_value")),
        (
            "referee: 1\ngame: score_pad\ncalled: UNO\noption: teams=opposite\nseats: A B C\n",
            (5, "read_team_seats"),
        ),
        (
            "referee: 1\ngame: score_pad\ncalled: UNO\noption: teams=alternate\nseats: A B\n",
            (5, "read_team_seats"),
        ),
        (
            HEAD.replace("A B C D", " ".join(map(str, range(1, 22)))),
            (4, "read_seat_count"),
        ),
    ],
)
def test_a_header_that_makes_no_table_is_unreadable_at_its_line(
    text: str, at: tuple[int, str]
) -> None:
    assert fault(text) == at


def test_where_totals_begin_is_a_line_of_the_arithmetic() -> None:
    answer = answered("table join E with 3\n", HEAD + "option: start=7\n")
    assert answer["score"] == {"A": 7, "B": 7, "C": 7, "D": 7, "E": 3}
    table = Table(("A",), {"start": "7"}, {**COMMON_OPTIONS, **score_pad.OPTIONS}, "UNO")
    [line] = score_pad.score(score_pad.setup(table)).lines
    assert (line.clause, line.points) == ("start.1", 7)


def test_a_header_alone_is_a_record() -> None:
    answer = answered("")
    assert answer["entries"] == answer["findings"] == answer["to_act"] == []
    assert answer["score"] == {"A": 0, "B": 0, "C": 0, "D": 0}
    assert answer["outcome"] is None


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0", "0"),
        ("-0", "0"),
        ("-0.00", "0"),
        ("-3", "-3"),
        ("7.5", "7.5"),
        ("7.50", "7.5"),
        ("7.00", "7"),
        ("0.25", "0.25"),
        ("-9999999.99", "-9999999.99"),
        ("－３．５", "-3.5"),
    ],
)
def test_a_number_is_exact_and_has_no_needless_digit(text: str, said: str) -> None:
    record = read(f"{HEAD}\ntable round A={text} B=0 C=0 D=0\n".encode(), GAMES)
    assert isinstance(record, Record)
    line = f"table round A={said} B=0 C=0 D=0"
    assert Grammar(score_pad, "ABCD").print(record.entries[0].entry) == line
    assert json.dumps(report(record, "ja")["score"]["A"]) == said


@pytest.mark.parametrize(
    "text",
    ["007", "+3", "1,000", ".5", "5.", "1.234", "12345678", "--1", "1e3", "", "−3", "x", "00.5"],
)
def test_what_is_no_number_is_unreadable(text: str) -> None:
    assert fault(f"{HEAD}\ntable round A={text} B=0 C=0 D=0\n") == (6, "read_amount")


def test_decimals_add_up_exactly() -> None:
    head = HEAD.replace("A B C D", "A")
    answer = answered("table round A=0.1\ntable round A=0.2\n" + "table round A=0.01\n" * 70, head)
    assert answer["score"] == {"A": 1}
    assert json.dumps(answer["public"]["totals"]) == '{"A": 1}'


# ---------------------------------------------------------------- lines


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("table round", "read_form"),
        ("table round A=1 A=2 B=1 C=1 D=1", "read_repeated"),
        ("table round A=1 E=2", "read_seat"),
        ("table round A", "read_seat_value"),
        ("table places A=0 B=1", "read_place_reached"),
        ("table places A=1.0 B=1", "read_place_reached"),
        ("table places A=-1", "read_place_reached"),
        ("table places", "read_form"),
        ("table set", "read_form"),
        ("table set start=3", "read_limit"),
        ("table set target", "read_limit"),
        ("table set target=1 target=2", "read_repeated"),
        ("table set rounds=1.5", "read_rounds"),
        ("table set rounds=0", "read_rounds"),
        ("table set target=many", "read_amount"),
        ("table won points=many", "read_amount"),
        ("table won points=1 points=2", "read_form"),
        ("table won 21", "read_form"),
        ("table lost points=", "read_amount"),
        ("table join", "read_form"),
        ("table join table", "read_seat_name"),
        ('table join ""', "read_seat_name"),
        ("table join E with", "read_form"),
        ("table join E with many", "read_amount"),
        ("table leave E", "read_seat"),
        ("table return E", "read_seat"),
        ("E contest 1", "read_seat"),
        ("A join", "read_verb"),
        ("table deal", "read_verb"),
        ('table sheet A="3"', "read_verb"),
        ("A lay 3", "read_verb"),
    ],
)
def test_a_line_that_says_nothing_is_unreadable(line: str, fact: str) -> None:
    assert fault(f"{HEAD}\n{line}\n") == (6, fact)


def test_a_name_is_unknown_before_its_line() -> None:
    assert fault(f"{HEAD}\ntable leave E\ntable join E\n") == (6, "read_seat")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('table round "B"=2 A=1', "table round A=1 B=2"),
        ("table set rounds=5 target=300.0", "table set target=300 rounds=5"),
        ("table set rounds=none", "table set rounds=none"),
        ('table join "E F" with 35.0', 'table join "E F" with 35'),
        ('table join "with" with 3', 'table join "with" with 3'),
        ('table join "a=b"', "table join a=b"),
        ("table won points=0", "table won points=0"),
        ("table places B=1 A=2", "table places A=2 B=1"),
        ('table together insert 1 table join "x y" ; amend 1 table round "x y"=1 A=2', None),
    ],
)
def test_a_line_is_printed_in_seat_order_and_reads_back(line: str, said: str | None) -> None:
    grammar = Grammar(score_pad, "AB")
    printed = grammar.print(grammar.parse(line))
    assert printed == (said or printed)
    assert grammar.parse(printed) == grammar.parse(line)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("table round D=2 C=1", "table round A=1 B=2"),
        ('table adjust C=-1.5 because "so"', 'table adjust A=-1.5 because "so"'),
        ("table insert 1 table places D=1 C=2", "table insert 1 table places A=2 B=1"),
        ("table round C=1 A=2", "table round A=2 C=1"),  # illegal: it says what it means
    ],
)
def test_points_of_a_team_are_printed_under_its_first_seat(line: str, said: str) -> None:
    grammar = Grammar(score_pad, "ABCD", {"teams": "opposite"})
    assert grammar.print(grammar.parse(line)) == said


def test_a_name_with_a_sign_of_the_form_stands_in_quotes() -> None:
    grammar = Grammar(score_pad, ["a=b", "c d", "e"])
    line = 'table round "a=b"=1 "c d"=2 e=3'
    assert grammar.print(grammar.parse(line)) == line


def test_a_line_that_was_not_recorded_brings_no_name() -> None:
    grammar = Grammar(score_pad, "AB")
    joins = grammar.parse("table join C")
    with pytest.raises(Unreadable):
        grammar.parse("table leave C")
    grammar.hear(joins)
    assert grammar.parse("table leave C") == SitOut("C")


def test_the_twenty_first_seat_is_illegal() -> None:
    head = HEAD.replace("A B C D", " ".join(map(str, range(1, 21))))
    [row] = answered("table join x\n", head)["entries"]
    assert (row["verdict"], row["clause"]) == ("illegal", "join.2")


def test_the_answer_lists_who_has_joined_in_this_order() -> None:
    answer = answered("table join Z\ntable join Y\ntable strike 1\ntable join X\ntable join Z\n")
    assert answer["seats"] == ["A", "B", "C", "D", "Y", "X", "Z"]
    assert list(answer["score"]) == answer["seats"]


# ---------------------------------------------------------------- totals, computed anew


@given(st.integers(0, 10**9))
@settings(max_examples=150)
def test_totals_are_the_sum_of_what_counts_whatever_was_corrected(seed: int) -> None:
    check_history(seed)


def test_a_history_with_corrections_reads_as_it_was_written() -> None:
    for seed in range(30):
        log = random_history(seed)
        if log.state.rules.teams:
            continue  # printed with the first seat of each team
        grammar = Grammar(score_pad, log.table.seats)
        options = [f"option: {key}={value}" for key, value in log.table.chosen.items()]
        told = [*HEAD.split("\n")[:3], f"seats: {' '.join(log.table.seats)}", *options]
        head = parse_header("\n".join(told), GAMES)
        text = write(head, map(grammar.print, log.entries))
        again = read(text.encode(), GAMES)
        assert isinstance(again, Record)
        assert [written.entry for written in again.entries] == log.entries
