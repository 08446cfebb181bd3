"""Two phones play every game to its end; a third one watches, and all show the same."""

from __future__ import annotations

import pytest
from chosen_games import head, some_seats
from guests import Guest
from introduced import introduced
from playwright.sync_api import Browser, Page, expect
from serving import Site, at, entries, nothing_waits, painted

from referee.games import GAMES
from referee.games.simulation import played

pytestmark = pytest.mark.browser

TAPPED = 24
"""So many entries are tapped, the last of a match; those before are there already."""
# The key of a line, or one in its place where it takes several steps.
TAP = """(line) => {
  const keys = [...document.querySelectorAll("#table button[name=line]")];
  const key = keys.find((key) => key.value === line) ?? Object.assign(
    document.createElement("button"), { name: "line", value: line });
  if (!key.isConnected) document.querySelector("#play").append(key);
  key.click(); }"""


@pytest.mark.parametrize("name", GAMES)
def test_two_phones_play_and_one_watches(live_site: Site, chromium: Browser, name: str) -> None:
    game, seats = GAMES[name], some_seats(name, ("あかね", "源五郎", "シホ"))
    view = live_site.ledger.open(head(name, seats), introduced(live_site.ledger.store))
    match, log = view.match, played(game, seats, 4, most=2000)
    lines = [view.grammar.print(entry) for entry in log.entries]
    before = max(1, len(lines) - TAPPED)
    for seq, line in enumerate(lines[:before]):
        assert live_site.ledger.declare(match, line, seq, f"before-{seq:06}").seq, line
    first, second, watcher = (Guest(live_site, chromium, match) for _ in range(3))
    first.is_now("host", 1)
    second.is_now("seated", 2)
    watcher.is_now("watching")
    said = list[str]()
    for guest in (first, second, watcher):
        hears(guest.page, said)
        guest.looks()
    for seq, line in enumerate(lines[before:], before + 1):
        its = second if line.startswith(f"{seats[1]} ") else first
        at(its.page, seq - 1)
        painted(its.page)  # a tap before that is one on the table that was there until now
        its.page.evaluate(TAP, line)
        at(its.page, seq)
        assert watcher.page.locator("#table button[name=line]").count() == 0
    for guest in (first, second, watcher):
        at(guest.page, len(lines))
        expect(guest.page.locator(".over .result")).to_have_count(1)
        nothing_waits(guest.page)
    assert entries(live_site, match) == lines
    shown = [guest.page.locator(".board, .result") for guest in (first, second, watcher)]
    texts = [each.all_inner_texts() for each in shown]
    assert texts[0] == texts[1] == texts[2]
    assert not said, "\n".join(said)


def hears(page: Page, said: list[str]) -> None:
    """From now on ``said`` gets the errors of ``page``, those of its policy among them."""
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda told: said.append(told.text) if told.type == "error" else None)
