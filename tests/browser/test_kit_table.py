"""Games of files on a phone: recorded deals, tapped again; not one tap more than allowed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from introduced import introduced
from playwright.sync_api import Page
from serving import Site, at, entries, there

from referee import shipped
from referee.core.log import Log
from referee.core.record import Header
from referee.games.kit.player import entries as chosen
from referee.games.kit.plays import Lay
from referee.games.simulation import table

pytestmark = pytest.mark.browser

SEATS = ("あかね", "源五郎", "みどり子", "ほしの")
GAMES = {game.KEY: game for game in shipped.games().values()}
A_CARD, ALL = 1.0, 1.25  # taps for each card; with bids, deals and what is turned up
SMALL = """() => [...document.querySelectorAll("#play button")]
  .map((key) => key.getBoundingClientRect()).filter((box) => box.width && box.height < 40).length"""


@pytest.mark.parametrize(
    ("key", "deals"), [("whist", 1), ("oh_hell", 6), ("spades", 1), ("hearts", 1), ("magi", 5)]
)
def test_a_recorded_deal_costs_a_tap_an_entry(
    site: Site,
    phone: Callable[..., Page],
    record_property: Callable[[str, object], None],
    key: str,
    deals: int,
) -> None:
    game = GAMES[key]
    log = Log(game, table(game, SEATS))
    for entry in chosen(log, Random(3), 0, 0):
        log.push(entry)
        if log.state.deal == deals and not game.to_act(log.state) and len(log) > 2:
            break
    site.desk.store.game_files.keep((game.hash, game.KEY, game.text))
    header = Header(game.KEY, SEATS, named={"kit": game.hash})
    view = site.desk.open(header, introduced(site.desk.store))
    lines = [view.grammar.print(entry) for entry in log.entries]
    leader = next(entry.leader for entry in log.entries)  # the page asks for the card turned up
    page, taps = phone(f"{site.url}/t/{view.match}?leader={leader or ''}"), 0
    while (seen := site.desk.view(view.match).seq) < len(lines):
        button = page.locator(f'#play button[value^="{lines[seen]}"]').first
        value = button.get_attribute("value") or ""
        assert page.evaluate(SMALL) == 0
        button.click()
        taps += 1
        at(page, seen + len(value.split("\n")))
    assert entries(site, view.match) == lines
    cards = sum(isinstance(entry, Lay) for entry in log.entries)
    others = len(lines) - cards
    record_property("taps", (f"{key} (a file)", taps, cards, ALL))
    assert (taps - others) / cards <= A_CARD
    assert taps / len(lines) <= A_CARD
    for entry in chosen(log, Random(4), 0, 0):  # as a tap is an entry: the whole match
        log.push(entry)
    laid = sum(isinstance(entry, Lay) for entry in log.entries)
    assert len(log) / laid <= ALL


def test_partners_the_card_turned_up_and_the_trump_suit_are_seen(
    site: Site, phone: Callable[..., Page]
) -> None:
    game = GAMES["whist"]
    site.desk.store.game_files.keep((game.hash, game.KEY, game.text))
    header = Header(game.KEY, SEATS, named={"kit": game.hash})
    view = site.desk.open(header, introduced(site.desk.store))
    site.desk.declare(view.match, f"table deal leader={SEATS[0]} turn=H5", 0, "first")
    page = phone(f"{site.url}/t/{view.match}")
    there(page, "#play button")
    signs = page.locator(".seat .team").all_inner_texts()
    assert len(signs) == 4
    assert len(set(signs)) == 2
    told = page.locator(".midrow").inner_text()
    assert "切り札" in told
    assert "♥" in told
    assert "5" in told
