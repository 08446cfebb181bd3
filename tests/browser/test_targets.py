"""Targets are at least 44 px high and wide on a phone, and 24 px on the narrowest one.

The area that reacts to a finger is measured, which may be larger than the drawing. Two exceptions:
a link within a sentence is as large as its line (as in WCAG 2.5.8), and some that are side by side
share the width of the phone: kanji and flags of a line, cards of a suit, points of a deck, the last
ten matches. None lies under another one, unless an opened list of unsent entries covers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, Page, ViewportSize, expect
from serving import PHONE, Site, begun, played_at, sheets_at

from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.store import People

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SIZES: list[tuple[ViewportSize, int]] = [(PHONE, 44), ({"width": 320, "height": 640}, 24)]
NARROWEST = 24
SHARING = ".pick13 button, .flag, .stairs a, .ck, .grid13 select, .hoshi a"
OF_A_TABLE = (
    *("", "/log", "/score", "/rules", "/join", "/e/1", "/e/4", "/correct/4", "/what-if/4"),
    *("/menu", "/stop", "/sheet", "/seats", "/result"),
)
SMALL = """([least, sharing, narrowest]) => {
  const list = document.querySelector(".unsent-strip [open] ol")?.getBoundingClientRect();
  const small = [], every = "a[href], button:enabled, summary, select, textarea, input:enabled";
  for (const e of document.querySelectorAll(every)) {
    const label = e.matches("input") && e.closest("label"), part = label || e;
    if (e.closest(".vh, .skip, [inert]")) continue;
    if (!e.checkVisibility({ visibilityProperty: true })) continue;
    const words = (of) => of.innerText.trim().length, style = getComputedStyle(e);
    const within = style.display === "inline" && words(e.parentElement) > words(e) + 1;
    let box = part.getBoundingClientRect();
    const most = e.matches(sharing) ? narrowest : least;
    const covered = list && box.top < list.bottom && box.bottom > list.top;
    if (covered && !e.closest(".unsent-strip")) continue;
    if (within || !box.width) continue;
    e.scrollIntoView({ block: "center", inline: "center" });
    box = part.getBoundingClientRect();
    const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    const top = document.elementFromPoint(x, y);
    if (!part.contains(top) && !top?.contains(part))
      small.push(`under ${top?.outerHTML.slice(0, 100)}: ${e.outerHTML.slice(0, 100)}`);
    if (box.width >= most && box.height >= most) continue;
    const tapped = "label, a, button, summary, select";
    const hit = (x, y) => document.elementFromPoint(x, y)?.closest(tapped);
    const far = (dx, dy) => {
      let n = 0;
      while (n < most && hit(x + dx * (n + 0.5), y + dy * (n + 0.5)) === part) n += 0.5;
      return n;
    };
    const width = Math.max(box.width, far(-1, 0) + far(1, 0));
    const height = Math.max(box.height, far(0, -1) + far(0, 1));
    if (Math.min(width, height) < most - 0.6)
      small.push(`${width | 0} x ${height | 0}: ${e.outerHTML.slice(0, 100)}`);
  }
  return small;
}"""
Measure = Callable[[str], None]


@pytest.fixture
def page(chromium: Browser, site: Site) -> Page:
    context = chromium.new_context(viewport=PHONE, bypass_csp=True, service_workers="block")
    for name, value in (("phone", TOKEN), ("lang", "ja")):
        context.add_cookies([{"name": name, "value": value, "url": site.url}])
    return context.new_page()


@pytest.fixture
def measure(page: Page) -> Iterator[Measure]:
    """Measures the present page at both sizes; the end of the test reports targets that are too
    small.
    """
    small: list[str] = []

    def measured(state: str) -> None:
        page.wait_for_load_state()
        page.evaluate(
            "document.querySelectorAll('.page details').forEach((d) => { d.open = true })"
        )
        for view, least in reversed(SIZES):  # it goes on with the phone
            page.set_viewport_size(view)
            found = page.evaluate(SMALL, [least, SHARING, NARROWEST])
            small.extend(f"{state}, {view['width']} wide: {one}" for one in found)

    yield measured
    assert not small, "\n".join(small)


@pytest.mark.parametrize("name", GAMES)
def test_every_page_of_a_game(site: Site, page: Page, measure: Measure, name: str) -> None:
    circle = introduced(site.ledger.store)
    match, over = (played_at(site, circle, name, most) for most in (12, 5000))
    paths = [f"/t/{match}{path}" for path in OF_A_TABLE]
    paths += [f"/t/{over}{path}" for path in ("", "/result", "/score")]
    paths += sheets_at(site, circle, name)
    for path in [*paths, f"/new?game={name}", f"/rules/{name}", f"/check/{name}"]:
        page.goto(site.url + path)
        measure(path)


@pytest.mark.parametrize("name", GAMES)
def test_every_state_of_a_table(site: Site, page: Page, measure: Measure, name: str) -> None:
    """A declaration, a refusal, each first step of a play, the end of a deal, and no network."""
    circle = introduced(site.ledger.store)
    for stop in (0, 1, 7, 25):
        table = f"{site.url}/t/{played_at(site, circle, name, stop)}"
        page.goto(table)
        measure(f"after {stop}")
        steps = page.locator("#play a.key[href*='?'], #play .acts [name]")
        for i in range(min(3, steps.count())):
            steps.nth(i).click()
            measure(f"after {stop}, step {i}")
            page.goto(table)
    illegal = page.locator("#play button.key.off[name=line]")
    if illegal.count():
        illegal.first.click()
        page.locator(".strip.refused, #play .key").first.wait_for()
        measure("a refusal")
        page.goto(table)
    page.context.set_offline(True)
    key = page.locator("#play button[name=line]:not(.off)").first
    if key.count():
        key.click()
        if page.locator(".unsent-strip summary").count():
            page.locator(".unsent-strip summary").click()
        measure("without network")


# How high the area is that reacts to a finger.
REACHED = """(keys) => keys.map((key) => {
  const { left, right, top, bottom } = key.getBoundingClientRect(), x = (left + right) / 2;
  let up = top, down = bottom;
  while (document.elementFromPoint(x, up - 0.5) === key) up -= 0.5;
  while (document.elementFromPoint(x, down + 0.5) === key) down += 0.5;
  return down - up;
})"""
NARROW_OR_LOW = ((320, 568), (360, 640), (390, 844), (568, 320), (667, 375), (844, 390))


@pytest.mark.parametrize("name", ["whist", "magi"])  # 13 cards a suit, and some without a suit
def test_cards_of_suits_share_the_width_of_a_phone(site: Site, page: Page, name: str) -> None:
    circle, small = introduced(site.ledger.store), []
    for stop in (7, 14):
        page.goto(f"{site.url}/t/{begun(site, circle, name, stop)}")
        assert page.locator(".sr button").count()
        for width, height in NARROW_OR_LOW:
            page.set_viewport_size({"width": width, "height": height})
            found = page.evaluate(SMALL, [NARROWEST, SHARING, NARROWEST])
            small += [f"{stop}, {width} × {height}: {one}" for one in found]
    assert not small, "\n".join(small)


@pytest.mark.parametrize("name", ["hearts", "four_fields"])
def test_cards_are_44_px_high_where_there_is_room(site: Site, page: Page, name: str) -> None:
    """All cards at 390 × 844; on a low phone on its side those of the suit led, or all at a lead,
    as far as four suits with one row each go.
    """
    circle, low = introduced(site.ledger.store), []
    for stop in (0, 4, 7):
        page.goto(f"{site.url}/t/{begun(site, circle, name, stop)}")
        if not page.locator(".sr button").count():
            continue
        for width, height in ((390, 844), (568, 320)):
            if name == "four_fields" and height < 400:
                continue
            page.set_viewport_size({"width": width, "height": height})
            rows = ".led button" if height < 400 and page.locator(".led").count() else ".sr button"
            lowest = min(page.locator(rows).evaluate_all(REACHED))
            if lowest < 43.4:
                low.append(f"{stop}, {width} × {height}: {lowest}")
    assert not low, "\n".join(low)


# The narrowest key, the narrowest gap between two, and the inks of the suits, as drawn.
DRAWN = """() => {
  const boxes = [...document.querySelectorAll(".sr .ck")].map((key) => key.getBoundingClientRect());
  const beside = boxes.flatMap((one) => boxes.filter((other) => other.left > one.left
    && other.top < one.bottom && one.top < other.bottom).map((other) => other.left - one.right));
  const below = boxes.flatMap((one) => boxes.filter((other) => other.top > one.top
    && other.left < one.right && one.left < other.right).map((other) => other.top - one.bottom));
  const signs = [...document.querySelectorAll(".sr>i")];
  const inks = signs.map((sign) => getComputedStyle(sign, "::before").backgroundColor);
  return [Math.min(...boxes.map(({ width }) => width)), Math.min(...beside, ...below), inks];
}"""
UPRIGHT = ((360, 640), (375, 667), (390, 664), (390, 740), (390, 844), (430, 932))


@pytest.mark.parametrize("name", ["whist", "hearts", "spades", "zimbabwe"])
def test_keys_of_52_cards_are_wide_enough_for_a_finger(site: Site, page: Page, name: str) -> None:
    """At a lead, and where a suit is followed; with a gap that is seen, and no step before them."""
    circle, cramped = introduced(site.ledger.store), []
    for stop in (1, 4, 7, 9):
        page.goto(f"{site.url}/t/{begun(site, circle, name, stop)}")
        if not page.locator(".sr .ck").count():
            continue
        for width, height in UPRIGHT:
            page.set_viewport_size({"width": width, "height": height})
            narrowest, gap, _inks = page.evaluate(DRAWN)
            hidden = page.evaluate("document.documentElement.scrollHeight - innerHeight")
            if narrowest < 36 or gap < 2.9 or hidden > 0:
                cramped.append(f"{stop}, {width} × {height}: {narrowest}, {gap}, {hidden} below")
    assert not cramped, "\n".join(cramped)


def test_suits_have_four_inks_or_two(site: Site, page: Page) -> None:
    path = f"{site.url}/t/{begun(site, introduced(site.ledger.store), 'whist', 7)}"
    page.goto(path)
    assert len(set(page.evaluate(DRAWN)[2])) == 4
    page.context.add_cookies([{"name": "suits", "value": "two", "url": site.url}])
    page.goto(path)
    spade, heart, diamond, club = page.evaluate(DRAWN)[2]
    assert (spade, heart) == (club, diamond)
    assert spade != heart


def test_the_hand_that_was_said_to_lack_a_card_can_be_shown(
    site: Site, page: Page, measure: Measure
) -> None:
    """The strip after a declaration has the link to the hand."""
    circle, declares = introduced(site.ledger.store), page.locator("#play .key.dot")
    for most in range(8, 16):
        page.goto(f"{site.url}/t/{played_at(site, circle, WIDEST, most)}")
        if declares.count():
            break
    declares.first.click()
    expect(page.locator(".strip a[href*='/show/']")).to_have_count(1)
    measure("a declaration")


def test_every_page_that_exists_once(site: Site, page: Page, measure: Measure) -> None:
    circle = introduced(site.ledger.store)
    for name in GAMES:
        played_at(site, circle, name, 12)
    for _ in range(3):
        played_at(site, circle, WIDEST, 5000)
    person = People(site.ledger.store).of(circle)[0].id
    paths = ["/", "/check", "/rules", "/rules?q=札", "/words", "/words?q=人", "/own-games"]
    paths += ["/decks", "/decks/new", "/decks/open", "/decks/open/edit", "/decks/open/print"]
    paths += ["/settings", "/join", "/offline", "/about", "/circle", "/people", f"/people/{person}"]
    paths += ["/session/1", "/decisions", "/history", "/history/people", "/history/files"]
    paths += [f"/history/person/{person}", "/history/evening/1", "/t/unknown", "/nowhere"]
    for path in paths:
        page.goto(site.url + path)
        measure(path)
