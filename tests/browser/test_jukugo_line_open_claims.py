"""Open claims of 熟語ライン on two phones: the other one is asked, and both see the flag move."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from serving import SEATS, Site, at, entries, said

pytestmark = pytest.mark.browser

PLACED = (
    "table deal leader={0}",
    "{0} place 1 古",
    "{1} place 1 英",
    "{0} place 1 代",
    "{1} place 1 車",
    "{0} place 1 語",
    "{1} place 1 動",
    "{0} place 5 世",
)


def begun(opened: Callable[..., str], **house: str) -> str:
    lines = (line.format(*SEATS) for line in PLACED)
    return opened(*lines, game="jukugo_line", seats=SEATS[:2], **house)


def claimed(page: Page, seq: int) -> int:
    """Flag 1, with the only full column, is claimed by thumb; how many taps that took."""
    taps = ('.acts [value="1"]', said("claim 1"))
    for key in taps:
        page.locator(key).tap()
    at(page, seq)
    return len(taps)


@pytest.mark.parametrize("tongue", ["ja", "en"])
def test_the_other_phone_is_asked_and_the_flag_moves_on_both(
    live_site: Site, phone: Callable[..., Page], opened: Callable[..., str], tongue: str
) -> None:
    proven = begun(opened)
    one = phone(f"{live_site.url}/t/{proven}")
    taps = claimed(one, 9)
    expect(one.locator(".flag.dn")).to_have_count(1)
    expect(one.locator(".agree")).to_have_count(0)

    match = begun(opened, adjudication="both_confirm")
    one.context.add_cookies([{"name": "lang", "value": tongue, "url": live_site.url}])
    one.goto(f"{live_site.url}/t/{match}")
    other = phone(f"{live_site.url}/t/{match}")
    assert claimed(one, 9) == taps
    at(other, 9)
    for page in (one, other):
        expect(page.locator(".flag.dn")).to_have_count(0)
        expect(page.locator(".agree button")).to_have_count(2)
    other.locator(".agree button").first.tap()  # one tap more than a proven claim
    at(other, 10)
    at(one, 10)
    for page in (one, other):
        expect(page.locator(".flag.dn")).to_have_count(1)
        expect(page.locator(".agree")).to_have_count(0)
    assert entries(live_site, match)[-2:] == ["あかね claim 1", "源五郎 grant 1"]


def test_a_claim_that_is_not_agreed_to_is_taken_back_on_both_phones(
    live_site: Site, phone: Callable[..., Page], opened: Callable[..., str]
) -> None:
    match = begun(opened, adjudication="both_confirm")
    one, other = (phone(f"{live_site.url}/t/{match}") for _ in range(2))
    claimed(one, 9)
    at(other, 9)
    other.locator(".agree button").last.tap()
    at(other, 10)
    at(one, 10)
    for page in (one, other):
        expect(page.locator(".agree")).to_have_count(0)
        expect(page.locator(".flag.dn")).to_have_count(0)
    assert entries(live_site, match)[-1] == "table strike 9"
    # the same phone handed over: claimed again and agreed to
    claimed(one, 11)
    one.locator(".agree button").first.tap()
    at(one, 12)
    at(other, 12)
    expect(other.locator(".flag.dn")).to_have_count(1)


@pytest.mark.parametrize("size", [(320, 568), (568, 320), (844, 390)])
def test_words_to_say_have_keys_of_44_px_and_all_are_in_sight(
    live_site: Site, phone: Callable[..., Page], opened: Callable[..., str], size: tuple[int, int]
) -> None:
    page = phone(f"{live_site.url}/t/{begun(opened)}?do=claim&flag=1")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    keys = page.locator(".calls button").first
    expect(keys).to_be_hidden()  # on demand: a claim without a word is one tap
    page.locator(".named summary").click()
    expect(keys).to_be_visible()
    bar = page.locator(".bar").evaluate("bar => bar.getBoundingClientRect().top")
    words = page.locator(".calls button").evaluate_all(
        "keys => keys.map(key => key.getBoundingClientRect()).map(box => [box.height, box.bottom])"
    )
    assert len(words) > 6
    assert all(height >= 44 and bottom <= bar for height, bottom in words), (bar, words)
