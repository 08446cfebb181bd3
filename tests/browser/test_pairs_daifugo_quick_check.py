"""The quick check of ペアーズ大富豪 on a slow phone."""

from __future__ import annotations

from playwright.sync_api import Browser, Route, expect
from serving import PATIENCE, Site


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
