"""The pages about results that an update has changed."""

from __future__ import annotations

import csv
import io
import re

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from phones import Phone, text

from referee.core.generic import GameState
from referee.core.verdict import Outcome
from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.history import counting

SHEET = 'table sheet leader=A A="3 3" B="2"'


@pytest.fixture
def changed(phone: Phone, app: Flask, monkeypatch: pytest.MonkeyPatch) -> Phone:
    """The phone of a group whose match A won until an update; now B has won it."""
    usual = GAMES[WIDEST].outcome

    def strict(state: GameState) -> Outcome | None:
        ended = usual(state)
        return ended and ended._replace(winners=("B",))

    phone.opens(names="AB", rounds="1")
    ledger = app.extensions["ledger"]
    seen = ledger.declare(phone.match, "table rewind 0", ledger.view(phone.match).seq, "undone").seq
    assert ledger.declare(phone.match, SHEET, seen, "the sheet").seq
    assert counting.catch_up(ledger.store) == 0
    monkeypatch.setattr(counting, "edition", lambda: "the next one")
    monkeypatch.setattr(GAMES[WIDEST], "outcome", strict)
    return phone


def read(phone: Phone, path: str) -> str:
    """The text of a page in English."""
    answer = phone.client.get(path, headers={"Accept-Language": "en"})
    assert answer.status_code == 200, path
    return text(BeautifulSoup(answer.text, "html.parser"), "main")


def test_the_history_says_once_that_results_have_changed(changed: Phone) -> None:
    first = read(changed, "/history")
    assert "the result of 1 game has changed" in first
    assert "B wins" in first
    both = read(changed, "/history/revised")
    assert re.search(
        r"Before: A wins · A 10, B 2 ?Since the update of .*: B wins · B 2, A 10", both
    )
    assert "Keep the earlier result" in both
    answer = changed.post("/history/revised", {})
    assert (answer.status_code, answer.location) == (303, "/history")
    later = read(changed, "/history")
    assert "has changed" not in later
    assert "Games whose result an update changed 1" in later  # it can be looked up


def test_the_group_keeps_a_result_and_gives_it_up(changed: Phone) -> None:
    read(changed, "/history")
    score = f"/t/{changed.match}/score"
    assert "Before: A wins" in read(changed, score)
    for kept, winner in (("1", "A"), ("0", "B")):
        answer = changed.post(f"/t/{changed.match}/earlier", {"kept": kept})
        assert (answer.status_code, answer.location) == (303, "/history/revised")
        history = read(changed, "/history")
        assert f"{winner} wins" in history
        assert ("result from before an update" in history) is (kept == "1")
        assert ("The earlier result counts" in read(changed, score)) is (kept == "1")
        table = changed.get("/history/results.csv").text.removeprefix("\ufeff")
        assert [row["won"] for row in csv.DictReader(io.StringIO(table))] == [
            str(int(name == winner)) for name in "AB"
        ]


def test_only_its_group_decides(changed: Phone, guest: Phone) -> None:
    read(changed, "/history")
    assert guest.post(f"/t/{changed.match}/earlier", {"kept": "1"}).status_code == 403
    assert guest.get("/history/revised").status_code == 403
    assert guest.post("/history/revised", {}).status_code == 403
    assert "the result of 1 game has changed" in read(changed, "/history")


def test_a_match_without_a_second_result_takes_no_harm(phone: Phone) -> None:
    phone.opens()
    assert phone.post(f"/t/{phone.match}/earlier", {"kept": "x"}).status_code == 303
    assert "No update has changed" in read(phone, "/history/revised")
    assert "update" not in read(phone, "/history")
