"""What can go wrong around a tap: it is recorded once, for its seat, or comes back as a question.

Neither answers that never come, nor other tables, other pages and fingers that are too quick may
lose it, or stop those that follow.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, expect
from serving import PATIENCE, SEATS, Site, at, entries
from test_every_tap import AT_ONCE, recorded, slow, tap

pytestmark = pytest.mark.browser

DEAL = "table deal leader=あかね"
MANY = tuple(f"席{n}" for n in range(1, 26))  # so many have more ranks than keys
PLATE = f'#table a[href="?seat={quote("ほしの")}"]'


def declared(site: Site, match: str, seq: int, line: str) -> None:
    """Another phone tells ``line``."""
    assert site.desk.declare(match, line, seq, f"other-{seq:06}").seq, line


def kept(page: Page, items: Iterable[dict[str, Any]]) -> None:
    """The phone holds ``items`` of an earlier page."""
    usual = {"count": 1, "then": [], "label": "", "seen": 1}
    told = [{**usual, "key": f"kept-{n:06}", **item} for n, item in enumerate(items)]
    page.evaluate("told => { localStorage.unsent = told }", json.dumps(told))
    page.reload()


def held_back(page: Page, address: str) -> list[Route]:
    """Requests to ``address`` that wait here for their answer."""
    routes: list[Route] = []
    page.route(address, lambda route: routes.append(route), times=1)
    return routes


def the_one(page: Page, routes: list[Route]) -> Route:
    """The request that was held back, as soon as it has been made."""
    while not routes:
        page.wait_for_timeout(10)
    return routes[0]


# ------------------------------------------------------------------ what stands in the way


def test_a_play_that_another_table_does_not_take_stops_no_play_of_this_one(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened(DEAL)
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
    match = opened(DEAL)
    page = phone(f"{live_site.url}/t/{match}")
    other = page.context.new_page()
    other.goto(f"{live_site.url}/about")
    other.evaluate("""() => new Promise((held) =>
        navigator.locks.request("unsent", () => new Promise(held)))""")
    tap(page, "#k4")
    recorded(live_site, match, page, [DEAL, "あかね lay 4"])


def test_a_play_that_the_server_fails_at_again_and_again_comes_back_as_a_question(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened(DEAL)
    page = phone(f"{live_site.url}/t/{match}")
    page.route("**/play", lambda route: route.fulfill(status=500, body="<p>no</p>"))
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
    match = opened(DEAL)
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
    match = opened(DEAL)
    page = phone(f"{live_site.url}/t/{match}")
    page.route("**/t/*", lambda route: route.fulfill(body="<h1>Welcome</h1>"), times=1)
    with page.expect_response("**/t/*"):
        declared(live_site, match, 1, "あかね lay 4")
    declared(live_site, match, 2, "源五郎 lay 5")
    at(page, 3)


# ------------------------------------------------------------------ the keys of the next seat


def test_numbers_that_are_typed_quickly_are_plays_of_one_seat_after_the_other(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened("table deal leader=席1", game="perite", seats=MANY)
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
    match = opened(*before, game="perite", seats=MANY)
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 600)
    tap(page, "#undo button")
    page.locator("#rank").fill("18")
    page.keyboard.press("Enter")
    recorded(live_site, match, page, [*before, "table rewind 1", "席1 lay 18"])


def test_what_is_being_typed_outlasts_the_answer_to_what_was_typed_before(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened("table deal leader=席1", game="perite", seats=MANY)
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
    match = opened(DEAL)
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 300)
    tap(page, "#k4", PLATE, pace=AT_ONCE)
    at(page, 2)
    expect(page.locator(".who h1 .nm")).to_have_text("ほしの")
    recorded(live_site, match, page, [DEAL, "あかね lay 4"])


def test_a_seat_that_is_chosen_after_a_held_key_is_not_the_seat_of_that_key(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    before = [DEAL, "あかね lay 4"]
    match = opened(*before)
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 600)
    tap(page, "#undo button", "#k7", PLATE, pace=AT_ONCE)
    recorded(live_site, match, page, [*before, "table rewind 1", "あかね lay 7"])
    expect(page.locator(".who h1 .nm")).to_have_text("ほしの")


def test_the_same_key_in_the_moment_in_which_a_held_one_is_let_go_is_another_play(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    before = [DEAL, "あかね lay 4"]
    match = opened(*before)
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


# ------------------------------------------------------------------ half a play


def first_card_told(page: Page) -> Route:
    """The first card of a tableau of Three Kings has been tapped; its answer is held back."""
    tap(page, ".sums>li:last-child>a")
    expect(page.locator("#k5")).to_be_visible()
    answer = held_back(page, "**/t/*?*")
    tap(page, "#kA")
    return the_one(page, answer)


def test_a_key_held_behind_half_a_play_is_about_the_table_on_which_it_was_tapped(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """It was a card of the tableau; another phone has told the tableau meanwhile."""
    match = opened(game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    route = first_card_told(page)
    tap(page, "#k5")
    deal = "table deal dealer=源五郎 tableau=A,2,K,6"
    declared(live_site, match, 0, deal)
    route.continue_()
    expect(page.locator(".clash")).to_contain_text("5")
    recorded(live_site, match, page, [deal])


def test_keys_held_behind_half_a_play_that_did_not_arrive_come_back_with_it(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened(game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    route = first_card_told(page)
    tap(page, "#k5", "#k6")
    route.abort()
    expect(page.locator(".clash")).to_contain_text("5　？ 6")
    expect(page.locator("#notice")).to_be_empty()
    expect(page.locator(".tableau .card")).to_have_count(0)


# ------------------------------------------------------------------ said once, taken back once


def test_a_ruling_that_is_tapped_twice_is_one_ruling(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    deal = "table deal dealer=源五郎 tableau=2,4,5,J"
    match = opened(deal, game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    tap(page, "#k6", "button.key.off[value='あかね discard 6']")
    expect(page.locator(".strip.refused")).to_be_visible()
    slow(page, 600)
    page.evaluate("""async () => {
        const ruling = page.one(".refused form:last-child .undo");
        ruling.click();
        await new Promise((done) => page.painted(() => setTimeout(done)));   // no bounce
        ruling.click(); }""")
    page.wait_for_function("() => !localStorage.unsent", timeout=PATIENCE)
    recorded(live_site, match, page, [deal, "あかね discard 6", "table rule 2 stands"])


def test_undoing_twice_without_network_undoes_two_plays(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    before = [DEAL, "あかね lay 4", "源五郎 lay 2", "みどり子 lay 7"]
    match = opened(*before)
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, "#undo button", "#undo button")
    page.context.set_offline(False)
    recorded(live_site, match, page, [*before, "table rewind 3", "table rewind 2"])


def test_an_undo_that_bounces_is_one_undo(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    before = [DEAL, "あかね lay 4", "源五郎 lay 2"]
    match = opened(*before)
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
    match = opened(DEAL)
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
    match = opened(*before)
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
