"""A tab offers a copy of the history before its browser may delete it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from parsed import parsed

from referee.app import create_app
from referee.core.record import Header
from referee.core.sheets import Stop
from referee.games.simulation import WIDEST
from referee.http.machine import SERVER, TAB
from referee.pack.tab import Tab
from referee.web.site import keeping

FORM = [("Content-Type", "application/x-www-form-urlencoded")]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app(tmp_path, MACHINE=TAB)
    yield app
    app.extensions["ledger"].store.close()


@pytest.fixture
def tab(app: Flask) -> Tab:
    return Tab(app, app.config["DATA_DIR"], "https://fudami.example")


def plays(tab: Tab) -> None:
    """Open a table and end it."""
    opened = tab.ask("POST", "/new", FORM, f"game={WIDEST}&name=A&name=B".encode())
    table = dict(opened.headers)["Location"]
    page = parsed(tab.ask("GET", f"{table}/stop", [], b"").body)
    sent = "&".join(f"{x['name']}={x['value']}" for x in page.select("form [type=hidden]"))
    assert tab.ask("POST", f"{table}/stop", FORM, sent.encode()).status == 303


def offered(tab: Tab, persisted: bool = False) -> bool:
    answer = tab.ask("GET", "/", [], b"", persisted)
    page = parsed(answer.body)
    [*found] = page.select('.warn a[href="/history/files"]')
    return bool(found)


def copies(tab: Tab) -> None:
    assert tab.ask("GET", "/history/history.json.gz", [], b"").body


def test_a_copy_is_offered_after_each_game_until_it_is_made(tab: Tab) -> None:
    assert not offered(tab)
    for _time in range(2):
        plays(tab)
        assert offered(tab)
        copies(tab)
        assert not offered(tab)


def test_a_browser_that_promised_to_keep_the_data_offers_it_after_a_month(
    tab: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays(tab)
    assert not offered(tab, persisted=True)

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> Later:
            return cls.fromtimestamp((datetime.now(UTC) + timedelta(days=31)).timestamp(), UTC)

    monkeypatch.setattr(keeping, "datetime", Later)
    assert offered(tab, persisted=True)
    copies(tab)
    assert not offered(tab, persisted=True)


def test_a_server_has_backups_and_offers_none(app: Flask) -> None:
    app.config["MACHINE"] = SERVER
    phone = app.test_client()
    ledger = app.extensions["ledger"]
    view = ledger.open(Header(WIDEST, ("A", "B")))
    assert ledger.declare(view.match, view.grammar.print(Stop(None)), view.seq, "key-1").seq
    phone.get("/")
    page = phone.get("/").text
    assert "途中で終わり" in page
    assert "コピーを残す" not in page
