"""A trick of Fancy that is over: the points of every card are seen alike, on phones of any kind."""

from __future__ import annotations

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, ViewportSize
from serving import Site, fill

from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import played

pytestmark = pytest.mark.browser

NAMES = ("あかね", "北大路ロマネスク三世閣下", "シホ", "源五郎", "みどり子", "ほしの")
SIZES: list[ViewportSize] = [
    {"width": 390, "height": 844},
    {"width": 360, "height": 740},
    {"width": 320, "height": 568},
    {"width": 844, "height": 390},
    {"width": 568, "height": 320},
]
# What is not in sight as a whole, or covered by another of its kind; and looks of unequal cards.
HIDDEN = """() => {
  const parts = [...document.querySelectorAll(".ring .tag, .ring .card, .ring .cap.gain")];
  const box = (part) => part.getBoundingClientRect();
  const board = box(document.querySelector(".board"));
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
    a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const hidden = parts.filter((part) => {
    const at = box(part);
    return !at.height || at.top < board.top || at.bottom > board.bottom ||
      at.left < board.left || at.right > board.right ||
      parts.some((other) => other !== part && over(at, box(other)));
  }).map((part) => part.outerHTML.slice(0, 90));
  const looks = [...document.querySelectorAll(".ring .card:not(.rest)")].map(getComputedStyle);
  const said = (style) => style.opacity + style.boxShadow + style.outlineStyle;
  const unlike = new Set(looks.map(said));
  return unlike.size > 1 ? [...hidden, ...unlike] : hidden;
}"""


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_the_points_of_every_card_are_seen_alike(chromium: Browser, site: Site, count: int) -> None:
    seats, game = NAMES[:count], GAMES["fancy"]
    log = played(game, seats, 3, most=3 * count + 1)  # the deal and three tricks
    view = site.ledger.open(Header("fancy", seats), introduced(site.ledger.store))
    fill(site, view.match, log)
    context = chromium.new_context(locale="ja-JP", service_workers="block")
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page = context.new_page()
    page.goto(f"{site.url}/t/{view.match}")
    for size in SIZES:
        page.set_viewport_size(size)
        assert page.locator(".cap.gain").count() == count
        assert page.evaluate(HIDDEN) == [], size
