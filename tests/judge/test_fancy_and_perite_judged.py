"""`referee judge` to the letter of the record format: rows, exit status, errors with their line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from judging import answer, judge

from referee.cli import main

FIVE = "referee: 1\ngame: perite\nseats: A B C D E\n\ntable deal leader=A\n"
REVOKE = FIVE + "A lay 4\nB lay 9\nC lay 5\nD lay 4\nE lay 6\nC lay 10\nD lay 7\n"

THREE = "referee: 1\ngame: fancy\nseats: A B C\n\n"


def verdicts(found: dict) -> list[str | None]:
    return [row["verdict"] for row in found["entries"]]


def test_the_answer_has_every_key_of_the_format(tmp_path: Path) -> None:
    found = answer(tmp_path, FIVE + "A lay 4\n")
    assert found["referee"] == 1
    assert found["game"] == "perite"
    assert found["seats"] == ["A", "B", "C", "D", "E"]
    assert found["entries"][1] == {
        "seq": 2,
        "text": "A lay 4",
        "verdict": "legal",
        "clause": "follow.1",
        "says": "No 4 is showing in this trick.",
        "evidence": [{"fact": "No 4 is showing in this trick.", "seq": None}],
    }
    assert found["findings"] == []
    assert found["to_act"] == ["B"]
    assert found["score"] == dict.fromkeys("ABCDE", 0)
    assert found["outcome"] is None
    assert found["public"]["trick"] == [["A", 4]]
    assert found["public"]["leader"] == "A"


def test_a_pair_lies_face_down_and_its_evidence_names_the_entry(tmp_path: Path) -> None:
    found = answer(tmp_path, FIVE + "A lay 4\nB lay 7\nC lay 9\nD lay 7\n")
    assert found["entries"][4]["verdict"] == "unprovable"
    assert found["entries"][4]["evidence"][0]["seq"] == 3
    trick = found["public"]["trick"]
    assert trick == [["A", 4], ["B", 7, "down"], ["C", 9], ["D", 7, "down"]]


def test_a_header_without_entries_is_a_record(tmp_path: Path) -> None:
    found = answer(tmp_path, "referee: 1\ngame: fancy\nseats: A B C\n")
    assert found["entries"] == []
    assert found["to_act"] == []


def test_an_illegal_entry_is_reported_and_changes_nothing(tmp_path: Path) -> None:
    result = judge(tmp_path, FIVE + "A lay 11\nA lay 4\n", "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert verdicts(found) == ["legal", "illegal", "legal"]
    assert found["public"]["trick"] == [["A", 4]]


@pytest.mark.parametrize(
    "correction", ["table strike 2", "table rewind 1", "table amend 2 A lay 3"]
)
def test_an_illegal_entry_that_was_corrected_is_forgiven(tmp_path: Path, correction: str) -> None:
    assert judge(tmp_path, FIVE + f"B lay 5\n{correction}\n").exit_code == 0


def test_a_ruled_entry_keeps_its_verdict_and_costs_nothing(tmp_path: Path) -> None:
    result = judge(tmp_path, FIVE + "B lay 5\ntable rule 2 stands\n", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 0
    assert verdicts(found) == ["legal", "illegal", "legal"]
    assert found["entries"][1]["ruled"] == 3
    assert found["public"]["trick"] == [["B", 5]]


def test_a_ruling_without_a_sensible_effect_is_illegal(tmp_path: Path) -> None:
    result = judge(tmp_path, FIVE + "A lay 11\ntable rule 2 stands\n", "--json")
    assert result.exit_code == 1
    assert verdicts(json.loads(result.stdout)) == ["legal", "illegal", "illegal"]


@pytest.mark.parametrize(
    "correction",
    [
        "table rewind 9",
        "table strike 3",
        "table rule 9 stands",
        "table insert 3 C lay 11",
        "table strike 9\nC lay 6",
    ],
)
def test_what_the_table_ruled_excuses_no_other_entry(tmp_path: Path, correction: str) -> None:
    result = judge(tmp_path, FIVE + f"B lay 5\ntable rule 2 stands\n{correction}\n", "--json")
    rows = json.loads(result.stdout)["entries"]
    assert rows[3]["verdict"] == "illegal"
    assert ["ruled" in row for row in rows] == [row["seq"] == 2 for row in rows]
    assert result.exit_code == 1


def test_what_was_let_stand_is_no_declaration_after_a_correction_either(tmp_path: Path) -> None:
    played = "table deal leader=A\nA lay 2\nB lay 3\nC lay 3\n"
    later = "table amend 2 A lay 10\nB lay 4\nC lay 1\n"
    judged = answer(tmp_path, THREE + played + later)
    ruled = answer(tmp_path, THREE + played + "table rule 4 stands\n" + later)
    assert judged["entries"][3]["verdict"] == ruled["entries"][3]["verdict"] == "unprovable"
    assert [found["seq"] for found in judged["findings"]] == [4]
    assert ruled["findings"] == []


def test_undone_entries_have_no_verdict(tmp_path: Path) -> None:
    found = answer(tmp_path, FIVE + "A lay 4\nB lay 5\ntable rewind 2\nB lay 6\ntable strike 5\n")
    assert verdicts(found) == ["legal", "legal", None, "legal", None, "legal"]
    assert found["public"]["trick"] == [["A", 4]]


def test_going_back_to_before_a_rewind_brings_the_plays_back(tmp_path: Path) -> None:
    found = answer(tmp_path, FIVE + "A lay 4\nB lay 5\ntable rewind 2\ntable rewind 3\n")
    assert verdicts(found) == ["legal", "legal", "legal", None, "legal"]
    assert found["public"]["trick"] == [["A", 4], ["B", 5]]


def test_an_amended_entry_carries_the_verdict_of_the_corrected_log(tmp_path: Path) -> None:
    found = answer(tmp_path, FIVE + "A lay 4\nB lay 4\ntable amend 3 B lay 5\n")
    assert verdicts(found) == ["legal", "legal", "legal", "legal"]
    assert found["entries"][2]["text"] == "B lay 4"


def test_an_inserted_card_moves_the_turn_of_all_that_follow(tmp_path: Path) -> None:
    found = answer(tmp_path, FIVE + "A lay 4\nC lay 6\nD lay 7\ntable insert 3 B lay 5\n")
    assert verdicts(found) == ["legal"] * 5
    assert [card[0] for card in found["public"]["trick"]] == ["A", "B", "C", "D"]


@pytest.mark.parametrize(
    "correction",
    ["table rewind 9", "table amend 9 B lay 6", "table strike 9", "table rule 9 stands"],
)
def test_a_correction_of_an_entry_that_does_not_exist_is_illegal(
    tmp_path: Path, correction: str
) -> None:
    found = answer(tmp_path, FIVE + f"A lay 4\n{correction}\n")
    assert verdicts(found) == ["legal", "legal", "illegal"]


def test_a_revoke_is_found_when_the_same_hand_shows_it(tmp_path: Path) -> None:
    honest = FIVE + "A lay 4\nB lay 9\nC lay 5\nD lay 4\nE lay 6\n"
    found = answer(tmp_path, honest + "C lay 10\nD lay 7\n")
    assert found["findings"][0]["clause"] == "follow.2"
    assert (found["findings"][0]["seat"], found["findings"][0]["seq"]) == ("D", 5)
    assert found["findings"][0]["proof"] == [8]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("game: fancy\n", 1),
        ("referee: 2\ngame: fancy\nseats: A B C\n", 1),
        ("referee: 1\ngame: fancy\nseats: A B C\ncolour: red\n", 4),
        ("referee: 1\ngame: fancy\nseats: A B C\nseats: A B C\n", 4),
        ("referee: 1\ngame: bridge\nseats: A B C\n", 2),
        ("referee: 1\ngame: fancy\nseats: A B\n", 3),
        ("referee: 1\ngame: fancy\nseats: A B A\n", 3),
        ("referee: 1\ngame: fancy\nseats: A B table\n", 3),
        ("referee: 1\ngame: fancy\nseats: A B C\noption: rounds=0\n", 4),
        ("referee: 1\ngame: fancy\noption: lead=winner\nseats: A B C\n", 3),
        ("referee: 1\ngame: fancy\n\ntable deal leader=A\n", 3),
        ("referee: 1\ngame: fancy\nseats: A B C\n\ntable deal leader=D\n", 5),
        ("referee: 1\ngame: fancy\nseats: A B C\n\nA lay Q\n", 5),
        ("referee: 1\ngame: fancy\nseats: A B C\n\n# note\nA lay 5 5\n", 6),
        ("referee: 1\ngame: fancy\nseats: A B C\n\nA lay 5*2\n", 5),
        ("referee: 1\ngame: fancy\nseats: A B C\n\nA lay 05\n", 5),
        ("referee: 1\ngame: fancy\nseats: A B C\n\nA lay ٥\n", 5),
        ("referee: 1\ngame: fancy\nseats: A B C\n\nA play 5\n", 5),
        ("referee: 1\ngame: fancy\nseats: A B C\n\ntable rule 1\n", 5),
        ("referee: 1\ngame: fancy\nseats: A B C\n\ntable amend 1 table rewind 0\n", 5),
        ('referee: 1\ngame: fancy\nseats: A B "C\n', 3),
    ],
)
def test_what_cannot_be_read_names_its_line_and_prints_nothing(
    tmp_path: Path, text: str, line: int
) -> None:
    result = judge(tmp_path, text, "--json")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"{tmp_path / 'evening.txt'}:{line}: ")


def test_bytes_that_are_no_text_are_unreadable_at_their_line(tmp_path: Path) -> None:
    result = judge(tmp_path, b"referee: 1\ngame: fancy\nseats: A B \xff\n")
    assert result.exit_code == 2
    assert ":3: " in result.stderr


def test_a_missing_file_is_said_plainly() -> None:
    result = CliRunner().invoke(main, ["judge", "no-such-file.txt"])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "no-such-file.txt" in result.stderr


def test_people_get_a_line_an_entry(tmp_path: Path) -> None:
    result = judge(tmp_path, REVOKE)
    lines = result.stdout.splitlines()
    assert len([line for line in lines if line.lstrip()[:1].isdigit()]) == 8
    assert any(line.startswith("✕ entry 5 (proven by 8)") for line in lines)


def test_japanese_answers_are_japanese(tmp_path: Path) -> None:
    file = tmp_path / "r.txt"
    file.write_text(REVOKE)
    result = CliRunner().invoke(main, ["judge", str(file), "--lang", "ja"])
    assert "このトリックに4は出ていません。" in result.stdout


def test_one_copy_can_be_said_of_every_card(tmp_path: Path) -> None:
    sheet = "referee: 1\ntally: fancy\nseats: A B C\n\ntrick: A5*1 B2 C4*1\n"
    assert answer(tmp_path, sheet)["score"] == {"A": 1, "B": 2, "C": 2}


def test_tally_sheets_of_the_source_text(tmp_path: Path) -> None:
    sheet = "referee: 1\ntally: perite\nseats: A B C D E\n\n"
    sheet += "A: 3 3\nB: 1/3 5\nC: 7 7\nD: 6 4\nE: 5 8\n"
    found = answer(tmp_path, sheet)
    assert found["score"] == {"A": 16, "B": 8, "C": 24, "D": 10, "E": 13}
    assert found["outcome"]["winners"] == ["C"]
    assert found["entries"] == []
    fancy = "referee: 1\ntally: fancy\nseats: A B C D E\n\ntrick: A5 B2 C4 D5 E9\n"
    assert answer(tmp_path, fancy)["score"] == {"A": 1, "B": 2, "C": 2, "D": 0, "E": 4}


def test_a_tally_sheet_is_refused_in_the_words_of_its_game(tmp_path: Path) -> None:
    """The sentence of this fact is in the book of Perite, not in the common one."""
    sheet = "referee: 1\ntally: perite\nseats: A B C D E\n\nA: 1/9 3\nB:\nC:\nD:\nE:\n"
    result = judge(tmp_path, sheet)
    assert result.exit_code == 2
    assert "evening.txt:5: " in result.stderr
    assert "9" in result.stderr


def test_a_corrected_entry_is_printed_as_it_counts_now(tmp_path: Path) -> None:
    corrected = FIVE + "A lay 4\nB lay 7\ntable amend 3 B lay 6\n"
    row = answer(tmp_path, corrected)["entries"][2]
    assert (row["text"], row["now"]) == ("B lay 7", "B lay 6")
    assert row["says"] == "No 6 is showing in this trick."
    english = judge(tmp_path, corrected).stdout
    assert "   3 ✓ B lay 6 (recorded first: B lay 7)  follow.1  No 6 is showing" in english
    assert "B lay 6（最初の記録：B lay 7）" in judge(tmp_path, corrected, "--lang", "ja").stdout


def test_a_declaration_that_was_inserted_is_printed_with_its_verdict(tmp_path: Path) -> None:
    inserted = FIVE + "A lay 4\nB lay 9\nD lay 6\ntable insert 4 C lay 4\n"
    row = answer(tmp_path, inserted)["entries"][4]
    assert (row["verdict"], row["says"]) == ("legal", "An entry was inserted before entry 4.")
    play = row["inserted"]
    assert (play["text"], play["verdict"], play["clause"]) == ("C lay 4", "unprovable", "follow.2")
    assert {fact["seq"] for fact in play["evidence"]} == {2, None}
    assert "\n     ? C lay 4  follow.2  " in judge(tmp_path, inserted).stdout


SAME = FIVE + "A lay 4\nB lay 7\ntable amend 3 B lay 7\n"


def test_a_correction_that_changes_nothing_is_refused(tmp_path: Path) -> None:
    row = answer(tmp_path, SAME)["entries"][3]
    assert (row["verdict"], row["clause"]) == ("illegal", "log.2")
    assert row["says"] == "Entry 3 says that already: nothing would change."
    both = SAME.replace("amend 3 B lay 7", "together amend 3 B lay 7 ; amend 2 A lay 4")
    assert answer(tmp_path, both)["entries"][3]["verdict"] == "illegal"
    more = SAME.replace("amend 3 B lay 7", "together amend 3 B lay 7 ; amend 2 A lay 5")
    assert answer(tmp_path, more)["entries"][3]["verdict"] == "legal"
    back = SAME.replace("amend 3 B lay 7", "amend 3 B lay 6") + "table amend 3 B lay 7\n"
    assert answer(tmp_path, back)["entries"][4]["verdict"] == "legal"


def test_an_accepted_entry_corrected_to_itself_is_no_longer_accepted(tmp_path: Path) -> None:
    ruled = FIVE + "A lay 4\nC lay 5\ntable rule 3 stands\ntable amend 3 C lay 5\n"
    found = answer(tmp_path, ruled)
    assert [row["verdict"] for row in found["entries"][2:]] == ["illegal", "legal", "legal"]
    assert "ruled" not in found["entries"][2]
    assert found["to_act"] == ["B"]


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("correction", ["amend 7 B lay 4", "strike 7", "amend 7 B lay 1"])
def test_taking_back_a_pair_is_judged(tmp_path: Path, correction: str, lang: str) -> None:
    """The trick before the pair was taken for one that the next card had finished."""
    cards = "A lay 3\nB lay 2\nB lay 3\nA lay 2\nA lay 4\nB lay 4\nA lay 1\n"
    two = "referee: 1\ngame: perite\nseats: A B\n\ntable deal leader=A\n" + cards
    for line in (correction, f"together {correction} ; strike 8"):
        for form in ([], ["--json"]):
            done = judge(tmp_path, f"{two}table {line}\n", "--lang", lang, *form)
            assert done.exit_code in (0, 1), done.output


def test_after_a_correction_the_next_card_does_not_win_the_last_trick_again(
    tmp_path: Path,
) -> None:
    """Two corrections that leave the table as it was: the states are equal, but not the same."""
    trick = "table deal leader=A\nA lay 5\nB lay 6\nC lay 7\nA lay 4\n"
    there = "table amend 4 C lay 8\ntable amend 4 C lay 7\n"
    rows = answer(tmp_path, THREE + trick + there)["entries"]
    gives = "The trick gives A 5, B 6 − 5 = 1 and C 7 − 6 = 1. A leads the next trick."
    assert rows[3]["says"].endswith(gives)
    assert rows[4]["says"] == "No 4 is showing in this trick."
