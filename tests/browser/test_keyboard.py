"""By keyboard alone: a table is opened, a deal played and corrected, and the result read."""

from __future__ import annotations

import pytest
from chosen_games import NEEDS_MOST
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, Page, expect
from serving import PHONE, Site, at

from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import WIDEST, played

pytestmark = pytest.mark.browser

SEATS = ("あかね", "源五郎", "ほしの")

# What is wrong with the focus as it is: lost, out of sight, behind something, or not shown well.
FAULTS = """() => {
  const focus = document.activeElement;
  if (focus === document.body) return ["lost"];
  const shown = getComputedStyle(focus).opacity === "0" ? focus.closest("label") : focus;
  const box = shown.getBoundingClientRect(), found = [];
  const x = Math.min(box.left + box.width / 2, innerWidth - 1), y = box.top + box.height / 2;
  if (box.top < 0 || box.bottom > innerHeight) found.push("out of sight");
  const above = document.elementFromPoint(x, y);
  if (!above || !(shown.contains(above) || above.contains(shown))) found.push("behind");
  const style = getComputedStyle(shown);
  if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) found.push("no outline");
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((c) => c / 255)
      .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  let under = shown.parentElement;
  const ground = () => getComputedStyle(under).backgroundColor;
  while (/, 0\\)$|^transparent$/.test(ground())) under = under.parentElement;
  const [a, b] = [style.outlineColor, ground()].map(light);
  if (Math.max(a, b) / Math.min(a, b) < 3) found.push("faint outline");
  return found.map((fault) => `${fault}: ${focus.outerHTML.slice(0, 90)}`);
}"""
AHEAD = """(target) => Boolean(document.activeElement.compareDocumentPosition(target)
  & Node.DOCUMENT_POSITION_FOLLOWING)"""


class Fingers:
    """On Tab, Shift+Tab, Enter, Space, arrows and letters; ``faults`` are those of the focus."""

    def __init__(self, page: Page) -> None:
        self.page, self.faults, self.steps = page, list[str](), 0

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def reach(self, selector: str) -> None:
        """Step to the first ``selector``, whichever way is shorter."""
        target = self.page.locator(selector).first
        target.wait_for(state="attached")
        handle = target.element_handle()
        for _ in range(60):
            if self.page.evaluate("(target) => document.activeElement === target", handle):
                return
            self.press("Tab" if self.page.evaluate(AHEAD, handle) else "Shift+Tab")
            self.steps += 1
            self.faults += self.page.evaluate(FAULTS)
        pytest.fail(f"{selector} is not reached")

    def enter(self, selector: str) -> None:
        self.reach(selector)
        self.press("Enter")

    def kept(self) -> None:
        """Check that a replaced part has not taken the focus away."""
        self.faults += self.page.evaluate(FAULTS)


@pytest.fixture
def fingers(request: pytest.FixtureRequest, chromium: Browser, site: Site) -> Fingers:
    context = chromium.new_context(viewport=PHONE, service_workers="block")
    for name, value in (("phone", TOKEN), ("lang", "ja"), ("theme", request.param)):
        context.add_cookies([{"name": name, "value": value, "url": site.url}])
    return Fingers(context.new_page())


@pytest.mark.parametrize("fingers", ["light"], indirect=True)
def test_a_deal_from_a_new_table_to_its_result(site: Site, fingers: Fingers) -> None:
    site.ledger.open(Header(NEEDS_MOST, SEATS), introduced(site.ledger.store))  # known people
    page = fingers.page
    page.goto(site.url)
    fingers.enter("main a.go")
    page.wait_for_url("**/new*")
    fingers.enter(".chosen > summary")
    fingers.enter(f"[name=do][value='game {WIDEST}']")
    expect(page.locator(f"[value='game {WIDEST}']")).to_have_attribute("aria-pressed", "true")
    fingers.kept()
    for way, then in (("out", "in"), ("in", "out")):  # those who played last are there already
        fingers.reach(f".chip[value='{way} {SEATS[1]}']")
        fingers.press("Space")
        page.locator(f".chip[value='{then} {SEATS[1]}']").wait_for()
        fingers.kept()
    fingers.enter("[value='up 2']")
    page.locator(".seats li:nth-child(2)", has_text=SEATS[1]).wait_for()
    fingers.kept()
    fingers.reach("#typed")
    page.keyboard.type("旅の人")
    fingers.press("Enter")
    fingers.enter(".chip[value='out 旅の人']")
    page.locator(".chip[value='out 旅の人']").wait_for(state="detached")
    fingers.kept()
    fingers.enter("#house-rules > summary")
    fingers.reach("[name='option.rounds']")
    fingers.press("1")
    expect(page.locator("[name='option.rounds']")).to_have_value("1")
    log = played(GAMES[WIDEST], SEATS, 4, options={"rounds": "1"})
    fingers.reach("[name=leader]")
    for _ in range(1 + SEATS.index(log.entries[0].leader)):  # type: ignore[attr-defined]
        fingers.press("ArrowDown")
    fingers.kept()
    fingers.enter(".foot button")
    page.wait_for_url("**/t/*")

    for seq, entry in enumerate(log.entries[1:], 2):
        forced = page.locator(".keys.forced").count()
        key = f"#k{entry.rank}"  # type: ignore[attr-defined]
        fingers.enter(".keys.forced button" if forced else key)
        at(page, seq)
        fingers.kept()
    expect(page.locator(".who h1")).to_contain_text("の勝ち")

    fingers.enter(".bar a")
    page.wait_for_url("**/log")
    fingers.enter(f"a[href$='/e/{len(log.entries)}']")
    page.wait_for_url("**/e/*")
    fingers.enter(".picks a.key[href]:not(.off)")
    page.wait_for_url("**/correct/*")
    fingers.enter(".foot .btn.go")
    page.wait_for_url("**/t/*")
    at(page, len(log.entries) + 1)
    if page.locator(".over").count():
        fingers.enter(".over a[href$='/result']")
        page.wait_for_url("**/result")
    assert not fingers.faults, "\n".join(fingers.faults)


@pytest.mark.parametrize("fingers", ["dark"], indirect=True)
def test_undo_and_a_seat(site: Site, fingers: Fingers) -> None:
    view = site.ledger.open(Header(WIDEST, SEATS), introduced(site.ledger.store))
    for seq, line in enumerate(("table deal leader=あかね", "あかね lay 3")):
        site.ledger.declare(view.match, line, seq, f"key-{seq:06}")
    page = fingers.page
    page.goto(f"{site.url}/t/{view.match}")
    fingers.enter("a.tag[href*='%E3%81%BB']")  # another seat than the one that is due
    page.locator("a.tag[aria-current]", has_text=SEATS[2]).wait_for()  # its link leaves it again
    expect(page.locator("a.tag[aria-current]")).to_be_focused()
    fingers.kept()
    fingers.enter("#k3")
    page.locator(".strip.refused, .strip .un").first.wait_for()
    fingers.kept()
    fingers.enter("#undo button")
    page.locator(".strip", has_text="戻しました").wait_for()
    fingers.kept()
    for _ in range(page.locator("a, button, summary").count() + 1):  # out at the end: no trap
        fingers.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
    else:
        pytest.fail("the page does not let go")
    assert not fingers.faults, "\n".join(fingers.faults)


@pytest.mark.parametrize("fingers", ["light"], indirect=True)
def test_the_keys_are_two_stops_away(site: Site, fingers: Fingers) -> None:
    """A link that is seen where it is reached leads past everybody's plates."""
    view = site.ledger.open(Header(WIDEST, SEATS), introduced(site.ledger.store))
    site.ledger.declare(view.match, "table deal leader=あかね", 0, "key-000000")
    page = fingers.page
    page.goto(f"{site.url}/t/{view.match}")
    fingers.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    box = page.locator(".skip").bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    fingers.press("Enter")
    fingers.press("Tab")
    expect(page.locator("#play button").first).to_be_focused()
    fingers.press("Enter")
    at(page, 2)
