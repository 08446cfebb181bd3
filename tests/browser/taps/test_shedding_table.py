"""A shedding game on a phone, while another one watches it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random

import pytest
from introduced import introduced
from kit_deals import SEATS, game_of, opened
from playwright.sync_api import Page, expect
from serving import Site, at, entries

from referee.core.log import Log
from referee.games.simulation import player

pytestmark = pytest.mark.browser

PLAYED = 14  # entries before the phone goes on


def card(page: Page, name: str) -> None:
    page.locator(f".ck[aria-label='{name}']").tap()


def test_a_deal_on_a_phone_with_a_refusal_a_cut_and_a_correction(
    live_site: Site, phone: Callable[..., Page]
) -> None:
    """Cards are chosen one by one, also without network; the other phone sees each play."""
    circle = introduced(live_site.ledger.store)
    view = opened(live_site.ledger, game_of("daifugo"), SEATS[:3], circle)
    match, address = view.match, f"{live_site.url}/t/{view.match}"
    page, watching = phone(address), phone(address)
    page.locator("#play [name=line]").first.tap()
    at(page, 1)
    page.locator("#play [name=line]").first.tap()  # who has the ♦3
    at(page, 2)
    card(page, "♠5")
    at(page, 3)
    page.locator(".ck.off").first.tap()  # a 3, or another suit
    expect(page.locator(".strip.refused")).to_be_visible()
    page.locator(".acts [name=line]", has_text="全員パス").tap()
    at(page, 5)
    # a pair, chosen card by card without network
    page.context.set_offline(True)
    card(page, "♠9")
    expect(page.locator("#of-H9")).to_be_visible()
    card(page, "♥9")
    expect(page.locator("#of-H9")).to_have_class("ck on")
    page.locator(".key.go").tap()
    expect(page.locator(".strip .mk.wait")).to_be_visible()
    page.context.set_offline(False)
    at(page, 6)
    card(page, "♠10")  # a pair on a pair: its last card records it
    card(page, "♥10")
    at(page, 7)
    at(watching, 7)
    expect(watching.locator(".pile .top b").first).to_have_text("10")
    lines = entries(live_site, match)
    assert [line.partition(" ")[2] for line in lines[4:]] == ["pass", "lay H9 S9", "lay S10 H10"]
    # it was another pair
    page.goto(f"{address}/correct/7")
    page.locator(".words summary").click()
    page.fill("#line", lines[6].replace("S10 H10", "DJ CJ"))
    page.locator(".words .btn").click()
    page.locator(".foot .btn.go").click()
    expect(page.locator(".pile .top b").first).to_have_text("J")
    expect(watching.locator(".pile .top b").first).to_have_text("J")


def test_the_last_card_of_the_longest_play_records_it(
    live_site: Site, phone: Callable[..., Page]
) -> None:
    """On a lead, too, and without network: nothing of Big Two has more than five cards."""
    circle = introduced(live_site.ledger.store)
    view = opened(live_site.ledger, game_of("big_two"), SEATS[:4], circle)
    page = phone(f"{live_site.url}/t/{view.match}")
    page.locator("#play [name=line]").first.tap()
    at(page, 1)
    page.locator("#play [name=line]").first.tap()  # who has the ♦3
    at(page, 2)
    page.locator(".acts [name=line]", has_text="全員パス").tap()
    at(page, 5)
    page.context.set_offline(True)
    for name in ("♠4", "♥5", "♦6", "♣7", "♠8"):
        expect(page.locator(".strip .mk.wait")).to_have_count(0)
        card(page, name)
    expect(page.locator(".strip .mk.wait")).to_be_visible()
    page.context.set_offline(False)
    at(page, 6)
    assert entries(live_site, view.match)[-1].endswith("lay C7 D6 H5 S4 S8")


def test_whole_deals_are_tapped_again_on_the_pad(site: Site, phone: Callable[..., Page]) -> None:
    """Of President, by rank: each play is one tap on a key."""
    circle = introduced(site.ledger.store)
    game = game_of("president")
    view = opened(site.ledger, game, SEATS[:4], circle)
    log = Log(game, view.log.table)
    for entry in islice(player("shedding")(log, Random(3), 0, 0), PLAYED):
        log.push(entry)
    lines = [view.grammar.print(entry) for entry in log.entries]
    page = phone(f"{site.url}/t/{view.match}", still=True)
    for number, line in enumerate(lines):
        at(page, number)
        key = page.locator(f'#play [name=line][value="{line}"]')
        if not key.count():  # a lead of several cards
            page.locator(".tabs a").nth(len(line.split()) - 3).tap()
        key.first.tap()
        at(page, number + 1)
    assert entries(site, view.match) == lines
