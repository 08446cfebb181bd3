"""A card face down without network: the phone composes the play."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page
from serving import SEATS, Site
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
    tap(page, "#cover", "#c5")
    page.context.set_offline(False)
    recorded(live_site, match, page, [*lines, "あかね cover 5"])
