"""``referee evening``: how matches count, in what order people stand, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli import main

PAD = "referee: 1\ngame: score_pad\ncalled: {called}\nseats: {seats}\n{options}\n{entries}\n"


def pad(entries: str, seats: str = "A B C D", options: str = "", called: str = "UNO") -> str:
    lines = "".join(f"option: {option}\n" for option in options.split())
    return PAD.format(called=called, seats=seats, options=lines, entries=entries)


def run(tmp_path: Path, records: list[str], *args: str) -> Result:
    files = []
    for number, text in enumerate(records):
        file = tmp_path / f"{number}.txt"
        file.write_text(text, encoding="utf-8")
        files.append(str(file))
    return CliRunner().invoke(main, ["evening", *args, *files])


def answer(tmp_path: Path, records: list[str], by: str = "beaten") -> dict[str, Any]:
    result = run(tmp_path, records, "--json", "--by", by)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def rows(found: dict[str, Any]) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in found["table"]]


PLACES = pad("table places A=1 B=2 C=2 D=4", options="wins=places")


def test_beaten_is_who_one_stands_before_and_half_of_who_is_level(tmp_path: Path) -> None:
    found = answer(tmp_path, [PLACES])
    [match] = found["matches"]
    assert (found["referee"], found["by"]) == (1, "beaten")
    assert match == {
        "file": str(tmp_path / "0.txt"),
        "game": "score_pad",
        "called": "UNO",
        "counted": True,
        "why": None,
        "places": {"A": 1, "B": 2, "C": 2, "D": 4},
        "points": {"A": "3", "B": "3/2", "C": "3/2", "D": "0"},
    }
    assert list(found["table"][0]) == ["place", "name", "points", "wins", "games"]
    assert rows(found) == [
        (1, "A", "3", 1, 1),
        (2, "B", "3/2", 0, 1),
        (2, "C", "3/2", 0, 1),
        (4, "D", "0", 0, 1),
    ]


def test_partners_are_not_beaten(tmp_path: Path) -> None:
    found = answer(tmp_path, [pad("table round A=3 B=1\ntable end", options="teams=opposite")])
    assert found["matches"][0]["points"] == {"A": "2", "B": "0", "C": "2", "D": "0"}
    assert [row[3] for row in rows(found)] == [1, 1, 0, 0]


def test_who_is_out_at_the_end_is_not_ranked(tmp_path: Path) -> None:
    found = answer(tmp_path, [pad("table round A=3 B=1 C=1 D=9\ntable leave D\ntable end")])
    assert found["matches"][0]["places"] == {"A": 1, "B": 2, "C": 2}
    assert rows(found)[-1] == (4, "D", "0", 0, 0)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (pad("table round A=3 B=1 C=1 D=9"), "open"),
        (pad(""), "open"),
        (pad("table round A=3 B=1 C=1 D=9\ntable stop"), "stopped"),
        (pad("table round A=3\ntable end", seats="A"), "alone"),
        (pad("table won", seats="A", options="wins=together"), "alone"),
        (pad("table won", options="wins=together"), "together"),
    ],
)
def test_what_does_not_count_says_why(tmp_path: Path, record: str, why: str) -> None:
    found = answer(tmp_path, [record, PLACES])
    assert found["matches"][0] | {"file": ""} == {
        "file": "",
        "game": "score_pad",
        "called": "UNO",
        "counted": False,
        "why": why,
        "places": {},
        "points": {},
    }
    assert [row[4] for row in rows(found)] == [1, 1, 1, 1]


def test_wins_count_shared_ones_and_those_of_all_together(tmp_path: Path) -> None:
    shared = pad("table round A=3 B=3 C=1 D=0\ntable end")
    together = pad("table leave D\ntable won", options="wins=together")
    lost = pad("table lost", options="wins=together")
    found = answer(tmp_path, [shared, together, lost], "wins")
    assert [match["counted"] for match in found["matches"]] == [True, True, True]
    assert rows(found) == [
        (1, "A", "2", 2, 3),
        (1, "B", "2", 2, 3),
        (3, "C", "1", 1, 3),
        (4, "D", "0", 0, 2),
    ]


def test_points_are_exact_and_of_one_game_by_any_spelling(tmp_path: Path) -> None:
    first = pad("table round A=0.1 B=12.5\ntable end", seats="A B", called="ＵＮＯ")
    second = pad("table round B=-5 A=0.2\ntable end", seats="B A", called=" uno ")
    found = answer(tmp_path, [first, second], "points")
    assert rows(found) == [(1, "B", "15/2", 1, 2), (2, "A", "3/10", 1, 2)]


def test_where_fewest_win_more_games_come_first(tmp_path: Path) -> None:
    first = pad("table round A=5 B=9 C=1\ntable end", seats="A B C", options="wins=least")
    second = pad("table round A=5 B=0\ntable end", seats="A B", options="wins=least")
    found = answer(tmp_path, [first, second], "points")
    assert rows(found) == [(1, "B", "9", 1, 2), (2, "A", "10", 0, 2), (3, "C", "1", 1, 1)]


MOST = pad("table round A=1 B=2\ntable end", seats="A B")


@pytest.mark.parametrize(
    "others",
    [
        [pad("table round A=1 B=2\ntable end", seats="A B", called="U N O")],
        [pad("table round A=1 B=2\ntable end", seats="A B", options="wins=least")],
        [pad("table places A=1 B=2", seats="A B", options="wins=places")],
        [pad("table won", seats="A B", options="wins=together")],
        ["referee: 1\ngame: pairs\nseats: A B\n\ntable deal\n"],
    ],
)
def test_points_of_different_games_are_not_added(tmp_path: Path, others: list[str]) -> None:
    result = run(tmp_path, [MOST, *others], "--by", "points", "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


def test_a_file_that_cannot_be_read_is_said_with_its_line(tmp_path: Path) -> None:
    result = run(tmp_path, [MOST, "referee: 1\ngame: score_pad\nseats: A\n"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{tmp_path / '1.txt'}:3: " in result.stderr
    missing = CliRunner().invoke(main, ["evening", str(tmp_path / "none.txt")])
    assert (missing.exit_code, missing.stdout) == (2, "")


def test_an_illegal_entry_has_no_effect_and_no_influence_on_the_exit(tmp_path: Path) -> None:
    found = answer(tmp_path, [pad("table round A=1\ntable round A=1 B=2\ntable end", seats="A B")])
    assert found["matches"][0]["places"] == {"A": 2, "B": 1}


def test_of_those_who_are_level_who_appears_first_comes_first(tmp_path: Path) -> None:
    found = answer(
        tmp_path,
        [
            pad("table round Z=1 Y=0\ntable end", seats="Z Y"),
            pad("table round A=1 B=0\ntable end", seats="B A"),
        ],
    )
    assert [row[:2] for row in rows(found)] == [(1, "Z"), (1, "A"), (3, "Y"), (3, "B")]


def test_a_game_that_only_one_loses_gives_all_others_the_first_place(tmp_path: Path) -> None:
    folder = Path(__file__).parents[1] / "games"
    file = folder / "pairs" / "playthroughs" / "a-pair-loses.txt"
    found = answer(tmp_path, [file.read_text(encoding="utf-8")])
    [match] = found["matches"]
    *others, loser = sorted(match["places"].values())
    assert match["counted"]
    assert (set(others), loser) == ({1}, len(others) + 1)
    assert rows(found)[-1][2:4] == ("0", 0)


def test_people_read_halves_and_who_missed_a_game(tmp_path: Path) -> None:
    result = run(tmp_path, [PLACES, MOST], "--lang", "en")
    lines = result.stdout.split("\n")
    assert "B  2½ points" in lines[1]
    assert "1 of 2 games" in lines[2]
