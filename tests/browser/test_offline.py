"""The network comes and goes: every play that was entered is on the table once, or asked about."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from random import Random

import pytest
from flask import Response
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, Page, Route, expect
from serving import PATIENCE, PHONE, UNSENT, Site, at, entries, played_at

from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.store import Circles

pytestmark = pytest.mark.browser

SIX = ("あかね", "源五郎", "北大路ロマネスク三世閣下", "みどり子", "ほしの", "六郎")


@pytest.fixture
def match(live_site: Site) -> str:
    match = live_site.ledger.open(Header(WIDEST, SIX), introduced(live_site.ledger.store)).match
    live_site.ledger.declare(match, "table deal leader=あかね", 0, "key-000000")
    return match


def waits(page: Page, number: int) -> None:
    """The page says how many plays are kept on the phone."""
    expect(page.locator(".strip .mk.wait")).to_be_visible()
    expect(page.locator(".strip [data-n]")).to_contain_text(f"未送信{number}件")


def on_table(site: Site, match: str, seq: int) -> None:
    until = time.monotonic() + PATIENCE / 1000
    while site.ledger.view(match).seq < seq and time.monotonic() < until:
        time.sleep(0.02)
    assert site.ledger.view(match).seq == seq


def test_plays_without_network_wait_and_are_sent_once_in_order(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    page, other = (phone(f"{live_site.url}/t/{match}") for _ in range(2))
    page.context.set_offline(True)
    for number, (key, seat) in enumerate((("#k7", "源五郎"), ("#k6", SIX[2]), ("#k5", SIX[3])), 1):
        page.locator(key).tap()
        waits(page, number)
        expect(page.locator(".who h1 .nm")).to_have_text(seat)
        expect(page.locator(".seat.turn .nm")).to_have_text([seat])
        expect(page.locator(".seat:has(.slot.now) .nm")).to_have_text([seat])
    expect(page.locator(".cap .mk.wait")).to_have_count(3)
    expect(page.locator(".who .need")).to_have_count(0)  # it was asked of another card
    page.locator(".unsent-strip>[data-unsent=back]").tap()
    waits(page, 2)
    page.locator("#k4").tap()
    waits(page, 3)
    page.locator(".unsent-strip summary").tap()
    kept = page.locator(".unsent-strip li")
    expect(kept.locator("span")).to_have_text(["あかね 7", "源五郎 6", f"{SIX[2]} 4"])
    kept.nth(1).get_by_text("ここから戻す").tap()
    waits(page, 1)
    page.locator("#k6").tap()
    waits(page, 2)
    assert entries(live_site, match)[1:] == []
    page.context.set_offline(False)
    for each in (page, other):
        at(each, 3)
    assert entries(live_site, match)[1:] == ["あかね lay 7", "源五郎 lay 6"]
    expect(page.locator(".mk.wait")).to_have_count(0)
    assert not page.evaluate(UNSENT)


# A stream that never says anything: no word that was under way when the network went
# away shows the page that it is there.
SILENT = "EventSource = class { static OPEN = 1; readyState = 0; close() {} };"


def taken_back(page: Page, taken: int) -> None:
    """Three plays wait, and one of them is taken back before the network is here again."""
    page.context.set_offline(True)
    page.evaluate("document.documentElement.dataset.net = 'off'")  # what was sent may have arrived
    for number, key in enumerate(("#k7", "#k6", "#k5"), 1):
        page.locator(key).tap()
        waits(page, number)
    page.locator(".unsent-strip summary").tap()
    one = page.locator(".unsent-strip li").get_by_text("これだけ戻す")
    expect(one).to_have_count(2)
    one.nth(taken).tap()
    waits(page, 2)
    page.context.set_offline(False)


@pytest.mark.parametrize(
    ("taken", "left", "asked"),
    [(0, [], "源五郎 6"), (1, ["あかね lay 7"], "北大路ロマネ… 5")],
)
def test_what_depends_on_a_play_that_is_taken_back_is_asked_about(
    live_site: Site,
    match: str,
    phone: Callable[..., Page],
    taken: int,
    left: list[str],
    asked: str,
) -> None:
    page = phone(f"{live_site.url}/t/{match}", SILENT)
    taken_back(page, taken)
    expect(page.locator(".clash,.strip.refused")).to_contain_text(asked)
    at(page, len(left) + 1)
    assert entries(live_site, match)[1:] == left


def test_a_number_that_waits_is_not_plain_any_more(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    """A tap on it declares; one that came before anybody could know does not."""
    for seq, (seat, rank) in enumerate(zip(SIX[:4], (10, 9, 8, 2), strict=True), 1):
        live_site.ledger.declare(match, f"{seat} lay {rank}", seq, f"key-00000{seq}")
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    page.locator("#k4").tap()
    waits(page, 1)
    expect(page.locator("#k4.dot")).to_have_attribute("aria-label", "4 手札しだい")
    expect(page.locator("#k4 .pips b")).to_have_count(3)
    for number, key in enumerate(
        ("#k4", "#k12", "#k11", "#k12"), 2
    ):  # the trick ends with the first
        page.locator(key).tap()
        waits(page, number)
    page.context.set_offline(False)
    expect(page.locator(".clash [data-why]")).to_contain_text("申告")
    at(page, 9)
    laid = ["ほしの lay 4", "六郎 lay 4", "みどり子 lay 12", "ほしの lay 11"]
    assert entries(live_site, match)[5:] == laid
    page.locator("[data-unsent=again]").tap()
    at(page, 10)
    assert entries(live_site, match)[5:] == [*laid, "六郎 lay 12"]


def test_an_answer_that_was_lost_is_asked_for_again_and_the_play_stands_once(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    page = phone(f"{live_site.url}/t/{match}")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/play", lose, times=1)
    with page.expect_response("**/play"):  # the second one
        page.locator("#k7").tap()
    at(page, 2)
    expect(page.locator(".mk.wait")).to_have_count(0)
    assert entries(live_site, match)[1:] == ["あかね lay 7"]


def test_two_phones_with_different_stories_end_in_a_question(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    first, second = (phone(f"{live_site.url}/t/{match}") for _ in range(2))
    for page, key in ((first, "#k7"), (second, "#k6")):
        page.context.set_offline(True)
        page.locator(key).tap()
        waits(page, 1)
        page.locator("#k8").tap()
        waits(page, 2)
    first.context.set_offline(False)
    at(first, 3)
    second.context.set_offline(False)
    question = second.locator(".clash")
    expect(question).to_contain_text("記録2件は未送信です")
    expect(question).to_contain_text("あかね 6")
    at(second, 3)
    second.reload()
    expect(question).to_contain_text("あかね 6")  # nothing is forgotten
    assert entries(live_site, match)[1:] == ["あかね lay 7", "源五郎 lay 8"]
    second.locator("[data-unsent=again]").tap()
    expect(second.locator("[data-why]")).to_contain_text("あかね")
    assert len(entries(live_site, match)) == 3  # it was not their turn: the referee said why
    second.locator("[data-unsent=drop]").tap()
    expect(question).to_have_count(0)
    assert not second.evaluate(UNSENT)


def test_the_same_plays_sent_by_two_phones_stand_once(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    phones = [phone(f"{live_site.url}/t/{match}") for _ in range(2)]
    for page in phones:
        page.context.set_offline(True)
        page.locator("#k7").tap()
        waits(page, 1)
    for page in phones:
        page.context.set_offline(False)
    for page in phones:
        at(page, 2)
        expect(page.locator(".mk.wait")).to_have_count(0)
    assert entries(live_site, match)[1:] == ["あかね lay 7"]


def test_a_phone_that_lost_its_cookies_says_what_it_cannot_record(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    page.locator("#k7").tap()
    waits(page, 1)
    page.context.clear_cookies()
    page.context.set_offline(False)
    expect(page.locator("#notice")).to_contain_text("あかね 7")
    expect(page.locator("#notice")).to_contain_text("招待のQR")
    assert page.evaluate(UNSENT) == []
    assert entries(live_site, match)[1:] == []


def test_three_phones_play_a_whole_match_while_the_network_comes_and_goes(
    live_site: Site, phone: Callable[..., Page]
) -> None:
    """A script knows the plays; phones go offline at random moments, when they play and when others
    do.

    Two seats share a phone; of two consecutive plays each comes from another phone.
    """
    rng = Random(11)
    match = live_site.ledger.open(
        Header(WIDEST, SIX, {"rounds": "1"}), introduced(live_site.ledger.store)
    ).match
    pages = [phone(f"{live_site.url}/t/{match}", still=True) for _ in range(3)]
    phones = dict(zip(SIX, pages * 2, strict=True))
    lines = ["table deal leader=あかね"]
    live_site.ledger.declare(match, lines[0], 0, "key-000000")
    deck = [rank for rank in range(1, 13) for _ in range(rank)]
    rng.shuffle(deck)
    hands = {seat: [deck.pop() for _ in range(12)] for seat in SIX}
    laid, away = len(lines), set[Page]()
    while (state := live_site.ledger.view(match).state).due:
        seat = state.due[0]
        page = phones[seat]
        for other in pages:
            cut_off = other is not page and rng.random() < 0.2
            if cut_off != (other in away):
                other.context.set_offline(cut_off)
                away ^= {other}
        at(page, len(lines))
        free = [rank for rank in hands[seat] if rank not in state.showing]
        rank = rng.choice(free or hands[seat])
        key = page.locator(f"#k{rank}, .keys.forced button").first  # the last cards go in one tap
        lines += (key.get_attribute("value") or "").split("\n")
        assert f"{seat} lay {rank}" in lines[-len(SIX) * 12 :]
        cut = rng.random()
        if cut < 0.25:
            page.context.set_offline(True)  # before the tap
        key.tap()
        if 0.25 <= cut < 0.5:
            page.context.set_offline(True)  # with the answer on its way
        if cut < 0.5:
            page.wait_for_timeout(rng.randrange(120))
            page.context.set_offline(False)
        on_table(live_site, match, len(lines))
        for line in lines[laid:]:
            name, _, number = line.split()
            hands[name].remove(int(number))
        laid = len(lines)
    for page in pages:
        page.context.set_offline(False)
        at(page, len(lines))
    assert entries(live_site, match) == lines
    assert live_site.ledger.view(match).outcome is not None


@pytest.fixture
def kept(chromium: Browser, live_site: Site) -> Page:
    """A phone with a service worker."""
    context = chromium.new_context(viewport=PHONE, locale="ja-JP", has_touch=True)
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": live_site.url}])
    return context.new_page()


def installed(page: Page) -> None:
    """Wait until the service worker answers this page's requests."""
    page.evaluate("""async () => {
        await navigator.serviceWorker.register('/sw.js');
        await navigator.serviceWorker.ready;
        if (!navigator.serviceWorker.controller) await new Promise((done) =>
            navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
    }""")


def remembered(page: Page, seq: int) -> None:
    """Wait until the phone has kept the page with entry ``seq`` for a time without network."""
    page.evaluate(
        """async ([seq, until]) => {
        for (until += performance.now(); performance.now() < until;) {
            const kept = await caches.match(location.pathname);
            if (kept && (await kept.text()).includes(`name="seen" value="${seq}"`)) return;
            await new Promise((done) => setTimeout(done, 20));
        }
        throw new Error("the page is not kept"); }""",
        [seq, PATIENCE],
    )


def test_table_and_rules_open_without_network_and_plays_outlast_the_page(
    live_site: Site, match: str, kept: Page
) -> None:
    page, table = kept, f"{live_site.url}/t/{match}"
    over = played_at(live_site, Circles(live_site.ledger.store).only(), WIDEST, 100)
    review = f"{live_site.url}/t/{over}/review/1"
    page.goto(table)
    installed(page)
    page.goto(review)
    page.locator("[name=at]").press("Home")  # the slider leads to the first entry by itself
    expect(page.locator(".verdict .at")).to_contain_text(re.compile(r"記録 1\b"))
    page.goto(table)
    page.locator("#k7").tap()
    at(page, 2)
    remembered(page, 2)
    page.context.set_offline(True)
    page.reload()
    at(page, 2)  # the table as it was seen last, not as it was when the page was loaded
    expect(page.locator(".seat .card.r7")).to_be_visible()
    page.locator("#k6").tap()
    waits(page, 1)
    page.reload()
    waits(page, 1)
    page.goto(f"{live_site.url}/rules/{WIDEST}")
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("#notice")).to_contain_text("記録1件は未送信です")
    for not_kept in (f"{live_site.url}/t/unknown", review):
        page.goto(not_kept)
        expect(page.locator("h1")).to_have_text("オフラインです")
    page.close()  # as a phone that is switched off
    page = kept.context.new_page()
    page.context.set_offline(False)
    page.goto(table)
    at(page, 3)
    assert entries(live_site, match)[1:] == ["あかね lay 7", "源五郎 lay 6"]


def test_a_new_version_in_mid_match_changes_nothing_on_the_table(
    live_site: Site, match: str, kept: Page
) -> None:
    page, table = kept, f"{live_site.url}/t/{match}"
    page.goto(table)
    installed(page)
    page.goto(table)
    page.locator("#k7").tap()
    at(page, 2)
    code = live_site.app.view_functions["install.worker"]

    def newer() -> Response:
        answer: Response = code()
        answer.set_data(answer.get_data() + b"\n// newer\n")
        return answer

    live_site.app.view_functions["install.worker"] = newer
    page.evaluate("""async () => {
        const here = await navigator.serviceWorker.ready;
        const changed = new Promise((done) =>
            navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
        await here.update();
        await changed;
    }""")
    at(page, 2)
    remembered(page, 2)
    page.context.set_offline(True)
    page.locator("#k6").tap()
    waits(page, 1)
    page.reload()
    waits(page, 1)
    page.context.set_offline(False)
    at(page, 3)
    assert entries(live_site, match)[1:] == ["あかね lay 7", "源五郎 lay 6"]
