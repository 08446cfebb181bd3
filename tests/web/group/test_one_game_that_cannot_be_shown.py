"""A game with a fault of the program costs its own line; the pages around it open."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

import pytest
from phones import Phone, soup

from referee.core.game import Game
from referee.core.log import Log
from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.screens import screen

OTHER = next(name for name, game in GAMES.items() if 3 in game.SEATS and name != WIDEST)
AROUND = ("/", "/history", "/history/people", "/history/hidden", "/decisions", "/people", "/circle")


def broken(*_: object, **__: object) -> Any:
    raise KeyError("on purpose")


def cannot_be_drawn(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    monkeypatch.setattr(screen(game.NAME), "band", broken, raising=False)


def has_no_outcome(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    monkeypatch.setattr(game, "outcome", broken)


def cannot_be_replayed(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    monkeypatch.setattr(game, "judge", broken)


FAULTS = (cannot_be_drawn, has_no_outcome, cannot_be_replayed)


@pytest.fixture
def tables(phone: Phone) -> tuple[str, str]:
    """A table that will be broken, and another one."""
    own = phone.opens(names=("A", "B", "C")).match
    phone.lays("A lay 3", "B lay 4", "B contest 2")
    phone.lays("A vote 4 yes", "C vote 4 yes", 'table decide 4 yes because "we saw it"')
    return own, phone.opens(OTHER, ("D", "E", "F"), "D").match


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(
    ("lang", "says"), [("ja", "このゲームは表示できません"), ("en", "This game cannot be shown")]
)
def test_a_game_that_cannot_be_shown_costs_its_own_line(
    phone: Phone,
    tables: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: Callable[[pytest.MonkeyPatch, Game], None],
    lang: str,
    says: str,
) -> None:
    own, other = tables
    caplog.set_level(logging.ERROR)
    phone.client.set_cookie("lang", lang)
    phone.client.application.config["PROPAGATE_EXCEPTIONS"] = False
    phone.client.application.testing = False
    [session] = set(re.findall(r"/session/\d+", phone.get("/circle").text))
    with monkeypatch.context() as patched:
        fault(patched, GAMES[WIDEST])
        phone.client.application.extensions["ledger"]._matches.clear()
        for path in (*AROUND, session):
            answer = phone.get(path)
            assert answer.status_code == 200, path
        home = soup(phone.get("/"))
        [line] = [row for row in home.select("a.row") if says in row.get_text()]
        assert line["href"] == f"/t/{own}/log"
        assert home.select(f'a.row[href="/t/{other}"]')
        assert "KeyError: 'on purpose'" in caplog.text
        text = phone.get(f"/t/{own}/record.txt")
        assert text.status_code == 200
        assert "A lay 3\nB lay 4\nB contest 2\n" in text.text
        if fault is cannot_be_replayed:
            refused = phone.get(f"/t/{own}/log")
            assert refused.status_code == 500
            assert f'href="/t/{own}/record.txt"' in refused.text
    phone.client.application.extensions["ledger"]._matches.clear()
    assert says not in phone.get("/").text


def test_a_game_that_cannot_be_counted_leaves_the_others_their_history(
    phone: Phone, tables: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own, other = tables
    push = Log.push
    widest = GAMES[WIDEST]
    monkeypatch.setattr(
        Log, "push", lambda log, *entry: broken() if log.game is widest else push(log, *entry)
    )
    page = phone.get("/history")
    assert page.status_code == 200
    assert f"/t/{own}/score" in page.text
    assert f"/t/{other}/score" in page.text
