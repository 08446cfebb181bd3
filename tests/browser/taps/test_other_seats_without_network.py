"""Without network a plate changes the keys to its seat only if they are the keys of that seat."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from introduced import introduced
from playwright.sync_api import Page, expect
from serving import Site, played_at
from thumbs import tap

from referee.games import GAMES

pytestmark = pytest.mark.browser

LINES = """() => [...document.querySelectorAll("#table [name=line]")]
    .filter((key) => key.checkVisibility()).map((key) => key.value)"""
PLATES = ".board a[href*='seat=']:is(.tag, .side)"


@pytest.mark.parametrize("game", GAMES)
def test_the_keys_are_those_with_network(
    live_site: Site, phone: Callable[..., Page], game: str
) -> None:
    """At tables of many stages."""
    circle, wrong = introduced(live_site.ledger.store), list[str]()
    page = phone(live_site.url)
    for stop in (3, 9, 17, 26):
        table = f"{live_site.url}/t/{played_at(live_site, circle, game, stop)}"
        page.goto(table)
        for plate in page.locator(PLATES).all():
            address = plate.get_attribute("href") or ""
            page.goto(table + "?" + address.partition("?")[2])
            lines, seat = page.evaluate(LINES), page.inner_text(".who h1 .nm")
            page.goto(table)
            expect(page.locator(".who h1")).to_be_visible()
            page.context.set_offline(True)
            tap(page, f'.board a[href="{address}"]')
            opened = page.locator(f".unsent-strip, .who h1 .nm:has-text('{seat}')")
            expect(opened.first).to_be_visible()
            if not page.locator(".unsent-strip").count():
                wrong += [f"{stop}: {key}" for key in page.evaluate(LINES) if key not in lines]
            page.context.set_offline(False)
    assert not wrong, "\n".join(wrong)
