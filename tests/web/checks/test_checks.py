"""Quick checks: the rules' own examples as questions, and answers that a real match gives, too."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from asking import ask, heads
from examples import each
from flask import Flask
from phones import one, soup
from reading_room import words

from referee import paths
from referee.games import GAMES
from referee.kit import shipped
from referee.screens import screen


def test_every_game_has_its_questions(app: Flask) -> None:
    page = soup(app.test_client().get("/check"))
    with app.app_context():
        games = (*GAMES, *shipped.games())
        asked = {game: screen(game).checks for game in games if screen(game).checks}
    assert asked
    assert [a["href"] for a in page.select(".rows a")] == [f"/check/{game}" for game in asked]
    for game, questions in asked.items():
        for question in questions:
            assert not heads(ask(app, game, ask=question.name))
        ask(app, game, 404, ask="nothing")
    ask(app, "nothing", 404)


@pytest.mark.parametrize(("game", "fault"), each("check_fault"))
def test_wrong_input_is_said_at_its_field(app: Flask, game: str, fault: dict[str, Any]) -> None:
    page = ask(app, game, 400, lang="en", **fault["fields"])
    assert words(one(page, fault["where"]))
    assert not heads(page)
    assert page.select("form.settle input")


@pytest.mark.file
def test_nothing_is_stored(app: Flask, tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / paths.DATABASE)
    before = list(database.iterdump())
    for game, sent in each("check"):
        assert app.test_client().get(f"/check/{game}?{sent['address']}").status_code == 200
    for game, fault in each("check_fault"):
        ask(app, game, 400, **fault["fields"])
    assert list(database.iterdump()) == before
    database.close()
