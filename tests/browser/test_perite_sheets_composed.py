"""A sheet is composed on the phone: the same as the pages do, and without network."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from serving import SEATS, Site, at, entries

from referee.games import GAMES

pytestmark = pytest.mark.browser

TAPS = 14
# What a finger finds: every row with its words, and every key with where it leads. What a key that
# the game refuses says is left out: that is a matter of its rules, which the phone does not know.
FOUND = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const to = (key) => decodeURIComponent(key.search);
  const words = (li) => li.querySelector(".words").innerHTML.replace(/\\s+/g, " ").trim();
  return {
    rows: all(".entry>li").map((li) => [li.className, words(li), to(li.firstElementChild)]),
    keys: all(".keyboard a,.ends a").filter((key) => !key.search.includes("no="))
      .map((key) => [key.id, key.className, key.innerText.trim(), to(key)]),
    off: all(".keyboard .off").map((key) => key.id),
    steps: all(".stairs s").length,
  };
}"""


def sheets(name: str) -> tuple[str, ...]:
    """As many seats as the game takes, at most four."""
    return SEATS[: min(4, max(GAMES[name].SEATS))]


@pytest.mark.parametrize("name", GAMES)
def test_the_phone_goes_from_draft_to_draft_as_the_pages_do(
    live_site: Site, phone: Callable[..., Page], opened: Callable[..., str], name: str
) -> None:
    match = opened(game=name, seats=sheets(name))
    page, chance = phone(f"{live_site.url}/t/{match}/sheet"), Random(name)
    page.locator("#kenter").tap()
    expect(page.locator(".entry .here")).to_be_visible()
    page.route("**/sheet?*", lambda route: route.abort())  # nothing comes from the server now
    for _ in range(TAPS):
        keys = page.locator(".keyboard a:not(.off),#knext,#kback,.entry a")
        key = keys.nth(chance.randrange(keys.count()))
        search = key.evaluate("(key) => key.search")
        if not search:  # it leads away from the pad
            continue
        key.tap()
        page.wait_for_function("(search) => page.choice === search", arg=search)
        here, there = page.evaluate(FOUND), server(page, f"{live_site.url}/t/{match}/sheet{search}")
        refused = set(there["off"]) - set(here["off"])
        here["keys"] = [key for key in here["keys"] if key[0] not in refused]
        here["off"] = there["off"]
        assert here == there, search


def server(page: Page, address: str) -> Any:
    """What the page at ``address`` is without scripts."""
    other = page.context.browser.new_context(java_script_enabled=True)
    other.add_cookies(page.context.cookies())
    fresh = other.new_page()
    fresh.route("**/*.js?*", lambda route: route.abort())
    fresh.goto(address)
    found = fresh.evaluate(FOUND)
    other.close()
    return found


FOUR = ("あかね", "源五郎", "みどり子", "ほしの")


def taps(page: Page, *keys: str) -> None:
    for key in keys:
        page.locator(f'[id="{key}"]').tap()


def test_a_sheet_is_begun_and_finished_without_network(
    live_site: Site, phone: Callable[..., Page], opened: Callable[..., str]
) -> None:
    match = opened(game="perite", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}/sheet")
    page.wait_for_load_state("networkidle")  # the pad is fetched ahead
    page.context.set_offline(True)
    taps(page, "kenter", "p-leader-0", "k4", "k4", "k1/3", "k7", "k5", "knext", "k8", "k6")
    expect(page.locator(".entry .card")).to_have_count(7)
    page.locator("#ksave").tap()
    expect(page.locator(".unsent-strip")).to_contain_text("得点表")
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    at(page, 1)
    expect(page.locator(".total td")).to_have_text(["16", "9", "5", "14"])
    line = 'table sheet leader=あかね あかね="4 4" 源五郎="1/3 7" みどり子="5" ほしの="8 6"'
    assert entries(live_site, match) == [line]
