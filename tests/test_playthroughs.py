"""Whole games as text: what was played, what the referee said, and how it ended."""

from __future__ import annotations

from pathlib import Path

import pytest
from table_talk import check

from referee.games import GAMES

FOLDER = Path(__file__).parent / "games"
FILES = sorted(file for name in GAMES for file in (FOLDER / name / "playthroughs").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parents[1].name}/{file.stem}")
def test_playthrough(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    answer = check(text)
    assert answer["game"] == file.parents[1].name
    assert any(line.startswith(("# outcome", "# to act")) for line in text.split("\n"))


def test_there_are_playthroughs() -> None:
    assert FILES
