"""Quick checks on a phone: each game's question by taps alone, in both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Route, expect
from serving import PATIENCE, Site

TAPS = {
    "fancy": (["5", "2", "4"], "Bが最小", "B is lowest"),
    "perite": (["4", "7", "9", "7", "5"], "Aの勝ち", "A wins"),
    "trumps": (["9", "9", "8"], "Aの勝ち", "A wins"),
    "pairs_daifugo": (["8", "8", "出すカード|Your play", "9", "9"], "出せます", "Playable"),
    "three_kings": (["6", "5", "J"], "6で5とJを取る", "Take 5 and J with 6"),
    "jukugo_line": (["日 1", "本 1", "国 1", "学 1", "一 1", "々 0"], "Aの勝ち", "A wins"),
}


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_each_question_is_asked_by_taps(
    site: Site, chromium: Browser, lang: str, scripts: bool
) -> None:
    context = chromium.new_context(
        viewport={"width": 360, "height": 740}, locale=lang, java_script_enabled=scripts
    )
    page = context.new_page()
    for game, (taps, *said) in TAPS.items():
        page.goto(f"{site.url}/check/{game}")
        for tap in taps:
            if "|" in tap:
                name = page.locator(".told-r .name", has_text=tap.split("|")[lang == "en"])
                name.click()
                expect(name).to_have_attribute("aria-current", "true")
            else:
                told = page.locator(".told-r p > :not(.dash)")
                before = told.count()
                page.locator(".keys").get_by_role("link", name=tap, exact=True).click()
                expect(told).to_have_count(before + 1)
        expect(page.locator(".answer h2").first).to_have_text(said[lang == "en"])
        if scripts:
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= 360, (game, wide)


def test_taps_count_while_the_page_is_slow(site: Site, chromium: Browser) -> None:
    """Nothing is answered before the last tap: 8 8 lies there, and 9 9 instead of 5 is laid on."""
    page = chromium.new_page(viewport={"width": 360, "height": 740}, locale="en")
    page.goto(f"{site.url}/check/pairs_daifugo?lay=5")
    held = list[Route]()
    page.route("**/check/pairs_daifugo?*", lambda route: held.append(route))
    last = "tap=%2B9&tap=%2B9"
    with page.expect_request(lambda request: last in request.url, timeout=PATIENCE):
        page.evaluate(
            """async (taps) => {
            for (const tap of taps) {
              document.querySelector(`[data-tap="${tap}"]`).click();
              await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            } }""",
            ["+8", "+8", "-lay", "@lay", "+9", "+9"],
        )
    while last not in held[-1].request.url:
        page.wait_for_timeout(10)
    held[-1].continue_()
    expect(page.locator(".answer h2")).to_have_text("Playable")


def test_a_check_is_sent_to_somebody(site: Site, chromium: Browser) -> None:
    """By the phone's own share sheet; without one the address goes to the clipboard."""
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    asked = f"{site.url}/check/fancy?ask=trick&n=3&cards=5+2+4"
    page.goto(asked)
    send = page.locator("a[data-share]")
    send.click()
    expect(send).to_have_text(send.get_attribute("data-share") or "")
    assert page.evaluate("navigator.clipboard.readText()") == asked
    page.add_init_script("navigator.share = async (told) => { window.told = told; }")
    page.reload()
    title = page.title()
    send.click()
    page.wait_for_function("window.told")
    assert page.evaluate("window.told") == {"title": title, "url": asked}
