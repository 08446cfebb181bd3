"""``referee seating`` and ``referee standings``: their files, faults and answers."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli import main

SEATING: dict[str, Any] = {
    "referee": 1,
    "mode": "mix",
    "rounds": 2,
    "people": ["Ken", "Mei", "Aki", "Jun", "Rin", "Sho", "Yui"],
    "sizes": {"min": 3, "max": 5, "prefer": 4},
    "away": {"Yui": [2]},
    "apart": [["Ken", "Mei"]],
    "together": [["Aki", "Jun"]],
    "fixed": {"Sho": "1"},
    "locked": [{"round": 1, "table": "2", "people": ["Ken"]}],
    "sat_out": {"Rin": 1},
    "met": [["Ken", "Aki", 1]],
    "season": [["Ken", "Aki", 7]],
}
STANDINGS: dict[str, Any] = {
    "referee": 1,
    "points": "share",
    "sit_out": "1/2",
    "late_points": "0",
    "people": ["Ken", "Mei", "Aki", "Jun", "Rin", "Sho", "Yui"],
    "late": {"Yui": 2},
    "dropped": {"Jun": 2},
    "rounds": [
        {
            "tables": [
                {"places": {"Ken": 1, "Mei": 2, "Aki": 2}},
                {"places": {"Jun": 1, "Rin": 2, "Sho": 3}},
            ],
            "sat_out": [],
        },
        {
            "tables": [
                {"places": {"Ken": 2, "Rin": 1, "Yui": 3}},
                {"places": {"Mei": 1, "Aki": 2}},
            ],
            "sat_out": ["Sho"],
        },
    ],
}
GONE = object()
"""Stands for a key that is left out."""
Change = Callable[[Any], object]


def run(command: str, content: object, tmp_path: Path, *options: str) -> Result:
    file = tmp_path / "f.json"
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    file.write_bytes(data)
    return CliRunner().invoke(main, [command, str(file), *options])


def answer(command: str, content: object, tmp_path: Path, *options: str) -> Any:
    done = run(command, content, tmp_path, "--json", *options)
    assert done.exit_code in (0, 1), done.output
    return json.loads(done.stdout)


def refused(command: str, content: object, tmp_path: Path) -> str:
    """The path of the fault; nothing is on standard output, and both languages have a sentence."""
    for lang in ("ja", "en"):
        done = run(command, content, tmp_path, "--lang", lang)
        assert done.exit_code == 2, done.output
        assert done.stdout == ""
        file, path, says = done.stderr.split(": ", 2)
        assert file == str(tmp_path / "f.json")
        assert says.endswith("\n")
        assert says.isascii() == (lang == "en")
    return path


def changed(content: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """The content with another value at a path such as ``locked.0.people``."""
    result = copy.deepcopy(content)
    *above, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    place: Any = result
    for part in above:
        place = place[part]
    if value is GONE:
        del place[last]
    else:
        place[last] = value
    return result


def test_the_example_of_the_docs(tmp_path: Path) -> None:
    found = answer("seating", SEATING, tmp_path)
    assert found["referee"] == 1
    assert (found["seed"], found["mode"]) == (0, "mix")
    assert found["measure"] == {"wishes": 0, "sit_outs": 1, "repeats": 3, "season": 7}
    assert found["broken"] == []
    first, second = found["rounds"]
    assert first["sits_out"] == second["sits_out"] == []
    assert [list(table) for table in first["tables"]] == [["table", "people"]] * 2
    assert [table["table"] for table in first["tables"]] == ["1", "2"]
    assert sorted(len(table["people"]) for table in first["tables"]) == [3, 4]
    assert "Sho" in first["tables"][0]["people"]
    assert "Sho" in second["tables"][0]["people"]
    assert "Ken" in first["tables"][1]["people"]
    assert found["again"][0] == ["Ken", "Aki", 2]
    assert ["Aki", "Jun", 2] in found["again"]
    order = SEATING["people"]
    for table in (*first["tables"], *second["tables"]):
        assert table["people"] == sorted(table["people"], key=order.index)


def test_the_same_bytes_for_the_same_seed(tmp_path: Path) -> None:
    first, again = (run("seating", SEATING, tmp_path, "--json", "--seed", "3") for _ in range(2))
    assert first.stdout_bytes == again.stdout_bytes
    assert json.loads(first.stdout)["seed"] == 3


def test_people_alone_are_enough(tmp_path: Path) -> None:
    found = answer("seating", {"referee": 1, "people": ["あ", "い", "う"]}, tmp_path)
    assert found["mode"] == "mix"
    assert found["rounds"] == [
        {"round": 1, "tables": [{"table": "1", "people": ["あ", "い", "う"]}], "sits_out": []}
    ]


def test_a_broken_wish_is_named_and_the_status_is_1(tmp_path: Path) -> None:
    content = changed(changed(SEATING, "locked.0.people", ["Ken", "Mei"]), "together", [])
    done = run("seating", content, tmp_path, "--json")
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert found["measure"]["wishes"] == 1
    assert found["broken"] == [{"round": 1, "wish": "apart", "people": ["Ken", "Mei"]}]


def test_a_standing_call_has_its_measures_as_fractions(tmp_path: Path) -> None:
    content = {
        "referee": 1,
        "mode": "standing",
        "people": ["A", "B", "C", "D", "E"],
        "sizes": {"min": 2, "max": 2},
        "points": {"A": "7/2", "B": 2, "C": "7/2", "D": "1/2", "E": "-1/3"},
    }
    found = answer("seating", content, tmp_path)
    assert found["rounds"][0]["sits_out"] == ["E"]
    assert found["measure"] == {
        "wishes": 0, "sit_outs": 1, "low": "-1/3", "repeats": 0, "spread": "9/4", "season": 0
    }  # fmt: skip


def test_boards_of_a_round_robin_keep_their_numbers(tmp_path: Path) -> None:
    content = {"referee": 1, "mode": "round_robin", "people": ["A", "B", "C"]}
    found = answer("seating", content, tmp_path)
    assert len(found["rounds"]) == 3
    assert found["rounds"][1] == {
        "round": 2,
        "tables": [{"table": "2", "people": ["A", "B"]}],
        "sits_out": ["C"],
    }
    assert found["measure"] == {}


def test_tables_with_limits_of_their_own(tmp_path: Path) -> None:
    tables = [
        {"table": "big", "min": 5, "max": 8, "prefer": 6},
        {"table": "B", "min": 2, "max": 3},
    ]
    content = {"referee": 1, "people": list("ABCDEFGHIJ"), "tables": tables}
    [found] = answer("seating", content, tmp_path)["rounds"]
    assert [len(table["people"]) for table in found["tables"]] == [7, 3]


def test_lines_for_people_say_the_same(tmp_path: Path) -> None:
    content = changed(SEATING, "locked.0.people", ["Ken", "Mei"])
    said = run("seating", content, tmp_path, "--lang", "en").stdout
    assert "Round 1\n  Table 1: " in said
    assert "Round 1: Ken and Mei are at one table" in said
    assert "Broken wishes: 1" in said
    said = run("seating", content, tmp_path, "--lang", "ja").stdout
    assert "ラウンド1：KenとMeiは離れて座れません" in said


def test_a_name_of_several_lines_is_printed_in_one(tmp_path: Path) -> None:
    content = {"referee": 1, "people": ["A\nB\x1b[2J", "C", "D"]}
    said = run("seating", content, tmp_path, "--lang", "en").stdout
    assert "  Table 1: A B [2J, C, D\n" in said


SHARED_FAULTS = [
    ("referee", GONE, "referee"),
    ("referee", 2, "referee"),
    ("referee", True, "referee"),
    ("referee", 1.0, "referee"),
    ("people", GONE, "people"),
    ("people", [], "people"),
    ("people", "Ken", "people"),
    ("people", [f"P{at}" for at in range(129)], "people"),
    ("people.3", " ", "people[3]"),
    ("people.3", 7, "people[3]"),
    ("people.3", "\ud800", "people[3]"),
    ("colour", 1, "colour"),
]


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        *SHARED_FAULTS,
        ("people.6", "Ken", "people[6]"),
        ("mode", "swiss", "mode"),
        ("rounds", 0, "rounds"),
        ("rounds", 13, "rounds"),
        ("rounds", 1.5, "rounds"),
        ("rounds", True, "rounds"),
        ("sizes.min", 1, "sizes.min"),
        ("sizes.max", 33, "sizes.max"),
        ("sizes.max", 2, "sizes.max"),
        ("sizes.prefer", 6, "sizes.prefer"),
        ("sizes.most", 6, "sizes.most"),
        ("tables", [], "tables"),
        ("tables", [{"table": "A", "min": 3, "max": 5}], "tables"),
        ("points", {"Ken": 1}, "points"),
        ("away.Yui", 2, "away.Yui"),
        ("away.Yui", [0], "away.Yui[0]"),
        ("away.Yui", [2, 3], "away.Yui[1]"),
        ("away.Leo", [1], "away.Leo"),
        ("apart.0", ["Ken"], "apart[0]"),
        ("apart.0", ["Ken", "Leo"], "apart[0][1]"),
        ("apart.0", ["Ken", "Ken"], "apart[0][1]"),
        ("apart", [["Ken", "Mei"], ["Mei", "Ken"]], "apart[1]"),
        ("together", [["Mei", "Ken"]], "together[0]"),
        ("fixed.Leo", "1", "fixed.Leo"),
        ("fixed.Sho", "3", "fixed.Sho"),
        ("fixed.Sho", 1, "fixed.Sho"),
        ("fixed.Ken", "1", "locked[0].people[0]"),
        ("locked.0.round", 3, "locked[0].round"),
        ("locked.0.table", "9", "locked[0].table"),
        ("locked.0.table", GONE, "locked[0].table"),
        ("locked.0.people", ["Ken", "Leo"], "locked[0].people[1]"),
        ("locked.0.people", ["Ken", "Ken"], "locked[0].people[1]"),
        ("locked.0", {"round": 2, "table": "2", "people": ["Yui"]}, "locked[0].people[0]"),
        ("locked.0.people", ["Ken", "Mei", "Aki", "Jun", "Rin", "Yui"], "locked"),
        ("locked.0.people", ["Ken", "Mei", "Aki", "Jun", "Rin"], "locked"),
        ("sat_out.Rin", -1, "sat_out.Rin"),
        ("sat_out.Leo", 1, "sat_out.Leo"),
        ("met.0", ["Ken", "Aki"], "met[0]"),
        ("met.0.2", -1, "met[0][2]"),
        ("met.0.2", 10**16, "met[0][2]"),
        ("met", [["Ken", "Aki", 1], ["Aki", "Ken", 1]], "met[1]"),
        ("season.0.1", "Leo", "season[0][1]"),
    ],
)  # fmt: skip
def test_a_fault_of_a_call_is_named_with_its_place(
    path: str, value: object, fault: str, tmp_path: Path
) -> None:
    assert refused("seating", changed(SEATING, path, value), tmp_path) == fault


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"mode": "round_robin", "sizes": {}}, "sizes"),
        ({"mode": "round_robin", "rounds": 4}, "rounds"),
        ({"mode": "standing", "rounds": 2}, "rounds"),
        ({"mode": "standing", "points": {"A": 0.5}}, "points.A"),
        ({"mode": "standing", "points": {"A": "1/0"}}, "points.A"),
        ({"mode": "standing", "points": {"A": "½"}}, "points.A"),
        ({"mode": "standing", "points": {"A": "1.5"}}, "points.A"),
        ({"mode": "standing", "points": {"A": "9" * 16}}, "points.A"),
        ({"mode": "standing", "points": {"E": 1}}, "points.E"),
        ({"tables": [{"table": "A", "min": 2}]}, "tables[0].max"),
        ({"tables": [{"table": "A", "min": 4, "max": 3}]}, "tables[0].max"),
        ({"tables": [{"table": "A", "min": 2, "max": 3}] * 2}, "tables[1].table"),
    ],
)
def test_what_a_mode_does_not_take(more: dict[str, Any], fault: str, tmp_path: Path) -> None:
    content = {"referee": 1, "people": list("ABCD"), **more}
    assert refused("seating", content, tmp_path) == fault


def test_the_first_fault_is_that_of_the_earlier_check(tmp_path: Path) -> None:
    faults = changed(SEATING, "locked.0.people", ["Ken", "Ken"])
    faults["met"] = [["Ken", "Leo", 1]]
    assert refused("seating", faults, tmp_path) == "met[0][1]"
    faults["season"] = 7
    assert refused("seating", faults, tmp_path) == "season"
    faults["colour"] = 7
    assert refused("seating", faults, tmp_path) == "colour"


@pytest.mark.parametrize("command", ["seating", "standings"])
@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"1", b"\xff{}", b'{"referee": NaN}', b"[" * 100_000, b"{}{}",
        b'{"referee": ' + b"9" * 5000 + b"}", b'{"referee": 1,\n\n "people": [}',
    ],
)  # fmt: skip
def test_what_is_no_json_object_is_named_with_its_line(
    data: bytes, command: str, tmp_path: Path
) -> None:
    assert refused(command, data, tmp_path).startswith("line ")


def test_a_repeated_key_is_named(tmp_path: Path) -> None:
    data = b'{"referee": 1, "people": ["A", "B"], "away": {"A": [1], "A": [1]}}'
    assert refused("seating", data, tmp_path) == "away.A"
    data = b'{"referee": 1, "people": ["A", "B"], "rounds": [], "people": ["A"]}'
    assert refused("standings", data, tmp_path) == "people"


def test_a_fixed_person_who_is_away_is_away(tmp_path: Path) -> None:
    found = answer("seating", changed(SEATING, "away", {"Yui": [2], "Sho": [1]}), tmp_path)
    seated = [person for table in found["rounds"][0]["tables"] for person in table["people"]]
    assert "Sho" not in seated
    assert len(seated) == 6


def test_the_standing_of_the_docs(tmp_path: Path) -> None:
    found = answer("standings", STANDINGS, tmp_path)
    assert (found["referee"], found["rounds"]) == (1, 2)
    assert found["standing"][0] == {
        "place": 1, "name": "Ken", "points": "3/2", "firsts": 1, "strength": "3", "played": 2,
        "sat_out": 0, "dropped": False,
    }  # fmt: skip
    rows = [(row["place"], row["name"], row["points"]) for row in found["standing"]]
    assert rows == [
        (1, "Ken", "3/2"), (1, "Rin", "3/2"), (3, "Mei", "5/4"), (4, "Jun", "1"),
        (5, "Sho", "1/2"), (6, "Aki", "1/4"), (7, "Yui", "0"),
    ]  # fmt: skip
    assert [row["name"] for row in found["standing"] if row["dropped"]] == ["Jun"]
    assert [row["sat_out"] for row in found["standing"]] == [0, 0, 0, 0, 1, 0, 0]


def test_without_rounds_all_have_nothing(tmp_path: Path) -> None:
    found = answer("standings", {"referee": 1, "people": ["A", "B"], "rounds": []}, tmp_path)
    assert [(row["place"], row["points"]) for row in found["standing"]] == [(1, "0"), (1, "0")]


def test_the_sum_of_each_person_follows_line_by_line(tmp_path: Path) -> None:
    said = run("standings", STANDINGS, tmp_path, "--lang", "en").stdout
    assert (
        "Sho: 1/2\n  Round 1: table 2, place 3, 0\n  Round 2: sits out, 1/2\n  First places: 0\n"
        "  Points of people met: 5/2 (Jun 1, Rin 3/2)\n"
    ) in said
    assert "Yui: 0\n  Round 1: not there yet, 0\n" in said
    said = run("standings", STANDINGS, tmp_path, "--lang", "ja").stdout
    assert "  ラウンド2：休み、1/2点\n" in said


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        *SHARED_FAULTS,
        ("rounds", GONE, "rounds"),
        ("people.6", "Ken", "people[6]"),
        ("points", "half", "points"),
        ("points", [5, "x"], "points[1]"),
        ("points", [5, 2.5], "points[1]"),
        ("sit_out", 0.5, "sit_out"),
        ("late_points", "1/0", "late_points"),
        ("late.Yui", 1, "late.Yui"),
        ("late.Yui", 4, "rounds[1].tables[0].places.Yui"),
        ("rounds", [], "late.Yui"),
        ("late.Leo", 2, "late.Leo"),
        ("late.Jun", 2, "rounds[0].tables[1].places.Jun"),
        ("late.Yui", 3, "rounds[1].tables[0].places.Yui"),
        ("dropped.Jun", 0, "dropped.Jun"),
        ("dropped.Jun", 1, "rounds[0].tables[1].places.Jun"),
        ("dropped.Jun", 4, "dropped.Jun"),
        ("dropped.Sho", 2, "rounds[1].sat_out[0]"),
        ("rounds.0.tables", GONE, "rounds[0].tables"),
        ("rounds.0.tables.0.places", GONE, "rounds[0].tables[0].places"),
        ("rounds.0.tables.0.places.Leo", 4, "rounds[0].tables[0].places.Leo"),
        ("rounds.0.tables.0.places.Ken", 0, "rounds[0].tables[0].places.Ken"),
        ("rounds.0.tables.0.places.Ken", 2, "rounds[0].tables[0].places"),
        ("rounds.0.tables.0.places.Aki", 4, "rounds[0].tables[0].places"),
        ("rounds.0.tables.0.places", {"Ken": 1}, "rounds[0].tables[0].places"),
        ("rounds.0.tables.1.places.Ken", 4, "rounds[0].tables[1].places.Ken"),
        ("rounds.1.sat_out", ["Sho", "Sho"], "rounds[1].sat_out[1]"),
        ("rounds.1.sat_out", ["Ken"], "rounds[1].sat_out[0]"),
        ("rounds.1.sat_out", ["Leo"], "rounds[1].sat_out[0]"),
        ("rounds.0.tables.0.teams", [["Ken", "Mei", "Aki"]], "rounds[0].tables[0].teams"),
        ("rounds.0.tables.0.teams", [["Ken"], ["Mei", "Aki"]], "rounds[0].tables[0].teams"),
        ("rounds.0.tables.0.teams", [["Ken"], ["Mei"]], "rounds[0].tables[0].teams"),
        ("rounds.0.tables.0.teams", [["Ken"], ["Mei"], ["Leo"]], "rounds[0].tables[0].teams[2][0]"),
        ("rounds.0.tables.0.teams", [["Ken"], ["Mei"], ["Sho"]], "rounds[0].tables[0].teams"),
        ("rounds.0.tables.0.teams", [["Ken"], []], "rounds[0].tables[0].teams[1]"),
    ],
)  # fmt: skip
def test_a_fault_of_a_standing_is_named_with_its_place(
    path: str, value: object, fault: str, tmp_path: Path
) -> None:
    assert refused("standings", changed(STANDINGS, path, value), tmp_path) == fault


def test_a_late_entry_that_no_round_contradicts_is_still_checked(tmp_path: Path) -> None:
    people = [*STANDINGS["people"], "Leo"]
    absent = changed(changed(STANDINGS, "people", people), "late.Leo", 4)
    assert refused("standings", absent, tmp_path) == "late.Leo"
    gone = changed(changed(absent, "late.Leo", 3), "dropped.Leo", 3)
    assert refused("standings", gone, tmp_path) == "dropped.Leo"
