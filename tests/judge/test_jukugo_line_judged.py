"""`referee judge` on records of 熟語ライン."""

from pathlib import Path

from judging import answer, judge
from table_talk import GAMES_OF_TEXT


def test_a_correction_does_not_answer_for_the_claim_before_it(tmp_path: Path) -> None:
    played = (GAMES_OF_TEXT / "jukugo_line" / "playthroughs" / "breakthrough.txt").read_text()
    claim = played.index("A claim 3")
    found = answer(tmp_path, played[:claim] + "table rewind 99\n")
    claimed, corrected = found["entries"][-2:]
    assert claimed["claim"] == "proven"
    assert corrected["verdict"] == "illegal"
    assert "claim" not in corrected


def test_one_copy_can_be_said_of_every_kanji(tmp_path: Path) -> None:
    played = "referee: 1\ngame: jukugo_line\nseats: A B\n\ntable deal leader=A\nA place 4 日"
    found = answer(tmp_path, f"{played}*1\n")
    assert found["public"]["flags"][3]["A"] == ["日"]
    assert judge(tmp_path, f"{played}*2\n").exit_code == 2
