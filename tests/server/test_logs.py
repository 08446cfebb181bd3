"""Logs and the health page: what happens, and nothing about anybody."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from referee.app import create_app
from referee.games.simulation import WIDEST
from referee.server import logs
from referee.store import sqlite


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """The JSON log of this process, put back as it was afterwards."""
    root, written = logging.getLogger(), io.StringIO()
    before, level = root.handlers[:], root.level
    logs.begin(written)
    yield written
    root.handlers[:] = before
    root.setLevel(level)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app(tmp_path, LOG_REQUESTS=True)
    yield app
    app.extensions["ledger"].store.close()


def lines(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def test_an_answer_is_a_line_with_its_route_and_without_anybody(
    app: Flask, log: io.StringIO
) -> None:
    client = app.test_client()
    form = {"game": WIDEST, "name": ["あかね", "ほしの"], "leader": "あかね"}
    table = client.post("/new", data=form).location
    cookie = client.get_cookie("phone")
    assert cookie is not None
    client.post(f"{table}/play", data={"line": "あかね lay 4", "seen": "1", "key": "k" * 12})
    client.get("/j/a-secret-of-an-invitation?note=ほしの")
    client.get("/nowhere/あかね")
    client.post("/join", data={"code": "AAAAAA"})
    requests = [(line["method"], line["route"], line["status"]) for line in lines(log)]
    assert requests == [
        ("POST", "/new", 303),
        ("POST", "/t/<match>/play", 303),
        ("GET", "/j/<secret>", 404),
        ("GET", None, 404),
        ("POST", "/join", 404),
    ]
    for line in lines(log):
        assert line.keys() == {"at", "level", "method", "route", "status", "ms"}
        assert 0 <= line["ms"] < 60_000
    secrets = ("あかね", "ほしの", table.rpartition("/")[2], cookie.value, "a-secret", "AAAAAA")
    for secret in (*secrets, "127.0.0.1"):
        assert secret not in log.getvalue()
        assert json.dumps(secret).strip('"') not in log.getvalue()


def test_what_is_refused_before_its_page_is_asked_is_logged_too(
    app: Flask, log: io.StringIO
) -> None:
    assert app.test_client().get("/", headers={"Host": "a..b"}).status_code == 400
    [line] = lines(log)
    assert (line["route"], line["status"]) == ("/", 400)


def test_a_mistake_of_ours_says_where_and_not_what_people_typed(
    app: Flask, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> str:
        raise RuntimeError("あかね lay 4")

    monkeypatch.setitem(app.view_functions, "about.about", fails)
    assert app.test_client().get("/about").status_code == 500
    [fault] = [line for line in lines(log) if line["level"] == "error"]
    assert fault["message"] == "GET /about"
    assert fault["fault"] == "RuntimeError"
    assert fault["where"][-1].endswith(" fails")
    assert "あかね" not in log.getvalue()


def test_health_is_well(app: Flask) -> None:
    answer = app.test_client().get("/healthz")
    assert (answer.status_code, answer.json) == (200, {"status": "ok"})
    assert "Set-Cookie" not in answer.headers


@pytest.mark.file
def test_health_writes_nothing(app: Flask, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in tmp_path.glob("referee.db*")}
    assert app.test_client().get("/healthz").status_code == 200
    after = {path.name: path.read_bytes() for path in tmp_path.glob("referee.db*")}
    assert after["referee.db"] == before["referee.db"]
    assert after["referee.db-wal"] == before["referee.db-wal"]


@pytest.mark.file
def test_a_database_that_cannot_be_written_is_unwell(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: io.StringIO
) -> None:
    app.extensions["ledger"].store.engine.writer.execute("PRAGMA busy_timeout = 10").fetchall()
    other = sqlite.sqlite3.connect(tmp_path / "referee.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answer = app.test_client().get("/healthz")
    assert (answer.status_code, answer.json) == (503, {"status": "unavailable"})
    other.close()
    assert app.test_client().get("/healthz").status_code == 200
    monkeypatch.setattr(sqlite, "LEAST_FREE", 1 << 60)
    assert app.test_client().get("/healthz").status_code == 503
    assert str(tmp_path) not in log.getvalue()
