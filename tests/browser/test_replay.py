"""With scripts a match is watched again without loading a page for each play."""

from __future__ import annotations

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, Page, expect
from serving import Site, played_at

from referee.games import GAMES

pytestmark = pytest.mark.browser

FIRST = next(iter(GAMES))
SMALL = {"width": 320, "height": 568}
SWIPE = """(by) => {
  const place = document.querySelector("#replay");
  const send = (type, x) => {
    const touch = new Touch({ identifier: 1, target: place, clientX: x, clientY: 200 });
    const touches = type === "touchstart" ? [touch] : [];
    place.dispatchEvent(new TouchEvent(type, { touches, changedTouches: [touch], bubbles: true }));
  };
  send("touchstart", 160);
  send("touchend", 160 + by);
}"""


def shown(page: Page, at: int) -> None:
    expect(page.locator("#replay > .film")).to_have_attribute("data-at", str(at))


def test_keys_swipes_slider_and_play_need_no_page_of_their_own(
    chromium: Browser, site: Site
) -> None:
    context = chromium.new_context(viewport=SMALL, service_workers="block", has_touch=True)
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page, circle = context.new_page(), introduced(site.ledger.store)
    match = played_at(site, circle, FIRST, 40)
    page.goto(f"{site.url}/t/{match}/replay")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    shown(page, 1)
    page.click("[rel=next]")
    shown(page, 2)
    page.keyboard.press("ArrowRight")
    shown(page, 3)
    page.evaluate(SWIPE, -80)
    shown(page, 4)
    page.evaluate(SWIPE, 80)
    shown(page, 3)
    page.keyboard.press("End")
    shown(page, 40)
    expect(page.locator("[rel=next]")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Home")
    shown(page, 1)
    page.locator(".reel input[type=range]").fill("20")
    shown(page, 20)
    assert page.url.endswith("at=20")
    page.locator(".reel input[type=range]").fill("38")
    shown(page, 38)
    word = page.locator("[data-play]").inner_text()
    page.click("[data-play]")
    shown(page, 40)  # it plays to the end and stops there
    expect(page.locator("[data-play]")).to_have_text(word)
    assert all("/replay/frames" in address for address in asked), asked
    assert len(asked) <= 6
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide == SMALL["width"]


def test_without_scripts_the_links_and_the_button_lead_on(chromium: Browser, site: Site) -> None:
    context = chromium.new_context(
        viewport=SMALL, service_workers="block", java_script_enabled=False
    )
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page, circle = context.new_page(), introduced(site.ledger.store)
    match = played_at(site, circle, FIRST, 12)
    page.goto(f"{site.url}/t/{match}/replay")
    page.click("[rel=next]")
    shown(page, 2)
    page.locator(".reel input[type=range]").press("ArrowRight")
    page.locator(".reel button:visible").click(timeout=5000)
    shown(page, 3)
