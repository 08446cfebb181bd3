"""Two phones at the desk and one at a table: each shows what another one does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from introduced import introduced
from playwright.sync_api import Page, expect
from serving import Site

from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.tonight.entries import MatchBegun

pytestmark = pytest.mark.browser

NAMES = ("A", "B", "C")


def test_two_directors_and_a_table(live_site: Site, phone: Callable[..., Page]) -> None:
    circle = introduced(live_site.ledger.store)
    first = phone(f"{live_site.url}/desk")
    first.locator("form .btn.go").tap()
    for name in NAMES:
        first.fill("#name", name)
        first.locator("[data-beside]").tap()
        expect(first.locator(".tick.on", has_text=name)).to_be_visible()
    first.locator(".foot a.go").tap()
    first.locator("form[action$=propose] button").first.tap()
    first.locator("form[action$=publish] button").tap()
    first.wait_for_url("**/rounds/1")
    second = phone(first.url)

    # the match of the table calls, one director sees it and comes, the table sees that
    match = live_site.ledger.open(Header(WIDEST, NAMES), circle).match
    begins(live_site, match)
    table = phone(f"{live_site.url}/")
    table.goto(f"{live_site.url}/t/{match}")
    table.locator("#desk-line button").tap()
    for page in (first, second):
        expect(page.locator(".calls li")).to_have_count(1)
    first.locator(".calls button").tap()
    expect(table.locator("#desk-line [role=status]")).to_contain_text("行きます")
    expect(second.locator(".calls button")).to_have_attribute("value", "done")

    # without network a press waits on the phone, and is sent once
    second.context.set_offline(True)
    second.locator(".calls button").tap()
    expect(second.locator("#waits li")).to_have_count(1)
    expect(first.locator(".calls li")).to_have_count(1)
    second.context.set_offline(False)
    expect(second.locator("#waits")).to_have_count(0)
    expect(first.locator(".calls li")).to_have_count(0)
    expect(table.locator("#desk-line form")).to_be_visible()


def begins(site: Site, match: str) -> None:
    """Let the only table of the first round have this match."""
    desk = site.app.extensions["desk"]
    desk.write(1, "", f"match-{match}", lambda view: (MatchBegun(1, "1", match),))
