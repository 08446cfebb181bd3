"""axe-core over every page and state: nothing in the way of anybody (WCAG 2.2 A and AA).

A language and a theme are the same on every page, so not every page is read in all four looks: the
table and the check of a game are read in both languages, its other pages in one after the other,
and pages that exist once in both themes.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, Page, expect
from serving import PHONE, Site, begun, played_at, sheets_at, stepped

from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.store import People

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

AXE = Path(__file__).parent / "vendor" / "axe-4.14.1.min.js"
EVERYTHING = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast"]
NAMES = ["label-content-name-mismatch"]
# No rule among those above reads the style sheets, which axe would else fetch a second time.
ONLY_FAULTS = {"resultTypes": ["violations"], "preload": {"assets": ["media"]}}
# What appears in a colour of its own has the one in which it stays before it is looked at.
FIND = """async ([part, options]) => {
  await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  return (await axe.run(part, options)).violations.map((one) =>
    ({ id: one.id, at: one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)) }));
}"""
LOOKS = [("ja", "light"), ("en", "dark"), ("ja", "dark"), ("en", "light")]
SCHEMES: tuple[Literal["dark"], Literal["light"]] = ("dark", "light")
TALL = {"width": PHONE["width"], "height": 2400}  # so tall that nothing is behind a sticky bar
OF_A_TABLE = (
    *("/log", "/score", "/rules", "/join", "/e/1", "/e/4", "/correct/4", "/what-if/4"),
    *("/menu", "/stop", "/sheet"),
)
WHIST = Path(__file__).parents[2] / "referee" / "kit" / "shipped" / "whist.toml"
OF_A_FILE = "magi"  # two bids with one tap, and several copies of a card
STEPS = ".board a.tag, :is(#play a.key[href*='?'], #play [form=pick], #play .acts [name]):not(.off)"
NOTHING_YET = ("/", "/", "/history", "/join")  # before anything was played
A_SAMPLE = ("/", "/new", "/t/unknown", f"/check/{WIDEST}", "/settings", "/decks/open/edit")


class Eyes(NamedTuple):
    """A page, and what axe has found on it so far."""

    page: Page
    url: str
    faults: list[str]

    def look(self, language: str, theme: str) -> None:
        for name, value in (("lang", language), ("theme", theme)):
            self.page.context.add_cookies([{"name": name, "value": value, "url": self.url}])

    def visit(self, path: str, rules: list[str] | None = None) -> None:
        self.page.goto(self.url + path)
        self.read(path, rules)

    def read(self, state: str, rules: list[str] | None = None, part: str = "html") -> None:
        """Run axe on ``part`` of the present page, with all rules or only with ``rules``."""
        self.page.wait_for_load_state()  # a form may have led to this state
        options = {"runOnly": rules or EVERYTHING, **ONLY_FAULTS}
        found: list[dict[str, Any]] = self.page.evaluate(FIND, [part, options])
        self.faults.extend(f"{state}: {one}" for one in found)


@pytest.fixture
def eyes(chromium: Browser, site: Site) -> Eyes:
    context = chromium.new_context(viewport=TALL, bypass_csp=True, service_workers="block")
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    context.add_init_script(path=AXE)
    return Eyes(context.new_page(), site.url, [])


def others(site: Site, circle: str) -> list[str]:
    """Pages that exist once."""
    person = People(site.ledger.store).of(circle)[0].id
    over = played_at(site, circle, WIDEST, 5000)
    finished = ("", "/result", "/score", "/log", "/menu", "/sheet", "/review/1")
    seats = ("/seats", "/seats/1", "/seats/1/from-here?name=A", "/order/1/down")
    found = [f"/t/{over}{page}" for page in (*finished, *seats)]
    own = [
        f"/own-games/{row.key}-{row.hash[:12]}" for row in site.ledger.store.game_files.of(circle)
    ]
    found += ["/desk", "/own-games/begin", "/own-games/rules"]
    found += ["/own-games", "/own-games/format", *own, *(f"{page}/try" for page in own)]
    found += [f"/rules/{WIDEST}/lab", f"/history/year/{datetime.now(UTC).year}"]
    found += ["/circle/phones", "/history/counted", "/history/hidden"]
    found.append(f"/shown/{site.app.extensions['keeper'].sealed(over)}")
    found += ["/", "/check", "/rules", "/rules?q=札", "/words", "/words?q=人", "/words?q=zzz"]
    found += ["/decks", "/decks/new", "/decks/open", "/decks/open/edit", "/decks/open/print"]
    found += ["/settings", "/join", "/offline", "/about", "/help?q=lost", "/trust"]
    found += ["/circle", "/people", f"/people/{person}", "/session/1", "/decisions"]
    found += ["/history", "/history/people", f"/history/person/{person}", "/history/files"]
    return [*found, "/history/evening/1", "/t/unknown", "/nowhere", f"/check/{WIDEST}?wins=A:3"]


def test_no_page_is_in_anybodys_way_before_anything_was_played(site: Site, eyes: Eyes) -> None:
    for path, look in zip(NOTHING_YET, LOOKS, strict=True):
        eyes.look(*look)
        eyes.visit(path)
    assert not eyes.faults, "\n".join(eyes.faults)


@pytest.mark.parametrize("name", GAMES)
def test_no_page_of_a_game_is_in_anybodys_way(site: Site, eyes: Eyes, name: str) -> None:
    circle, i = introduced(site.ledger.store), list(GAMES).index(name)
    match = played_at(site, circle, name, 12)
    for look in LOOKS[i % 2 * 2 :][:2]:
        eyes.look(*look)
        for path in (f"/t/{match}", f"/check/{name}"):
            eyes.visit(path)
    pages = [f"/t/{match}{page}" for page in OF_A_TABLE]
    pages += sheets_at(site, circle, name)
    for j, path in enumerate([*pages, f"/new?game={name}", f"/rules/{name}"]):
        eyes.look(*LOOKS[(i + j) % 4])
        eyes.visit(path)
    assert not eyes.faults, "\n".join(eyes.faults)


@pytest.mark.parametrize("name", ["daifugo", "seven_apart"])
def test_no_table_of_shed_hands_or_open_cards_is_in_anybodys_way(
    site: Site, eyes: Eyes, name: str
) -> None:
    table = f"/t/{begun(site, introduced(site.ledger.store), name, 12)}"
    for look in LOOKS:
        eyes.look(*look)
        eyes.visit(table)
    assert not eyes.faults, "\n".join(eyes.faults)


@pytest.mark.parametrize("name", [*GAMES, OF_A_FILE, "four_fields"])
def test_the_name_of_every_key_holds_what_is_seen_on_it(site: Site, eyes: Eyes, name: str) -> None:
    """Also while table cards can be taken, for another seat, and at the next step of a play."""
    circle, steps = introduced(site.ledger.store), eyes.page.locator(STEPS)
    for i, stop in enumerate((1, 5, 15)):
        table = f"/t/{begun(site, circle, name, stop)}"
        eyes.look(*LOOKS[i % 2])
        eyes.visit(table, NAMES)
        for j in {0, steps.count() // 2, steps.count() - 1} if steps.count() else ():
            eyes.page.goto(site.url + table)
            steps.nth(j).click()
            stepped(eyes.page)
            eyes.read(f"{table}, step {j}", NAMES)
    assert not eyes.faults, "\n".join(eyes.faults)


def test_piles_that_can_be_taken_are_among_what_is_read(site: Site, eyes: Eyes) -> None:
    circle, piles = introduced(site.ledger.store), 0
    for name in GAMES:
        eyes.page.goto(f"{site.url}/t/{begun(site, circle, name, 15)}")
        piles += eyes.page.locator(".board button[name=line] .card + .card").count()
    assert piles


def test_no_reading_page_is_wider_than_the_narrowest_phone(site: Site, eyes: Eyes) -> None:
    """Matches with faults, and their ends, have the widest keys and tables."""
    circle = introduced(site.ledger.store)
    eyes.page.set_viewport_size({"width": 320, "height": TALL["height"]})
    eyes.look("en", "dark")
    for name in GAMES:
        over = f"/t/{played_at(site, circle, name, 5000)}"
        begun = f"/t/{played_at(site, circle, name, 60, seed=7, lies=0.15)}"
        for path in (over, f"{over}/score", f"{begun}/correct/3", f"{begun}/contest/3"):
            eyes.visit(path)
            wide = eyes.page.evaluate("document.documentElement.scrollWidth")
            if wide > 320:
                eyes.faults.append(f"{name} {path}: {wide} px")
    for path in ("/history/people", "/history/person/1"):
        eyes.visit(path)
        assert eyes.page.evaluate("document.documentElement.scrollWidth") == 320, path
    assert not eyes.faults, "\n".join(eyes.faults)


def registers(eyes: Eyes, source: str) -> None:
    """Register ``source`` as a game of the group."""
    eyes.page.goto(f"{eyes.url}/own-games")
    eyes.page.fill("textarea", source)
    eyes.page.locator("[name=do][value=register]").click()


def test_no_page_that_exists_once_is_in_anybodys_way(site: Site, eyes: Eyes) -> None:
    circle = introduced(site.ledger.store)
    for name in GAMES:
        played_at(site, circle, name, 12)  # these pages show it
    registers(eyes, "")
    eyes.read("a file with a fault")
    registers(eyes, WHIST.read_text())
    eyes.read("a game of a file")
    for i, path in enumerate(others(site, circle)):
        eyes.look(("ja", "en")[i % 2], "light")
        eyes.visit(path)
        eyes.page.evaluate("document.documentElement.dataset.theme = 'dark'")
        eyes.read(f"{path}, dark", COLOURS)
    assert not eyes.faults, "\n".join(eyes.faults)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_no_state_is_in_anybodys_way(site: Site, eyes: Eyes, language: str) -> None:
    circle, page = introduced(site.ledger.store), eyes.page
    eyes.look(language, "light" if language == "en" else "dark")
    match = played_at(site, circle, WIDEST, 12)
    table = f"/t/{match}"
    page.goto(f"{site.url}{table}")
    page.locator(".key.off").first.click()
    page.locator(".strip.refused").wait_for()
    eyes.read("a refusal")
    page.locator(".strip.refused a[href*=suspects]").click()
    page.wait_for_url("**/suspects?*")
    eyes.read("who may be wrong")

    # this phone hears of nothing
    page.route("**/live", lambda route: route.fulfill(body="12", headers={"X-Fudami": "1"}))
    page.goto(f"{site.url}{table}")
    seat = site.ledger.view(match).to_act[0]
    site.ledger.declare(match, f"{seat} lay 4", 12, "another-phone")
    page.locator("#k5").click()
    page.locator(".clash .vs").wait_for()
    eyes.read("another phone was faster")
    page.unroute("**/live")

    eyes.visit(f"{table}/menu")
    eyes.visit(f"{table}/stop")
    eyes.visit(f"{table}/correct/4?do=strike")
    eyes.visit(f"{table}/contest/4?seat={seat}")
    eyes.visit(f"{table}/show/{seat}")
    page.goto(f"{site.url}/new?game={WIDEST}&name=A&name=B")
    page.fill("#typed", "A")
    page.locator(".write .chip").click()
    page.get_by_role("alert").filter(has_text="A").wait_for()
    eyes.read("a name twice")
    page.goto(f"{site.url}/decks/open/edit")
    page.locator(".cell input").first.fill("人")
    page.locator(".sheet .foot .btn").first.click()
    page.locator(".cell.wrong").first.wait_for()
    eyes.read("a card twice in a deck")
    assert not eyes.faults, "\n".join(eyes.faults)


@pytest.mark.parametrize("name", GAMES)
def test_no_step_without_network_is_in_anybodys_way(site: Site, eyes: Eyes, name: str) -> None:
    """A play is composed, and what waits is a list."""
    match, i = played_at(site, introduced(site.ledger.store), name, 12), list(GAMES).index(name)
    eyes.look(*LOOKS[i % 4])
    page = eyes.page
    page.goto(f"{site.url}/t/{match}")
    page.wait_for_load_state()
    page.context.set_offline(True)
    step = page.locator("#play a.key[id], #play [form=pick][name=card], #play .acts [name=flag]")
    if step.count():
        step.last.click()
        expect(page.locator("#table")).not_to_have_class("asks")
        eyes.read(f"{name}: a step")
    for _tap in range(3):
        key = page.locator("#play [name=line]:visible, .flag[name=line]").first
        if key.count():
            key.click()
    if page.locator(".unsent-strip summary").count():
        page.locator(".unsent-strip summary").click()
        eyes.read(f"{name}: what waits")
    assert not eyes.faults, "\n".join(eyes.faults)


def test_nobody_waits_at_the_door_in_vain(site: Site, eyes: Eyes, chromium: Browser) -> None:
    match = played_at(site, introduced(site.ledger.store), WIDEST, 12)
    eyes.visit(f"/t/{match}/join")
    invitation = eyes.page.locator(".link input").input_value()
    code = eyes.page.locator(".code").inner_text().replace("\n", "")
    stranger = chromium.new_context(viewport=TALL, bypass_csp=True, service_workers="block")
    stranger.add_init_script(path=AXE)
    outside = Eyes(stranger.new_page(), site.url, eyes.faults)
    outside.visit("/join")
    outside.page.fill("#code", code)
    outside.page.click("main button.go")
    outside.page.locator(".sign").wait_for()
    outside.read("waiting at the door")
    eyes.visit(f"/t/{match}")
    expect(eyes.page.locator("#door form")).to_have_count(1)
    link = eyes.url + urlsplit(invitation).path
    for look in LOOKS[:2]:
        messenger = chromium.new_context(
            viewport=TALL, bypass_csp=True, user_agent="line-poker/1.0"
        )
        messenger.add_init_script(path=AXE)
        sent = Eyes(messenger.new_page(), site.url, eyes.faults)
        sent.look(*look)
        sent.page.goto(link)
        sent.page.locator("main a.go[href='?in=1']").wait_for()
        sent.read("what a messenger sees of an invitation")
    assert not eyes.faults, "\n".join(eyes.faults)


def forced(page: Page, scheme: Literal["dark", "light"]) -> None:
    page.emulate_media(forced_colors="active", color_scheme=scheme)


def test_forced_colours_leave_nothing_unreadable(site: Site, eyes: Eyes) -> None:
    """Also where this phone wishes the opposite of what its system forces."""
    circle = introduced(site.ledger.store)
    tables = [f"/t/{played_at(site, circle, name, 12)}" for name in GAMES]
    over = f"/t/{played_at(site, circle, WIDEST, 5000)}"
    for i, path in enumerate([*A_SAMPLE, *tables, over, f"{over}/result", f"{over}/score"]):
        eyes.look("ja", ("light", "dark")[i % 2])
        forced(eyes.page, SCHEMES[i % 2])
        eyes.visit(path, COLOURS)
    for name in GAMES:
        eyes.page.goto(f"{site.url}/t/{played_at(site, circle, name, 5000)}/score")
        for scheme in SCHEMES:
            forced(eyes.page, scheme)
            eyes.read(f"the score of {name}, {scheme}", COLOURS)
    assert not eyes.faults, "\n".join(eyes.faults)
