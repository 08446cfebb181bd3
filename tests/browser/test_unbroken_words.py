"""Words, numbers and sums stay on one line, as far as a line can hold them, and so do headers."""

from __future__ import annotations

import pytest
from chosen_games import head
from introduced import TOKEN, introduced
from kit_deals import GAMES as OF_FILES
from kit_deals import game_of, recorded_deal
from playwright.sync_api import Browser, Page
from serving import Site, begun, fill, played_at

from referee.games import GAMES
from referee.games.simulation import played

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

STOPS = (1, 7, 16, 33)
SIZES = ((320, 568), (390, 844))
# Latin words, numbers, sums and, on English pages, the names of players.
BROKEN = """(names) => {
  const found = new Set(), sum = "[\\\\w♠♥♦♣]+(?: [+−×÷=] [\\\\w♠♥♦♣]+)+[点.]?";
  const words = new RegExp([...names, sum, "[\\\\w']{2,}"].join("|"), "g");
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, around = text.parentElement;
    if (!around.checkVisibility({ visibilityProperty: true })) continue;
    if (around.closest(".vh, code")) continue;
    if (getComputedStyle(around).writingMode !== "horizontal-tb") continue;
    for (const word of text.data.matchAll(words)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = [...range.getClientRects()].filter((line) => line.width);
      if (lines.some((line) => line.top > (lines[0].top + lines[0].bottom) / 2))
        found.add(`${word[0]} in ${around.className || around.localName}`);
    }
  }
  return [...found];
}"""
# Marks that reach over the edge of their key.
OVER = """() => [...document.querySelectorAll(".picks .key > small:not(.vh)")].filter((mark) => {
  const at = mark.getBoundingClientRect(), key = mark.parentElement.getBoundingClientRect();
  return at.left < key.left || at.right > key.right || at.bottom > key.bottom;
}).map((mark) => `${mark.textContent} is wider than its key`)"""
TOP = "(at) => at.getBoundingClientRect().height > 1.5 * at.querySelector('.lamp').clientHeight"


@pytest.fixture
def page(chromium: Browser, site: Site, language: str) -> Page:
    context = chromium.new_context(locale=language)
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    return context.new_page()


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("name", GAMES)
def test_nothing_breaks_inside(site: Site, page: Page, name: str, language: str) -> None:
    circle, broken = introduced(site.ledger.store), []
    names = ["あかね", "シホ"] if language == "en" else []
    for stop in STOPS:
        match = played_at(site, circle, name, stop)
        paths = [""]
        if stop > 1:
            last = site.ledger.view(match).seq
            paths += [f"/e/{last}", f"/e/{last - 4}", f"/correct/{last}?do=strike", "/score"]
        for path in paths:
            page.goto(f"{site.url}/t/{match}{path}")
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                found = page.evaluate(BROKEN, names) + page.evaluate(OVER)
                broken += [f"{stop}{path} at {width}: {one}" for one in found]
                if page.evaluate("document.documentElement.scrollWidth") > width:
                    broken.append(f"{stop}{path} at {width}: the page is wider")
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("key", [*OF_FILES, "nine_tricks", "solo_whist"])
def test_nothing_breaks_inside_in_a_game_of_a_file(
    site: Site, page: Page, key: str, language: str
) -> None:
    """At the bids, and in the tricks that follow."""
    broken = []
    seats = min(4, game_of(key).SEATS[-1])
    _log, lines, view, _leader = recorded_deal(
        site.ledger, key, seats, 1, introduced(site.ledger.store)
    )
    for seen, line in enumerate(lines[:17]):
        assert site.ledger.declare(view.match, line, seen, f"key {seen}").seq
        if seen in (0, 2, 16):
            page.goto(f"{site.url}/t/{view.match}")
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                found = page.evaluate(BROKEN, [])
                broken += [f"{seen} at {width}: {one}" for one in found]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_first_line_of_a_table_is_one(site: Site, page: Page, language: str) -> None:
    """Name of the game, round and lamp; it costs a row of keys otherwise."""
    circle, broken = introduced(site.ledger.store), []
    for name in GAMES:
        page.goto(f"{site.url}/t/{played_at(site, circle, name, 12)}")
        page.locator("button.lamp:not(.net)").wait_for()  # the script knows whether it can shine
        for width in (360, 390):
            page.set_viewport_size({"width": width, "height": 740})
            if page.locator(".who .at").evaluate(TOP):
                broken.append(f"{name} at {width}")
    assert not broken, "\n".join(broken)


LONG = (
    ("北大路ロマネスク三世閣下", "アレクサンドラマリア", "勘解由小路さくら子姫"),
    ("Wolfeschlegelstein", "Bartholomew-James", "Maximilienne"),
)
# Names that leave one or two letters alone on a line, or that break where a line could hold them.
TORN = """(names) => {
  const found = new Set(), words = new RegExp(names.join("|"), "g"), range = document.createRange();
  const place = ([text, i]) => {
    range.setStart(text, i);
    range.setEnd(text, i + 1);
    return [...range.getClientRects()].at(-1);
  };
  const runs = [];  // letters of texts that only <wbr> is between
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, around = text.parentElement;
    if (!around.checkVisibility({ visibilityProperty: true }) || around.closest(".vh, svg, option"))
      continue;
    if (getComputedStyle(around).writingMode !== "horizontal-tb") continue;
    if (text.previousSibling?.localName !== "wbr") runs.push([]);
    for (let i = 0; i < text.length; i++) runs.at(-1).push([text, i]);
  }
  for (const run of runs) {
    const said = run.map(([text, i]) => text.data[i]).join(""), around = run[0]?.[0].parentElement;
    for (const { 0: name, index } of said.matchAll(words)) {
      const letters = run.slice(index, index + name.length).map(place).filter((at) => at?.width);
      const lines = Object.values(Object.groupBy(letters, (letter) => Math.round(letter.top / 4)));
      if (lines.length < 2) continue;
      let block = around;
      while (/^inline(-block)?$/.test(getComputedStyle(block).display)) block = block.parentElement;
      const { width, paddingLeft, paddingRight } = getComputedStyle(block);
      const room = parseFloat(width) - parseFloat(paddingLeft) - parseFloat(paddingRight);
      const needs = lines.flat().reduce((sum, letter) => sum + letter.width, 0);
      const alone = lines.some((line) => line.length < 3);
      if (alone || needs < room - 1)
        found.add(`${name} on ${lines.length} lines of ${room}: ${block.outerHTML.slice(0, 90)}`);
    }
  }
  return [...found];
}"""


@pytest.mark.parametrize(
    ("language", "names"),
    [
        pytest.param("ja", LONG[0], id="ja-kanji"),
        pytest.param("en", LONG[1], id="en-latin"),
        pytest.param("ja", LONG[1], id="ja-latin", marks=pytest.mark.rare),
        pytest.param("en", LONG[0], id="en-kanji", marks=pytest.mark.rare),
    ],
)
def test_names_break_only_where_no_line_holds_them(
    site: Site, page: Page, language: str, names: tuple[str, ...]
) -> None:
    circle, torn = introduced(site.ledger.store), []
    paths = ["/", "/history", "/history/people", "/history/person/1", "/people", "/people/1"]
    paths += ["/history/evening/1", "/session/1", f"/new?game={next(iter(GAMES))}"]
    for game, each in GAMES.items():
        seats = names[: min(3, each.SEATS[-1])]
        for most in (15, 5000):
            match = site.ledger.open(head(game, seats), circle).match
            fill(site, match, played(each, seats, 3, 0.1, most=most))
            seq = site.ledger.view(match).seq
            at = max(1, seq - 4)
            line = f"{seats[0]} contest {at}"
            if site.ledger.declare(match, line, seq, "contest-0001").seq:
                paths.append(f"/t/{match}/e/{seq + 1}")
            pages = ("", f"/e/{at}", f"/correct/{at}?do=strike", "/score", "/log", "/result")
            paths += [f"/t/{match}{path}" for path in pages]
    for path in paths:
        page.goto(site.url + path)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            torn += [f"{path} at {width}: {one}" for one in page.evaluate(TORN, names)]
    assert not torn, "\n".join(torn)


SHORT = ("Alice", "Gengoro", "Midoriko", "Hoshino", "みどり子", "源五郎", "Benedict", "Thomas")
LOW_OR_NARROW = ((320, 568), (360, 640), (390, 844), (568, 320), (667, 375), (844, 390))
# Names and words on plates that stand on two lines.
TORN = """(words) => {
  const found = new Set();
  for (const plate of document.querySelectorAll(".board .tag")) {
    const texts = document.createTreeWalker(plate, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (!text.parentElement.checkVisibility({ visibilityProperty: true })) continue;
      for (const word of text.data.matchAll(new RegExp(words, "g"))) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const lines = [...range.getClientRects()].filter((line) => line.width);
        if (lines.some((line) => line.top > (lines[0].top + lines[0].bottom) / 2))
          found.add(word[0]);
      }
    }
  }
  return [...found];
}"""


@pytest.mark.parametrize(
    ("language", "game"),
    [
        pytest.param(language, game, marks=[pytest.mark.rare] if i % 2 == first else [])
        for first, language in enumerate(("ja", "en"))  # each game in one of them usually
        for i, game in enumerate([*GAMES, "hearts", "magi"])
    ],
)
def test_plates_of_low_phones_tear_no_short_name(
    site: Site, page: Page, game: str, language: str
) -> None:
    torn, circle = [], introduced(site.ledger.store)
    for seats in GAMES[game].SEATS if game in GAMES else (4,):
        if seats > len(SHORT):
            continue
        for stop in (4, 14, 33):
            if game not in GAMES:
                match = begun(site, circle, game, stop, SHORT[:seats])
            else:
                match = site.ledger.open(head(game, SHORT[:seats]), circle).match
                fill(site, match, played(GAMES[game], SHORT[:seats], seed=3, most=stop))
            page.goto(f"{site.url}/t/{match}")
            for width, height in LOW_OR_NARROW:
                page.set_viewport_size({"width": width, "height": height})
                found = page.evaluate(TORN, "|".join((*SHORT, "スタート")))
                torn += [f"{seats} seats, {stop} at {width} × {height}: {one}" for one in found]
    assert not torn, "\n".join(torn)
