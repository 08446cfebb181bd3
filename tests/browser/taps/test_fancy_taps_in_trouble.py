"""What can go wrong around a tap: it is recorded once, for its seat, or becomes a question.

Missing answers, other tables, other pages and quick fingers must not lose it, or block those that
follow.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, expect
from serving import PATIENCE, UNSENT, Site, at, entries
from thumbs import AT_ONCE, declared, held_back, listening, recorded, slow, tap, the_one

from referee.games.simulation import WIDEST

pytestmark = pytest.mark.browser

DEAL = "table deal leader=あかね"
MANY = tuple(f"席{n}" for n in range(1, 26))  # 25 seats have more ranks than keys
PLATE = f'#table a[href="?seat={quote("ほしの")}"]'


def kept(page: Page, items: Iterable[dict[str, Any]]) -> None:
    """The phone holds ``items`` of an earlier page."""
    usual = {"count": 1, "then": [], "label": "", "seen": 1}
    for n, item in enumerate(items):
        kept = {**usual, "key": f"kept-{n:06}", "order": n, **item}
        place = f"unsent {kept['key']}"
        page.evaluate(
            "([place, item]) => { localStorage[place] = item }", [place, json.dumps(kept)]
        )
    page.reload()


# ------------------------------------------------------------------ what stands in the way


def test_a_play_that_another_table_does_not_take_stops_no_play_of_this_one(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened(DEAL, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    page.route("**/t/elsewhere/play", lambda route: route.fulfill(status=403, body="<p>no</p>"))
    there = {"table": "/t/elsewhere", "action": "/t/elsewhere/play", "fields": {"line": "x lay 1"}}
    kept(page, [there])
    tap(page, "#k4")
    recorded(live_site, match, page, [DEAL, "あかね lay 4"])


def test_a_page_that_keeps_the_queue_for_itself_stops_no_play(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """As a phone may put it to sleep while it sends."""
    match = opened(DEAL, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    other = page.context.new_page()
    other.goto(f"{live_site.url}/about")
    other.evaluate("""() => new Promise((held) =>
        navigator.locks.request("unsent", () => new Promise(held)))""")
    tap(page, "#k4")
    recorded(live_site, match, page, [DEAL, "あかね lay 4"])


def test_a_page_that_stores_a_recorded_play_once_more_changes_nothing(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """As one does that sends it, too, and does not know yet that it has arrived."""
    match = opened(DEAL, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    sent = held_back(page, "**/play")
    other = page.context.new_page()
    other.goto(f"{live_site.url}/static/vendor/")
    tap(page, "#k4")
    [item] = page.evaluate(UNSENT)
    the_one(page, sent).continue_()
    at(page, 2)
    page.evaluate("""() => {
        window.heard = new Promise((done) => addEventListener('storage', done)); }""")
    late = "([item, text]) => { localStorage[`unsent ${item.key}`] = text }"
    other.evaluate(late, [item, json.dumps(item)])
    page.evaluate("() => heard")
    recorded(live_site, match, page, [DEAL, "あかね lay 4"])
    expect(page.locator("#k4 .pips b")).to_have_count(3)
    page.unroute("**/play")
    page.reload()
    page.wait_for_function(f"() => !{UNSENT}.length", timeout=PATIENCE)
    recorded(live_site, match, page, [DEAL, "あかね lay 4"])


def test_a_play_that_the_server_fails_at_again_and_again_comes_back_as_a_question(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened(DEAL, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    ours = {"X-Fudami": "1"}
    page.route("**/play", lambda route: route.fulfill(status=500, body="<p>no</p>", headers=ours))
    tap(page, "#k4")
    expect(page.locator(".clash")).to_contain_text("あかね 4")
    page.locator("[data-unsent=drop]").tap()
    page.unroute("**/play")
    tap(page, "#k5")
    recorded(live_site, match, page, [DEAL, "あかね lay 5"])


def test_a_question_that_fails_late_does_not_say_that_the_network_is_gone(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The stream of the table has come back long before."""
    match = opened(DEAL, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    asked: list[Route] = []

    def late(route: Route) -> None:
        stream = "text/event-stream" in route.request.headers.get("accept", "")
        route.continue_() if stream else asked.append(route)

    page.route("**/live", late)
    page.evaluate("dispatchEvent(new Event('online'))")
    question = the_one(page, asked)
    declared(live_site, match, 1, "あかね lay 4")
    at(page, 2)
    with page.expect_event("requestfailed"):
        question.abort()
    tap(page, "#k5")
    recorded(live_site, match, page, [DEAL, "あかね lay 4", "源五郎 lay 5"])


def test_a_page_of_somebody_else_does_not_take_the_place_of_the_table(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """A network in a café answers everything with its own page."""
    match = opened(DEAL, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    page.route("**/t/*", lambda route: route.fulfill(body="<h1>Welcome</h1>"), times=1)
    with page.expect_response("**/t/*"):
        listening(page)
        declared(live_site, match, 1, "あかね lay 4")
    declared(live_site, match, 2, "源五郎 lay 5")
    at(page, 3)


def test_what_is_announced_while_such_a_page_comes_is_fetched_after_it(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened(DEAL, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    held: list[Route] = []
    page.route("**/t/*", lambda route: held.append(route), times=1)
    with page.expect_request("**/t/*"):
        listening(page)
        declared(live_site, match, 1, "あかね lay 4")
    page.evaluate(
        """() => { window.announced = new Promise((done) => {
          const stream = new EventSource(document.querySelector("#table").dataset.live);
          stream.onmessage = ({ data }) => {
            if (data === "3") setTimeout(() => done(stream.close()));
          };
        }); }"""
    )
    declared(live_site, match, 2, "源五郎 lay 5")
    page.evaluate("() => window.announced")
    held[0].fulfill(body="<h1>Welcome</h1>")
    at(page, 3)


# ------------------------------------------------------------------ the keys of the next seat


def test_numbers_that_are_typed_quickly_are_plays_of_one_seat_after_the_other(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened("table deal leader=席1", game=WIDEST, seats=MANY)
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 600)
    for number in ("17", "18", "19"):
        page.locator("#rank").press_sequentially(number)
        page.keyboard.press("Enter")
    lines = ["table deal leader=席1", "席1 lay 17", "席2 lay 18", "席3 lay 19"]
    recorded(live_site, match, page, lines)


def test_a_number_that_is_typed_while_the_keys_wait_is_held(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    before = ["table deal leader=席1", "席1 lay 17"]
    match = opened(*before, game=WIDEST, seats=MANY)
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 600)
    tap(page, "#undo button")
    page.locator("#rank").fill("18")
    page.keyboard.press("Enter")
    recorded(live_site, match, page, [*before, "table rewind 1", "席1 lay 18"])


def test_what_is_being_typed_outlasts_the_answer_to_what_was_typed_before(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened("table deal leader=席1", game=WIDEST, seats=MANY)
    page = phone(f"{live_site.url}/t/{match}")
    answer = held_back(page, "**/play")
    page.locator("#rank").fill("17")
    page.keyboard.press("Enter")
    route = the_one(page, answer)
    page.locator("#rank").press_sequentially("1")
    route.continue_()
    at(page, 2)
    page.keyboard.press("8")
    page.keyboard.press("Enter")
    lines = ["table deal leader=席1", "席1 lay 17", "席2 lay 18"]
    recorded(live_site, match, page, lines)


def test_a_seat_that_was_chosen_while_a_play_was_on_its_way_stays_chosen(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened(DEAL, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 300)
    tap(page, "#k4", PLATE, pace=AT_ONCE)
    at(page, 2)
    expect(page.locator(".who h1 .nm")).to_have_text("ほしの")
    recorded(live_site, match, page, [DEAL, "あかね lay 4"])


def test_a_seat_whose_page_does_not_come_is_chosen_all_the_same(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The network is gone, and the phone has not noticed yet."""
    match = opened(DEAL, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    answer = held_back(page, "**/t/*?seat=*")
    tap(page, PLATE)
    the_one(page, answer).abort()
    expect(page.locator(".who h1 .nm")).to_have_text("ほしの")


def test_a_seat_that_is_chosen_after_a_held_key_is_not_the_seat_of_that_key(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    before = [DEAL, "あかね lay 4"]
    match = opened(*before, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 600)
    tap(page, "#undo button", "#k7", PLATE, pace=AT_ONCE)
    recorded(live_site, match, page, [*before, "table rewind 1", "あかね lay 7"])
    expect(page.locator(".who h1 .nm")).to_have_text("ほしの")


def test_the_same_key_in_the_moment_in_which_a_held_one_is_let_go_is_another_play(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    before = [DEAL, "あかね lay 4"]
    match = opened(*before, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 2_000)
    tap(page, "#undo button", "#k10")
    page.evaluate("""() => new MutationObserver((_changes, observer) => {
        if (page.seen() !== 3 || page.one(".who h1 .nm").textContent !== "源五郎") return;
        observer.disconnect();
        page.one("#k10").click();
    }).observe(document, { childList: true, subtree: true })""")
    lines = [*before, "table rewind 1", "あかね lay 10", "源五郎 lay 10"]
    # one of which nobody could see that it would be a declaration
    expect(page.locator(".clash")).to_contain_text("源五郎 10")
    assert entries(live_site, match) == lines[:-1]
    page.locator("[data-unsent=again]").tap()
    recorded(live_site, match, page, lines)


# ------------------------------------------------------------------ said once, taken back once


def test_undoing_twice_without_network_undoes_two_plays(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    before = [DEAL, "あかね lay 4", "源五郎 lay 2", "みどり子 lay 7"]
    match = opened(*before, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, "#undo button", "#undo button")
    page.context.set_offline(False)
    recorded(live_site, match, page, [*before, "table rewind 3", "table rewind 2"])


def test_an_undo_that_bounces_is_one_undo(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    before = [DEAL, "あかね lay 4", "源五郎 lay 2"]
    match = opened(*before, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    page.evaluate("""() => {
        const key = document.querySelector("#undo button");
        key.click();
        key.click(); }""")
    recorded(live_site, match, page, [*before, "table rewind 2"])


@pytest.mark.parametrize("answer", ["again", "drop"])
def test_the_answer_to_a_question_leaves_alone_what_was_tapped_meanwhile(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page], answer: str
) -> None:
    match = opened(DEAL, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    here = {"table": f"/t/{match}", "action": f"/t/{match}/play", "asked": True}
    kept(page, [{**here, "label": "源五郎 5", "fields": {"line": "源五郎 lay 5"}}])
    expect(page.locator(".clash")).to_contain_text("源五郎 5")
    sent = held_back(page, "**/play")
    tap(page, "#k4")
    route = the_one(page, sent)
    page.locator(f"[data-unsent={answer}]").tap()
    route.continue_()
    more = ["源五郎 lay 5"] if answer == "again" else []
    at(page, 2 + len(more))
    recorded(live_site, match, page, [DEAL, "あかね lay 4", *more])
    expect(page.locator(".clash")).to_have_count(0)


def test_what_another_page_of_the_phone_has_sent_is_asked_about_where_it_was_tapped(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """That page is behind this one, and nobody sees the refusal there."""
    before = [DEAL, "あかね lay 1"]
    match = opened(*before, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    behind = page.context.new_page()
    behind.add_init_script("Object.defineProperty(document, 'hidden', { value: true })")
    behind.goto(f"{live_site.url}/t/{match}")
    page.route("**/play", lambda route: route.abort(), times=1)
    with page.expect_event("requestfailed"):
        tap(page, "#k1")
    behind.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator(".clash")).to_contain_text("源五郎 1")
    assert entries(live_site, match) == before


def test_a_seat_whose_plate_is_tapped_without_network_is_not_said_to_be_due(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The phone does not know of whom that is true; the head names the seat of the keys alone."""
    page = phone(f"{live_site.url}/t/{opened(DEAL, game='fancy')}")
    first = page.inner_text(".who h1 .nm")
    page.context.set_offline(True)
    plate = page.locator(".board a.tag").filter(has_not_text=first).first
    other = plate.locator(".nm").inner_text()
    plate.tap()
    expect(page.locator(".who h1")).to_have_text(other)
