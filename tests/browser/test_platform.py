"""What a phone gives and takes: light, safe areas, the way back, sharing, addresses from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, BrowserContext, Page, expect
from serving import PATIENCE, PHONE, Site, at

from referee.core.record import Header

pytestmark = pytest.mark.browser

SEATS = ("あかね", "源五郎", "みどり子")
PLAIN = "http://fudami.test"  # a name of this machine, which no browser takes for secure
Opened = Callable[..., Page]


@pytest.fixture
def match(site: Site) -> str:
    match = site.desk.open(Header("perite", SEATS), introduced(site.desk.store)).match
    site.desk.declare(match, "table deal leader=あかね", 0, "key-000000")
    return match


@pytest.fixture
def opened(chromium: Browser, site: Site) -> Iterator[Opened]:
    """Opens a page on a phone of its own; ``plain``: at an address that is not secure."""
    contexts: list[BrowserContext] = []

    def another(path: str, *, plain: bool = False, init: str = "", **options: Any) -> Page:
        options = {"viewport": PHONE, "locale": "ja", "has_touch": True} | options
        context = chromium.new_context(service_workers="block", **options)
        contexts.append(context)
        url = site.url.replace("http://127.0.0.1", PLAIN) if plain else site.url
        context.add_cookies([{"name": "phone", "value": TOKEN, "url": url}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        if init:
            page.add_init_script(init)
        page.goto(url + path)
        return page

    yield another
    for context in contexts:
        context.close()


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
    expect(lamp).to_have_text("画面点灯")
    page.locator("#k5").tap()
    at(page, 2)
    expect(lamp).to_have_text("画面点灯")
    page.evaluate("lent.release()")  # as the system does when the battery runs low
    expect(lamp).to_have_text("画面は消えます")
    expect(lamp).not_to_have_class("lamp on")
    lamp.tap()
    expect(lamp).to_have_text("画面点灯")
    lamp.tap()
    expect(lamp).to_have_text("画面は消えます")
    assert page.evaluate("window.lent") is None
    assert page.locator("video").count() == 0


def test_the_lamp_says_that_the_lock_was_refused(site: Site, match: str, opened: Opened) -> None:
    page = opened(f"/t/{match}", init=REFUSED)
    expect(page.locator(".lamp:not(.net)")).to_have_text("点灯できません")


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
    expect(lamp).to_have_text("動画で点灯")
    assert any("awake" in url for url in asked)
    # what Chromium, Firefox and Safari ask of a video before they keep the screen on for it
    state = film.evaluate("""async (film) => {
        const before = film.currentTime, box = film.getBoundingClientRect();
        await new Promise((done) => setTimeout(done, 400));
        return { moves: film.currentTime > before, paused: film.paused, loop: film.loop,
          covers: box.width * box.height / innerWidth / innerHeight,
          sound: film.webkitAudioDecodedByteCount > 0 }; }""")
    assert state == {"moves": True, "paused": False, "loop": False, "covers": 1, "sound": True}
    page.wait_for_timeout(450)
    page.locator("#k5").tap()  # the video lies under everything, and outlasts a play
    at(page, 2)
    expect(lamp).to_have_text("動画で点灯")
    film.evaluate("(film) => film.pause()")  # as a battery saver does
    expect(lamp).to_have_text("画面は消えます")
    lamp.tap()
    page.reload()
    expect(lamp).to_have_text("動画で点灯")  # what was wished stays wished
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
              if (!box.width || part.closest(".vh, [hidden]") || box.top >= height) return false;
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
