"""Quick checks on a phone: each game's question by taps alone, in both languages."""

from __future__ import annotations

import pytest
from examples import each, examples
from playwright.sync_api import Browser, expect
from serving import Site


@pytest.mark.parametrize(
    ("lang", "scripts"),
    [
        ("ja", True),
        ("en", False),
        pytest.param("ja", False, marks=pytest.mark.rare),
        pytest.param("en", True, marks=pytest.mark.rare),
    ],
)
def test_each_question_is_asked_by_taps(
    site: Site, chromium: Browser, lang: str, scripts: bool
) -> None:
    context = chromium.new_context(
        viewport={"width": 360, "height": 740}, locale=lang, java_script_enabled=scripts
    )
    page = context.new_page()
    for game, asked in examples("check_by_taps").items():
        page.goto(f"{site.url}/check/{game}")
        for tap in asked["taps"]:
            if "|" in tap:
                name = page.locator(".given-r .name", has_text=tap.split("|")[lang == "en"])
                name.click()
                expect(name).to_have_attribute("aria-current", "true")
            else:
                given = page.locator(".given-r p > :not(.dash)")
                before = given.count()
                page.locator(".keys").get_by_role("link", name=tap, exact=True).click()
                expect(given).to_have_count(before + 1)
        expect(page.locator(".answer h2").first).to_have_text(asked[lang])
        if scripts:
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= 360, (game, wide)


def test_a_check_is_sent_to_somebody(site: Site, chromium: Browser) -> None:
    """By the phone's own share sheet; without one the address goes to the clipboard."""
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    game, sent = each("check")[0]
    asked = f"{site.url}/check/{game}?{sent['address']}"
    page.goto(asked)
    send = page.locator("a[data-share]")
    send.click()
    expect(send).to_have_text(send.get_attribute("data-share") or "")
    assert page.evaluate("navigator.clipboard.readText()") == asked
    page.add_init_script("navigator.share = async (shared) => { window.shared = shared; }")
    page.reload()
    title = page.title()
    send.click()
    page.wait_for_function("() => window.shared")
    assert page.evaluate("window.shared") == {"title": title, "url": asked}
