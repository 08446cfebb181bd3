"""A number and what becomes of it without network: the phone composes the play."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from serving import SEATS, Site, said
from test_every_tap import recorded, tap

pytestmark = pytest.mark.browser

TABLEAU = "table deal dealer=源五郎 tableau=2,4,5,J"


def test_a_number_and_what_becomes_of_it_are_one_play(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """A discard, then one of two sets."""
    match = opened(TABLEAU, game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, "#k8")
    expect(page.locator(".who .need")).to_have_text("8ではセットができない")
    tap(page, "#k8")
    expect(page.locator(".who .need")).to_have_text("手札から1枚")
    tap(page, "#k9")
    expect(page.locator(".lit")).to_have_count(4)
    tap(page, "#k8", said("discard 8"))
    page.context.set_offline(False)
    recorded(live_site, match, page, [TABLEAU, "あかね discard 8"])


def test_a_set_that_the_table_does_not_have_any_more_is_asked_about(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened(TABLEAU, game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, "#k3", "#k9", said("capture 9 with 4 5"))
    page.context.set_offline(False)
    expect(page.locator(".clash")).to_contain_text("4+5=9")
    recorded(live_site, match, page, [TABLEAU, "あかね capture 3 with 2 5"])
