"""Every seat taken, by people with twelve-letter names: the smallest common phone holds it all."""

from __future__ import annotations

from typing import Any

import pytest
from chosen_games import head
from examples import each
from introduced import TOKEN, introduced
from playwright.sync_api import Browser
from serving import Site, begun, fill

from referee.games import GAMES, ON_CARDS
from referee.games.simulation import played

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

NAMES = (
    "アレクサンドラ・マリア一",
    "いろはにほへとちりぬるを",
    "さくらがおかひがしまちこ",
    "北大路魯山人之助左衛門尉",
    "ほしのゆうきたろうまるこ",
    "源五郎兵衛太夫景清入道様",
)

# What scrolls, sticks out of its band or is cut off in its plate.
MISFITS = """() => {
  const found = [], page = document.documentElement;
  if (page.scrollWidth > innerWidth || page.scrollHeight > innerHeight) found.push("page scrolls");
  for (const band of document.querySelectorAll(".who, .board, .pad")) {
    const box = band.getBoundingClientRect();
    for (const part of band.querySelectorAll(".tag, .card, .key, .ranking, .strip, h1")) {
      const at = part.getBoundingClientRect();
      if (at.width && (at.right > box.right + 1 || at.left < box.left - 1 ||
          at.bottom > box.bottom + 1 || at.top < box.top - 1))
        found.push(`${part.className || part.tagName} leaves ${band.className}`);
    }
  }
  for (const plate of document.querySelectorAll(".tag")) {
    const box = plate.getBoundingClientRect();
    for (const part of plate.querySelectorAll(".nm, small")) {
      const at = part.getBoundingClientRect();
      if (at.top < box.top - 1 || at.bottom > box.bottom + 1 || at.width > box.width + 1)
        found.push(`${part.textContent} leaves its plate`);
    }
    const name = plate.querySelector(".nm");
    const lines = name.clientHeight / parseFloat(getComputedStyle(name).lineHeight);
    if (Math.abs(lines - Math.round(lines)) > 0.2) found.push(`${name.textContent} is cut`);
  }
  for (const part of document.querySelectorAll(".ranking, .board, .pad"))
    if (part.scrollHeight > part.clientHeight + 1) found.push(`${part.className} scrolls`);
  return found;
}"""


@pytest.mark.parametrize(("game", "full"), each("full_table"))
@pytest.mark.parametrize("language", ["ja", "en"])
def test_all_seats_with_long_names(
    chromium: Browser, site: Site, game: str, full: dict[str, Any], language: str
) -> None:
    phone = chromium.new_context(viewport={"width": 360, "height": 740}, locale=language)
    page = phone.new_page()
    names = NAMES[: full["seats"]]
    match = site.ledger.open(head(game, names)).match
    log = played(GAMES[game], names, seed=5)
    for stop in full["stops"]:
        for entry in log.entries[site.ledger.view(match).seq : stop]:
            view = site.ledger.view(match)
            line = view.grammar.print(entry)
            site.ledger.declare(match, line, view.seq, f"entry-{view.seq:06}")
        page.goto(f"{site.url}/t/{match}")
        assert page.evaluate(MISFITS) == [], stop


# Plates and cards that the band of keys or the next seat hides.
HIDDEN = """() => {
  const found = [], board = document.querySelector(".board").getBoundingClientRect();
  const seen = (part) => part.checkVisibility({ visibilityProperty: true }) && part.clientHeight;
  for (const part of [...document.querySelectorAll(".board :is(.tag, .card)")].filter(seen)) {
    const at = part.getBoundingClientRect();
    if (at.bottom > board.bottom + .25) found.push(`${part.textContent} ends at ${at.bottom}`);
  }
  const seats = [...document.querySelectorAll(".board .tag")].map((tag) =>
    [tag, ...tag.parentElement.querySelectorAll(".pc")].filter(seen));
  for (const [i, seat] of seats.entries()) for (const other of seats.slice(i + 1))
    for (const one of seat) for (const two of other) {
      const a = one.getBoundingClientRect(), b = two.getBoundingClientRect();
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        found.push(`${one.textContent} and ${two.textContent} overlap`);
    }
  return found;
}"""
LOW = ((320, 568), (568, 320), (360, 740))  # on the last one a play is refused


@pytest.mark.parametrize(("game", "full"), each("full_table"))
def test_low_phones_hide_no_plate_and_no_card(
    chromium: Browser, site: Site, game: str, full: dict[str, Any]
) -> None:
    """While a play is refused, too, where the phone is not the lowest."""
    hidden = []
    page = chromium.new_context().new_page()
    for seats in sorted({3, full["seats"]} & {*GAMES[game].SEATS}):
        names = ("あかね", NAMES[1], "シホ", "ほしの", "六郎", "みどり子")[:seats]
        for stop in (1, 6, 14, 24):
            match = site.ledger.open(head(game, names)).match
            log = played(GAMES[game], names, seed=3, most=stop)
            fill(site, match, log)
            page.goto(f"{site.url}/t/{match}")
            if not page.locator("#table.in-trick").count():
                continue
            for width, height in LOW:
                page.set_viewport_size({"width": width, "height": height})
                if height > 700 and page.locator("#play .key.off").count():
                    page.locator("#play .key.off").first.click()
                    page.locator(".strip.refused").wait_for()
                where = f"{seats} at {width} × {height}, {stop}"
                hidden += [f"{where}: {one}" for one in page.evaluate(HIDDEN)]
    assert not hidden, "\n".join(hidden)


# Names on plates that end with an ellipsis.
SHORTENED = """() => [
  ...document.querySelectorAll(".board :is(.tag .nm, .side .one)")
].filter((name) =>
  name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 2
).map((name) => `${name.textContent} needs ${name.scrollWidth} × ${name.scrollHeight}`)"""


@pytest.mark.parametrize("game", [*ON_CARDS, "hearts", "magi"])
def test_low_phones_show_whole_names(chromium: Browser, site: Site, game: str) -> None:
    """With up to five seats; a name that no line holds has two."""
    shortened, plates, circle = [], 0, introduced(site.ledger.store)
    page = chromium.new_context().new_page()
    page.context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    for most in (3, 5):
        for stop in (1, 14):
            if game in GAMES:
                seats = NAMES[: max(n for n in GAMES[game].SEATS if n <= most)]
                match = site.ledger.open(head(game, seats)).match
                fill(site, match, played(GAMES[game], seats, seed=3, most=stop))
            else:
                match = begun(site, circle, game, stop, NAMES[: max(most, 4)])
            page.goto(f"{site.url}/t/{match}")
            plates += page.locator(".board :is(.tag .nm, .side .one)").count()
            for width, height in ((320, 568), (360, 640), (390, 667)):
                page.set_viewport_size({"width": width, "height": height})
                where = f"{len(NAMES[:most])} at {width} × {height}, {stop}"
                shortened += [f"{where}: {one}" for one in page.evaluate(SHORTENED)]
    assert plates
    assert not shortened, "\n".join(shortened)


# What no line should hold alone, points on two lines, and score piles that the band cuts.
LINES = """() => {
  const found = [], board = document.querySelector(".board").getBoundingClientRect();
  const lines = (part) => [...part.getClientRects()].filter((line) => line.width);
  for (const said of document.querySelectorAll(".who h1 .nm + small")) {
    const name = lines(said.previousElementSibling).at(-1), [at] = lines(said);
    if (at.top > name.bottom) found.push(`${said.textContent} stands alone`);
  }
  for (const points of document.querySelectorAll(".board .pts b")) {
    const range = document.createRange();
    range.selectNodeContents(points);
    if (lines(range).length > 1) found.push(`${points.textContent} has two lines`);
  }
  for (const row of document.querySelectorAll(".board .piles tr")) {
    const { bottom } = row.getBoundingClientRect();
    if (bottom > board.bottom + 1) found.push(`${row.textContent} is ${bottom - board.bottom} low`);
  }
  return found;
}"""


@pytest.mark.parametrize("game", [*GAMES, "magi"])
@pytest.mark.parametrize("language", ["ja", "en"])
def test_low_phones_tear_no_turn_no_points_and_no_piles(
    chromium: Browser, site: Site, game: str, language: str
) -> None:
    torn, circle = [], introduced(site.ledger.store)
    page = chromium.new_context(locale=language).new_page()
    page.context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    for stop in (5, 14, 60):
        if game in GAMES:
            seats = NAMES[: max(n for n in GAMES[game].SEATS if n <= len(NAMES))]
            match = site.ledger.open(head(game, seats)).match
            fill(site, match, played(GAMES[game], seats, seed=3, most=stop))
        else:
            match = begun(site, circle, game, stop, NAMES[:4])
        page.goto(f"{site.url}/t/{match}")
        for width, height in ((320, 568), (320, 640), (360, 640), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            where = f"{stop} at {width} × {height}"
            torn += [f"{where}: {one}" for one in page.evaluate(LINES)]
    assert not torn, "\n".join(torn)


# On which side of each other plates lie, as left to right and top to bottom; pixels are no side.
SIDES = """() => {
  const side = (one, other) => Math.abs(one - other) < 12 ? 0 : Math.sign(one - other);
  const plates = [...document.querySelectorAll(".board :is(.tag, .side)")].map((tag) =>
    [tag.querySelector(".nm, .one").textContent.trim(), tag.getBoundingClientRect()]);
  return plates.flatMap(([one, a]) => plates.map(([other, b]) =>
    [`${one} ${other}`, [side(a.left, b.left), side(a.top, b.top)].join(" ")]));
}"""


@pytest.mark.parametrize("game", ON_CARDS)
def test_no_plate_changes_its_place_during_a_match(
    chromium: Browser, site: Site, game: str
) -> None:
    """In games that draw a player's own cards large, that player has no plate meanwhile."""
    page = chromium.new_context().new_page()
    allowed = [seats for seats in GAMES[game].SEATS if seats <= len(NAMES)]
    for seats in {allowed[0], allowed[-1]}:
        match = site.ledger.open(head(game, NAMES[:seats])).match
        log = played(GAMES[game], NAMES[:seats], seed=3)
        places: dict[tuple[int, str], str] = {}
        for stop in range(2, min(len(log), 64), 7):
            for entry in log.entries[site.ledger.view(match).seq : stop]:
                view = site.ledger.view(match)
                line = view.grammar.print(entry)
                site.ledger.declare(match, line, view.seq, f"entry-{view.seq:06}")
            page.goto(f"{site.url}/t/{match}")
            if not page.locator("#table.in-trick").count():
                continue
            for width, height in ((390, 844), (844, 390)):
                page.set_viewport_size({"width": width, "height": height})
                for plates, lie in page.evaluate(SIDES):
                    assert places.setdefault((width, plates), lie) == lie, (seats, stop, plates)
        assert places


# What of a refusal is cut, covered, or lies on something else; and links that are too small to hit.
CUT = """() => {
  const found = [], band = document.querySelector(".pad").getBoundingClientRect();
  const parts = [...document.querySelectorAll(".strip.refused :is(p, a, button, .note)")]
    .filter((part) => part.checkVisibility() && part.clientHeight)
    .map((part) => [part, part.getBoundingClientRect()]);
  for (const [part, at] of parts) {
    const said = part.textContent.trim();
    if (at.left < 0 || at.right > innerWidth + 1 ||
        at.top < band.top - 1 || at.bottom > innerHeight)
      found.push(`${said} leaves its band`);
    if (part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== "inline")
      found.push(`${said} is cut`);
    if (part.matches("p") && part.scrollHeight > part.clientHeight + 1)
      found.push(`${said} is cut below`);
    if (part.matches("a, button")) {
      const above = document.elementFromPoint((at.left + at.right) / 2, (at.top + at.bottom) / 2);
      if (!part.contains(above)) found.push(`${said} is covered`);
      if (at.height < 43.5) found.push(`${said} is ${at.height} high`);
    }
    for (const [other, box] of parts)
      if (other !== part && !other.contains(part) && !part.contains(other) &&
          Math.min(at.right, box.right) - Math.max(at.left, box.left) > 1 &&
          Math.min(at.bottom, box.bottom) - Math.max(at.top, box.top) > 1)
        found.push(`${said} lies on ${other.textContent.trim()}`);
  }
  return found;
}"""
SIZES = ((320, 568), (360, 740), (390, 844), (844, 390))


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize(("game", "full"), each("full_table"))
def test_a_refusal_and_its_links_fit(
    chromium: Browser, site: Site, game: str, full: dict[str, Any], language: str
) -> None:
    page, cut = chromium.new_context(locale=language).new_page(), []
    names = NAMES[: full["seats"]]
    for stop in (6, 14, 24):
        match = site.ledger.open(head(game, names)).match
        fill(site, match, played(GAMES[game], names, seed=3, most=stop))
        page.goto(f"{site.url}/t/{match}")
        illegal = page.locator("#play button.off[name=line]")
        for i in {0, illegal.count() - 1} if illegal.count() else ():
            illegal.nth(i).click()
            page.locator(".strip.refused").wait_for()
            assert page.locator("html").get_attribute("lang") == language
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                assert page.locator(".strip.refused").is_visible()
                where = f"{stop} at {width} × {height}, {i}"
                cut += [f"{where}: {one}" for one in page.evaluate(CUT)]
            page.goto(f"{site.url}/t/{match}")
    assert not cut, "\n".join(cut)
