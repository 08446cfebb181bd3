"""Keys of Three Kings tapped while half a play is on its way: none is lost or does harm."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from examples import examples
from playwright.sync_api import Page, Route, expect
from serving import PATIENCE, SEATS, UNSENT, Site, at
from thumbs import declared, held_back, recorded, slow, tap, the_one

pytestmark = pytest.mark.browser


def first_card_entered(page: Page) -> Route:
    """The first card of a tableau of Three Kings has been tapped; its answer is held back."""
    tap(page, ".sums>li:last-child>a")
    expect(page.locator("#k5")).to_be_visible()
    answer = held_back(page, "**/t/*?*")
    tap(page, "#kA")
    return the_one(page, answer)


def test_a_key_held_behind_half_a_play_is_about_the_table_on_which_it_was_tapped(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """It was a card of the tableau; another phone has entered the tableau meanwhile."""
    match = opened(game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    route = first_card_entered(page)
    tap(page, "#k5")
    deal = "table deal dealer=源五郎 tableau=A,2,K,6"
    declared(live_site, match, 0, deal)
    route.continue_()
    expect(page.locator(".clash")).to_contain_text("5")
    recorded(live_site, match, page, [deal])


def test_keys_held_behind_half_a_play_that_did_not_arrive_come_back_with_it(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened(game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    route = first_card_entered(page)
    tap(page, "#k5", "#k6")
    route.abort()
    expect(page.locator(".clash")).to_contain_text("5　次の手番 6")
    expect(page.locator("#notice")).to_be_empty()
    expect(page.locator(".tableau .card")).to_have_count(0)


def test_a_ruling_that_is_tapped_twice_is_one_ruling(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    deal = "table deal dealer=源五郎 tableau=2,4,5,J"
    match = opened(deal, game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    tap(page, "#k6", "button.key.off[value='あかね discard 6']")
    expect(page.locator(".strip.refused")).to_be_visible()
    slow(page, 600)
    page.evaluate("""async () => {
        const ruling = page.one(".refused form:last-child .undo");
        ruling.click();
        await new Promise((done) => page.painted(() => setTimeout(done)));   // no bounce
        ruling.click(); }""")
    page.wait_for_function(f"() => !{UNSENT}.length", timeout=PATIENCE)
    recorded(live_site, match, page, [deal, "あかね discard 6", "table rule 2 stands"])


def test_a_list_that_is_folded_takes_no_tap_from_the_keys_that_it_would_cover(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The list of waiting entries. The finger comes down before the new table has been painted."""
    deal, *rest = examples("table_by_taps")["three_kings"]["plays"].splitlines()
    lines = [line.partition(" : ")[2] for line in (deal, *rest)]
    match = opened(lines[0], game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    answer = held_back(page, "**/play")
    tap(
        page, "#k6", '.pick[value$=" capture 6 with 2 4"]', "#k8", "#kQ", "#k4", "#k9", "#kA", "#kJ"
    )
    expect(page.locator(".unsent-strip details li")).to_have_count(7)
    box = page.locator("#k3").bounding_box()
    assert box
    page.evaluate("""() => {
        const [later, now] = [[], window.requestAnimationFrame.bind(window)];
        window.requestAnimationFrame = (draw) => later.push(draw);
        window.paint = () => { window.requestAnimationFrame = now; later.forEach(now); }; }""")
    second = held_back(page, "**/play")  # so that no further table takes the place of this one
    the_one(page, answer).continue_()
    expect(page.locator("#play [name=seen]")).to_have_value("2")
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.evaluate("() => window.paint()")
    the_one(page, second).continue_()
    at(page, len(lines))
    recorded(live_site, match, page, lines)
