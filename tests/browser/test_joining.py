"""Several phones at one table, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import Site, at

from referee.games.simulation import WIDEST

pytestmark = pytest.mark.browser

FIVE = ("あかね", "源五郎", "北大路ロマネスク三世閣下", "ほしの", "みどり子")
Phones = Callable[..., Page]


@pytest.fixture
def phones(chromium: Browser) -> Phones:
    """Makes a page in a browser of its own, as another phone."""

    def another(**options: object) -> Page:
        context = chromium.new_context(
            viewport={"width": 390, "height": 844},
            locale="ja",
            **options,  # type: ignore[arg-type]
        )
        return context.new_page()

    return another


def opens(page: Page, site: Site) -> str:
    """Open a table as anybody does; its address."""
    page.goto(f"{site.url}/new?game={WIDEST}&" + "&".join(f"name={name}" for name in FIVE))
    page.click(".foot button")
    page.wait_for_url("**/t/*")
    return page.url


def test_two_taps_and_a_second_phone_plays(phones: Phones, site: Site) -> None:
    host, guest = phones(), phones()
    table = opens(host, site)
    host.click(".bar a[href$='/menu']")
    host.click("text=招待・席")
    expect(host.locator(".qr svg")).to_be_visible()
    link = host.locator(".link input").input_value()

    guest.goto(link)  # the first tap: on what the camera has read
    assert guest.url == f"{table}/join"
    guest.click("text=源五郎")  # the second
    guest.wait_for_url(table)
    expect(guest.locator(".seat.here")).to_have_count(1)
    expect(host.locator(".seats")).to_contain_text("着席中")

    host.goto(table)
    host.locator(".keys .key").first.click()
    expect(host.locator(".bar")).to_contain_text("記録（2件）")
    guest.reload()
    expect(guest.locator(".bar")).to_contain_text("記録（2件）")


@pytest.mark.parametrize("script", [True, False])
def test_a_typed_code_is_answered_on_the_table_page(
    phones: Phones, site: Site, script: bool
) -> None:
    host, guest = phones(), phones(java_script_enabled=script)
    table = opens(host, site)
    host.goto(f"{table}/join")
    code = host.locator(".code").inner_text().replace("\n", "")
    host.goto(table)

    guest.goto(f"{site.url}/join")
    guest.fill("#code", code.lower())
    guest.click("main button.go")
    sign = guest.locator(".sign").inner_text()
    strip = host.locator("#door form")
    expect(strip).to_contain_text(sign)  # by itself, within seconds
    strip.locator("text=承認").click()
    guest.wait_for_url(f"{table}/join")
    guest.click("text=みどり子")
    guest.wait_for_url(table)


def test_a_door_that_is_asked_for_leaves_the_table_alone(phones: Phones, live_site: Site) -> None:
    host = phones()
    host.clock.install()
    table = opens(host, live_site)
    match = table.rpartition("/")[2]
    host.goto(f"{table}/join")  # a code is out now
    host.goto(table)
    host.locator(".keys .key").first.click()
    at(host, 2)
    host.locator(".tag", has_text=FIVE[3]).click()
    expect(host.locator(".who h1 .nm")).to_have_text(FIVE[3])
    with host.expect_response("**/door"):
        host.clock.run_for(4000)
    expect(host.locator("[data-count] i")).to_have_count(1)  # the undo counts down once
    view = live_site.ledger.view(match)
    live_site.ledger.declare(match, f"{view.to_act[0]} lay 7", 2, "from-another-phone")
    at(host, 3)
    expect(host.locator(".who h1 .nm")).to_have_text(FIVE[3])  # the seat that was chosen


def test_pages_of_a_circle_fit_a_small_phone(phones: Phones, site: Site) -> None:
    host = phones()
    host.set_viewport_size({"width": 320, "height": 568})
    table = opens(host, site)
    for path in (table, f"{table}/join", "/", "/join", "/circle", "/people", "/people/3"):
        host.goto(path if path.startswith("http") else f"{site.url}{path}")
        width = host.evaluate("document.documentElement.scrollWidth")
        assert width <= 320, path
        small = host.evaluate(SMALL_TARGETS)
        assert small == [], path


SMALL_TARGETS = """() => [...document.querySelectorAll("main a, main button, main input, summary")]
  .filter((e) => e.offsetParent && !e.matches(".vh, [type=hidden], .opt input, .chip input"))
  .filter((e) => e.getBoundingClientRect().height < 43.5)
  .map((e) => e.outerHTML.slice(0, 90))"""


def test_a_phone_whose_clock_differs_reads_the_zone_beside_the_time(
    phones: Phones, site: Site
) -> None:
    """The first phone of the group gives it its zone; a guest sees the group's time, too."""
    host, guest = phones(timezone_id="Asia/Tokyo"), phones(timezone_id="Europe/Berlin")
    table = opens(host, site)
    host.goto(f"{table}/e/1")
    time = host.locator(".at span").last
    expect(time).to_have_text(re.compile(r"^\d\d:\d\d$"))
    host.goto(f"{table}/menu")
    host.click("text=招待・席")
    guest.goto(host.locator(".link input").input_value())
    guest.click("text=源五郎")
    guest.wait_for_url(table)
    host.goto(f"{table}/e/1")
    guest.goto(f"{table}/e/1")
    expect(guest.locator(".at span").last).to_have_text(f"{time.inner_text()} Tokyo")
