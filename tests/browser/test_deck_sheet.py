"""Registering a deck in a real browser: typing, pasting, keys, on a phone and on a desk."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import Site

from referee.jukugo import library
from referee.jukugo.decks import write_deck
from referee.store import Circles

pytestmark = pytest.mark.browser

KANJI = "".join(card.kanji for card in library.open_deck().cards)


@pytest.fixture
def page(site: Site, chromium: Browser) -> Page:
    context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="ja")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{site.url}/decks/new")
    return page


def card(page: Page, place: str) -> tuple[str, str]:
    kanji, value = page.locator(f"#k-{place}"), page.locator(f"[name=v-{place}]")
    return kanji.input_value(), value.input_value()


def here(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id"))


def test_typing_goes_on_by_itself(page: Page) -> None:
    page.locator("#k-S1").focus()
    page.keyboard.insert_text("意")
    assert card(page, "S1") == ("意", "3")  # its school year
    assert here(page) == "k-S2"
    page.keyboard.insert_text("本5音")
    assert [card(page, place) for place in ("S2", "S3")] == [("本", "5"), ("音", "1")]
    expect(page.locator(".written")).to_have_text("3")
    for key, place in (("ArrowUp", "S3"), ("ArrowRight", "H3"), ("ArrowLeft", "S3")):
        page.keyboard.press(key)
        assert here(page) == f"k-{place}"
    page.keyboard.press("4")
    assert card(page, "S3") == ("音", "4")
    page.set_viewport_size({"width": 1280, "height": 800})  # suits lie across now
    page.keyboard.press("ArrowDown")
    assert here(page) == "k-H3"


def test_fifty_two_kanji_pasted_into_the_first_field_and_registered(page: Page, site: Site) -> None:
    page.evaluate("text => navigator.clipboard.writeText(text)", f"{KANJI[:20]}\n{KANJI[20:]}")
    page.locator("#k-S1").focus()
    page.keyboard.press("Control+v")
    expect(page.locator(".written")).to_have_text("52")
    assert card(page, "C13") == ("大", "1")
    page.get_by_role("button", name="登録する").click()
    expect(page.locator(".warn")).to_contain_text("名前")
    page.locator("#name").fill("家の組札")
    page.get_by_role("button", name="登録する").click()
    expect(page.locator("h1")).to_have_text("家の組札")
    [circle] = Circles(site.ledger.store).all()
    assert [deck.name for deck in site.ledger.store.shelf.decks(circle.id)] == ["家の組札"]


def test_a_chosen_file_is_poured_in_at_once(page: Page) -> None:
    content = write_deck(library.open_deck()).encode("cp932")
    page.locator("[type=file]").set_input_files(
        {"name": "deck.csv", "mimeType": "text/csv", "buffer": content}
    )
    expect(page.locator(".written")).to_have_text("52")
    assert card(page, "S2") == ("意", "2")


@pytest.mark.parametrize("width", [320, 360, 820, 1280])
def test_nothing_runs_over_the_edge(page: Page, site: Site, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    for path in (
        "/decks",
        "/decks/new",
        "/decks/open",
        "/decks/open/print?back=1",
        "/words?q=日本",
    ):
        page.goto(site.url + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    page.goto(f"{site.url}/decks/new")
    for box in page.locator(".cell input, .cell select").all()[:4]:
        assert box.bounding_box()["height"] >= 44


def test_the_deck_prints_on_six_sheets_of_a4(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/decks/open/print")
    pdf = page.pdf(prefer_css_page_size=True)
    assert pdf.count(b"/Type /Page\n") == 6
    page.emulate_media(media="print")
    box = page.locator(".face").first.bounding_box()
    mm = 96 / 25.4
    assert (box["width"] / mm, box["height"] / mm) == pytest.approx((63, 88), abs=0.1)
