"""axe-core over every page and state: nothing in the way of anybody (WCAG 2.2 A and AA)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from honest import played
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, BrowserContext
from serving import PHONE, Site

from referee.core.record import Header
from referee.games import GAMES
from referee.store import NewEntry, People

pytestmark = pytest.mark.browser

AXE = Path(__file__).parent / "vendor" / "axe-4.14.1.min.js"
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
LOOKS = [("ja", "light"), ("en", "dark")]
TALL = {"width": PHONE["width"], "height": 2400}  # nothing lies behind a bar that sticks
OF_A_TABLE = ("", "/log", "/score", "/rules", "/join", "/e/1", "/e/4", "/correct/4", "/what-if/4")


@pytest.fixture
def context(chromium: Browser, site: Site) -> Iterator[BrowserContext]:
    opened = chromium.new_context(viewport=TALL, has_touch=True, bypass_csp=True)
    opened.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    yield opened
    opened.close()


def played_at(site: Site, circle: str, name: str, most: int, seed: int = 3) -> str:
    """A match of ``name`` after ``most`` entries, or to its end; its id."""
    game = GAMES[name]
    seats = ("あかね", "北大路ロマネスク三世閣下", "シホ")[: max(2, min(3, max(game.SEATS)))]
    view = site.desk.open(Header(name, seats), circle)
    log = played(game, seats, seed, most=most)
    lines = map(view.grammar.print, log.entries)
    rows = [NewEntry(line, f"k{i}", "legal", "-", "-") for i, line in enumerate(lines)]
    site.desk.store.append(view.match, 0, rows)
    return view.match


def paths(site: Site) -> list[str]:
    circle = introduced(site.desk.store)
    found = []
    for name in GAMES:
        match = played_at(site, circle, name, 12)
        found += [f"/t/{match}{page}" for page in OF_A_TABLE]
        found += [f"/new?game={name}", f"/check/{name}", f"/rules/{name}"]
    over = played_at(site, circle, "perite", 5000)
    found += [f"/t/{over}{page}" for page in ("", "/result", "/score", "/log")]
    found.append(f"/shown/{site.app.extensions['keeper'].sealed(over)}")
    person = People(site.desk.store).of(circle)[0].id
    found += ["/", "/check", "/rules", "/rules?q=札", "/words", "/words?q=人", "/words?q=zzz"]
    found += ["/decks", "/decks/new", "/settings", "/join", "/offline", "/about", "/trust"]
    found += ["/circle", "/people", f"/people/{person}", "/session/1", "/decisions"]
    found += ["/history", "/history/people", f"/history/person/{person}", "/history/files"]
    return [*found, "/history/evening/1", "/t/unknown", "/nowhere", "/check/perite?wins=A:3"]


@pytest.mark.parametrize(("tongue", "theme"), LOOKS)
def test_no_page_is_in_anybodys_way(
    site: Site, context: BrowserContext, tongue: str, theme: str
) -> None:
    for name, value in (("lang", tongue), ("theme", theme)):
        context.add_cookies([{"name": name, "value": value, "url": site.url}])
    page, faults = context.new_page(), []
    script = AXE.read_text(encoding="utf-8")
    for path in paths(site):
        page.goto(site.url + path)
        page.evaluate(script)
        found: list[dict[str, Any]] = page.evaluate(
            "async (rules) => (await axe.run(document, rules)).violations.map(one =>"
            " ({id: one.id, at: one.nodes.slice(0, 3).map(node => node.html.slice(0, 160))}))",
            RULES,
        )
        faults += [f"{path}: {one}" for one in found]
    assert not faults, "\n".join(faults)
