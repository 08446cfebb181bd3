"""A number and how many of it without network: the phone composes the play."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from serving import SEATS, Site, entries, said
from thumbs import ready, recorded, slow, tap

pytestmark = pytest.mark.browser

HAND = "[data-part=hand]"


def test_a_number_and_how_many_of_it_are_one_play(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Counts that another number does not have are no keys."""
    match = ready(opened, "pairs_daifugo")
    before = entries(live_site, match)
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, "#k7")
    expect(page.locator(".choices .key")).to_have_count(6)
    tap(page, ".below a", "#k10")
    expect(page.locator(".choices .key")).to_have_count(8)
    tap(page, said("lay 10 10"))
    page.context.set_offline(False)
    recorded(live_site, match, page, [*before, "源五郎 lay 10 10"])


def test_the_same_number_ten_times_is_ten_cards(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The rows of two pyramids, entered card by card: only the sixth of each is recorded."""
    before = [f"table deal leader={SEATS[0]}"]
    match = opened(before[0], game="pairs_daifugo", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 300)
    tap(page, *["#k10"] * 10, "#k9", "#k9")
    rows = [f"{SEATS[0]} row 10 10 10 10 10 10", f"{SEATS[1]} row 10 10 10 10 9 9"]
    recorded(live_site, match, page, before + rows)


def test_undo_in_a_row_takes_back_its_last_card(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """It took back the row of the seat before, and the cards tapped so far became its row.

    Then the row is recorded under the name of the seat that began it; with all cards taken back,
    undo is about the last entry again.
    """
    rows = [f"table deal leader={SEATS[0]}", f"{SEATS[0]} row 7 7 9 2"]
    match = opened(*rows, game="pairs_daifugo", seats=SEATS[:3])
    page = phone(f"{live_site.url}/t/{match}")
    undo, strip = page.locator("#undo button"), page.locator(".strip .undo")
    for cards in (["4"], ["4", "6"]):
        tap(page, f"#k{cards[-1]}")
        expect(page.locator(".pyr .card:not(.back)")).to_have_text(cards)
        expect(strip).to_have_count(0)
    undo.tap()
    expect(page.locator(".pyr .card:not(.back)")).to_have_text(["4"])
    tap(page, "#k8")
    expect(page.locator(".pyr .card:not(.back)")).to_have_text(["4", "8"])
    page.locator(".keys a.half").tap()
    expect(page.locator(".pyr .card:not(.back)")).to_have_text(["4"])
    expect(page.locator(".who h1 .nm")).to_have_text(SEATS[1])
    assert entries(live_site, match) == rows
    tap(page, "#k5", "#k9", "#k10")
    recorded(live_site, match, page, [*rows, f"{SEATS[1]} row 4 5 9 10"])
    tap(page, "#k3")
    expect(page.locator(".pyr .card:not(.back)")).to_have_text(["3"])
    undo.tap()
    expect(page.locator(".pyr .card:not(.back)")).to_have_count(0)
    expect(strip).to_have_count(1)
    expect(page.locator("[data-count] i")).to_have_count(1)
    undo.tap()
    recorded(live_site, match, page, [*rows, f"{SEATS[1]} row 4 5 9 10", "table rewind 2"])


DEALT = "table deal leader=あかね"
ROWS = ["あかね row 7 7 9", "源五郎 row 8 8 10", "みどり子 row 9 9 10", "ほしの row 6 8 10"]
FOUR = SEATS[:4]


def cell(place: str) -> str:
    return f"#of-{place}"


def test_the_row_of_another_seat_is_entered_without_network(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Its plate changes the keys to it; until then they would record the row of the wrong seat."""
    match = opened(DEALT, game="pairs_daifugo", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    plate = page.locator(".board a.tag")
    plate.filter(has_text="みどり子").tap()
    expect(page.locator(".who h1 .nm")).to_have_text("みどり子")
    expect(page.locator(".plain small")).to_have_text("みどり子の下の段")
    plate.filter(has_text="ほしの").tap()
    expect(plate.locator(".nm")).to_have_text(["源五郎", "みどり子", "あかね"])
    plate.filter(has_text="みどり子").tap()
    tap(page, "#k9", "#k9", "#k10")
    expect(page.locator(".unsent-strip")).to_contain_text("みどり子 9 9 10")
    page.context.set_offline(False)
    recorded(live_site, match, page, [DEALT, "みどり子 row 9 9 10"])


def test_the_open_cards_of_a_row_are_one_play(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Two rows of three cards, one card put back on the way, and half a row to go on with."""
    match = opened(DEALT, game="pairs_daifugo", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, "#k7", "#k7")
    expect(page.locator(".pyr .card.r7")).to_have_count(2)
    expect(page.locator("#k7 .pips b")).to_have_count(5)
    tap(page, "#k2", "#k8", "#k8")
    expect(page.locator(".pyr .slot.now")).to_have_count(0)
    page.context.set_offline(False)
    recorded(live_site, match, page, [DEALT, "あかね row 7 7 2"])
    expect(page.locator(".who h1 .nm")).to_have_text("源五郎")
    expect(page.locator(".pyr .card.r8")).to_have_count(2)  # half a row is in somebody's mind
    page.context.set_offline(True)
    tap(page, ".keys a.half", "#k3", "#k10")
    page.context.set_offline(False)
    recorded(live_site, match, page, [DEALT, "あかね row 7 7 2", "源五郎 row 8 3 10"])


def test_open_cards_and_cards_of_the_hand_are_one_play(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The key takes all open cards; a tap on one of them excludes it."""
    match = opened(DEALT, *ROWS, game="pairs_daifugo", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, "#k7")
    expect(page.locator(".choices .n")).to_have_text(["×2", "×3", "×4", "×5", "×6", "×7"])
    tap(page, cell("d"))
    expect(page.locator(".choices .n")).to_have_text(["×1", "×2", "×3", "×4", "×5", "×6"])
    tap(page, cell("e"))
    expect(page.locator(".choices .n")).to_have_text(["×1", "×2", "×3", "×4", "×5"])
    tap(page, cell("d"), cell("e"), cell("d"))
    expect(page.locator(".pyr .on")).to_have_count(1)  # both are, before the last tap is drawn
    expect(page.locator(".pyr .on")).to_have_attribute("id", "of-e")
    tap(page, said("lay 7 7 using e"))
    page.context.set_offline(False)
    recorded(live_site, match, page, [DEALT, *ROWS, "あかね lay 7 7 using e"])


def test_another_rank_is_chosen_by_a_card_of_the_pyramid(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened(DEALT, *ROWS, game="pairs_daifugo", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, "#k7", cell("f"))
    expect(page.locator(".pyr .on")).to_have_text("9")
    tap(page, said("lay 9 9 using f"))
    page.context.set_offline(False)
    recorded(live_site, match, page, [DEALT, *ROWS, "あかね lay 9 9 using f"])


@pytest.mark.parametrize(
    ("led", "keys", "line"),
    [
        ("6 6", (HAND, "#k8", said("lay 8 8 using e")), "lay 8 8 using e"),
        ("10", ("#k8", said("lay 8 using e")), "lay 8 using e"),
        ("10", (HAND, "#k8"), "lay 8"),
    ],
)
def test_a_seat_that_follows_takes_cards_of_the_hand(
    live_site: Site,
    opened: Callable[..., str],
    phone: Callable[..., Page],
    led: str,
    keys: tuple[str, ...],
    line: str,
) -> None:
    before = [DEALT, *ROWS, f"あかね lay {led}"]
    match = opened(*before, game="pairs_daifugo", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, *keys)
    page.context.set_offline(False)
    recorded(live_site, match, page, [*before, f"源五郎 {line}"])


def test_a_number_that_lies_in_the_pyramid_of_the_seat_due_is_asked_about(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Where it was tapped it was a card of the hand; whose turn it was, nobody knew."""
    rows = [row.replace("9 9", "9 7") for row in ROWS]
    before = [DEALT, *rows, "あかね lay 10"]
    match = opened(*before, game="pairs_daifugo", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, said("pass"), "#k9")
    page.context.set_offline(False)
    expect(page.locator(".clash")).to_contain_text("9")
    assert entries(live_site, match) == [*before, "源五郎 pass"]
    tap(page, "[data-unsent=again]")
    recorded(live_site, match, page, [*before, "源五郎 pass", "みどり子 lay 9 using d"])


def test_a_number_behind_another_that_begins_a_play_is_asked_about(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """All have passed: the next number is led, and how many of it nobody has said."""
    passes = [f"{seat} pass" for seat in ("源五郎", "みどり子")]
    before = [DEALT, *ROWS, "あかね lay 10", *passes]
    match = opened(*before, game="pairs_daifugo", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, said("pass"), "#k4", "#k3")
    page.context.set_offline(False)
    expect(page.locator(".clash")).to_contain_text("3")
    assert entries(live_site, match) == [*before, "ほしの pass"]
    tap(page, said("lay 4"))
    expect(page.locator(".who h1 .nm")).to_have_text("源五郎")
    tap(page, "[data-unsent=again]")
    lines = [*before, "ほしの pass", "あかね lay 4", "源五郎 lay 3"]
    recorded(live_site, match, page, lines)


def test_keys_behind_a_waiting_play_have_no_marks_of_the_seat_before(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Neither by eye nor by ear; and of many waiting plays the newest one is in sight."""
    match = opened(DEALT, *ROWS, "あかね lay 8", game="pairs_daifugo", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}")
    expect(page.locator("#k9.off em")).to_have_count(1)
    page.context.set_offline(True)
    page.wait_for_function("() => document.documentElement.dataset.net === 'off'")
    tap(page, said("pass"))
    expect(page.locator(".waits .key:is(.off, :has(em))")).to_have_count(0)
    expect(page.locator("#k9")).to_have_attribute("aria-label", "9")
    tap(page, *["#k9", "#k10"] * 4)
    shown = page.locator(".unsent-strip summary small")
    expect(shown).to_contain_text("次の手番 10")
    left = "each => each.scrollWidth - each.clientWidth - each.scrollLeft"
    assert shown.evaluate("each => each.scrollLeft") > 0
    assert shown.evaluate(left) < 2


def test_keys_that_take_a_card_of_the_pyramid_have_a_mark(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = opened(DEALT, *ROWS, "あかね lay 10", game="pairs_daifugo", seats=FOUR)
    page = phone(f"{live_site.url}/t/{match}")
    for rank in range(1, 11):
        mark = page.locator(f"#k{rank} > i:not(.pips)")
        boxes = [mark.bounding_box() for mark in mark.all()]
        assert len(boxes) == (rank in (8, 10)), rank  # 源五郎 has them
        assert all(box and min(box["width"], box["height"]) >= 8 for box in boxes), (rank, boxes)
