"""A sheet is composed on the phone: the same as the pages do, and without network."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from chosen_games import having
from playwright.sync_api import Page, Route, expect
from serving import SEATS, Site, at, entries, painted, taps

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

# From now on ``page.asked`` is how many answers the page waits for.
COUNTED = """() => {
  const { ask } = page;
  page.asked = 0;
  page.ask = async (...request) => {
    page.asked += 1;
    try { return await ask(...request); } finally { page.asked -= 1; }
  };
}"""


def sheets(name: str) -> tuple[str, ...]:
    """As many seats as the game takes, at most four."""
    return SEATS[: min(4, max(GAMES[name].SEATS))]


@pytest.mark.parametrize("name", having("sheet"))
def test_the_phone_goes_from_draft_to_draft_as_the_pages_do(
    live_site: Site, phone: Callable[..., Page], opened: Callable[..., str], name: str
) -> None:
    match = opened(game=name, seats=sheets(name))
    page, chance = phone(f"{live_site.url}/t/{match}/sheet", still=True), Random(name)
    pages = without_scripts(page)
    page.evaluate(COUNTED)
    page.locator("#kenter").tap()
    expect(page.locator(".entry .here")).to_be_visible()
    page.route("**/sheet?*", lambda route: route.abort())  # nothing comes from the server now
    for _ in range(TAPS):
        # an answer that is still on its way would move the keys under the finger
        page.wait_for_function("() => !page.asked")
        painted(page)
        keys = page.locator(".keyboard a:not(.off),#knext,#kback,.entry a")
        key = keys.nth(chance.randrange(keys.count()))
        search = key.evaluate("(key) => key.search")
        if not search:  # it leads away from the pad
            continue
        key.tap()
        page.wait_for_function("(search) => page.choice === search", arg=search)
        painted(page)
        pages.goto(f"{live_site.url}/t/{match}/sheet{search}")
        here, there = page.evaluate(FOUND), pages.evaluate(FOUND)
        refused = set(there["off"]) - set(here["off"])
        here["keys"] = [key for key in here["keys"] if key[0] not in refused]
        here["off"] = there["off"]
        assert here == there, search


def without_scripts(page: Page) -> Page:
    """Another page of the person of ``page``, on which only the server says what is stored."""
    browser = page.context.browser
    assert browser
    other = browser.new_context(service_workers="block")
    other.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    fresh = other.new_page()
    fresh.route("**/*.js?*", lambda route: route.abort())
    return fresh


FOUR = ("あかね", "源五郎", "みどり子", "ほしの")


def test_a_key_counts_if_the_server_answers_while_the_finger_is_on_it(
    live_site: Site, phone: Callable[..., Page], opened: Callable[..., str]
) -> None:
    match = opened(game="perite", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}/sheet")
    page.wait_for_function(AHEAD, arg=0)
    page.evaluate(COUNTED)
    taps(page, "kenter", "p-leader-0")
    page.wait_for_function("() => !page.asked")
    finger, held = page.context.new_cdp_session(page), list[Route]()
    page.route("**/sheet?*", lambda route: held.append(route), times=1)
    taps(page, "k3")
    while not held:
        page.wait_for_timeout(10)
    answer, box = held[0].fetch(), page.locator("#k3").bounding_box()
    assert box
    middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [middle]})
    with page.expect_event("requestfinished"):
        held[0].fulfill(response=answer)
    page.wait_for_function("() => !page.asked")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".entry .card")).to_have_count(2)


# The network being idle says nothing here: pages are fetched ahead again after every entry.
AHEAD = """(deals) => {
  const { ahead, pads } = JSON.parse(sessionStorage.sheets ?? '{"pads": []}');
  return ahead?.seen === page.seen() && pads.length === deals;
}"""


def without_network(page: Page, deals: int = 0) -> None:
    """Cut the network as soon as the phone has the next sheet and those of the ``deals`` so far."""
    page.wait_for_function(AHEAD, arg=deals)
    page.context.set_offline(True)


def test_a_sheet_is_begun_and_finished_without_network(
    live_site: Site, phone: Callable[..., Page], opened: Callable[..., str]
) -> None:
    match = opened(game="perite", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}/sheet")
    page.wait_for_function(AHEAD, arg=0)  # the pad is fetched ahead, and kept for
    page.route("**/sheet?*", lambda route: route.abort())
    page.reload()  # a page that is loaded again
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


def test_several_sheets_wait_in_their_order_and_one_is_taken_back(
    live_site: Site, phone: Callable[..., Page], opened: Callable[..., str]
) -> None:
    match = opened(game="perite", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}/sheet")
    without_network(page)
    taps(page, "kenter", "p-leader-0", "k4", "k4", "k1/3", "k7", "k5", "knext", "k8", "k6", "ksave")
    expect(page.locator(".paper .waiting")).to_have_count(1)
    second = ("knext", "k3", "k3", "knext", "k7", "knext")
    taps(page, "kenter", *second)
    expect(page.locator("h1")).to_contain_text("2")
    taps(page, "ksave")
    expect(page.locator(".paper .waiting th")).to_have_text(["1", "2"])
    expect(page.locator(".unsent-strip")).to_contain_text("2件")
    # the second one is taken back, is on its pad as it was, and is put right
    page.locator(".bar #undo button").tap()
    expect(page.locator("#ksave")).to_be_enabled()
    taps(page, "kback", "kback", "k5", "knext", "ksave")
    expect(page.locator(".paper .waiting")).to_have_count(2)
    # half of the third one is entered while the network comes back
    taps(page, "kenter", "k2")
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("[name=seen]").first).to_have_value("2")
    expect(page.locator(".entry .card")).to_have_count(1)
    taps(page, "k2", "k8", "knext", "knext", "knext", "ksave")
    at(page, 3)
    expect(page.locator(".paper tbody tr")).to_have_count(4)
    assert entries(live_site, match) == [
        'table sheet leader=あかね あかね="4 4" 源五郎="1/3 7" みどり子="5" ほしの="8 6"',
        'table sheet あかね="" 源五郎="3 3" みどり子="" ほしの="5"',
        'table sheet あかね="2 2" 源五郎="8" みどり子="" ほしの=""',
    ]


def test_a_sheet_is_corrected_without_network(
    live_site: Site, phone: Callable[..., Page], opened: Callable[..., str]
) -> None:
    match = opened(game="perite", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}/sheet")
    first = ("p-leader-0", "k4", "k4", "k1/3", "k7", "k5", "knext", "k8", "k6", "ksave")
    taps(page, "kenter", *first)
    at(page, 1)
    taps(page, "kenter", "knext", "k3", "k3", "knext", "knext", "ksave")
    at(page, 2)
    without_network(page, deals=2)
    taps(page, "deal1")
    expect(page.locator(".entry .card")).to_have_count(7)
    taps(page, "row1", "kback", "knext", "ksave")
    expect(page.locator(".unsent-strip")).to_be_visible()
    # a new deal waits behind the correction
    taps(page, "kenter", "k8", "knext", "knext", "knext", "knext", "ksave")
    expect(page.locator(".unsent-strip")).to_contain_text("2件")
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    at(page, 4)
    first_again = 'leader=あかね あかね="4" 源五郎="1/3 7" みどり子="5" ほしの="8 6"'
    assert entries(live_site, match)[2:] == [
        f"table amend 1 table sheet {first_again}",
        'table sheet あかね="8" 源五郎="" みどり子="" ほしの=""',
    ]


def test_the_same_sheet_twice_is_two_deals(
    live_site: Site, phone: Callable[..., Page], opened: Callable[..., str]
) -> None:
    match = opened(game="pairs_daifugo", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}/sheet")
    without_network(page)
    taps(page, "kenter", "p-leader-0", "p-winner-2", "ksave")
    taps(page, "kenter", "p-winner-2", "ksave")
    expect(page.locator(".paper .waiting")).to_have_count(2)
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    at(page, 2)
    assert entries(live_site, match) == [
        "table sheet leader=あかね winner=みどり子",
        "table sheet winner=みどり子",
    ]


def test_two_phones_enter_at_once_and_both_sheets_are_kept(
    live_site: Site, phone: Callable[..., Page], opened: Callable[..., str]
) -> None:
    """Without network a phone's first deal turns out to be the second one: the table says so."""
    match = opened(game="perite", seats=FOUR)
    one, other = (phone(f"{live_site.url}/t/{match}/sheet") for _ in range(2))
    without_network(one)
    taps(one, "kenter", "p-leader-0", "k4", "k4", "k5", "knext", "knext", "k8", "knext", "ksave")
    taps(other, "kenter", "p-leader-0", "k3", "k3", "knext", "k7", "knext", "knext", "ksave")
    at(other, 1)
    one.context.set_offline(False)
    one.evaluate("dispatchEvent(new Event('online'))")
    one.locator("[data-unsent=again]").tap()
    at(one, 2)
    at(other, 2)
    # both are about to enter the third deal: one is saved, the other says so and asks
    taps(one, "kenter", "k2", "k2", "knext", "knext", "knext")
    taps(other, "kenter", "k6", "knext", "knext", "knext", "knext", "ksave")
    at(other, 3)
    expect(one.locator(".clash")).to_be_visible()
    at(one, 3)
    assert entries(live_site, match) == [
        'table sheet leader=あかね あかね="3 3" 源五郎="" みどり子="7" ほしの=""',
        'table sheet あかね="4 4" 源五郎="5" みどり子="" ほしの="8"',
        'table sheet あかね="6" 源五郎="" みどり子="" ほしの=""',
    ]
