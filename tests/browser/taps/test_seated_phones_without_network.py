"""A phone with a seat, without network: its own turn, and that of the seats after it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Page, expect
from serving import Site
from thumbs import recorded, tap

from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.http.invites import digest
from referee.store import Doors

pytestmark = pytest.mark.browser

FOUR = ("あかね", "源五郎", "みどり子", "ほしの")
DEAL = "table deal leader=あかね"


@pytest.fixture
def match(live_site: Site) -> str:
    """A table at which the phone with the cookie has あかね's seat."""
    match = live_site.ledger.open(Header(WIDEST, FOUR), introduced(live_site.ledger.store)).match
    Doors(live_site.ledger.store).seat(match, digest(TOKEN), "seated", 1)
    live_site.ledger.declare(match, DEAL, 0, "key-000000")
    return match


def test_the_next_seat_is_named_after_ones_own_turn(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    """Where "your turn" stands is no name: the next card waited for nobody knew whom."""
    page = phone(f"{live_site.url}/t/{match}")
    head = page.locator(".who h1")
    expect(head).to_have_text("あなたの手番")
    page.context.set_offline(True)
    tap(page, "#k7")
    expect(head).to_have_text("源五郎の手番（代わりに記録）")
    tap(page, "#k6")
    expect(page.locator(".unsent-strip li span")).to_have_text(["あかね 7", "源五郎 6"])
    page.context.set_offline(False)
    recorded(live_site, match, page, [DEAL, "あかね lay 7", "源五郎 lay 6"])


def test_a_seat_that_was_tapped_is_left_by_another_tap(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    """With network and without; one's own seat is not played for somebody else."""
    live_site.ledger.declare(match, "あかね lay 7", 1, "key-000001")
    page = phone(f"{live_site.url}/t/{match}")
    head, seat = page.locator(".who h1"), page.locator(".board a.tag", has_text="あかね")
    for offline in (False, True):
        page.context.set_offline(offline)
        expect(head).to_have_text("源五郎の手番（代わりに記録）")
        seat.tap()
        expect(head.locator(".nm")).to_have_text("あかね")
        expect(head.locator(".for")).to_be_hidden()
        seat.tap()
    expect(head).to_have_text("源五郎の手番（代わりに記録）")
    tap(page, "#k6")
    page.context.set_offline(False)
    recorded(live_site, match, page, [DEAL, "あかね lay 7", "源五郎 lay 6"])
