"""A kanji and its flag without network: the phone composes the play, and keeps no half of one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from serving import Site, at, entries, said
from thumbs import ready, recorded, seen, tap

pytestmark = pytest.mark.browser

JUKUGO = "table deal leader=あかね"


def put(flag: int, kanji: str) -> str:
    return f'.flag[name=line][value$=" place {flag} {kanji}"]'


def card(kanji: str) -> str:
    return f'#play [name=card][value="{kanji}"]'


def unsent(page: Page) -> int:
    kept = page.evaluate("JSON.parse(localStorage.unsent || '[]').length")
    assert isinstance(kept, int)
    return kept


def test_a_kanji_and_its_flag_are_one_play(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = ready(opened, "jukugo_line")
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, card("有"))
    expect(page.locator(".strip.chosen")).to_contain_text("有")
    assert unsent(page) == 0
    tap(page, put(1, "有"))
    expect(page.locator(".strip .mk.wait")).to_be_visible()
    expect(page.locator(".strip.chosen")).to_have_count(0)
    page.context.set_offline(False)
    recorded(live_site, match, page, [JUKUGO, "あかね place 1 有"])


def test_a_chosen_kanji_is_put_back_without_network(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = ready(opened, "jukugo_line")
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    for back in (".strip.chosen .undo", "#play button.on"):
        tap(page, card("有"))
        expect(page.locator(put(9, "有"))).to_be_visible()
        tap(page, back)
        expect(page.locator(".strip.chosen")).to_have_count(0)
    assert unsent(page) == 0


def test_plays_of_two_taps_follow_each_other_without_network(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Whose they are, only the table tells when the network is back."""
    match = ready(opened, "jukugo_line")
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, card("有"), put(1, "有"), said("draw"), card("者"), put(2, "者"))
    page.context.set_offline(False)
    lines = [JUKUGO, "あかね place 1 有", "あかね draw", "源五郎 place 2 者"]
    recorded(live_site, match, page, lines)


def test_half_a_play_outlasts_the_network_and_is_not_kept(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = ready(opened, "jukugo_line")
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, card("有"), put(1, "有"), card("者"))
    assert unsent(page) == 1
    page.context.set_offline(False)
    at(page, 2)
    expect(page.locator(".strip.chosen")).to_contain_text("者")
    assert entries(live_site, match) == [JUKUGO, "あかね place 1 有"]


def test_a_card_can_be_chosen_right_after_the_play_of_another_phone(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = ready(opened, "jukugo_line")
    page = phone(f"{live_site.url}/t/{match}")
    live_site.desk.declare(match, "あかね place 1 有", 1, "key-000001")
    seen(page, 2)
    tap(page, '#play [name=card][value="開"]', '.flag[value="源五郎 place 4 開"]')
    lines = [JUKUGO, "あかね place 1 有", "源五郎 place 4 開"]
    recorded(live_site, match, page, lines)


def test_a_card_is_chosen_in_the_moment_of_the_play_of_another_phone(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The table has been exchanged and not been painted: the tap is about the one before."""
    match = ready(opened, "jukugo_line")
    page = phone(f"{live_site.url}/t/{match}")
    page.evaluate("""() => new MutationObserver((_changes, observer) => {
        if (document.querySelector("#play [name=seen]").value !== "2") return;
        observer.disconnect();
        document.querySelector('#play [name=card][value="開"]').click();
    }).observe(document, { childList: true, subtree: true })""")
    live_site.desk.declare(match, "あかね place 1 有", 1, "key-000001")
    expect(page.locator(".strip.chosen")).to_contain_text("開")
