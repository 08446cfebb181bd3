"""An evening of scores alone: three games on two phones, two corrections and a stop."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from introduced import introduced
from playwright.sync_api import Page, expect
from serving import Site, at, entries, taps, there

from referee.core.record import Header

pytestmark = pytest.mark.browser

FETCHED = "(path) => fetch(path).then((answer) => answer.text())"
# Steps of a staircase that a finger would not hit.
COVERED = """() => [...document.querySelectorAll(".stairs a")].filter((step) => {
  const { x, y, width, height } = step.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2) !== step;
}).map((step) => step.id)"""
FOUR = ("あかね", "源五郎", "みどり子", "ほしの")


def saves(page: Page, seq: int) -> None:
    page.locator("#play button[name=line]").tap()
    at(page, seq)


def stops(page: Page) -> None:
    """The match ends here: bar, sheet of the table, preview."""
    page.locator(".bar a", has_text="卓").tap()
    page.get_by_role("link", name="ここで終える").tap()
    page.get_by_role("button", name="ここで終える").tap()
    there(page, ".over")


def test_an_evening_of_sheets_on_two_phones(
    live_site: Site, phone: Callable[..., Page], tmp_path: Path
) -> None:
    circle = introduced(live_site.ledger.store)

    def opened(game: str, seats: tuple[str, ...], **options: str) -> str:
        return live_site.ledger.open(Header(game, seats, options), circle).match

    perite, trumps = opened("perite", FOUR), opened("trumps", FOUR[:3])
    daifugo = opened("pairs_daifugo", FOUR)
    sheet = f"{live_site.url}/t/{{}}/sheet?sheet=;&leader=あかね"
    one, other = phone(f"{live_site.url}/"), phone(f"{live_site.url}/")
    one.goto(sheet.format(perite))
    other.goto(f"{live_site.url}/t/{perite}/sheet")

    # two deals, entered on either phone; the other one follows
    taps(one, "k4", "k4", "k1/3", "k7", "k5", "knext", "k8", "k6")
    saves(one, 1)
    at(other, 1)
    taps(other, "kenter", "k2", "k2", "k6", "k8", "k5", "k4", "k3", "knext")
    saves(other, 2)
    at(one, 2)
    expect(one.locator(".total td")).to_have_text(["28", "23", "14", "17"])

    # without network a finished sheet waits on the phone, like a play
    taps(one, "kenter", "k7", "knext", "k8", "knext", "k7", "knext", "k3", "knext")
    there(one, "#play button[name=line]")
    one.context.set_offline(True)
    one.locator("#play button[name=line]").tap()
    there(one, ".unsent-strip")
    one.context.set_offline(False)
    one.evaluate("dispatchEvent(new Event('online'))")
    at(one, 3)

    # two corrections: on one phone the first sheet is another one; on the other the third never was
    taps(one, "deal1", "row1", "kback", "knext", "row2", "kback", "kback", "k7", "knext")
    saves(one, 4)
    first = 'table sheet leader=あかね あかね="4" 源五郎="7" みどり子="5" ほしの="8 6"'
    assert entries(live_site, perite)[-1] == f"table amend 1 {first}"
    at(other, 4)
    taps(other, "deal3", "kstrike")
    other.locator(".foot .btn.go").tap()
    at(other, 5)
    at(one, 5)
    expect(one.locator(".total td")).to_have_text(["16", "21", "14", "17"])

    # a pile a player: one phone enters, the other sees that it is over and who has won
    paper = f"{live_site.url}/t/{{}}/sheet"
    other.goto(paper.format(trumps))
    one.set_viewport_size({"width": 844, "height": 390})
    one.goto(sheet.format(trumps))
    assert one.evaluate(COVERED) == []
    taps(one, "k9x5", "knext", "k10x6", "knext", "k6x2")
    saves(one, 1)
    for page in (one, other):
        at(page, 1)
        there(page, ".over")

    # who went out first, a deal on either phone, and the last train
    other.goto(paper.format(daifugo))
    one.goto(sheet.format(daifugo))
    taps(one, "p-winner-2")
    saves(one, 1)
    at(other, 1)
    taps(other, "kenter", "p-winner-1")
    saves(other, 2)
    at(one, 2)
    stops(other)
    there(one, ".over")

    # history and exports
    one.goto(f"{live_site.url}/history")
    page = one.inner_text("main")
    assert "得点表で記録" in page
    assert "途中で終わり" in page
    expected = {perite: [16, 21, 14, 17], trumps: [6, 7, 3], daifugo: [0, 1, 1, 0]}
    table = one.evaluate(FETCHED, "/history/results.csv")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert points(rows) == expected
    assert {row["stopped"] for row in rows if row["match"] == daifugo} == {"1"}
    assert {row["sheets"] for row in rows} == {"1"}
    assert {row["corrections"] for row in rows if row["match"] == perite} == {"2"}
    for match in expected:
        play = json.loads(one.evaluate(FETCHED, f"/t/{match}/bgstats.json"))
        assert play.get("incomplete", False) is (match == daifugo)
        scores = {player["name"]: player.get("score") for player in play["players"]}
        of_points = dict(zip(FOUR, expected[match], strict=False))
        # wins are no points, so BG Stats gets no score of them
        assert scores == (dict.fromkeys(of_points) if match == daifugo else of_points)
    packed = one.context.request.get(f"{live_site.url}/history/history.json.gz").body()
    archived = json.loads(gzip.decompress(packed))["matches"]
    assert {match["id"]: [line for line, *_ in match["entries"]] for match in archived} == {
        match: entries(live_site, match) for match in expected
    }
    file = tmp_path / "history.db"
    file.write_bytes(one.context.request.get(f"{live_site.url}/history/history.db").body())
    with closing(sqlite3.connect(file)) as db:
        db.row_factory = sqlite3.Row
        kept = [dict(row) for row in db.execute("SELECT * FROM results ORDER BY match, place")]
        lines = {row["line"] for row in db.execute("SELECT line FROM entries")}
    assert points(kept) == expected
    assert {row["match"] for row in kept if row["stopped"]} == {daifugo}
    assert all(row["sheets"] for row in kept)
    assert f"table amend 1 {first}" in lines
    assert entries(live_site, trumps) == ['table sheet あかね="9*5" 源五郎="10*6" みどり子="6*2"']


def points(rows: list[dict[str, Any]]) -> dict[str, list[int]]:
    """The points of every match, in turn order."""
    found: dict[str, list[int]] = {}
    for row in sorted(rows, key=lambda row: int(row["place"])):
        found.setdefault(row["match"], []).append(int(row["points"]))
    return found
