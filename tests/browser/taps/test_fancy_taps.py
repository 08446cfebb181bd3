"""Taps of one key again, of two phones, and on the way, at a table of Fancy: none is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect
from serving import SEATS, Site, at, entries
from thumbs import (
    AT_ONCE,
    MIDDLE,
    arrived,
    held_back,
    plays,
    ready,
    recorded,
    seen,
    slow,
    tap,
    the_one,
)

pytestmark = pytest.mark.browser

DEAL = "table deal leader=あかね"

# ------------------------------------------------------------------ the same key again


def without_tens() -> list[str]:
    """Six tricks of Fancy; whoever plays last wins and leads the next one."""
    lines, leader = [DEAL], 0
    for lowest in (4, 5, 5, 5, 5, 5):
        for i, rank in enumerate((9, 8, 7, 6, lowest)):
            lines.append(f"{SEATS[(leader + i) % 5]} lay {rank}")
        leader = (leader + 4) % 5
    return lines


def test_the_same_number_of_one_seat_after_the_other_is_as_many_plays(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """As many tens as there are, in hands that hold nothing else or may."""
    before = without_tens()
    match = opened(*before, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 300)
    tap(page, *["#k10"] * 6)
    seats = ("六郎", "あかね", "源五郎", "みどり子", "ほしの", "六郎")
    recorded(live_site, match, page, before + [f"{seat} lay 10" for seat in seats])


def test_the_same_number_at_once_is_a_play_of_the_next_seat(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 600)
    tap(page, "#k10", "#k10", pace=AT_ONCE)
    recorded(live_site, match, page, [DEAL, "あかね lay 10", "源五郎 lay 10"])


def test_a_key_that_bounces_is_one_play(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Twice within one frame: nobody has seen another seat in between."""
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 300)
    page.evaluate("() => { const key = document.querySelector('#k10'); key.click(); key.click(); }")
    tap(page, "#k6")
    recorded(live_site, match, page, [DEAL, "あかね lay 10", "源五郎 lay 6"])


def test_two_undos_at_once_are_two(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    before = [DEAL, "あかね lay 4", "源五郎 lay 2", "みどり子 lay 7"]
    match = opened(*before, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 600)
    tap(page, "#undo button", "#undo button", pace=AT_ONCE)
    recorded(live_site, match, page, [*before, "table rewind 3", "table rewind 2"])


# ------------------------------------------------------------------ another phone


def test_an_undo_right_after_the_play_of_another_phone_undoes_it(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    live_site.ledger.declare(match, "あかね lay 4", 1, "key-000001")
    seen(page, 2)
    tap(page, "#undo button")
    recorded(live_site, match, page, [DEAL, "あかね lay 4", "table rewind 1"])


def test_two_phones_that_play_at_once_for_one_seat_get_a_question(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = ready(opened, "fancy")
    phones = [phone(f"{live_site.url}/t/{match}") for _ in range(2)]
    sent = [held_back(page, "**/play") for page in phones]  # none comes before both have tapped
    for page, key in zip(phones, ("#k9", "#k8"), strict=True):
        tap(page, key)
    for route in [the_one(*of) for of in zip(phones, sent, strict=True)]:
        route.continue_()
    arrived(live_site, match, 2)
    first = entries(live_site, match)[1]
    late, number = (phones[1], 8) if first == "あかね lay 9" else (phones[0], 9)
    expect(late.locator(".clash")).to_contain_text(str(number))
    for page in phones:
        recorded(live_site, match, page, [DEAL, f"あかね lay {17 - number}"])


# ------------------------------------------------------------------ on the way


def test_what_follows_a_refusal_comes_back_with_it(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """There is one 1, and it has been laid: the 5 was meant for the next seat."""
    before = [DEAL, "あかね lay 1"]
    match = opened(*before, game="fancy")
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 600)
    tap(page, "#k7", "#k1", "#k5")
    question = page.locator(".clash, .strip.refused")
    for play in ("みどり子 1", "ほしの 5"):
        expect(question).to_contain_text(play)
    recorded(live_site, match, page, [*before, "源五郎 lay 7"])


@pytest.mark.parametrize("pointer", ["finger", "mouse"])
def test_a_table_exchanged_under_the_finger_takes_no_tap(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page], pointer: str
) -> None:
    """It counts for the seat that was due when the finger came down."""
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    session, held = page.context.new_cdp_session(page), list[Route]()
    page.route("**/play", lambda route: held.append(route), times=1)
    tap(page, "#k4")
    while not held:
        page.wait_for_timeout(10)
    answer = held[0].fetch()
    x, y = page.evaluate(MIDDLE, "#k7")
    if pointer == "finger":
        touch = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
        session.send("Input.dispatchTouchEvent", touch)
    else:
        page.mouse.move(x, y)
        page.mouse.down()
    with page.expect_event("requestfinished"):
        held[0].fulfill(response=answer)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    if pointer == "finger":
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    else:
        page.mouse.up()
    recorded(live_site, match, page, [DEAL, "あかね lay 4", "源五郎 lay 7"])


def test_under_a_finger_that_rests_on_the_screen_other_phones_plays_arrive(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """When it goes up at last, its target is not there any more: it was no tap."""
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    page.mouse.move(*page.evaluate(MIDDLE, "#k7"))
    page.mouse.down()
    live_site.ledger.declare(match, "あかね lay 4", 1, "key-000001")
    seen(page, 2)
    page.mouse.up()
    tap(page, "#k2")
    at(page, 3)
    recorded(live_site, match, page, [DEAL, "あかね lay 4", "源五郎 lay 2"])


def test_a_finger_whose_end_was_never_told_stops_nothing(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Another app, or a message of the system, can come in between."""
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    down = "new PointerEvent('pointerdown', { pointerId: 77, bubbles: true })"
    page.evaluate(f"document.body.dispatchEvent({down})")
    tap(page, "#k4", "#k2")
    at(page, 3)
    recorded(live_site, match, page, [DEAL, "あかね lay 4", "源五郎 lay 2"])


@pytest.mark.parametrize("touched", ["never", "before"])
def test_a_click_without_a_pointer_is_a_tap_on_the_present_table(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page], touched: str
) -> None:
    """Screen readers and voice control press keys like this, perhaps after a touch."""
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    lines = [DEAL, "あかね lay 4", "源五郎 lay 2", "みどり子 lay 7", "ほしの lay 4"]
    if touched == "before":
        tap(page, "#k4")
        at(page, 2)
    click = "new MouseEvent('click', { detail: 1, bubbles: true, cancelable: true })"
    for seq in range(2 if touched == "before" else 1, len(lines)):
        page.locator(f"#k{lines[seq].split()[-1]}").evaluate(f"key => key.dispatchEvent({click})")
        seen(page, seq + 1)
    recorded(live_site, match, page, lines)


def test_plays_on_their_way_outlast_the_page(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    sent = held_back(page, "**/play")
    tap(page, "#k4", "#k2", "#k7")
    the_one(page, sent).fetch()  # recorded, and the page never hears of it
    expect(page.locator(".strip .mk.wait")).to_be_visible()
    page.reload()
    lines = [DEAL, "あかね lay 4", "源五郎 lay 2", "みどり子 lay 7"]
    at(page, len(lines))
    recorded(live_site, match, page, lines)


def test_where_only_the_answer_shows_who_is_next_the_keys_wait_and_take_taps(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The trick is over on the phone, and who leads is not known there."""
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    sent = held_back(page, "**/play")
    lines = [DEAL, *(play.line for play in plays("fancy")[:6])]
    tap(page, *(key for play in plays("fancy")[:6] for key in play.keys), pace=AT_ONCE)
    expect(page.locator("#table.waits .key").first).to_have_css("border-top-style", "dashed")
    expect(page.locator("#table .turn")).to_have_count(0)
    assert page.evaluate("getComputedStyle(document.querySelector('h1'), '::after').content") == (
        '"次の手番…"'
    )
    expect(page.locator(".unsent-strip")).to_contain_text("次の手番 3")
    the_one(page, sent).continue_()
    at(page, len(lines))
    recorded(live_site, match, page, lines)
