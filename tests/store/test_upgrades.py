"""Databases as older versions left them open, are brought up to date, replay and are played on.

Each of ``upgrades/*.sql`` is what the program of its time wrote, named after the migrations that it
had: two matches, played through its desk. From ``3`` on they belong to the phone of ``introduced``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from introduced import TOKEN

from referee.app import create_app
from referee.paths import DATABASE
from referee.store import Store
from referee.store.sqlite import sqlite3
from referee.upkeep.backup import back_up

pytestmark = pytest.mark.file

FILES = sorted((Path(__file__).parent / "upgrades").glob("*.sql"))
LOGS = {
    "perite": [
        "table deal leader=B",
        "B lay 4",
        '"C D" lay 5',
        "あかね lay 6",
        "table rewind 3",
        "あかね lay 6",
    ],
    "fancy": ["table deal leader=あかね", "あかね lay 4", "Y lay 6", "Z lay 5"],
}


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with that database."""
    db = sqlite3.connect(tmp_path / DATABASE)
    db.executescript(request.param.read_text(encoding="utf-8"))
    db.close()
    return tmp_path


@pytest.fixture
def app(old: Path) -> Iterator[Flask]:
    app = create_app(old, TESTING=True)
    yield app
    app.extensions["desk"].store.close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    client = app.test_client()
    client.set_cookie("phone", TOKEN)
    return client


def schema(store: Store) -> set[tuple[str, str]]:
    rows = store._rows("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL", ())
    return {(name, re.sub(r"\s+", "", sql)) for name, sql in rows}


def test_the_schema_is_that_of_a_new_installation(old: Path, tmp_path: Path) -> None:
    new, store = Store(tmp_path / "new.db"), Store(old / DATABASE)
    assert schema(store) == schema(new)
    assert store._rows("PRAGMA integrity_check", ()) == [("ok",)]
    assert store._rows("PRAGMA foreign_key_check", ()) == []
    store.close()
    new.close()


def test_every_match_replays_line_by_line(app: Flask) -> None:
    desk = app.extensions["desk"]
    found = {}
    for row in desk.store.matches():
        view = desk.view(row.id)
        assert view.departed == []
        found[view.header.game] = [entry.line for entry in desk.store.read(row.id)]
        assert view.header.seats[0] == "あかね"
    assert found == LOGS


def test_pages_show_what_was_played_and_take_the_next_play(app: Flask, client: FlaskClient) -> None:
    desk = app.extensions["desk"]
    assert "あかね" in client.get("/").text  # which adopts, if nobody had
    for row in desk.store.matches():
        game = desk.view(row.id).header.game
        for page in ("", "/log", "/score", "/join"):
            assert client.get(f"/t/{row.id}{page}").status_code == 200, page
        seen = len(LOGS[game])
        due = desk.view(row.id).to_act[0]
        name = f'"{due}"' if " " in due else due
        play = {"line": f"{name} lay 1", "seen": str(seen), "key": "upgraded-0001"}
        assert client.post(f"/t/{row.id}/play", data=play).status_code == 303
    for page in ("/history", "/people", "/circle", "/decisions"):
        answer = client.get(page)
        assert answer.status_code == 200, page
    assert "あかね" in client.get("/people").text


def test_it_can_be_backed_up(old: Path, app: Flask, tmp_path: Path) -> None:
    back_up(old / DATABASE, tmp_path / "copy.db")
    copy = Store(tmp_path / "copy.db")
    assert schema(copy) == schema(app.extensions["desk"].store)
    assert len(copy.matches()) == 2
    copy.close()
