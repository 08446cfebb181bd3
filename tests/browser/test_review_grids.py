"""Who could hold what is seen on the page of a finished deal, beside every game's own style."""

from __future__ import annotations

from itertools import product

import pytest
from chosen_games import having, head
from introduced import TOKEN, introduced
from playwright.sync_api import Browser
from serving import PHONE, Site, fill, played_at

from referee.games import GAMES
from referee.games.simulation import played
from referee.insight import review

pytestmark = pytest.mark.browser

NARROW = {"width": 320, "height": 568}
# Rows of the grid that nobody can see or that lie under something else.
HIDDEN = """(grid) => [...grid.rows].filter((row) => {
  const card = row.cells[0];
  card.scrollIntoView({ block: "center" });
  const box = card.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + 9, box.y + box.height / 2);
  return box.height < 12 || !row.contains(top);
}).map((row) => row.textContent)"""
# Texts that reach beyond their cell, over the next one.
SPILT = """(grid) => [...grid.querySelectorAll("th, td")].filter((cell) => {
  const text = document.createRange();
  text.selectNodeContents(cell);
  const said = text.getBoundingClientRect(), box = cell.getBoundingClientRect();
  return said.left < box.left - 1 || said.right > box.right + 1;
}).map((cell) => cell.textContent)"""
# Whether the last column can be moved into sight, and the cards are beside it then.
SCROLLED = """(grid) => {
  const around = grid.parentElement, row = grid.tBodies[0].rows[0];
  around.scrollLeft = around.scrollWidth;
  const card = row.cells[0].getBoundingClientRect(), last = row.lastElementChild;
  const seen = last.getBoundingClientRect();
  return card.left >= 0 && seen.left >= card.right - 1 && seen.right <= innerWidth;
}"""
SIX = ("あかね", "北大路ロマネスク三世閣下", "シホ", "ほしの", "六郎", "源五郎")


def test_the_grid_of_a_review_is_to_be_seen_in_every_game(chromium: Browser, site: Site) -> None:
    context = chromium.new_context(viewport=PHONE, service_workers="block")
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page, circle = context.new_page(), introduced(site.ledger.store)
    games = having("knowledge")
    assert games
    for name in games:
        match = played_at(site, circle, name, 5000)
        steps = [step.seq for step in site.ledger.view(match).log.steps() if step.state.deal == 1]
        page.goto(f"{site.url}/t/{match}/review/1?entry={steps[len(steps) // 2]}")
        grid = page.locator(".who-held")
        assert grid.locator("tbody tr").count(), name
        assert grid.evaluate(HIDDEN) == [], name


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_odds_of_many_places_are_to_be_read(chromium: Browser, site: Site, lang: str) -> None:
    """On a narrow phone, too: no number lies over another one, and the table can be moved."""
    context = chromium.new_context(viewport=NARROW, locale=lang, service_workers="block")
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page, circle = context.new_page(), introduced(site.ledger.store)
    for name in having("knowledge"):
        seats = SIX[: min(len(SIX), GAMES[name].SEATS[-1])]
        match = site.ledger.open(head(name, seats), circle).match
        fill(site, match, played(GAMES[name], seats, 3, most=5000))
        steps = [step.seq for step in site.ledger.view(match).log.steps() if step.state.deal == 1]
        for query in ("", "&whole=1"):
            entry = steps[len(steps) // 2]
            page.goto(f"{site.url}/t/{match}/review/1?entry={entry}{query}")
            grid = page.locator(".who-held")
            assert grid.evaluate(SPILT) == [], (name, query)
            assert grid.evaluate(SCROLLED), (name, query)
            assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_proof_and_the_odds_up_to_it_fit_a_narrow_phone(
    chromium: Browser, site: Site, lang: str
) -> None:
    context = chromium.new_context(viewport=NARROW, locale=lang, service_workers="block")
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page, circle = context.new_page(), introduced(site.ledger.store)
    looked = set[str]()
    for name, seed in product(having("knowledge"), range(1, 4)):
        match = played_at(site, circle, name, 400, seed, lies=0.25)
        view = site.ledger.view(match)
        for deal in review.finished(view.log):
            revokes = review.review(view.log, deal, view.seq).revokes
            for revoke in [each for each in revokes if len(each.doubt) > 1][:1]:
                entry = revoke.finding.at
                page.goto(f"{site.url}/t/{match}/review/{deal}?entry={entry}&whole=1")
                table = page.locator(".by-entry").first
                if not table.is_visible():
                    page.get_by_text("記録ごとの確率" if lang == "ja" else "entry by entry").click()
                assert table.evaluate(SPILT) == [], (name, seed)
                assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
                looked.add(name)
    assert len(looked) > 1
