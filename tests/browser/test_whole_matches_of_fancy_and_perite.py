"""Fancy and ペリテ, tapped to their winner: not one tap more than there are entries.

The other games are tapped in their own files, by scripts that hold the cards.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from introduced import introduced
from playwright.sync_api import Page
from serving import Site, at, entries

from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import played

pytestmark = pytest.mark.browser

SEATS = ("あかね", "源五郎", "みどり子")
GOAL = 1.0  # taps for each recorded play


@pytest.mark.parametrize(("name", "seed"), [("fancy", 1), ("perite", 3)])
def test_a_whole_match_costs_a_tap_an_entry(
    site: Site,
    phone: Callable[..., Page],
    record_property: Callable[[str, object], None],
    name: str,
    seed: int,
) -> None:
    log = played(GAMES[name], SEATS, seed)
    view = site.ledger.open(Header(name, SEATS), introduced(site.ledger.store))
    lines = [view.grammar.print(entry) for entry in log.entries]
    page, taps = phone(f"{site.url}/t/{view.match}", still=True), 0
    while (seen := site.ledger.view(view.match).seq) < len(lines):
        # a key with this line, or with this line and what has to follow: the last cards of a deal
        key = page.locator(f'#play button[value^="{lines[seen]}"]').first
        value = key.get_attribute("value") or ""
        key.click()
        taps += 1
        at(page, seen + len(value.split("\n")))
    assert entries(site, view.match) == lines
    assert site.ledger.view(view.match).outcome == log.game.outcome(log.state)
    record_property("taps", (name, taps, len(lines), GOAL))
    assert taps / len(lines) <= GOAL
