"""`referee judge` on tally sheets of Trumps."""

from pathlib import Path

import pytest
from judging import answer, judge


def test_a_seat_on_a_tally_sheet_may_have_a_colon_in_its_name(tmp_path: Path) -> None:
    found = answer(tmp_path, "referee: 1\ntally: trumps\nseats: A A:1\n\nA:1: 9*2\nA : 8\n")
    assert found["score"] == {"A": 2, "A:1": 3}


@pytest.mark.parametrize(
    ("lines", "at"),
    [
        ("B: 1\nA: 1\n", 6),  # the second 1
        ("B: 1\nC: 1\nA: 2\n", 6),
        ("B: Q\nA: K\n", 5),
        ("B: 1\nB: 2\nA: 3\n", 6),
        ("B: 1\n", 4),
    ],
)
def test_a_tally_sheet_is_read_from_top_to_bottom(tmp_path: Path, lines: str, at: int) -> None:
    result = judge(tmp_path, f"referee: 1\ntally: trumps\nseats: A B\n\n{lines}")
    assert result.exit_code == 2
    assert f"evening.txt:{at}: " in result.stderr
