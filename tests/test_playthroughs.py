"""Whole games as text: what was played, what the referee said, and how it ended."""

from __future__ import annotations

from pathlib import Path

import pytest
from table_talk import check, recorded

from referee.core.record import Record
from referee.games import GAMES
from referee.rulings.report import replay
from tools.conventions import TIE, endings
from tools.laws import Match, a_tie_is_settled_by_the_house_rule

FOLDER = Path(__file__).parent / "games"
FILES = sorted(file for name in GAMES for file in (FOLDER / name / "playthroughs").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parents[1].name}/{file.stem}")
def test_playthrough(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    answer = check(text)
    assert answer["game"] == file.parents[1].name
    closed = any(line.startswith(("# outcome", "# to act")) for line in text.split("\n"))
    assert closed, f"write at the end of {file.name} how it ended: # outcome … or # to act …"


@pytest.mark.parametrize("name", [name for name in GAMES if TIE in endings(name)])
def test_the_house_rule_settles_a_tie(name: str) -> None:
    """Ties are rare in random matches, so those of the playthroughs are held to the law, too."""
    shared = 0
    for file in (FOLDER / name / "playthroughs").glob("*.txt"):
        record = recorded(file.read_text(encoding="utf-8"))
        if isinstance(record, Record):
            match = Match(record.header, 0, replay(record))
            assert list(a_tie_is_settled_by_the_house_rule(match)) == [], file.name
            ended = match.log.game.outcome(match.log.state)
            shared += ended is not None and len(ended.winners) > 1
    assert shared, f"write a playthrough of {name} in which a win is shared"


def test_there_are_playthroughs() -> None:
    assert FILES
