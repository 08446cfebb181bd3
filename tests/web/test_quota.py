"""What one address may have stored in an hour by a server on the internet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.app import create_app
from referee.games.simulation import WIDEST
from referee.http import quota

STRANGER, OTHER = "192.0.2.7", "192.0.2.8"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app(tmp_path, TESTING=True, PUBLIC=True)
    yield app
    app.extensions["ledger"].store.close()


def opened(client: FlaskClient, address: str, **headers: str) -> TestResponse:
    return client.post(
        "/new",
        data={"game": WIDEST, "name": ["A", "B"], "leader": "A"},
        base_url="https://fudami.example",
        environ_overrides={"REMOTE_ADDR": address},
        headers=headers,
    )


def played(client: FlaskClient, table: str, seen: int) -> TestResponse:
    return client.post(
        f"{table}/play",
        data={"line": "A lay 4", "seen": seen, "key": f"key-{seen:08}"},
        base_url="https://fudami.example",
        environ_overrides={"REMOTE_ADDR": STRANGER},
    )


def test_a_stranger_cannot_fill_the_disk_with_tables(
    app: Flask,
) -> None:
    app.config["QUOTA"] = 3 * (quota.OPENING + 200)
    phone = app.test_client()
    tables = [opened(phone, STRANGER) for _ in range(5)]
    assert [answer.status_code for answer in tables] == [303] * 3 + [429] * 2
    assert "1時間に保存できる量を超えました" in tables[-1].text
    assert tables[-1].headers["Retry-After"] == "3600"
    english = opened(app.test_client(), STRANGER, **{"Accept-Language": "en"})  # another phone
    assert "This network has stored as much as it may in one hour" in english.text
    assert opened(app.test_client(), OTHER).status_code == 303
    assert played(phone, tables[0].location.partition("?")[0], 1).status_code < 400
    assert phone.get("/", base_url="https://fudami.example").status_code == 200


def test_at_home_nothing_is_counted(tmp_path: Path) -> None:
    app = create_app(tmp_path, TESTING=True, QUOTA=1)
    assert opened(app.test_client(), STRANGER).status_code == 303
    app.extensions["ledger"].store.close()


def test_the_next_hour_begins_anew_and_many_addresses_share_a_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    counted = quota.Quota(lambda: now)
    assert [counted.spend("a", 60, 100) for _ in range(2)] == [0, 60]
    assert counted.spend("b", 60, 100) == 0
    now = quota.HOUR - 90
    assert counted.spend("a", 60, 100) == 2
    now = quota.HOUR
    assert counted.spend("a", 60, 100) == 0
    monkeypatch.setattr(quota, "MOST_ADDRESSES", 1)
    assert [counted.spend(address, 60, 100) for address in "bc"] == [0, 60]
