"""Several phones at one table: each shows what another one entered, and no tap goes astray."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, Page, Route, expect
from serving import PHONE, Site, at, entries
from thumbs import listening

from referee.core.record import Header
from referee.games.simulation import WIDEST

pytestmark = pytest.mark.browser

SIX = ("あかね", "源五郎", "北大路ロマネスク三世閣下", "みどり子", "ほしの", "六郎")
# The last number that the stream has sent to the page: `announced`.
LISTEN = """const Stream = EventSource;
EventSource = class extends Stream {
  constructor(...where) {
    super(...where);
    this.addEventListener("message", (event) => { window.announced = Number(event.data); });
  }
};"""
# `brought`: the page has another table to put in the place of this one, and has painted since.
BRINGS = """() => {
  const { exchange, painted } = page;
  page.exchange = (...args) => {
    painted(() => { window.brought = true; });
    return exchange(...args);
  };
}"""
COOKIES = {"turn": "180", "cue": "both"}


def announced(page: Page, seq: int) -> None:
    """Wait until the stream has sent the page the number of entry ``seq``."""
    page.wait_for_function("(seq) => window.announced === seq", arg=seq)


@pytest.fixture
def match(live_site: Site) -> str:
    match = live_site.ledger.open(Header(WIDEST, SIX), introduced(live_site.ledger.store)).match
    live_site.ledger.declare(match, "table deal leader=あかね", 0, "key-000000")
    return match


def test_six_phones_show_what_one_of_them_entered(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    phones = [phone(f"{live_site.url}/t/{match}") for _ in SIX]
    for seq, page in enumerate(phones[:4], 1):
        page.locator(f"#k{seq + 4}").tap()
        for other in phones:
            at(other, seq + 1)
        expect(phones[-1].locator(".who h1 .nm")).to_have_text(SIX[seq])
    assert entries(live_site, match)[1:] == [
        "あかね lay 5", "源五郎 lay 6", "北大路ロマネスク三世閣下 lay 7", "みどり子 lay 8"
    ]  # fmt: skip


class Later(datetime):
    """The time in a minute."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Later:
        return super().now(tz) + timedelta(minutes=1)


def test_the_undo_of_an_old_entry_is_over_on_a_phone_that_hears_of_it_late(
    live_site: Site, match: str, phone: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = phone(f"{live_site.url}/t/{match}")
    live_site.ledger.declare(match, "あかね lay 5", 1, "key-000001")
    at(page, 2)
    expect(page.locator(".strip .undo")).to_have_text(re.compile("^戻す[0-9]+$"))
    monkeypatch.setattr("referee.web.table.tables.datetime", Later)
    live_site.ledger.declare(match, "源五郎 lay 6", 2, "key-000002")
    at(page, 3)
    expect(page.locator(".strip .undo")).to_have_class("undo past")
    page.locator("#k7").tap()
    at(page, 4)
    expect(page.locator(".strip .undo")).to_have_text(re.compile("^戻す([1-9]|10)$"))


def test_a_seat_that_passes_to_somebody_else_is_seen_on_other_phones(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    here, other = (phone(f"{live_site.url}/t/{match}") for _ in range(2))
    answer = here.request.post(f"{live_site.url}/t/{match}/seats/2/always", form={"name": "はると"})
    assert answer.ok
    for page in (here, other):
        expect(page.locator(".ring .nm").nth(1)).to_have_text("はると")
    other.locator("#k5").tap()
    for page in (here, other):
        at(page, 2)
        expect(page.locator(".who h1 .nm")).to_have_text("はると")


def test_an_entry_that_comes_while_the_one_before_it_is_fetched_is_shown_too(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    page = phone(f"{live_site.url}/t/{match}", LISTEN)
    announced(page, 1)

    def slow(route: Route) -> None:
        answer = route.fetch()
        live_site.ledger.declare(match, "源五郎 lay 6", 2, "key-000002")
        announced(page, 3)  # the page hears of it, and has its hands full
        route.fulfill(response=answer)

    page.route("**/t/*", slow, times=1)
    live_site.ledger.declare(match, "あかね lay 7", 1, "key-000001")
    at(page, 3)


def test_two_phones_that_tell_different_cards_at_once_get_the_question(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    first, second = (phone(f"{live_site.url}/t/{match}") for _ in range(2))
    second.route("**/t/*", lambda route: route.abort())  # it can't look before it plays
    first.locator("#k7").tap()
    at(first, 2)
    second.locator("#k6").tap()
    expect(second.locator(".clash")).to_contain_text("6に直す")
    second.unroute("**/t/*")
    first.locator("#k5").tap()
    at(second, 3)
    expect(second.locator(".clash .vs")).to_contain_text("6に直す")  # the question waits
    assert entries(live_site, match)[1:] == ["あかね lay 7", "源五郎 lay 5"]


def test_a_tap_on_its_way_while_the_table_changes_is_meant_for_the_old_table(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    page = phone(f"{live_site.url}/t/{match}")
    page.evaluate("""() => document.addEventListener('exchanged',
        () => document.querySelector('#k7').click(), { once: true })""")
    with page.expect_response("**/play"):
        listening(page)
        live_site.ledger.declare(match, "あかね lay 7", 1, "key-000001")
    at(page, 2)
    assert entries(live_site, match)[1:] == ["あかね lay 7"]  # sent twice, recorded once


def test_a_finger_on_the_screen_holds_the_table_still(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    page = phone(f"{live_site.url}/t/{match}")
    box = page.locator("#k9").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.evaluate(BRINGS)
    live_site.ledger.declare(match, "あかね lay 7", 1, "key-000001")
    page.wait_for_function("() => window.brought")
    assert page.locator("#play [name=seen]").input_value() == "1"
    page.mouse.move(5, 5)
    page.mouse.up()
    at(page, 2)


def test_a_chosen_seat_stays_chosen(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    page = phone(f"{live_site.url}/t/{match}")
    page.locator(".tag", has_text="ほしの").tap()
    expect(page.locator(".who h1 .nm")).to_have_text("ほしの")
    live_site.ledger.declare(match, "あかね lay 7", 1, "key-000001")
    at(page, 2)
    expect(page.locator(".who h1 .nm")).to_have_text("ほしの")


def test_a_phone_that_shows_a_refusal_says_that_the_table_has_moved_on(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    live_site.ledger.declare(match, "あかね lay 1", 1, "key-000001")
    page = phone(f"{live_site.url}/t/{match}")
    page.locator("#k1").tap()
    expect(page.locator(".refused")).to_be_visible()
    live_site.ledger.declare(match, "源五郎 lay 7", 2, "key-000002")
    at(page, 3)
    expect(page.locator(".clash")).to_contain_text("先に進んでいます")


def test_where_streams_are_blocked_the_page_asks_now_and_then(
    live_site: Site, match: str, phone: Callable[..., Page], chromium: Browser
) -> None:
    context = chromium.new_context(viewport=PHONE, locale="ja-JP")
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": live_site.url}])

    def no_streams(route: Route) -> None:
        blocked = "text/event-stream" in route.request.headers.get("accept", "")
        route.fulfill(status=502) if blocked else route.continue_()

    context.route("**/live", no_streams)
    page = context.new_page()
    page.goto(f"{live_site.url}/t/{match}")
    live_site.ledger.declare(match, "あかね lay 7", 1, "key-000001")
    at(page, 2)


def test_a_phone_that_was_cut_off_says_so_and_catches_up(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    page = phone(f"{live_site.url}/t/{match}", LISTEN)
    announced(page, 1)
    page.context.set_offline(True)
    expect(page.locator(".lamp.net")).to_be_visible()
    live_site.ledger.declare(match, "あかね lay 7", 1, "key-000001")
    page.context.set_offline(False)
    at(page, 2)
    expect(page.locator(".lamp.net")).to_be_hidden()


def test_a_page_turned_to_the_player_opposite_takes_taps_where_the_keys_are(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    page = phone(live_site.url)
    page.context.add_cookies(
        [{"name": name, "value": value, "url": live_site.url} for name, value in COOKIES.items()]
    )
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{live_site.url}/t/{match}")
    box = page.locator("#k7").bounding_box()
    assert box is not None
    assert box["y"] < PHONE["height"] / 2  # the pad is above, for the player who sits there
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    at(page, 2)
    live_site.ledger.declare(match, "源五郎 lay 6", 2, "key-000002")
    at(page, 3)  # announced on screen, by vibration and by sound
    expect(page.locator(".strip.fresh")).to_be_visible()
    assert complaints == []


def test_a_foul_that_becomes_provable_is_said_on_another_phone_by_eye_and_by_ear(
    live_site: Site, match: str, phone: Callable[..., Page]
) -> None:
    page = phone(f"{live_site.url}/t/{match}")
    lines = (
        "あかね lay 10",
        "源五郎 lay 9",
        f"{SIX[2]} lay 10",
        f"{SIX[2]} show 3 3 3 4 4 4 4 5 5 5 5",
    )
    for seq, line in enumerate(lines, 1):
        assert live_site.ledger.declare(match, line, seq, f"key-{seq:06}").seq
    at(page, 5)
    foul = f"{SIX[2]}は10を出したとき、手札に3・4・5がありました。リボークが確定しました"
    expect(page.locator(".proven p a")).to_have_text(f"{foul}。")
    expect(page.locator("#said")).to_have_text(f"{foul}。{SIX[2]}が手札を公開。みどり子の手番")
