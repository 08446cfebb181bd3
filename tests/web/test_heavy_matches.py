"""Pages that list matches hold one of them at a time: a match can take a hundred megabytes."""

from __future__ import annotations

import re
import tracemalloc
from typing import Any

import pytest
from phones import Phone

from referee.core.record import Grammar
from referee.games import GAMES
from referee.games.simulation import WIDEST, played
from referee.http import guarded
from referee.ledger import Ledger, View
from referee.store import NewEntry

SEATS = [f"P{n}" for n in range(60)]
TABLES = 8
DECIDED = (
    "P1 contest 2",
    *(f"{seat} vote 3 yes" for seat in SEATS),
    'table decide 3 yes because "all saw it"',
)


@pytest.fixture
def matches(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Tables of many seats with some hundred plays and a decision; memory holds one of them."""
    game = GAMES[WIDEST]
    log = played(game, SEATS, seed=3, most=400)
    deal, play, *later = map(Grammar(game, SEATS).print, log.entries)
    rows = [
        NewEntry(line, f"k{n}", "legal", "log.5", "1")
        for n, line in enumerate((play, *DECIDED, *later))
    ]
    ledger = phone.client.application.extensions["ledger"]
    leader = deal.rpartition("=")[2]
    matches = [phone.opens(names=SEATS, leader=leader).match for _ in range(TABLES)]
    for match in matches:
        ledger.store.append(match, 1, rows)
    monkeypatch.setattr("referee.ledger.REPLAYED_BYTES", 1)
    return matches


def peak(phone: Phone, path: str) -> int:
    """The most bytes that were taken at once while the page was made, matches included."""
    phone.client.application.extensions["ledger"]._matches.clear()
    guarded.begin(phone.client.application)
    tracemalloc.start()
    try:
        assert phone.get(path).status_code == 200
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_page_that_lists_matches_holds_one_of_them_at_a_time(
    phone: Phone, matches: list[str]
) -> None:
    [session] = set(re.findall(r"/session/\d+", phone.get("/circle").text))
    assert phone.get("/decisions").text.count("all saw it") == TABLES
    one = f"/t/{matches[0]}"
    phone.get(one)  # what is cached for good is cached now
    most = 4 * peak(phone, one)
    for path in ("/", "/new", "/settings", "/decisions", session):
        phone.get(path)
        assert peak(phone, path) < most, path
    for match in matches:
        assert phone.post(f"/t/{match}/hide", {}).status_code == 303
    assert phone.get("/history/hidden").text.count("一覧に戻す</button>") == TABLES
    assert peak(phone, "/history/hidden") < most


def test_a_list_replays_nothing_that_has_not_changed(
    phone: Phone, matches: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    [session] = set(re.findall(r"/session/\d+", phone.get("/circle").text))
    pages = {path: phone.get(path).text for path in ("/", "/decisions", session)}
    replayed = list[str]()
    view_at = Ledger._view_at

    def noted(ledger: Ledger, match: str, *how: Any) -> View:
        replayed.append(match)
        return view_at(ledger, match, *how)

    monkeypatch.setattr(Ledger, "_view_at", noted)
    for path, text in pages.items():
        assert phone.get(path).text == text
    assert replayed == []
    ledger = phone.client.application.extensions["ledger"]
    seq = ledger.declare(matches[2], "table stop", ledger.view(matches[2]).seq, "the end").seq
    assert seq is not None
    for path, text in pages.items():
        replayed.clear()
        later = phone.get(path).text
        assert replayed == [matches[2]], path
        assert (later == text) is (path == "/decisions")
    replayed.clear()
    assert phone.client.get(session, headers={"Accept-Language": "en"}).status_code == 200
    assert len(replayed) == TABLES, "another language has lines of its own"
