"""A card face down without network: the phone composes the play."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from serving import SEATS, Site, at, entries
from test_offline import SILENT, taken_back
from thumbs import recorded, tap

pytestmark = pytest.mark.browser


def test_a_card_face_down_and_its_number_are_one_play(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    lines = ["table deal", "あかね reveal 6", "源五郎 reveal 2", "みどり子 reveal 4"]
    lines += ["源五郎 lay 8 8", "みどり子 lay 5"]
    match = opened(*lines, game="trumps", seats=SEATS[:3])
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, "#c5")
    page.context.set_offline(False)
    recorded(live_site, match, page, [*lines, "あかね cover 5"])


def test_what_is_taken_is_listed_by_its_number(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    lines = ["table deal", "あかね reveal 6", "源五郎 reveal 2", "みどり子 reveal 4"]
    lines += ["源五郎 lay 8 8", "みどり子 lay 5", "あかね lay 3"]
    match = opened(*lines, game="trumps", seats=SEATS[:3])
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, "#t6", "#t4")
    page.locator(".unsent-strip summary").tap()
    expect(page.locator(".unsent-strip li span")).to_have_text(["源五郎 6", "次の手番 4"])


@pytest.mark.parametrize(
    ("taken", "left"),
    [
        (0, ["源五郎 reveal 6", "みどり子 reveal 5"]),
        (1, ["あかね reveal 7", "みどり子 reveal 5"]),
    ],
)
def test_one_of_those_that_wait_is_taken_back(
    live_site: Site,
    opened: Callable[..., str],
    phone: Callable[..., Page],
    taken: int,
    left: list[str],
) -> None:
    """Cards that all show at once do not depend on each other."""
    match = opened("table deal", game="trumps", seats=SEATS[:3])
    page = phone(f"{live_site.url}/t/{match}", SILENT)
    taken_back(page, taken)
    at(page, 3)
    assert entries(live_site, match) == ["table deal", *left]
