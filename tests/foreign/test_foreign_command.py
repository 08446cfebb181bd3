"""``referee import`` takes files of other programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))


def test_a_table_comes_in_once(tmp_path: Path) -> None:
    file = tmp_path / "evening.csv"
    file.write_text("date,game,Ken,Mei\n2026-11-28,UNO,120,80\n", encoding="utf-8")
    for fresh in (1, 0):
        result = CliRunner().invoke(main, ["import", str(file)])
        assert result.exit_code == 0, result.output
        assert f"{fresh} of 1 matches are new." in result.output


def test_a_table_with_a_fault_brings_nothing_in(tmp_path: Path) -> None:
    file = tmp_path / "evening.csv"
    file.write_text("date,game,Ken\n2026-11-28,UNO,1\n2026-11-28,UNO,1o\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["import", str(file), "--lang", "en"])
    assert result.exit_code == 1
    assert f"{file}:3:3: “1o” is no number." in result.output
    assert "新しい" not in result.output


def test_an_export_of_bg_stats(tmp_path: Path) -> None:
    file = tmp_path / "BGStatsExport.json"
    play = {"playDate": "2026-11-28 12:41:07", "gameRefId": 1}
    scores = [{"playerRefId": 1, "score": "3"}]
    content = {
        "players": [{"id": 1, "uuid": "K", "name": "Ken"}],
        "games": [{"id": 1, "name": "Azul"}],
        "plays": [{**play, "playerScores": scores}, {**play, "playerScores": []}],
    }
    file.write_text(json.dumps(content), encoding="utf-8")
    result = CliRunner().invoke(main, ["import", str(file), "--lang", "en"])
    assert result.exit_code == 0, result.output
    assert "“Azul”: 1 to 20 players can come in." in result.output
    file.write_text("{}", encoding="utf-8")
    assert CliRunner().invoke(main, ["import", str(file)]).exit_code == 1
