"""Numbers are typed on the phone: it draws what the server draws, and needs no network for it."""

from __future__ import annotations

import pytest
from chosen_games import head
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, Page
from serving import PHONE, Site, settled

pytestmark = pytest.mark.browser

SEATS = ("あかね", "源五郎", "E F")
DRAWN = """within => ({
  heading: within.querySelector("h1").textContent,
  rows: [...within.querySelectorAll(".spl tr")].map(row => [
    row.className.trim(), row.querySelector(".n a").textContent, link(row.querySelector(".n a"))]),
  keys: [...within.querySelectorAll(".npad .key")].map(key => [
    key.textContent.trim(), key.id, key.className, link(key), key.value ?? ""]),
  strip: within.querySelector(".pad>.strip p").textContent.trim(),
  agreed: within.querySelector(".pad>.strip form:not([hidden]) button[name=line]")?.value ?? "",
})"""
COMPARED = f"""async () => {{
  const link = key => key.getAttribute("href") ? `${{new URLSearchParams(key.search)}}` : "";
  const drawn = {DRAWN};
  const answer = await fetch(location.pathname + page.choice);
  return [drawn(document), drawn(page.parsed(await answer.text()))];
}}"""
WALKS = {
    "sum": "4 .5 next − 3 next 5 ⌫ 7 ⌫ ⌫ 残り ⌫ ⌫ ⌫ ⌫ ⌫ 0 0 1 − next next",
    "points": "1 2 next ほかは0 ⌫ − 9 .5 .5 next",
    "places": "2 next 1 next 3 ⌫ 2",
}
OPTIONS = {"sum": {"sum": "0"}, "points": {}, "places": {"wins": "places"}}


def opened(chromium: Browser, site: Site, options: dict[str, str]) -> Page:
    match = site.ledger.open(head("score_pad", SEATS, options), introduced(site.ledger.store)).match
    context = chromium.new_context(viewport=PHONE, service_workers="block", locale="ja-JP")
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page = context.new_page()
    page.goto(f"{site.url}/t/{match}")
    return page


def tap(page: Page, sign: str) -> None:
    """Tap the key with ``sign``; "next": the last one, whatever it says."""
    page.evaluate(
        """sign => {
          const keys = [...document.querySelectorAll(".npad .key")];
          const found = keys.find(key => key.textContent.startsWith(sign));
          (sign === "next" ? keys.at(-1) : found).click();
        }""",
        sign,
    )
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


@pytest.mark.parametrize("kind", WALKS)
def test_the_phone_draws_what_the_server_draws(site: Site, chromium: Browser, kind: str) -> None:
    page = opened(chromium, site, OPTIONS[kind])
    for sign in WALKS[kind].split():
        tap(page, sign)
        settled(page)  # a round that is on its way stands here before it stands there
        here, there = page.evaluate(COMPARED)
        assert here == there, sign


def test_rounds_are_typed_without_network_and_arrive(site: Site, chromium: Browser) -> None:
    page = opened(chromium, site, {"sum": "0"})
    page.context.set_offline(True)
    for first in "47":
        for sign in (first, "next", "1", "next", "残り", "next"):
            tap(page, sign)
    page.locator(".unsent-strip").wait_for()
    page.context.set_offline(False)
    page.locator("#play [name=seen][value='2']").wait_for(state="attached", timeout=9000)
    view = site.ledger.view(page.url.rpartition("/")[2])
    assert [view.grammar.print(entry) for entry in view.log.entries] == [
        'table round あかね=4 源五郎=1 "E F"=-5',
        'table round あかね=7 源五郎=1 "E F"=-8',
    ]
