"""A finger on any number's "how it is counted": the words about it are on the screen."""

from __future__ import annotations

import pytest
import years
from playwright.sync_api import Browser, expect
from serving import PHONE, Site

from referee.history import counting

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

LINKS = "main a[href^='/history/counted#']"
PAGES = ("", "/people", "/person/1", "/evening/1", "/year/2025")


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_each_link_shows_the_words_that_it_names(site: Site, chromium: Browser, lang: str) -> None:
    years.keep(site.ledger.store, "", 24, seed=4)
    counting.catch_up(site.ledger.store)
    page = chromium.new_context(locale=lang, viewport=PHONE).new_page()
    followed = set[str]()
    for path in PAGES:
        page.goto(f"{site.url}/history{path}")
        for n in range(page.locator(LINKS).count()):
            link = page.locator(LINKS).nth(n)
            address = str(link.get_attribute("href"))
            if address in followed:
                continue
            followed.add(address)
            link.click()
            entry = page.locator(f"#{address.partition('#')[2]}")
            expect(entry).to_be_in_viewport(ratio=0.9)
            assert entry.evaluate("(entry) => entry.matches(':target')")
            expect(page.locator("html")).to_have_attribute("lang", lang)
            page.go_back()
    assert len(followed) > 12
