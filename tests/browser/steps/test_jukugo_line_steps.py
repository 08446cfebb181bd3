"""A kanji and its flag without network: the phone composes the play, and keeps no half of one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from serving import SEATS, UNSENT, Site, at, entries, said
from thumbs import ready, recorded, seen, tap

pytestmark = pytest.mark.browser

JUKUGO = "table deal leader=あかね"


def put(flag: int, kanji: str) -> str:
    return f'.flag[name=line][value$=" place {flag} {kanji}"]'


def card(kanji: str) -> str:
    return f'#play [name=card][value="{kanji}"]'


def unsent(page: Page) -> int:
    kept = page.evaluate(f"{UNSENT}.length")
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
    """Whose they are, the table shows only when the network is back."""
    match = ready(opened, "jukugo_line")
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, card("有"), put(1, "有"), said("draw"), card("者"), put(2, "者"))
    page.context.set_offline(False)
    lines = [JUKUGO, "あかね place 1 有", "あかね draw", "源五郎 place 2 者"]
    recorded(live_site, match, page, lines)


def test_a_play_that_is_refused_later_is_asked_about_by_card_and_flag(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The side of 源五郎 at flag 1 is full; the keys were those of あかね."""
    plays = [("あかね", 2, "中"), ("源五郎", 1, "意"), ("あかね", 3, "一"), ("源五郎", 1, "品")]
    plays += [("あかね", 4, "新"), ("源五郎", 1, "車")]
    lines = [
        line
        for seat, flag, kanji in plays
        for line in (f"{seat} place {flag} {kanji}", f"{seat} draw")
    ]
    match = opened(JUKUGO, *lines, game="jukugo_line", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, card("有"), put(9, "有"), said("draw"), card("者"), put(1, "者"), said("draw"))
    page.context.set_offline(False)
    expect(page.locator(".clash [data-what]")).to_contain_text("源五郎 者 1")
    assert len(entries(live_site, match)) == len(lines) + 3


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
    live_site.ledger.declare(match, "あかね place 1 有", 1, "key-000001")
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
    live_site.ledger.declare(match, "あかね place 1 有", 1, "key-000001")
    expect(page.locator(".strip.chosen")).to_contain_text("開")


PLACED = [
    JUKUGO,
    *("あかね place 1 電", "あかね draw", "源五郎 place 1 古", "源五郎 draw"),
    *("あかね place 1 話", "あかね draw", "源五郎 place 2 代", "源五郎 draw", "あかね place 1 機"),
]


@pytest.mark.parametrize(
    ("keys", "claim"),
    [
        ((said("claim 1"),), "claim 1"),
        ((said("claim 1 電話機"),), "claim 1 電話機"),
        ((said("claim 1 電話 話機"),), "claim 1 電話 話機"),
        ((said("claim 1 電話"),), "claim 1 電話"),
        ((said("claim 1 電機 話機"),), "claim 1 電機 話機"),
        ((said("claim 1 話電機"),), "claim 1 話電機"),
    ],
)
def test_a_claim_and_its_words_are_one_play(
    live_site: Site,
    opened: Callable[..., str],
    phone: Callable[..., Page],
    keys: tuple[str, ...],
    claim: str,
) -> None:
    match = opened(*PLACED, game="jukugo_line", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, '.acts [value="1"]')
    expect(page.locator(".opened .kj")).to_have_text(["古2", "電2", "話5", "機4"])
    # side by side; of the rows, since the card laid last slides into its row
    tops = "rows => rows.map((row) => Math.round(row.getBoundingClientRect().y))"
    assert len({*page.locator(".opened .trio").evaluate_all(tops)}) == 1
    tap(page, *keys)
    expect(page.locator(".strip .mk.wait")).to_be_visible()
    page.context.set_offline(False)
    recorded(live_site, match, page, [*PLACED, f"あかね {claim}"])


def test_the_flag_of_a_claim_is_chosen_without_network(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """々 begins no word, and a flag that was opened and shut again is not claimed."""
    more = [
        *("あかね draw", "源五郎 place 4 見", "源五郎 draw", "あかね place 2 人", "あかね draw"),
        *("源五郎 place 3 車", "源五郎 draw", "あかね place 2 々", "あかね draw"),
        *("源五郎 place 3 大", "源五郎 draw", "あかね place 2 国"),
    ]
    match = opened(*PLACED, *more, game="jukugo_line", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, '.acts [value="claim"]')
    expect(page.locator(".who .need")).to_have_text("取るフラッグを選ぶ")
    tap(page, ".flag[value='1']", ".acts [name=seat]", ".flag[value='2']")
    expect(page.locator(".who .need")).to_have_text("フラッグ 2")
    words = ["人々国", "人国々", "国人々", "国々人", "人々", "人国", "国人", "国々"]
    words += ["人国・国々", "国人・人々", "人々・人国", "人々・国々", "人国・国人", "国人・国々"]
    expect(page.locator(".calls button")).to_have_text(words)
    tap(page, said("claim 2 人々"))
    page.context.set_offline(False)
    expect(page.locator(".strip.refused")).to_contain_text("あかね フラッグ2を「人々」で宣言")
    assert entries(live_site, match) == [*PLACED, *more]


def test_a_claim_without_network_carries_its_seat_whatever_its_name(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The page has the seat once for all words, as the record writes it."""
    name = "An <b> & 'o"
    before = [line.replace("あかね", f'"{name}"') for line in PLACED]
    match = opened(*before, game="jukugo_line", seats=(name, SEATS[1]))
    page = phone(f"{live_site.url}/t/{match}")
    page.context.set_offline(True)
    tap(page, '.acts [value="1"]', said("claim 1 電話"))
    expect(page.locator(".strip .mk.wait")).to_be_visible()
    page.context.set_offline(False)
    recorded(live_site, match, page, [*before, f'"{name}" claim 1 電話'])
