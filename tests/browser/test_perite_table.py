"""Five people play a deal of ペリテ on a phone: taps are counted, and nothing complains."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect
from serving import Site, at, exchanged, sent_with

from referee.core.record import Header
from referee.ledger import View

pytestmark = pytest.mark.browser

FIVE = ("あかね", "源五郎", "北大路ロマネスク三世閣下", "みどり子", "ほしの")
PHONE = {"width": 390, "height": 844}
SIZES = ((320, 568), (360, 740), (390, 844), (844, 390), (820, 1180))


class Hand:
    """A finger on the screen. It counts its taps; ``complaints`` are those of the console."""

    def __init__(self, page: Page, scripted: bool) -> None:
        self.page, self.taps, self.complaints = page, 0, list[str]()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def tap(self, selector: str) -> None:
        self.page.locator(selector).first.click()
        self.taps += 1


@pytest.fixture(params=["scripted", "plain"])
def hand(request: pytest.FixtureRequest, chromium: Browser) -> Hand:
    """With and without JavaScript."""
    scripted = request.param == "scripted"
    context = chromium.new_context(viewport=PHONE, locale="ja-JP", java_script_enabled=scripted)
    return Hand(context.new_page(), scripted)


def dealt(rng: Random) -> dict[str, list[int]]:
    """Real hands of ten from the real deck."""
    deck = [rank for rank in range(1, 11) for _ in range(rank)]
    rng.shuffle(deck)
    return {name: deck[10 * i : 10 * i + 10] for i, name in enumerate(FIVE)}


def match_of(page: Page) -> str:
    return page.url.split("?")[0].rpartition("/")[2]


def played(site: Site, page: Page) -> View:
    return site.ledger.view(match_of(page))


def won(view: View) -> str:
    """The heading of a table that is over."""
    winners = view.outcome.winners
    return "・".join(winners) + ("の勝ち" if len(winners) == 1 else "の同点優勝")


def play_deal(site: Site, hand: Hand, rng: Random) -> int:
    """All seats play legal cards to the end of the deal; returns how many."""
    page, hands, cards = hand.page, dealt(rng), 0
    while (state := played(site, page).state).due:
        due = state.due[0]
        expect(page.locator(".who h1 .nm")).to_have_text(due)
        free = [rank for rank in hands[due] if rank not in state.showing]
        rank = rng.choice(free or hands[due])
        hands[due].remove(rank)
        key = sent_with(page)
        hand.tap(f"#k{rank}" if page.locator(f"#k{rank}").count() else ".keys.forced button")
        exchanged(page, key)
        cards += 1
    return cards


def test_a_deal_a_correction_and_the_result(site: Site, hand: Hand) -> None:
    site.ledger.open(Header("perite", FIVE))
    page = hand.page

    page.goto(site.url)
    hand.tap("main a.go")
    page.locator("#house-rules > summary").click()
    page.locator("[name='option.rounds']").select_option("1")
    hand.tap(".radios label:nth-of-type(2)")
    hand.tap(".foot button")
    page.wait_for_url("**/t/*")
    assert hand.taps <= 5
    expect(page.locator(".who h1 .nm")).to_have_text("あかね")

    hand.taps = 0
    cards = play_deal(site, hand, Random(4))
    assert hand.taps <= cards
    expect(page.locator(".who h1")).to_have_text(won(played(site, page)))
    expect(page.locator(".ranking .best").first).to_be_visible()

    before = played(site, page)
    page.locator(".bar a").first.click()
    page.locator(f"a[href$='/e/{before.seq}']").first.click()
    page.locator(".picks a.key[href]:not(.off)").first.click()
    page.locator(".foot .btn.go").click()
    page.wait_for_url("**/t/*")
    after = played(site, page)
    assert after.seq == before.seq + 1
    assert after.log.entries[-1].number == before.seq  # type: ignore[attr-defined]

    page.locator(".over a[href$='/result']").click()
    page.wait_for_url("**/result")
    for name in FIVE:
        expect(page.get_by_text(name).first).to_be_visible()
    assert hand.complaints == []


def test_a_refused_card_explains_itself_and_moves_no_key(site: Site, hand: Hand) -> None:
    view = site.ledger.open(Header("perite", FIVE))
    for seq, line in enumerate(("table deal leader=あかね", "あかね lay 1")):
        site.ledger.declare(view.match, line, seq, f"key-{seq:06}")
    page = hand.page
    page.goto(f"{site.url}/t/{view.match}")
    place = page.locator("#k7").bounding_box()
    hand.tap("#k1")
    expect(page.locator(".refused")).to_contain_text("1は全部で1枚")
    page.wait_for_load_state()
    assert page.locator("#k7").bounding_box() == place
    hand.tap("#k7")
    at(page, 3)
    expect(page.locator(".strip b")).to_have_text("源五郎 7")
    assert played(site, page.goto(f"{site.url}/t/{view.match}") and page).seq == 3
    assert hand.complaints == []


def test_a_finger_that_bounces_lays_one_card(site: Site, chromium: Browser) -> None:
    """Two taps before the screen could change are one; the next tap is the next seat's."""
    view = site.ledger.open(Header("perite", FIVE))
    site.ledger.declare(view.match, "table deal leader=あかね", 0, "key-000000")
    context = chromium.new_context(viewport=PHONE, locale="ja-JP")
    page = context.new_page()
    page.goto(f"{site.url}/t/{view.match}")
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    page.evaluate("() => { const key = document.querySelector('#k7'); key.click(); key.click(); }")
    at(page, 2)
    assert len(sent) == 1
    page.locator("#k7").click()
    expect(page.locator(".refused")).to_be_visible()  # this one was meant
    assert len(sent) == 2


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_wider_than_the_screen_and_keys_are_large_enough(
    site: Site, chromium: Browser, size: tuple[int, int]
) -> None:
    view = site.ledger.open(Header("perite", FIVE))
    site.ledger.declare(view.match, "table deal leader=あかね", 0, "key-000000")
    phone = chromium.new_context(viewport={"width": size[0], "height": size[1]})
    page = phone.new_page()
    for path in ("/", "/new", f"/t/{view.match}", f"/t/{view.match}/show/ほしの"):
        page.goto(site.url + path)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, path
    page.goto(f"{site.url}/t/{view.match}")
    for key in page.locator(".keys .key").all():
        box = key.bounding_box()
        assert box is not None
        assert box["width"] >= 48
        assert box["height"] >= 56
        assert box["y"] + box["height"] <= size[1]


def test_keys_of_a_script_are_not_shown_without_it(site: Site, chromium: Browser) -> None:
    """The keys of a hand that is shown, and the one that prints a deck, did nothing."""
    view = site.ledger.open(Header("perite", FIVE))
    site.ledger.declare(view.match, "table deal leader=あかね", 0, "key-000000")
    page = chromium.new_context(java_script_enabled=False).new_page()
    for path in (f"/t/{view.match}/show/ほしの", "/decks/open/print"):
        page.goto(site.url + path)
        hidden = page.locator("[hidden]")
        expect(hidden).not_to_have_count(0)
        for part in hidden.all():
            expect(part).to_be_hidden()
