"""The live page and an overlay follow the table, and an overlay is empty once the page is off."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect
from serving import Site

from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.store.broadcasts import Broadcast, Broadcasts

pytestmark = pytest.mark.browser

SECRET = "s" * 22
LINES = ("table deal leader=A", "A lay 4", "B lay 3")


def test_onlookers_follow_until_the_page_is_off(chromium: Browser, live_site: Site) -> None:
    ledger, broadcasts = live_site.ledger, Broadcasts(live_site.ledger.store)
    match = ledger.open(Header(WIDEST, ("A", "B", "C"))).match
    broadcasts.begin(SECRET, Broadcast(match, "", 0))
    context = chromium.new_context(locale="en")
    page, overlay = context.new_page(), context.new_page()
    faults: list[str] = []
    for each in (page, overlay):
        each.on("pageerror", lambda fault: faults.append(str(fault)))
        each.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    address = f"{live_site.url}/live/{SECRET}"
    page.goto(address)
    overlay.goto(f"{address}?overlay=lower")
    for seq, line in enumerate(LINES):
        ledger.declare(match, line, seq, f"key-{seq:06}")
        expect(page.locator(".feed > li")).to_have_count(seq + 1)
    expect(overlay.locator(".low")).to_contain_text("Next: C")
    ledger.undo(match, 3, "key-undoes")
    expect(page.locator(".feed > li")).to_have_count(2)
    assert faults == []
    broadcasts.end(match)
    ledger.reseated(match)
    expect(overlay.locator("#live > *")).to_have_count(0)
    expect(page.locator("#live")).to_have_count(0)
