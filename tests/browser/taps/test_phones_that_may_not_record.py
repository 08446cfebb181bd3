"""A phone that may not record follows the game; nothing that is tapped on it waits or counts."""

from __future__ import annotations

from collections.abc import Callable

import kit_deals
import pytest
from guests import Guest
from introduced import introduced
from playwright.sync_api import Browser, Page, Route, expect
from serving import UNSENT, Site, at, begun, entries, nothing_waits, painted

from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import WIDEST

pytestmark = pytest.mark.browser

FOUR = ("あかね", "源五郎", "みどり子", "ほしの")
# The middle of everything on board and pad that looks like a card, a key or a plate.
SPOTS = """() => [...document.querySelectorAll(
    "#table :is(.board, .pad) :is(.card, .slot, .tag, .seat, .key, .btn, .flag, .kj, .strip, li)")]
  .map((each) => each.getBoundingClientRect()).filter((box) => box.width && box.height)
  .map((box) => [box.x + box.width / 2, box.y + box.height / 2])
  .filter(([x, y]) => x > 0 && y > 0 && x < innerWidth && y < innerHeight)"""
# Links and cards that were played lead to other pages.
STAY = """() => {
  for (const card of document.querySelectorAll("[data-entry]")) delete card.dataset.entry;
  addEventListener("click", (event) => event.preventDefault());
}"""


@pytest.fixture
def match(live_site: Site) -> str:
    match = live_site.ledger.open(Header(WIDEST, FOUR), introduced(live_site.ledger.store)).match
    live_site.ledger.declare(match, "table deal leader=あかね", 0, "key-000000")
    return match


@pytest.fixture
def guest(live_site: Site, chromium: Browser, match: str) -> Guest:
    """A phone that sits at あかね's seat."""
    found = Guest(live_site, chromium, match)
    found.is_now("seated", 1)
    return found


def plays(site: Site, match: str, line: str) -> None:
    seq = site.ledger.view(match).seq
    assert site.ledger.declare(match, line, seq, f"play-{seq:06}").seq, line


@pytest.mark.parametrize("name", [*GAMES, next(iter(kit_deals.GAMES))])
def test_taps_on_a_phone_that_watches_change_nothing(
    live_site: Site, chromium: Browser, name: str
) -> None:
    match = begun(live_site, introduced(live_site.ledger.store), name, 12)
    watcher = Guest(live_site, chromium, match)
    watcher.is_now("watching")
    page, held = watcher.looks(), entries(live_site, match)
    spots = page.evaluate(SPOTS)
    assert spots
    page.evaluate(STAY)
    for x, y in spots:
        page.touchscreen.tap(x, y)
    painted(page)
    nothing_waits(page)
    assert entries(live_site, match) == held
    live_site.ledger.undo(match, len(held), "undo-000001")  # it still follows the game
    at(page, len(held) + 1)
    assert page.locator("#table[data-keyless]").count() == 1


def test_a_phone_that_lost_its_seat_while_it_had_no_network_says_what_is_not_recorded(
    live_site: Site, match: str, guest: Guest
) -> None:
    page = guest.looks()
    guest.offline(True)
    page.locator("#k7").tap()
    page.locator("#k6").tap()
    guest.is_now("watching")
    guest.offline(False)
    said = page.locator(".clash[role=alert]")
    expect(said).to_contain_text("記録していません")
    expect(said).to_contain_text("あかね 7")
    expect(said).to_contain_text("源五郎 6")
    expect(said).to_contain_text("観戦中")
    nothing_waits(page)
    expect(page.locator("#table[data-keyless]")).to_have_count(1)
    expect(page.locator("#table button[name=line]")).to_have_count(0)
    page.reload()
    at(page, 1)
    nothing_waits(page)
    guest.is_now("seated", 1)  # whoever sits down later gets none of it
    page.reload()
    page.locator("#k5").tap()
    at(page, 2)
    assert entries(live_site, match)[1:] == ["あかね lay 5"]


def test_a_key_of_a_page_that_is_older_than_the_loss_of_the_seat(
    live_site: Site, match: str, guest: Guest
) -> None:
    page = guest.looks()
    guest.is_now("watching")
    page.locator("#k7").tap()
    expect(page.locator(".clash[role=alert]")).to_contain_text("あかね 7")
    nothing_waits(page)
    plays(live_site, match, "あかね lay 4")
    at(page, 2)  # it follows the game
    expect(page.locator(".clash")).to_have_count(0)
    assert entries(live_site, match)[1:] == ["あかね lay 4"]


def test_a_removed_phone_says_so_and_keeps_nothing(
    live_site: Site, match: str, guest: Guest
) -> None:
    page = guest.looks()
    guest.offline(True)
    page.locator("#k7").tap()
    page.locator("#undo button").tap()
    page.locator("#k6").tap()
    guest.removed()
    guest.offline(False)
    expect(page.locator("#notice")).to_contain_text("あかね 6")
    expect(page.locator("#notice")).to_contain_text("この卓に参加していません")
    assert page.evaluate(UNSENT) == []
    assert page.evaluate("document.querySelector('#table').inert")
    page.reload()
    expect(page.locator("#table")).to_have_count(0)
    expect(page.locator("#notice")).to_be_empty()
    guest.is_now("seated", 2)
    guest.looks()
    nothing_waits(page)
    assert entries(live_site, match)[1:] == []


def test_a_phone_is_removed_in_the_middle_of_a_game(guest: Guest) -> None:
    page = guest.looks()
    guest.removed()
    expect(page.locator("#notice")).to_contain_text("この卓に参加していません")
    assert page.evaluate("document.querySelector('#table').inert")


def test_what_a_removed_guest_tapped_is_not_recorded_by_the_next_person_on_that_phone(
    live_site: Site, match: str, guest: Guest
) -> None:
    page = guest.looks()
    guest.offline(True)
    page.locator("#k7").tap()
    guest.removed()
    guest.is_now("seated", 2)
    guest.offline(False)
    said = page.locator(".clash[role=alert]")
    expect(said).to_contain_text("あかね 7")
    expect(said).to_contain_text("前の人")
    nothing_waits(page)
    page.locator("#k5").tap()  # the next person can play at once
    at(page, 2)
    assert entries(live_site, match)[1:] == ["あかね lay 5"]


def test_the_next_person_comes_to_the_phone_by_another_page(
    live_site: Site, match: str, guest: Guest
) -> None:
    """The plays of the guest are sent from any page of the app."""
    page = guest.looks()
    guest.offline(True)
    page.locator("#k7").tap()
    guest.removed()
    guest.is_now("seated", 2)
    page.goto("about:blank")
    guest.offline(False)
    page.goto(f"{live_site.url}/settings")
    expect(page.locator("#notice")).to_contain_text("記録していません　あかね 7")
    assert page.evaluate(UNSENT) == []
    assert entries(live_site, match)[1:] == []


def test_a_refusal_by_somebody_else_than_the_server_leaves_the_play_waiting(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    """The login page of a network answers to everything."""
    page = phone(f"{live_site.url}/t/{match}")

    def login(route: Route) -> None:
        route.fulfill(status=403, body="<h1>Log in</h1>", content_type="text/html")

    page.route("**/play", login, times=1)
    page.locator("#k7").tap()
    at(page, 2)
    assert entries(live_site, match)[1:] == ["あかね lay 7"]


def test_only_the_refused_declaration_is_dropped_and_what_was_tapped_behind_it_is_asked_about(
    live_site: Site, chromium: Browser, match: str, phone: Callable[..., Page]
) -> None:
    Guest(live_site, chromium, match).is_now("seated", 3)
    for line in ("あかね lay 7", "源五郎 lay 5"):
        plays(live_site, match, line)
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    expect(page.locator("html[data-net=off]")).to_have_count(1)  # else it tries to send the card
    page.locator("#k7").tap()  # says that みどり子 has nothing else
    page.locator("#undo button").tap()
    page.locator("#k7").tap()
    page.locator("#k6").tap()
    page.context.set_offline(False)
    expect(page.locator("[data-what]")).to_have_text("ほしの 6")
    expect(page.locator("[data-why]")).to_contain_text("みどり子")
    page.locator("[data-unsent=drop]").tap()
    nothing_waits(page)
    assert entries(live_site, match)[1:] == ["あかね lay 7", "源五郎 lay 5"]
