"""No cue by colour alone, nothing too small to hit, no dragging, no motion unless wanted."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, ElementHandle, Page
from serving import PHONE, Site, at, played_at

from referee.games import GAMES
from referee.games.simulation import WIDEST

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

NO_COLOUR = ("achromatopsia",)
DEFICIENCIES = ("protanopia", "deuteranopia", "tritanopia", *NO_COLOUR)
SCRIPTS = Path(__file__).parents[2] / "static" / "js"

# The class without which an element would be in another state, and where there is one.
STATES = {".key.off": "off", ".key.dot": "dot", ".seat.turn": "turn", ".card.win": "win"}
MARKS = {"mk": "○", "mk no": "×", "mk un": "△"}

# How much of two pictures differs clearly in lightness, from 0 to 1.
DIFFERENCE = """async (pictures) => {
  const greys = [];
  for (const picture of pictures) {
    const file = await fetch(`data:image/png;base64,${picture}`);
    const bitmap = await createImageBitmap(await file.blob());
    const canvas = new OffscreenCanvas(48, 48), draw = canvas.getContext("2d");
    draw.drawImage(bitmap, 0, 0, 48, 48);
    const { data } = draw.getImageData(0, 0, 48, 48);
    greys.push(Array.from({ length: 48 * 48 }, (_, i) =>
      0.2126 * data[4 * i] + 0.7152 * data[4 * i + 1] + 0.0722 * data[4 * i + 2]));
  }
  return greys[0].filter((grey, i) => Math.abs(grey - greys[1][i]) > 24).length / greys[0].length;
}"""

# What is smaller than 24 px, or than 44 where we make it; a link in a sentence is as large as that.


@pytest.fixture
def page(chromium: Browser, site: Site) -> Page:
    context = chromium.new_context(viewport=PHONE, bypass_csp=True, service_workers="block")
    for name, value in (("phone", TOKEN), ("lang", "ja")):
        context.add_cookies([{"name": name, "value": value, "url": site.url}])
    return context.new_page()


def shot(page: Page, part: ElementHandle) -> str:
    """A screenshot of ``part`` with its surroundings."""
    part.scroll_into_view_if_needed()
    box = part.bounding_box()
    assert box
    around = {"x": box["x"] - 5, "y": box["y"] - 5}
    size = {"width": box["width"] + 10, "height": box["height"] + 10}
    return b64encode(page.screenshot(clip={**around, **size})).decode()  # type: ignore[typeddict-item]


def test_every_state_can_be_recognized_without_its_colour(site: Site, page: Page) -> None:
    """In every game without any colour; in the first one that has the state also with few."""
    circle, differences, seen = introduced(site.ledger.store), [], set()
    eyes = page.context.new_cdp_session(page)
    for game in GAMES:
        page.goto(f"{site.url}/t/{played_at(site, circle, game, 12)}")
        for selector, state in STATES.items():
            if not page.locator(selector).count():
                continue
            part = page.locator(selector).first.element_handle()
            for deficiency in NO_COLOUR if state in seen else DEFICIENCIES:
                eyes.send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
                pair = []
                for on in (False, True):
                    part.evaluate(
                        "(part, [state, on]) => part.classList.toggle(state, on)", [state, on]
                    )
                    pair.append(shot(page, part))
                differences.append(
                    (deficiency, f"{game} {selector}", page.evaluate(DIFFERENCE, pair))
                )
            seen.add(state)
    assert seen == {*STATES.values()}
    page.goto(f"{site.url}/t/{played_at(site, circle, WIDEST, 12)}")
    mark = page.locator(".strip .mk").first.element_handle()
    for deficiency in DEFICIENCIES:
        eyes.send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
        looks = []
        for look, sign in MARKS.items():
            mark.evaluate("(mark, look) => { mark.className = look; }", look)
            mark.evaluate("(mark, sign) => { mark.textContent = sign; }", sign)
            looks.append(shot(page, mark))
        for i, j in ((0, 1), (0, 2), (1, 2)):
            pair = [looks[i], looks[j]]
            differences.append((deficiency, f"marks {i} {j}", page.evaluate(DIFFERENCE, pair)))
    assert [each for each in differences if each[2] < 0.03] == []


def test_every_state_is_said_in_words(site: Site, page: Page) -> None:
    circle, seen = introduced(site.ledger.store), set()
    for name in GAMES:
        page.goto(f"{site.url}/t/{played_at(site, circle, name, 12)}")
        for look, mark, word in ((".key.off", "×", "反則"), (".key.dot", "△", "手札しだい")):
            for key in page.locator(look).all():
                seen.add(look)
                assert mark in key.inner_text()
                label = key.get_attribute("aria-label")
                assert label is None or word in label or mark in label
        for best in page.locator("#table .seat .card.win + .cap").all():
            seen.add("win")
            assert best.inner_text()
    assert seen


def test_nothing_has_to_be_dragged(site: Site, page: Page) -> None:
    circle = introduced(site.ledger.store)
    tables = [f"/t/{played_at(site, circle, name, 12)}" for name in GAMES]
    for path in ["/decks", f"/new?game={WIDEST}", *tables]:
        page.goto(site.url + path)
        assert page.locator("[draggable=true]").count() == 0
    for script in SCRIPTS.glob("*.js"):
        assert not {"drag", "pointermove", "touchmove"} & set(script.read_text().split('"'))


@pytest.mark.parametrize(("wish", "moves"), [("reduce", False), ("no-preference", True)])
def test_nothing_moves_where_reduced_motion_is_set(
    site: Site, page: Page, wish: str, moves: bool
) -> None:
    match = played_at(site, introduced(site.ledger.store), WIDEST, 1)
    page.emulate_media(reduced_motion=wish)  # type: ignore[arg-type]
    page.goto(f"{site.url}/t/{match}")
    page.locator(".key:not(.off)").first.click()
    at(page, 2)
    card = page.locator(".card.laid")
    assert card.evaluate("(card) => getComputedStyle(card).animationName !== 'none'") is moves


def test_a_card_that_lies_does_not_move_again_when_half_a_play_is_drawn(
    site: Site, page: Page
) -> None:
    circle, still = introduced(site.ledger.store), 0
    page.emulate_media(reduced_motion="no-preference")
    for name in GAMES:
        for stop in (7, 12, 23):
            page.goto(f"{site.url}/t/{played_at(site, circle, name, stop)}")
            page.wait_for_load_state()
            steps = page.locator("#play [form=pick][name=card]:not(.off)")
            if page.locator(".laid").count() and steps.count():
                steps.first.click()
                page.locator("#play [name=card].on").wait_for()
                assert not page.locator(".laid").count()
                still += 1
    assert still


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_mark_of_a_legal_play_is_one_ring(site: Site, page: Page, lang: str) -> None:
    """A ○ within the ring of its mark would be ◎; a ✓ within it is one sign."""
    match = played_at(site, introduced(site.ledger.store), WIDEST, 12)
    page.context.add_cookies([{"name": "lang", "value": lang, "url": site.url}])
    for path in ("", "/log", "/e/2"):
        page.goto(f"{site.url}/t/{match}{path}")
        drawn = page.locator(".mk:not(.no, .un, .fix)").evaluate_all(
            "(marks) => marks.map((mark) => [mark.textContent, getComputedStyle(mark).color])"
        )
        assert drawn, path
        legal, hidden = ("○", True) if lang == "ja" else ("✓", False)
        assert {(sign, colour == "rgba(0, 0, 0, 0)") for sign, colour in drawn} == {(legal, hidden)}
