"""Between deals the points of every seat are in sight as a whole, also on a phone on its side."""

from __future__ import annotations

import pytest
from chosen_games import head
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, ViewportSize
from serving import Site, fill

from referee.games import GAMES
from referee.games.simulation import played

pytestmark = pytest.mark.browser

NAMES = ("あかね", "北大路ロマネスク三世閣下", "シホ", "源五郎", "みどり子", "ほしの")
SIZES: list[ViewportSize] = [
    {"width": 360, "height": 740},
    {"width": 844, "height": 390},
    {"width": 568, "height": 320},
]
HIDDEN = """() => {
  const pad = document.querySelector(".pad").getBoundingClientRect();
  const sums = document.querySelector(".sums")?.getBoundingClientRect() ?? pad;
  return [...document.querySelectorAll(".pad .sums > li, .deal-steps > li, .btn.next, .by-sheet")]
    .filter((part) => {
      const at = part.getBoundingClientRect(), within = part.closest(".sums") ? sums : pad;
      return at.top < within.top - 1 || at.bottom > within.bottom + 1;
    }).map((part) => part.outerHTML.slice(0, 90));
}"""


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", ["ja", "en"])
def test_all_points_are_seen_between_deals(
    chromium: Browser, site: Site, name: str, language: str
) -> None:
    game, circle = GAMES[name], introduced(site.ledger.store)
    context = chromium.new_context(locale=language, service_workers="block")
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page = context.new_page()
    for count in {game.SEATS[0], min(3, game.SEATS[-1]), min(6, game.SEATS[-1])} - {1}:
        seats = NAMES[:count]
        log = played(game, seats, 3, most=400)
        ends = [
            i
            for i, moment in enumerate(log.moments)
            if i > count and moment.step and not game.to_act(moment.step.state)
        ]
        if not ends:  # a match is one deal
            continue
        view = site.ledger.open(head(name, seats), circle)
        fill(site, view.match, played(game, seats, 3, most=ends[0]))
        page.goto(f"{site.url}/t/{view.match}")
        for size in SIZES:
            page.set_viewport_size(size)
            assert page.evaluate(HIDDEN) == [], (count, size)
