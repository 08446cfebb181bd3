"""Matches entered by sheets and matches that stopped, on every page that shows a match."""

from __future__ import annotations

from pathlib import Path

import pytest
from chosen_games import having, head
from flask import Flask
from phones import Phone, soup, text

from referee.core.record import Header
from referee.core.verdict import Illegal
from referee.games import GAMES, ON_CARDS
from referee.games.simulation import played

FOLDER = Path(__file__).parents[1] / "games"
PAGES = ("", "/log", "/score", "/result", "/card.svg")


def sheets_of(name: str) -> tuple[Header, list[str]]:
    """The legal entries of the game's playthrough that is entered by sheets."""
    file = FOLDER / name / "playthroughs" / "entered-by-sheet.txt"
    lines = file.read_text(encoding="utf-8").splitlines()
    body = lines[lines.index("") :]
    legal = [line.split(" #")[0].strip() for line in body if " # legal" in line]
    seats = next(line for line in lines if line.startswith("seats:")).split()[1:]
    options = dict(
        line.removeprefix("option: ").split("=") for line in lines if line.startswith("option:")
    )
    return head(name, tuple(seats), options), legal


def walked(phone: Phone, entries: int) -> None:
    for page in PAGES:
        answer = phone.get(f"/t/{phone.match}{page}", follow_redirects=True)
        assert answer.status_code == 200, page
    for number in range(1, entries + 1):
        for page in (f"/e/{number}", f"/correct/{number}"):
            assert phone.get(f"/t/{phone.match}{page}").status_code < 500, page
    for page in ("/", "/history"):
        assert phone.get(page).status_code == 200, page


@pytest.mark.parametrize("name", having("sheet"))
def test_every_page_of_a_match_entered_by_sheets(phone: Phone, app: Flask, name: str) -> None:
    header, lines = sheets_of(name)
    ledger = app.extensions["ledger"]
    phone.match = ledger.open(header).match
    for seen, line in enumerate(line for line in lines if "rewind" not in line):
        ledger.declare(phone.match, line, seen, f"key-{seen:06}")
    assert any("table sheet" in line for line in phone.log())
    assert not isinstance(ledger.view(phone.match).log.now.verdict, Illegal)
    walked(phone, len(phone.log()))
    assert "得点表で記録" in phone.get("/history").text
    assert "得点表で記録" in phone.get(f"/t/{phone.match}/score").text


@pytest.mark.parametrize("name", [name for name in having("stopped") if name in ON_CARDS])
def test_every_page_of_a_match_that_stopped_in_a_deal(phone: Phone, app: Flask, name: str) -> None:
    game, ledger = GAMES[name], app.extensions["ledger"]
    seats = ("A", "B", "C")[: max(2, game.SEATS[0])]
    phone.match = ledger.open(head(name, seats)).match
    entries = played(game, seats, 3).entries[:9]
    for seen, entry in enumerate(entries):
        line = ledger.view(phone.match).grammar.print(entry)
        ledger.declare(phone.match, line, seen, f"key-{seen:06}")
    ledger.declare(phone.match, 'table stop because "no time"', len(entries), "key-999999")
    assert ledger.view(phone.match).outcome.clause == "leave.1"
    walked(phone, len(phone.log()))
    assert "途中で終わり" in text(soup(phone.get("/")), ".rows")
    history = soup(phone.get("/history"))
    assert "途中で終わり" in history.get_text()
    assert "進行中" not in history.get_text()
