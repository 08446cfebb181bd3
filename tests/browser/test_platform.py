"""What a phone gives and takes: light, safe areas, the way back, sharing, addresses opened cold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, Page, expect
from serving import PHONE, Site, at

from referee.core.record import Header
from referee.games.simulation import WIDEST, played

pytestmark = pytest.mark.browser

SEATS = ("あかね", "源五郎", "みどり子")
PLAIN = "http://fudami.test"  # a name of this machine, which no browser takes for secure
Opened = Callable[..., Page]


@pytest.fixture
def match(site: Site) -> str:
    match = site.ledger.open(Header(WIDEST, SEATS), introduced(site.ledger.store)).match
    site.ledger.declare(match, "table deal leader=あかね", 0, "key-000000")
    return match


@pytest.fixture
def opened(chromium: Browser, site: Site) -> Opened:
    """Opens a page on a phone of its own; ``plain``: at an address that is not secure."""

    def another(path: str, *, plain: bool = False, init: str = "", **options: Any) -> Page:
        options = {"viewport": PHONE, "locale": "ja", "has_touch": True} | options
        context = chromium.new_context(service_workers="block", **options)
        url = site.url.replace("http://127.0.0.1", PLAIN) if plain else site.url
        context.add_cookies([{"name": "phone", "value": TOKEN, "url": url}])
        page = context.new_page()
        if init:
            page.add_init_script(init)
        page.goto(url + path)
        return page

    return another


LENT = """navigator.wakeLock.request = async () => {
  window.lent = Object.assign(new EventTarget(), { release() {
    this.dispatchEvent(new Event("release")); this.onrelease?.(); window.lent = null; } });
  return window.lent;
}"""
REFUSED = (
    "navigator.wakeLock.request = () => Promise.reject(new DOMException('', 'NotAllowedError'))"
)


def test_the_lamp_burns_while_the_lock_is_held(site: Site, match: str, opened: Opened) -> None:
    page = opened(f"/t/{match}", init=LENT)
    lamp = page.locator(".lamp:not(.net)")
    expect(lamp).to_have_text("画面オン")
    page.locator("#k5").tap()
    at(page, 2)
    expect(lamp).to_have_text("画面オン")
    page.evaluate("lent.release()")  # as the system does when the battery runs low
    expect(lamp).to_have_text("画面は消えます")
    expect(lamp).not_to_have_class("lamp on")
    lamp.tap()
    expect(lamp).to_have_text("画面オン")
    lamp.tap()
    expect(lamp).to_have_text("画面は消えます")
    assert page.evaluate("window.lent") is None
    assert page.locator("video").count() == 0


def test_the_lamp_says_that_the_lock_was_refused(site: Site, match: str, opened: Opened) -> None:
    page = opened(f"/t/{match}", init=REFUSED)
    expect(page.locator(".lamp:not(.net)")).to_have_text("画面オン不可")


def test_on_plain_http_a_tap_plays_a_video_that_keeps_the_screen_on(
    site: Site, match: str, opened: Opened
) -> None:
    page = opened(f"/t/{match}", plain=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    lamp, film = page.locator(".lamp:not(.net)"), page.locator("video")
    assert page.evaluate("[isSecureContext, 'wakeLock' in navigator]") == [False, False]
    expect(lamp).to_have_text("画面は消えます")
    assert film.count() == 0
    lamp.tap()
    expect(lamp).to_have_text("画面オン")
    assert any("awake" in url for url in asked)
    # what Chromium, Firefox and Safari ask of a video before they keep the screen on for it
    runs = "(film) => film.currentTime > 0 && film.webkitAudioDecodedByteCount > 0"
    page.wait_for_function(runs, arg=film.element_handle())
    state = film.evaluate("""(film) => {
        const box = film.getBoundingClientRect();
        return { paused: film.paused, loop: film.loop,
          covers: box.width * box.height / innerWidth / innerHeight }; }""")
    assert state == {"paused": False, "loop": False, "covers": 1}
    page.locator("#k5").tap()  # the video is below everything, and survives a play
    at(page, 2)
    expect(lamp).to_have_text("画面オン")
    film.evaluate("(film) => film.pause()")  # as a battery saver does
    expect(lamp).to_have_text("画面は消えます")
    lamp.tap()
    page.reload()
    expect(lamp).to_have_text("画面オン")  # the setting is kept
    lamp.tap()
    expect(lamp).to_have_text("画面は消えます")
    page.reload()
    assert film.count() == 0


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_nothing_lies_under_the_camera_or_the_bar_of_the_phone(
    match: str, opened: Opened, size: tuple[int, int]
) -> None:
    wide = size[0] > size[1]
    insets = (
        {"top": 0, "left": 47, "right": 47, "bottom": 21} if wide else {"top": 47, "bottom": 34}
    )
    page = opened(f"/t/{match}", viewport={"width": size[0], "height": size[1]})
    phone = page.context.new_cdp_session(page)
    phone.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    for path in (f"/t/{match}", f"/t/{match}/e/2", "/"):
        page.goto(page.url.partition("/t/")[0] + path)
        under = page.evaluate(
            """([width, height, top, left, right, bottom]) =>
            [...document.querySelectorAll("a, button, summary, h1, .tag, .card")].filter((part) => {
              const box = part.getBoundingClientRect();
              if (!box.width || part.closest(".vh, .skip, [hidden]")) return false;
              if (box.top >= height) return false;
              return box.left < left || box.right > width - right || box.top < top ||
                (part.closest(".bar, .pad, .foot") && box.bottom > height - bottom + 1);
            }).map((part) => part.outerHTML.slice(0, 90))""",
            [*size, *(insets.get(side, 0) for side in ("top", "left", "right", "bottom"))],
        )
        assert under == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_double_tap_zooms_nowhere_on_the_table(match: str, opened: Opened) -> None:
    page = opened(f"/t/{match}")
    assert page.evaluate("""[...document.querySelectorAll(".key, .bar *, .tag, .undo, .lamp")]
        .filter((part) => part.matches("a, button, summary"))
        .every((part) => getComputedStyle(part).touchAction === "manipulation")""")
    assert "user-scalable" not in (
        page.locator("meta[name=viewport]").get_attribute("content") or ""
    )


def laid(site: Site, match: str, most: int = 60) -> None:
    """Play on, with cards that were really dealt."""
    view = site.ledger.view(match)
    for entry in played(view.game, SEATS, 5, most=most).entries[view.seq :]:
        seen = site.ledger.view(match).seq
        site.ledger.declare(match, view.grammar.print(entry), seen, f"entry-{seen:06}")


def test_back_leaves_the_table_whatever_was_entered_there(
    site: Site, match: str, opened: Opened
) -> None:
    page = opened("/")
    page.locator("a.row").first.tap()
    page.wait_for_url("**/t/*")  # with its scripts: without them every play is a page to go back to
    for seq, key in enumerate(("#k5", "#k4", "#k3"), 2):
        page.locator(key).tap()
        at(page, seq)
    with page.expect_response("**seat=*"):
        page.locator(".tag", has_text="源五郎").tap()  # another seat: a swap as well
    expect(page.locator(".who h1 .nm")).to_have_text("源五郎")
    page.go_back()
    expect(page.locator(".brand h1")).to_be_visible()
    page.go_forward()
    at(page, 4)  # and now the present table is shown


def test_back_from_an_entry_is_where_the_log_was_read(
    site: Site, match: str, opened: Opened
) -> None:
    laid(site, match)
    page = opened(f"/t/{match}")
    page.locator(".bar a").first.tap()
    page.wait_for_url("**/log")
    expect(page.locator("main a[href*='/e/']").first).to_be_visible()
    page.evaluate("scrollTo(0, 700)")
    before = page.evaluate("scrollY")
    assert before > 300
    entry = page.evaluate("""() => [...document.querySelectorAll("main a[href*='/e/']")]
        .find((row) => row.getBoundingClientRect().top > 200).getAttribute("href")""")
    log = page.url
    page.locator(f"main a[href='{entry}']").first.tap()
    page.wait_for_url(f"**{entry}")
    page.go_back()
    assert page.url == log
    page.wait_for_function("(before) => Math.abs(scrollY - before) < 80", arg=before)
    page.locator(f"main a[href='{entry}']").first.tap()
    page.wait_for_url(f"**{entry}")
    page.locator(".top a").first.tap()  # the arrow on the page leads to the same line
    expect(page.locator(":target")).to_be_in_viewport()
    assert entry.endswith(f"/{page.url.partition('#e')[2]}")


@pytest.mark.parametrize("script", [True, False])
def test_an_entry_opened_cold_shows_the_door_and_then_the_entry(
    site: Site, match: str, opened: Opened, script: bool
) -> None:
    host = opened(f"/t/{match}/join")
    link = host.locator(".link input").input_value()
    cold = opened("/offline", java_script_enabled=script)
    cold.context.clear_cookies()
    cold.goto(f"{site.url}/t/{match}/e/1")
    expect(cold.locator("h1")).to_have_text("招待が必要です")
    cold.goto(link)
    cold.get_by_text("源五郎").tap()
    cold.wait_for_url(f"**/t/{match}/e/1")
    expect(cold.locator(".verdict")).to_be_visible()


SHEET = """window.sent = [];
navigator.canShare = (what) => Boolean(what.files);
navigator.share = async (what) => {
  sent.push(what.files ? [what.files[0].type, what.files[0].size > 20000] : [what.title, what.url]);
};"""


@pytest.fixture
def over(site: Site, match: str) -> str:
    laid(site, match, 5000)
    assert site.ledger.view(match).outcome is not None
    return match


def test_a_result_goes_to_the_share_sheet_as_picture_and_as_link(
    site: Site, over: str, opened: Opened
) -> None:
    page = opened(f"/t/{over}/result", init=SHEET)
    page.locator("[data-card]").tap()
    page.wait_for_function("() => sent.length === 1")
    assert page.evaluate("sent[0]") == ["image/png", True]
    page.locator("[data-share]").tap()
    page.wait_for_function("() => sent.length === 2")
    title, url = page.evaluate("sent[1]")
    assert "の勝ち" in title
    cold = opened("/offline")
    cold.context.clear_cookies()
    cold.goto(url)
    expect(cold.locator(".scroll .seal")).to_be_visible()
    cold.goto(f"{site.url}/t/{over}")
    expect(cold.locator("h1")).to_have_text("招待が必要です")


def test_without_a_share_sheet_the_address_is_copied_or_opened(over: str, opened: Opened) -> None:
    copies = opened(f"/t/{over}/result", permissions=["clipboard-read", "clipboard-write"])
    link = copies.locator("[data-share]")
    address = link.get_attribute("href")
    link.tap()
    expect(link).to_have_text("アドレスをコピーしました")
    assert copies.evaluate("navigator.clipboard.readText()") == address
    with copies.expect_download() as saved:
        copies.locator("[data-card]").tap()
    assert saved.value.suggested_filename.endswith(".png")
    opens = opened(f"/t/{over}/result", plain=True)
    opens.locator("[data-share]").tap()
    opens.wait_for_url("**/shown/*")
    expect(opens.locator(".scroll .seal")).to_be_visible()
