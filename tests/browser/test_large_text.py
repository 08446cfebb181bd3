"""Text twice as large on a phone, and a window zoomed to 400 %: everything is there, nothing is
cut.

WCAG 1.4.4, 1.4.10 and 1.4.12. Parts that scroll by themselves (a table, a strip of links) are
exempt.
"""

from __future__ import annotations

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, CDPSession, Page
from serving import PHONE, Site, begun, marked, played_at, sheets_at, stepped

from referee.games import GAMES, ON_CARDS
from referee.games.simulation import WIDEST
from referee.http import language

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PAGES = (
    *(
        "/",
        f"/new?game={WIDEST}",
        "/history",
        "/history/people",
        "/people",
        f"/rules/{WIDEST}",
        "/settings",
    ),
    *(f"/check/{game}" for game in GAMES),
)

# Text outside the page or outside a part of it that cuts, and a page that scrolls sideways.
LOST = """() => {
  const found = new Set(), page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) found.add(`the page is ${page.scrollWidth} wide`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const drawn = ".card, .kj, .d, .mk, svg, .vh, template, script, option";
  next: while (texts.nextNode()) {
    const text = texts.currentNode, around = text.parentElement;
    if (!text.textContent.trim() || !around.offsetParent || around.closest(drawn)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const at = range.getBoundingClientRect();
    if (!at.width || !around.checkVisibility({ visibilityProperty: true })) continue;
    const place = around.className || around.localName;
    const where = `${text.textContent.trim().slice(0, 20)} in ${place}`;
    for (let part = around; part !== document.body; part = part.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(part), box = part.getBoundingClientRect();
      if (/auto|scroll/.test(overflowX + overflowY)) continue next;
      const cuts = /hidden|clip/.test(overflowX + overflowY);
      const out = at.right > box.right + 2 || at.bottom > box.bottom + 4;
      if (cuts && out) found.add(`cut: ${where}`);
    }
    if (at.right > innerWidth + 1 || at.left < -1) found.add(`outside: ${where}`);
  }
  return [...found];
}"""
KEYS = "#play button, .bar > a, .strip button:not(.past)"
COVERED = """(keys) => [...document.querySelectorAll(keys)].filter((key) => {
  key.scrollIntoView({ block: "center" });
  const box = key.getBoundingClientRect();
  const above = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const shown = box.width && key.checkVisibility({ visibilityProperty: true });
  return shown && !(key.contains(above) || above.closest("button, a") === key);
}).map((key) => key.outerHTML.slice(0, 80))"""
# What of the turn or of the keys is not seen, with the part of it that is.
TOGETHER = """() => [...document.querySelectorAll("h1, #play :is(button, a):not(.undo)")]
  .filter((part) => part.checkVisibility() && !part.closest(".strip"))
  .map((part) => [part, part.getBoundingClientRect()])
  .filter(([part, { left, right, top, bottom, height }]) => {
    const inside = top >= -1 && bottom <= innerHeight + 1 && left >= -1 && right <= innerWidth + 1;
    const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return height && !(inside && part.contains(middle));
  }).map(([part, { top, bottom }]) => `${top} to ${bottom}: ${part.outerHTML.slice(0, 90)}`)
"""
# Parts of a strip that are not seen whole, or on which another part lies.
UNDER = """(parts) => [...document.querySelectorAll(parts)].filter((part) => part.checkVisibility())
  .map((part) => [part, part.getBoundingClientRect()])
  .filter(([part, { left, right, top, bottom }]) => {
    const { clientHeight, scrollHeight } = part;
    const ends = [top + 4, bottom - 4].map((y) => document.elementFromPoint((left + right) / 2, y));
    return scrollHeight > clientHeight + 1 || ends.some((end) => !part.contains(end));
  }).map(([part, { top, bottom }]) => `${top} to ${bottom}: ${part.outerHTML.slice(0, 90)}`)
"""
# The page as it comes to a phone whose settings have another size of text.
IN_SETTINGS = """async (percent) => {
  const sheet = document.querySelector("link[rel=stylesheet]"), larger = sheet.cloneNode();
  larger.href = `${sheet.href.split("&text=")[0]}&text=${percent}`;
  await new Promise((done) => { larger.onload = done; sheet.after(larger); });
  sheet.remove();
  document.documentElement.dataset.text = percent;
}"""
STEPS = ":is(#play a.key[href*='?'], #play [form=pick], #play .acts [name]):not(.off)"
STOPS = (1, 6, 12, 23, 34)
SPACED = """* { line-height: 1.5 !important; letter-spacing: .12em !important;
  word-spacing: .16em !important } p { margin-bottom: 2em !important }"""


@pytest.fixture
def page(chromium: Browser, site: Site) -> Page:
    context = chromium.new_context(viewport=PHONE, bypass_csp=True, service_workers="block")
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    return context.new_page()


def every(site: Site) -> list[str]:
    circle = introduced(site.ledger.store)
    tables = [f"/t/{played_at(site, circle, name, 12)}" for name in GAMES]
    over = f"/t/{played_at(site, circle, WIDEST, 5000)}"
    ends = [f"{over}{page}" for page in ("", "/score", "/result", "/log", "/e/4")]
    sheets = [path for name in GAMES for path in sheets_at(site, circle, name)]
    scores = [f"/t/{played_at(site, circle, name, 5000)}/score" for name in GAMES if name != WIDEST]
    return [*PAGES, *tables, *ends, *scores, *sheets]


@pytest.mark.parametrize("language", ["ja", "en"])
def test_nothing_is_lost_when_all_is_large_or_spaced(
    site: Site, page: Page, language: str, request: pytest.FixtureRequest
) -> None:
    """Usually each page in one of the languages."""
    page.context.add_cookies([{"name": "lang", "value": language, "url": site.url}])
    phone, lost = page.context.new_cdp_session(page), list[str]()

    def look(large: str) -> None:
        lost.extend(f"{path}, {large}: {one}" for one in page.evaluate(LOST))
        lost.extend(f"{path}, {large}: covered: {one}" for one in page.evaluate(COVERED, KEYS))

    pages = every(site)
    if not request.config.getoption("--every-cell"):
        pages = pages[language == "en" :: 2]
    for path in pages:
        page.set_viewport_size({"width": 1280 // 4, "height": 1024 // 4})
        page.goto(site.url + path)
        look("zoom of 400 %")
        page.set_viewport_size(PHONE)
        in_browser(phone, 200)
        look("text at 200 %")
        in_browser(phone, 100)
        lost.extend(f"{path}, spaced: {one}" for one in spaced(page, path))
    assert not lost, "\n".join(lost)


def in_browser(phone: CDPSession, percent: int) -> None:
    """The size of text that the person has chosen in the browser."""
    sizes = {"standard": 16 * percent // 100, "fixed": 13 * percent // 100}
    phone.send("Page.setFontSizes", {"fontSizes": sizes})


def spaced(page: Page, path: str) -> list[str]:
    """What is lost of what is read one after the other; on a table, of the names on the plates."""
    page.add_style_tag(content=SPACED)
    found: list[str] = page.evaluate(LOST)
    if path.startswith("/t/") and path.count("/") == 2:
        return [one for one in found if one.startswith("cut") and one.endswith("in nm")]
    return [one for one in found if not one.endswith(("in one", "in nm"))]


@pytest.mark.parametrize("name", GAMES)
def test_turn_and_keys_are_seen_together(site: Site, page: Page, name: str) -> None:
    """Whether the text is large on the whole phone or in the settings of the app."""
    phone = page.context.new_cdp_session(page)
    circle, hidden = introduced(site.ledger.store), list[str]()

    def look(state: str) -> None:
        in_browser(phone, 150)
        hidden.extend(f"{state}, browser at 150 %: {one}" for one in page.evaluate(TOGETHER))
        in_browser(phone, 100)
        for percent in language.TEXTS:
            page.evaluate(IN_SETTINGS, percent)
            found = page.evaluate(TOGETHER)
            hidden.extend(f"{state}, {percent} % in the settings: {one}" for one in found)

    for stop in STOPS:
        page.goto(f"{site.url}/t/{played_at(site, circle, name, stop)}")
        look(str(stop))
        steps = page.locator(STEPS)
        for i in {0, steps.count() // 2, steps.count() - 1} if steps.count() else ():
            page.goto(page.url.partition("?")[0])
            said = steps.nth(i).evaluate("(key) => key.outerHTML.slice(0, 60)")
            steps.nth(i).click()
            stepped(page)
            look(f"{stop}, {said}")
    assert not hidden, "\n".join(hidden)


OF_A_FILE = "hearts"
LOW = {"width": 360, "height": 640}


@pytest.mark.parametrize("name", [*GAMES, OF_A_FILE])
def test_turn_and_keys_are_seen_together_at_150_on_a_low_phone_too(
    site: Site, page: Page, name: str
) -> None:
    phone = page.context.new_cdp_session(page)
    circle, hidden = introduced(site.ledger.store), []
    for stop in (1, 6, 12, 23):
        match = begun(site, circle, name, stop)
        for lang in ("ja", "en"):
            page.context.add_cookies([{"name": "lang", "value": lang, "url": site.url}])
            page.goto(f"{site.url}/t/{match}")
            for size in (PHONE, LOW):
                page.set_viewport_size(size)  # type: ignore[arg-type]
                in_browser(phone, 150)
                found = page.evaluate(TOGETHER)
                in_browser(phone, 100)
                page.evaluate(IN_SETTINGS, 150)
                found += page.evaluate(TOGETHER)
                page.evaluate(IN_SETTINGS, 100)
                hidden += [f"{stop} {lang} at {size['height']}: {one}" for one in found]
            # the steps of a play, on the low one
            steps = page.locator(STEPS)
            for step in (1, 2):
                if steps.count():
                    steps.last.click()
                    stepped(page)
                    in_browser(phone, 150)
                    found = page.evaluate(TOGETHER)
                    hidden += [f"{stop} {lang}, step {step}: {one}" for one in found]
                    in_browser(phone, 100)
    assert not hidden, "\n".join(hidden)


OTHER_FAMILIES = ("daifugo", "seven_apart")  # hands that are shed; cards that lie open


@pytest.mark.parametrize("name", OTHER_FAMILIES)
def test_tables_of_other_families_lose_nothing(site: Site, page: Page, name: str) -> None:
    phone, lost = page.context.new_cdp_session(page), list[str]()
    table = f"{site.url}/t/{begun(site, introduced(site.ledger.store), name, 12)}"
    for lang in ("ja", "en"):
        page.context.add_cookies([{"name": "lang", "value": lang, "url": site.url}])
        page.goto(table)
        in_browser(phone, 150)
        lost += [f"{lang} at 150 %: {one}" for one in page.evaluate(TOGETHER)]
        in_browser(phone, 200)
        found = [*page.evaluate(LOST), *page.evaluate(COVERED, KEYS)]
        lost += [f"{lang} at 200 %: {one}" for one in found]
        in_browser(phone, 100)
    assert not lost, "\n".join(lost)


# Cards and plates of different seats that lie on each other, and a table of less than three lines.
LIE_ON_EACH_OTHER = """() => {
  const drawn = ".board :is(.card, .slot, .tag, .kj, .piles, .teams, .midrow, .cap:not(:empty))";
  const heap = (part) => part.closest(".stack, .grp, .ours, .opp, .lastplay");
  const parts = [...document.querySelectorAll(drawn)].filter((part) => part.checkVisibility());
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const found = parts.flatMap((one, i) => parts.slice(i + 1)
    .filter((other) => !one.contains(other) && !(heap(one) && heap(one) === heap(other)))
    .filter((other) => meet(one.getBoundingClientRect(), other.getBoundingClientRect()))
    .map((other) => `${one.className} ${one.textContent} on ${other.className}`));
  const { height } = document.querySelector(".board").getBoundingClientRect();
  const line = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return height < 3 * line ? [...found, `a table of ${height} pixels`] : found;
}"""
# Cards, a stock and flags on the table that a tap takes or plays on, but that are not in sight.
OUT_OF_SIGHT = """() => [...document.querySelectorAll(".board :is(.can, .put)")].filter((key) => {
  const { left, right, top, bottom } = key.getBoundingClientRect();
  return !key.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map((key) => key.outerHTML.slice(0, 90))"""
LARGE = (PHONE, LOW, {"width": 320, "height": 568}, {"width": 768, "height": 1024})


@pytest.mark.parametrize("name", [*GAMES, OF_A_FILE])
def test_cards_never_lie_on_each_other_and_those_to_take_are_in_sight(
    site: Site, page: Page, name: str
) -> None:
    phone = page.context.new_cdp_session(page)
    circle, found = introduced(site.ledger.store), []
    for stop in (6, 9, 12, 23):
        page.goto(f"{site.url}/t/{begun(site, circle, name, stop)}")
        if page.locator(".pick13").count():
            page.locator(".pick13 button:not(.off)").first.click()
            stepped(page)
        for size in LARGE:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            in_browser(phone, 200)
            larger = page.evaluate(LIE_ON_EACH_OTHER)
            in_browser(phone, 100)
            if size in (PHONE, LOW):  # a small one is as with 200 %, a tablet scrolls
                page.evaluate(IN_SETTINGS, 150)
                larger += page.evaluate(LIE_ON_EACH_OTHER) + page.evaluate(OUT_OF_SIGHT)
                page.evaluate(IN_SETTINGS, 100)
            found += [f"{stop} at {size['width']} × {size['height']}: {one}" for one in larger]
    assert not found, "\n".join(found)


UPRIGHT = ((320, 568), (360, 640), (390, 844))


@pytest.mark.parametrize("language", ["ja", "en"])
def test_how_to_deal_is_never_cut(site: Site, page: Page, language: str) -> None:
    """After the deal, in the strip; phones on their side are looked at below."""
    page.context.add_cookies([{"name": "lang", "value": language, "url": site.url}])
    circle, cut = introduced(site.ledger.store), []
    for name in (*ON_CARDS, OF_A_FILE):
        page.goto(f"{site.url}/t/{begun(site, circle, name, 1)}")
        assert page.locator(".strip .how").count()
        for width, height in UPRIGHT:
            page.set_viewport_size({"width": width, "height": height})
            found = [*page.evaluate(UNDER, ".strip p"), *page.evaluate(TOGETHER)]
            cut += [f"{name} at {width} × {height}: {one}" for one in found]
    assert not cut, "\n".join(cut)


ON_THEIR_SIDE = ((568, 320), (640, 360), (667, 375), (740, 360), (844, 390))
FILES = ("spades", "magi")  # a suit led, and cards without a suit: they have the highest keys


@pytest.mark.parametrize("name", [*ON_CARDS, *FILES])
def test_low_phones_on_their_side_show_turn_and_keys(site: Site, page: Page, name: str) -> None:
    """Before the deal, at each step, and while somebody objects to an entry or a correction has
    left entries that no longer fit. Under a refusal its buttons are seen, too.
    """
    circle, hidden = introduced(site.ledger.store), list[str]()

    def look(state: str) -> None:
        for width, height in ON_THEIR_SIDE:
            page.set_viewport_size({"width": width, "height": height})
            covered = page.evaluate(UNDER, ".strip p, .strip.refused :is(a, button), .bar .found")
            found = [*page.evaluate(TOGETHER), *covered]
            hidden.extend(f"{state} at {width} × {height}: {one}" for one in found)

    for stop in (0, 1, 6, 12, 34):
        match = marked(site, circle, name, 6) if stop == 6 else begun(site, circle, name, stop)
        view = site.ledger.view(match)
        if stop == 12:
            line = f"{view.header.seats[0]} contest 3"
            assert site.ledger.declare(match, line, view.seq, "objection").seq
        for lang in ("ja", "en"):
            page.context.add_cookies([{"name": "lang", "value": lang, "url": site.url}])
            page.goto(f"{site.url}/t/{match}")
            look(f"{stop} {lang}")
            assert page.locator(".bar .found").count() == (stop in (6, 12))
            steps = page.locator(STEPS)
            for i in {0, steps.count() - 1} if stop in (1, 34) and steps.count() else ():
                steps.nth(i).click()
                stepped(page)
                look(f"{stop} {lang}, step {i}")
                page.goto(f"{site.url}/t/{match}")
            illegal = page.locator("#play button.off[name=line]")
            for i in {0, illegal.count() - 1} if illegal.count() else ():
                illegal.nth(i).click()
                page.locator(".strip.refused").wait_for()
                look(f"{stop} {lang}, refusal {i}")
                page.goto(f"{site.url}/t/{match}")
    assert not hidden, "\n".join(hidden)
