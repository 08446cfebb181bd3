"""Keys of ペアーズ大富豪 tapped while nobody's turn is known: none is lost without a word."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from examples import examples
from playwright.sync_api import Page, expect
from serving import SEATS, Site, entries, said
from thumbs import held_back, plays, recorded, tap, the_one

pytestmark = pytest.mark.browser


def test_a_number_that_is_tapped_twice_and_becomes_a_step_asks_about_the_second(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Whose number it was could not be known; for the seat that leads it is only half a play."""
    *before, passes, _lead = (play.line for play in plays("pairs_daifugo"))
    table = examples("table_by_taps")["pairs_daifugo"]
    match = opened(*table["before"], *before, game="pairs_daifugo", seats=SEATS[: table["seats"]])
    page = phone(f"{live_site.url}/t/{match}")
    answer = held_back(page, "**/play")
    tap(page, said("pass"), "#k6", "#k6")
    the_one(page, answer).continue_()
    expect(page.locator(".clash")).to_contain_text("6")
    assert entries(live_site, match)[-1] == passes
    tap(page, "[data-unsent=drop]")
    expect(page.locator(".clash")).to_have_count(0)
    tap(page, "#k6", f"{said('lay 6')}:not(#k6)")
    expect(page.locator('#play [name=seen][value="14"]')).to_have_count(1)
    assert entries(live_site, match)[-1] == "源五郎 lay 6"


def test_a_card_of_the_pyramid_is_no_card_of_the_hand(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """A seat has passed, and the plate of the next one is tapped: its pyramid has the number."""
    rows = ["あかね row 7 7 9", "源五郎 row 8 8 10", "みどり子 row 9 7 10", "ほしの row 6 8 10"]
    before = ["table deal leader=あかね", *rows, "あかね lay 10"]
    match = opened(*before, game="pairs_daifugo", seats=SEATS[:4])
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, said("pass"))
    page.locator(".board a.tag", has_text="みどり子").tap()
    expect(page.locator(".unsent-strip")).to_contain_text("オフラインでは開けません")
    tap(page, "#k9")
    page.context.set_offline(False)
    expect(page.locator(".clash")).to_contain_text("9")
    assert entries(live_site, match) == [*before, "源五郎 pass"]
    tap(page, "[data-unsent=again]")
    recorded(live_site, match, page, [*before, "源五郎 pass", "みどり子 lay 9 using d"])
