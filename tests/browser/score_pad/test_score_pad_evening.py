"""Two phones write down a game in which people come and go; its pages say what paper says."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from urllib.parse import unquote

import pytest
from chosen_games import head
from introduced import introduced
from playwright.sync_api import Page
from serving import Site, at

pytestmark = pytest.mark.browser

# On paper, fewest points win:   Aki  Ben  Chie  Dai
#                          1      12    0   31
#                          2       5   20    4          by the phone without network
#                       joins                      35
#                       goes home       20
#                          3       1         2    0
#                                 18        37   35     Aki, Dai, Chie; Ben has no place
ROUNDS = [
    "table round Aki=12 Ben=0 Chie=31",
    "table round Aki=5 Ben=20 Chie=4",
    "table join Dai with 35",
    "table leave Ben",
    "table round Aki=1 Chie=2 Dai=0",
    "table end",
]
# Then one of a fixed sum, from 25,000: Aki 40,000 · Dai 25,000 · Ben 20,000 · Chie 15,000
SECOND = ["table round Aki=15000 Ben=-5000 Chie=-10000 Dai=0", "table end"]


PAINTED = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"


def typed(page: Page, *numbers: str) -> None:
    """Type the numbers of a round, row by row, and record them."""
    keys = page.locator(".npad .key")
    for number in numbers:
        for sign in (*number, ""):
            key = keys.filter(has_text=re.compile(f"^{sign}$")).first if sign else keys.last
            key.tap()
            page.evaluate(PAINTED)
    keys.last.tap()


def rows(page: Page, table: str) -> list[list[str]]:
    return page.locator(f"{table} tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map("
        "cell => cell.innerText.trim().split(/\\s+/).join(' ')))"
    )


def test_an_evening_on_two_phones(live_site: Site, phone: Callable[..., Page]) -> None:
    site, seats = live_site, ("Aki", "Ben", "Chie")
    circle = introduced(site.ledger.store)
    match = site.ledger.open(head("score_pad", seats, {"wins": "least"}), circle).match
    table = f"{site.url}/t/{match}"
    one, other = phone(f"{site.url}/", still=True), phone(f"{site.url}/", still=True)
    for page in (one, other):
        page.goto(table)

    typed(one, "12", "0", "31")
    at(other, 1)
    other.context.set_offline(True)
    typed(other, "5", "20", "4")
    other.locator(".unsent-strip").wait_for()
    other.context.set_offline(False)
    at(one, 2)

    one.goto(f"{table}/players")
    one.fill("#name", "Dai")
    one.fill("#points", "35")
    one.locator("button[value=join]").tap()
    at(one, 3)
    one.goto(f"{table}/players")
    one.locator("button[value='table leave Ben']").tap()
    at(other, 4)
    typed(other, "1", "2", "0")
    at(one, 5)
    one.locator("button[value='table end']").tap()
    at(other, 6)
    view = site.ledger.view(match)
    assert [view.grammar.print(entry) for entry in view.log.entries] == ROUNDS
    assert other.locator(".ranking li").all_inner_texts() == [
        "1 Aki\n18", "2 Dai\n35", "3 Chie\n37", "Ben 休み\n20",
    ]  # fmt: skip

    header = head("score_pad", ("Aki", "Ben", "Chie", "Dai"), {"start": "25000", "sum": "0"})
    second = site.ledger.open(header, circle).match
    for seen, line in enumerate(SECOND):
        site.ledger.declare(second, line, seen, f"key-{seen:06}")

    one.goto(f"{site.url}/history")
    one.locator("a[href*='/history/evening/']").first.tap()
    one.locator("table.evening").wait_for()
    assert rows(one, "table.evening") == [
        ["Aki 2ゲーム", "1 2", "1 3", "5"],
        ["Dai 2ゲーム", "2 1", "2 2", "3"],
        ["Ben 1ゲーム", "–", "3 1", "1"],
        ["Chie 2ゲーム", "3 0", "4 0", "0"],
    ]
    one.get_by_text("画像で送る").tap()
    with one.expect_download() as saved:
        one.locator("[data-card]").tap()
    assert saved.value.path().read_bytes()[:4] == b"\x89PNG"

    one.goto(f"{site.url}/history/season?span=all")
    assert [[row[1], row[-1]] for row in rows(one, "table.evening")] == [
        ["Aki 1回 2ゲーム", "5"],
        ["Dai 1回 2ゲーム", "3"],
        ["Ben 1回 1ゲーム", "1"],
        ["Chie 1回 2ゲーム", "0"],
    ]
    text = one.request.get(f"{site.url}/history/results.csv").body().decode("utf-8-sig")
    told = {
        (line["match"], line["name"]): (line["points"], line["rank"])
        for line in csv.DictReader(io.StringIO(text))
    }
    assert told[match, "Aki"] == ("18", "1")
    assert told[match, "Chie"] == ("37", "3")
    assert told[second, "Ben"] == ("20000", "3")

    one.goto(f"{table}/bgstats")
    address = one.locator("a[href*='createPlay']").get_attribute("href") or ""
    play = json.loads(unquote(address.partition("?data=")[2]))
    found = [(p["name"], p.get("rank"), p.get("score"), p["winner"]) for p in play["players"]]
    assert found == [
        ("Aki", 1, 18, True),
        ("Chie", 3, 37, False),
        ("Dai", 2, 35, False),
        ("Ben", None, 20, False),
    ]
    assert play["game"]["highestWins"] is False
    one.goto(f"{site.url}/t/{second}/bgstats")
    address = one.locator("a[href*='createPlay']").get_attribute("href") or ""
    again = json.loads(unquote(address.partition("?data=")[2]))
    ids = [{p["name"]: p["sourcePlayerId"] for p in each["players"]} for each in (play, again)]
    assert ids[0] == ids[1]
