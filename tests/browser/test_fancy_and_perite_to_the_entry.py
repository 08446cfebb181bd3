"""A tap on a card that was played opens its entry, where it is corrected."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from introduced import introduced
from kit_deals import recorded_deal
from playwright.sync_api import Page, expect
from serving import SEATS, Site, at

from referee.games import GAMES
from referee.screens import screen
from referee.screens.families.must_not_follow import MustNotFollowScreen

pytestmark = pytest.mark.browser


TRICKS = [name for name in GAMES if isinstance(screen(name), MustNotFollowScreen)]


@pytest.mark.parametrize("game", TRICKS)
def test_a_card_of_the_trick_leads_to_its_entry(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page], game: str
) -> None:
    """Nothing happened; people expect the correction of the card that they tap."""
    seats = SEATS[:3]
    deal = f"table deal leader={seats[0]}"
    match = opened(deal, f"{seats[0]} lay 4", f"{seats[1]} lay 5", game=game, seats=seats)
    page = phone(f"{live_site.url}/t/{match}", still=True)
    at(page, 3)
    page.locator(".board .card", has_text="4").tap()
    page.wait_for_url(f"**/t/{match}/e/2")


def test_a_card_of_a_game_of_a_file_leads_to_its_entry(
    live_site: Site, phone: Callable[..., Page]
) -> None:
    circle = introduced(live_site.ledger.store)
    _log, lines, view, _leader = recorded_deal(live_site.ledger, "hearts", 4, 1, circle)
    led = next(seen for seen, line in enumerate(lines) if " lay " in line)
    for seen, line in enumerate(lines[: led + 2]):
        assert live_site.ledger.declare(view.match, line, seen, f"before-{seen:06}").seq
    page = phone(f"{live_site.url}/t/{view.match}", still=True)
    at(page, led + 2)
    cards = page.locator(".board .card[data-entry]")
    expect(cards).to_have_count(2)
    page.locator(f".board .card[data-entry='{led + 2}']").tap()
    page.wait_for_url(f"**/t/{view.match}/e/{led + 2}")
