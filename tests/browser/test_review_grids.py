"""Who could hold what is seen on the page of a finished deal, beside every game's own style."""

from __future__ import annotations

import pytest
from chosen_games import having
from introduced import TOKEN, introduced
from playwright.sync_api import Browser
from serving import PHONE, Site, played_at

pytestmark = pytest.mark.browser

# Rows of the grid that nobody can see or that lie under something else.
HIDDEN = """(grid) => [...grid.rows].filter((row) => {
  row.scrollIntoView({ block: "center" });
  const box = row.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + 9, box.y + box.height / 2);
  return box.height < 12 || !row.contains(top);
}).map((row) => row.textContent)"""


def test_the_grid_of_a_review_is_to_be_seen_in_every_game(chromium: Browser, site: Site) -> None:
    context = chromium.new_context(viewport=PHONE, service_workers="block")
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page, circle = context.new_page(), introduced(site.desk.store)
    games = having("knowledge")
    assert games
    for name in games:
        match = played_at(site, circle, name, 5000)
        steps = [step.seq for step in site.desk.view(match).log.steps() if step.state.deal == 1]
        page.goto(f"{site.url}/t/{match}/review/1?entry={steps[len(steps) // 2]}")
        grid = page.locator(".who-held")
        assert grid.locator("tbody tr").count(), name
        assert grid.evaluate(HIDDEN) == [], name
