"""Plays of other programs come in after a question, on pages."""

from __future__ import annotations

import io
import json
import os
import re
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.foreign.plays import (
    AllTogether,
    ByPlaces,
    ByPoints,
    ForeignPlay,
    ForeignPlayer,
    Outcome,
)
from referee.web.group.sent_files import ForeignHead, SaidFault
from referee.web.group.waiting import MOST_KEPT, Waiting, WaitingFiles

TABLE = "日付,ゲーム,Ken,Mei\n2026-11-28,UNO,120,80\n2026-11-29,Catan,1位,2位\n"
ASKED = "/history/import/plays"
EXPORT: dict[str, Any] = {
    "players": [
        {"id": 1, "uuid": "A-1", "name": "Ken"},
        {"id": 2, "uuid": "B-2", "name": "Mei"},
    ],
    "games": [{"id": 1, "name": "Azul", "highestWins": True}],
    "plays": [
        {
            "uuid": "P-1",
            "playDate": "2026-11-28 12:41:07",
            "gameRefId": 1,
            "playerScores": [
                {"playerRefId": 1, "score": "71", "winner": True},
                {"playerRefId": 2, "score": "60", "winner": False},
            ],
        },
        {"uuid": "P-2", "playDate": "2026-11-28 12:41:07", "gameRefId": 9},
    ],
}


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    return app.test_client()


def sends(phone: FlaskClient, content: str, name: str = "BGStatsExport.json") -> TestResponse:
    file = io.BytesIO(content.encode()), name
    return phone.post("/history/import", data={"file": file})


def pastes(phone: FlaskClient, text: str) -> TestResponse:
    return phone.post("/history/import", data={"table": text}, content_type="multipart/form-data")


def agrees(phone: FlaskClient, **more: str) -> TestResponse:
    file = re.search(r'name="file" value="([^"]+)"', phone.get(ASKED).text)
    assert file
    return phone.post(ASKED, data={"file": file[1], **more})


def finished(phone: FlaskClient) -> str:
    """What the page says when the import is over."""
    while "Refresh" in (shown := phone.get("/history/work")).headers:
        sleep(0.01)
    return shown.text


def names(phone: FlaskClient) -> list[str]:
    history = phone.get("/history/results.csv").text
    return [line.split(",")[8] for line in history.splitlines()[1:]]


def test_a_pasted_table_comes_in_once_after_a_question(phone: FlaskClient) -> None:
    assert pastes(phone, TABLE).location == ASKED
    assert "2ゲーム、2種類、2人" in phone.get(ASKED).text
    assert names(phone) == []
    assert agrees(phone).status_code == 303
    assert "2件" in finished(phone)
    assert names(phone) == ["Ken", "Mei"] * 2
    pastes(phone, TABLE)
    assert "そのうち2ゲームはもうここにある" in phone.get(ASKED).text
    agrees(phone)
    finished(phone)
    assert len(names(phone)) == 4


def test_an_export_of_bg_stats_says_what_cannot_come_in(phone: FlaskClient) -> None:
    assert sends(phone, json.dumps(EXPORT)).location == ASKED
    page = phone.get(ASKED).text
    assert "1ゲーム、1種類、2人" in page
    assert "どのゲームか" in page
    agrees(phone, times="utc")
    finished(phone)
    record = phone.get("/history/history.json.gz")
    assert record.status_code == 200
    assert names(phone) == ["Ken", "Mei"]


def test_somebody_in_the_file_is_somebody_here(phone: FlaskClient) -> None:
    pastes(phone, "date,game,Kenji\n2026-11-27,UNO,3\n")
    agrees(phone)
    finished(phone)
    sends(phone, json.dumps(EXPORT))
    agrees(phone, who0="Kenji")
    finished(phone)
    assert sorted(names(phone)) == ["Kenji", "Kenji", "Mei"]
    EXPORT["plays"][0]["uuid"] = "P-9"
    sends(phone, json.dumps(EXPORT))
    assert "<option selected>Kenji</option>" in phone.get(ASKED).text


def test_two_people_of_a_game_are_not_one(phone: FlaskClient) -> None:
    pastes(phone, TABLE)
    answer = agrees(phone, who0="Aki", who1="Aki")
    assert answer.status_code == 400
    assert "同じ人が2人います（Aki）" in answer.text
    assert names(phone) == []


def test_lines_that_cannot_be_read_are_left_out_only_if_asked(phone: FlaskClient) -> None:
    pastes(phone, TABLE + "2026-11-30,UNO,12o,3\n")
    assert "4行目3列目：「12o」は数ではありません。" in phone.get(ASKED).text
    assert agrees(phone).status_code == 400
    assert agrees(phone, leave_out="1").status_code == 303
    finished(phone)
    assert len(names(phone)) == 4


def test_a_file_of_a_table_and_one_with_faulty_headings(phone: FlaskClient) -> None:
    assert sends(phone, TABLE, "evening.csv").location == ASKED
    answer = sends(phone, TABLE.replace("Mei", "Ken"), "evening.csv")
    assert answer.status_code == 400
    assert "1行目4列目：見出し「Ken」が2つあります。" in answer.text


@pytest.mark.parametrize("content", ["{}", '{"plays": 3}', "{no", '{"players": []}'])
def test_other_files_are_told_what_can_come_in(phone: FlaskClient, content: str) -> None:
    answer = sends(phone, content)
    assert answer.status_code == 400
    assert "BG Stats" in answer.text


def test_nothing_waits(phone: FlaskClient) -> None:
    assert phone.get(ASKED).status_code in (403, 404)


def test_an_older_question_is_not_the_answer_to_a_newer_file(phone: FlaskClient) -> None:
    pastes(phone, TABLE)
    old = re.search(r'name="file" value="([^"]+)"', phone.get(ASKED).text)
    assert old
    sends(phone, json.dumps(EXPORT))
    assert phone.post(ASKED, data={"file": old[1]}).status_code == 400
    assert names(phone) == []


def test_what_waits_is_there_after_a_restart(phone: FlaskClient, app: Flask) -> None:
    """Another app on the same data has the same page, and the file is gone after the yes."""
    pastes(phone, TABLE + "2026-11-30,UNO,12o,3\n")
    before = phone.get(ASKED).text
    folder = app.config["DATA_DIR"]
    app.extensions["waiting"] = WaitingFiles(folder)
    assert phone.get(ASKED).text == before
    agrees(phone, leave_out="1")
    finished(phone)
    assert len(names(phone)) == 4
    assert not list((folder / "waiting").iterdir())
    assert phone.get(ASKED).status_code == 404


TEAM = (ForeignPlayer("Ken", "k"), ForeignPlayer("匿名 1", ""))


@pytest.mark.parametrize(
    "outcome",
    [
        ByPoints((3, Decimal("-7.25")), least=True),
        ByPlaces((1, 1)),
        AllTogether(True, Decimal("0.5")),
        AllTogether(False),
    ],
)
def test_every_kind_of_play_is_kept_as_it_is(tmp_path: Path, outcome: Outcome) -> None:
    clock = datetime(2026, 11, 28, 19, 3, 7)
    play = ForeignPlay(7, ("u1", "u2"), "UNO", clock, TEAM, outcome, "opposite", True, "x", "y")
    head = ForeignHead(False, True, [SaidFault(3, 0, "無")], False)
    kept = Waiting("id", head, (play,))
    WaitingFiles(tmp_path).keep("circle", kept)
    assert WaitingFiles(tmp_path).get("circle") == kept


def test_damaged_and_old_files_wait_no_longer(tmp_path: Path) -> None:
    kept = Waiting("id", ForeignHead(True, True, [], False), ())
    for n in range(MOST_KEPT + 2):
        WaitingFiles(tmp_path).keep(str(n), kept)
    [*files] = (tmp_path / "waiting").iterdir()
    assert len(files) == MOST_KEPT
    late, torn, *_ = files
    os.utime(late, (1, 1))
    torn.write_text(torn.read_text()[:-9])
    found = [WaitingFiles(tmp_path).get(str(n)) for n in range(MOST_KEPT + 2)]
    assert found.count(kept) == MOST_KEPT - 2
    assert found.count(None) == 4
