"""A number and what becomes of it without network: the phone composes the play."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from serving import SEATS, Site, said
from thumbs import recorded, tap

pytestmark = pytest.mark.browser

TABLEAU = "table deal dealer=源五郎 tableau=2,4,5,J"


def test_a_number_and_what_becomes_of_it_are_one_play(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """A discard, then one of two sets."""
    match = opened(TABLEAU, game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, "#k9")
    expect(page.locator(".lit")).to_have_count(4)
    tap(page, "#k9")
    expect(page.locator(".who .need")).to_have_text("手札から1枚")
    tap(page, "#k8")
    page.context.set_offline(False)
    recorded(live_site, match, page, [TABLEAU, "あかね discard 8"])


def test_sets_with_cards_that_a_waiting_play_took_are_not_offered(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The 5 is gone with あかね's set: 9 waits, and with network it is asked about."""
    match = opened(TABLEAU, game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    expect(page.locator("html[data-net=off]")).to_have_count(1)
    tap(page, "#k3", "#k9")
    expect(page.locator(".unsent-strip li span")).to_have_text(["あかね 3", "次の手番 9"])
    expect(page.locator(".lit")).to_have_count(0)
    page.context.set_offline(False)
    expect(page.locator(".clash")).to_contain_text("9")
    recorded(live_site, match, page, [TABLEAU, "あかね capture 3 with 2 5"])


def test_a_card_behind_a_waiting_play_is_no_table_card(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """あかね takes the last two: whether 6 is a card of a hand or the first new one is asked."""
    lines = ["table deal dealer=源五郎 tableau=2,4,5,7", "あかね capture 9 with 2 7"]
    match = opened(*lines, game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    expect(page.locator("html[data-net=off]")).to_have_count(1)
    tap(page, "#k9", said("capture 9 with 4 5"), "#k6")
    page.context.set_offline(False)
    expect(page.locator(".clash")).to_contain_text("6")
    expect(page.locator(".tableau .card")).to_have_count(0)
    recorded(live_site, match, page, [*lines, "源五郎 capture 9 with 4 5"])


def test_a_card_is_tapped_in_the_moment_in_which_the_one_before_it_is_shown(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Its key is a link inside the form of the plays, on a table that has been exchanged."""
    match = opened(game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    tap(page, ".sums>li:last-child>a")
    expect(page.locator("#kA")).to_be_visible()
    page.evaluate("""() => new MutationObserver((_changes, observer) => {
        if (document.querySelectorAll(".tableau .card").length !== 1) return;
        observer.disconnect();
        setTimeout(() => document.querySelector("#k2").click());
    }).observe(document, { childList: true, subtree: true })""")
    tap(page, "#kA")
    expect(page.locator(".tableau .card b")).to_have_text(["A", "2"])
