"""Every seat taken, by people with twelve-letter names: the smallest common phone holds it all."""

from __future__ import annotations

from typing import Any

import pytest
from examples import each
from playwright.sync_api import Browser
from serving import Site

from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import played

pytestmark = pytest.mark.browser

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
    match = site.desk.open(Header(game, names)).match
    log = played(GAMES[game], names, seed=5)
    for stop in full["stops"]:
        for entry in log.entries[site.desk.view(match).seq : stop]:
            view = site.desk.view(match)
            line = view.grammar.print(entry)
            site.desk.declare(match, line, view.seq, f"entry-{view.seq:06}")
        page.goto(f"{site.url}/t/{match}")
        assert page.evaluate(MISFITS) == [], stop
