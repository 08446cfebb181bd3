"""Games of files on a phone: recorded deals, tapped again."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from introduced import TOKEN, introduced
from kit_deals import GAMES, SEATS, opened, recorded_deal
from playwright.sync_api import Browser, Page, expect
from serving import Site, at, begun, entries, said, there

from referee.kit.load import load

pytestmark = pytest.mark.browser

KEY = """(lines) => [...document.querySelectorAll("#play button[name=line]")].findIndex(
  (key) => key.value === lines || (!lines.includes("\\n") && key.value.startsWith(lines)))"""
SMALL = """() => [...document.querySelectorAll("#play button")]
  .map((key) => key.getBoundingClientRect()).filter((box) => box.width && box.height < 40).length"""
LOW = ((320, 568), (360, 640), (568, 320), (844, 390))
IN_SIGHT = """(part) => {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  const ends = [top + 4, bottom - 4];
  return ends.every((y) => part.contains(document.elementFromPoint((left + right) / 2, y)));
}"""


@pytest.mark.parametrize(
    ("key", "seats", "deals"),
    [("oh_hell", 7, 2), pytest.param("hearts", 4, 1, marks=pytest.mark.rare), ("magi", 6, 2)],
)
def test_a_recorded_deal_is_tapped_again(
    site: Site, phone: Callable[..., Page], key: str, seats: int, deals: int
) -> None:
    circle = introduced(site.ledger.store)
    _log, lines, view, leader = recorded_deal(site.ledger, key, seats, deals, circle)
    page = phone(f"{site.url}/t/{view.match}?leader={leader}", still=True)
    while (seen := site.ledger.view(view.match).seq) < len(lines):
        found = page.evaluate(KEY, "\n".join(lines[seen : seen + 2]))  # two bids with one tap
        if found < 0:
            found = page.evaluate(KEY, lines[seen])
        button = page.locator("#play button[name=line]").nth(found)
        value = button.get_attribute("value") or ""
        assert page.evaluate(SMALL) == 0
        button.click()
        at(page, seen + len(value.split("\n")))
    assert entries(site, view.match) == lines


@pytest.mark.parametrize(
    ("key", "seats"),
    [
        ("callers", 4),
        ("king", 4),
        ("loo", 4),
        pytest.param("knockout", 4, marks=pytest.mark.rare),
        pytest.param("pitch", 4, marks=pytest.mark.rare),
        ("little_devils", 3),
        pytest.param("zeroes", 4, marks=pytest.mark.rare),
    ],
)
def test_two_phones_by_turns_play_a_deal_of_auctions_calls_draws_and_folding(
    live_site: Site, phone: Callable[..., Page], key: str, seats: int
) -> None:
    circle = introduced(live_site.ledger.store)
    _log, lines, view, leader = recorded_deal(live_site.ledger, key, seats, 1, circle)
    address = f"{live_site.url}/t/{view.match}?leader={leader}"
    phones = [phone(address, still=True) for _ in range(2)]
    seen = 0
    while seen < len(lines):
        page = phones[seen % 2]
        at(page, seen)
        found = page.evaluate(KEY, "\n".join(lines[seen : seen + 2]))  # two bids with one tap
        found = page.evaluate(KEY, lines[seen]) if found < 0 else found
        button = page.locator("#play button[name=line]").nth(found)
        value = button.get_attribute("value") or ""
        assert page.evaluate(SMALL) == 0
        button.tap()
        seen += len(value.split("\n"))
        at(page, seen)
    for page in phones:
        at(page, len(lines))
    assert entries(live_site, view.match) == lines


def test_cards_that_wait_are_named_by_their_signs_and_a_question_says_why(
    live_site: Site, phone: Callable[..., Page]
) -> None:
    """Clubs were plain when they were tapped: only a seat without spades may lay one."""
    view = opened(live_site.ledger, GAMES["whist"], SEATS[:4], introduced(live_site.ledger.store))
    live_site.ledger.declare(view.match, f"table deal leader={SEATS[0]} turn=H5", 0, "first")
    page = phone(f"{live_site.url}/t/{view.match}", still=True)
    page.set_viewport_size({"width": 360, "height": 640})
    there(page, "#play button")
    page.context.set_offline(True)
    for key in ("#kS9", "#kC4", "#kS3", "#kS10", "#kD7"):
        page.locator(key).tap()
    waiting = page.locator(".unsent-strip small")
    expect(waiting).to_contain_text(f"{SEATS[0]} ♠9　{SEATS[1]} ♣4　{SEATS[2]} ♠3")
    page.context.set_offline(False)
    question = page.locator(".clash p")
    expect(question).to_contain_text("♦7")
    expect(question.locator("[data-why]")).to_contain_text("申告")
    for width, height in LOW:
        page.set_viewport_size({"width": width, "height": height})
        assert question.evaluate("(p) => p.scrollHeight <= p.clientHeight"), (width, height)
        assert page.locator(".clash .btn").last.evaluate(IN_SIGHT), (width, height)


@pytest.mark.parametrize("key", ["hearts", "spades"])  # alone, and in teams
def test_cards_that_wait_lie_where_their_players_sit(
    live_site: Site, phone: Callable[..., Page], key: str
) -> None:
    circle = introduced(live_site.ledger.store)
    _log, lines, view, _leader = recorded_deal(live_site.ledger, key, 4, 1, circle)
    led = next(seen for seen, line in enumerate(lines) if " lay " in line)
    for seen, line in enumerate(lines[:led]):
        assert live_site.ledger.declare(view.match, line, seen, f"before-{seen:06}").seq
    page = phone(f"{live_site.url}/t/{view.match}", still=True)
    at(page, led)
    page.locator(f"#play [name=line][value='{lines[led]}']").tap()
    at(page, led + 1)
    page.context.set_offline(True)
    for line in lines[led + 1 : led + 3]:
        seat, _lay, card = line.split()
        page.locator(f"#play [name=line][value='{line}']").tap()
        sign = card[0].translate(str.maketrans("SHDC", "♠♥♦♣"))
        laid = page.locator(".seat", has=page.get_by_text(seat, exact=True)).locator(".card")
        expect(laid).to_have_text(re.compile(rf"{card[1:]}\s*{sign}"))
    expect(page.locator(".seat.turn .nm")).to_have_text([lines[led + 3].split()[0]])


def test_a_bid_that_waits_is_no_card(live_site: Site, phone: Callable[..., Page]) -> None:
    match = begun(live_site, introduced(live_site.ledger.store), "zimbabwe", 1)
    page = phone(f"{live_site.url}/t/{match}", still=True)
    there(page, said("bid 3"))
    page.context.set_offline(True)
    page.locator(said("bid 3")).tap()
    expect(page.locator(".unsent-strip [data-n]")).to_contain_text("未送信1件")
    expect(page.locator(".ring .card")).to_have_count(0)


def test_partners_the_card_turned_up_and_the_trump_suit_are_seen(
    site: Site, phone: Callable[..., Page]
) -> None:
    view = opened(site.ledger, GAMES["whist"], SEATS[:4], introduced(site.ledger.store))
    site.ledger.declare(view.match, f"table deal leader={SEATS[0]} turn=H5", 0, "first")
    page = phone(f"{site.url}/t/{view.match}")
    there(page, "#play button")
    signs = page.locator(".team").all_inner_texts()
    assert len(signs) == 6  # at each seat, and before each team
    assert len(set(signs)) == 2
    row = page.locator(".teams thead").inner_text()
    assert "切り札" in row
    assert "♥" in row
    assert "5" in row


LONG_SUITS = """kit = 1
family = "trick_taking"
key = "long_suits"
title = { ja = "長いスート", en = "Long suits" }
seats = { count = 4 }
deck.ranks = "1..15"
deck.suits.R = { ja = "赤", en = "red" }
deck.suits.G = { ja = "緑", en = "green" }
deck.suits.B = { ja = "青", en = "blue" }
deck.suits.Y = { ja = "黄", en = "yellow" }
deal = { hand = 15 }
play = { follow = ["suit led"] }
trick = { best = ["suit led"] }
score.tricks = { per = "deal", points = "tricks" }
match = { deals = 1, winner = "most" }
"""
COVERED = """(keys) => {
  const end = Math.min(innerHeight, document.querySelector(".bar").getBoundingClientRect().top);
  return keys.map((key) => key.getBoundingClientRect()).filter(
    (box) => box.bottom > end || box.width < 24 || box.height < 24).length;
}"""


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390)])
def test_suits_of_15_cards_are_seen_without_scrolling(
    site: Site, phone: Callable[..., Page], size: tuple[int, int]
) -> None:
    view = opened(site.ledger, load(LONG_SUITS.encode()), SEATS[:4], introduced(site.ledger.store))
    site.ledger.declare(view.match, f"table deal leader={SEATS[0]}", 0, "first")
    site.ledger.declare(view.match, f"{SEATS[0]} lay G7", 1, "second")
    page = phone(f"{site.url}/t/{view.match}")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    there(page, "#play button[name=line]")
    keys = page.locator("#play button[name=line]")
    assert keys.count() == 59
    assert keys.evaluate_all(COVERED) == 0


LOSING = "document.querySelectorAll('.paper .total b').forEach((b) => b.textContent = '-20')"
WIDE = """() => {
  const cells = [...document.querySelectorAll(".paper .total td")];
  const wide = (cell) => cell.firstChild.getBoundingClientRect().width > cell.clientWidth + 1;
  return cells.filter(wide).length;
}"""


def test_the_totals_of_seven_players_do_not_touch(site: Site, phone: Callable[..., Page]) -> None:
    circle = introduced(site.ledger.store)
    match = begun(site, circle, "oh_hell", 400, SEATS)
    page = phone(f"{site.url}/t/{match}/sheet", still=True)
    there(page, ".paper .total td")
    longest = max(page.locator(".paper .total b").all_inner_texts(), key=len)
    assert len(longest) >= 2
    assert page.evaluate(WIDE) == 0
    page.evaluate(LOSING)
    assert page.evaluate(WIDE) == 0


def test_a_name_of_two_lines_stays_in_its_plate_beside_five_others(
    site: Site, phone: Callable[..., Page]
) -> None:
    circle = introduced(site.ledger.store)
    seats = ("あかね", "北大路ロマネスク", "シホ", "源五郎", "六郎", "Jo")
    page = phone(f"{site.url}/t/{begun(site, circle, 'magi', 4, seats)}", still=True)
    there(page, ".tag .pts")
    over = page.evaluate(
        """() => [...document.querySelectorAll(".ring .tag")].filter((tag) => {
          const { top, bottom } = tag.getBoundingClientRect();
          const inner = [...tag.children].map((part) => part.getBoundingClientRect());
          return inner.some((part) => part.top < top + 1 || part.bottom > bottom - 1);
        }).length"""
    )
    assert over == 0


@pytest.mark.parametrize("stop", [1, 7, 25])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640), (320, 568)])
def test_a_deck_of_78_cards_covers_neither_players_nor_the_bar(
    site: Site, chromium: Browser, stop: int, width: int, height: int
) -> None:
    circle = introduced(site.ledger.store)
    page = chromium.new_context(viewport={"width": width, "height": height}).new_page()
    page.context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page.goto(f"{site.url}/t/{begun(site, circle, 'tarot', stop)}")
    within = """(parts) => parts.filter((part) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      const above = document.elementFromPoint((left + right) / 2, bottom - 2);
      return top < 0 || bottom > innerHeight || !part.contains(above);
    }).map((part) => part.textContent)"""
    parts = ".ring .tag, .bar > *" if width == 320 else ".ring .tag, .bar > *, #play button"
    assert not page.locator(parts).evaluate_all(within)
