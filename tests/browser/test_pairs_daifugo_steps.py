"""A number and how many of it without network: the phone composes the play."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from serving import SEATS, Site, entries, said
from thumbs import ready, recorded, slow, tap

pytestmark = pytest.mark.browser


def test_a_number_and_how_many_of_it_are_one_play(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Counts that another number does not have are no keys."""
    match = ready(opened, "pairs_daifugo")
    before = entries(live_site, match)
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, "#k7")
    expect(page.locator(".picks .key")).to_have_count(6)
    tap(page, ".below a", "#k10")
    expect(page.locator(".picks .key")).to_have_count(8)
    tap(page, said("lay 10 10"))
    page.context.set_offline(False)
    recorded(live_site, match, page, [*before, "源五郎 lay 10 10"])


def test_the_same_number_ten_times_is_ten_cards(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The rows of two pyramids, told card by card: only the sixth of each is recorded."""
    before = [f"table deal leader={SEATS[0]}"]
    match = opened(before[0], game="pairs_daifugo", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 300)
    tap(page, *["#k10"] * 10, "#k9", "#k9")
    rows = [f"{SEATS[0]} row 10 10 10 10 10 10", f"{SEATS[1]} row 10 10 10 10 9 9"]
    recorded(live_site, match, page, before + rows)
