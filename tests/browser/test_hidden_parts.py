"""What a page hides takes no room, whatever its style sheet says of such a part."""

from __future__ import annotations

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, expect
from serving import PHONE, Site, played_at

pytestmark = pytest.mark.browser


def test_a_half_entered_play_has_one_undo(chromium: Browser, site: Site) -> None:
    """A second one was beside it, and the bar in two rows covered the keys of low phones."""
    match = played_at(site, introduced(site.desk.store), "jukugo_line", 26)
    context = chromium.new_context(viewport=PHONE, locale="ja-JP")
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page = context.new_page()
    page.goto(f"{site.url}/t/{match}?do=claim")
    undo = page.locator(".bar > :visible", has_text="戻す")
    expect(undo).to_have_count(1)
    expect(undo).to_have_attribute("rel", "prev")
    tops = page.locator(".bar > :visible").evaluate_all("all => all.map(key => key.offsetTop)")
    assert len(tops) == 4
    assert len(set(tops)) == 1


def test_keys_of_a_script_are_not_there_without_it(chromium: Browser, site: Site) -> None:
    match = played_at(site, "", "perite", 12)
    seat = site.desk.view(match).header.seats[0]
    page = chromium.new_context(viewport=PHONE, java_script_enabled=False).new_page()
    for path in (f"/t/{match}/show/{seat}", "/decks/open/print"):
        page.goto(site.url + path)
        hidden = page.locator("[hidden]")
        expect(hidden).not_to_have_count(0)
        for part in hidden.all():
            expect(part).to_be_hidden()
