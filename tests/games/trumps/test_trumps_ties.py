"""The law about ties finds a game that does not ask the house rule."""

from __future__ import annotations

from pathlib import Path

import pytest
from table_talk import recorded

from referee.core.game import Table
from referee.core.record import Record
from referee.core.verdict import Facts, Outcome, Seat
from referee.games.trumps import scoring
from referee.rulings.report import replay
from tools.laws import Match, a_tie_is_settled_by_the_house_rule

SHARED = Path(__file__).parent / "playthroughs" / "a_shared_win.txt"


def test_a_game_that_forgets_the_house_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(table: Table, level: tuple[Seat, ...], why: Facts) -> Outcome:
        return Outcome("tie.1", level, why)

    record = recorded(SHARED.read_text(encoding="utf-8"))
    assert isinstance(record, Record)
    match = Match(record.header, 0, replay(record))
    assert list(a_tie_is_settled_by_the_house_rule(match)) == []
    monkeypatch.setattr(scoring, "tie", forgetful)
    replayed, first = a_tie_is_settled_by_the_house_rule(match)
    assert "final_tie is replay" in replayed
    assert "final_tie is first_in_seat" in first
