"""A second computer shows the live page and both overlays of a whole match, as the table stands."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, Page, expect
from serving import PHONE, Site, at
from waiting import PATIENCE, wait_for

from referee.core.record import Header
from referee.core.written import written
from referee.games import GAMES
from referee.games.simulation import WIDEST, played
from referee.server.live import Streams
from referee.store.broadcasts import Broadcast, Broadcasts

pytestmark = pytest.mark.browser

SECRET = "s" * 22
SEATS = ("A", "B", "C")
OPTIONS = {"rounds": "1"}
UNDONE, AMENDED, CUT = 5, 8, 11
"""Before which entries there is an undo, a correction that is taken back, and a cut network."""
LOOKS = ("", "&overlay=score", "&overlay=lower")

AS_OPENED = """async () => {
  const answer = await fetch(location.href, { cache: "no-store" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const shown = (from) => from.getElementById("live").innerHTML.trim();
  return shown(document) === shown(page);
}"""
"""Whether the stream has brought what a page shows that is opened now."""
SCORES = """rows => rows.map(row => [row.querySelector("span").textContent,
  row.querySelector("b").textContent, row.classList.contains("turn")])"""
CARDS = "cards => cards.map(card => card.textContent.trim())"


class SecondComputer:
    """The live page and both overlays; ``faults``: errors of these pages and in their consoles."""

    def __init__(self, chromium: Browser, site: Site) -> None:
        self.context, self.faults = chromium.new_context(), list[str]()
        self.live, self.score, self.lower = (self._opened(site, look) for look in LOOKS)

    def _opened(self, site: Site, look: str) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        page.on(
            "console", lambda said: self.faults.append(said.text) if said.type == "error" else None
        )
        page.goto(f"{site.url}/live/{SECRET}?lang=en{look}")
        return page

    def follows(self, site: Site, match: str, table: Page) -> None:
        """Compare with the table, and with ``table``, the page of a phone there."""
        view = site.ledger.view(match)
        at(table, view.seq)
        for page in (self.live, self.score, self.lower):
            wait_for(partial(page.evaluate, AS_OPENED))
        totals = view.game.score(view.state).totals
        assert self.score.eval_on_selector_all(".bug li", SCORES) == [
            [seat, written(totals[seat]), seat in view.to_act] for seat in SEATS
        ]
        lying = self.live.eval_on_selector_all(".board .card", CARDS)
        assert lying == table.eval_on_selector_all(".board .card", CARDS)
        if view.to_act:
            assert self.lower.eval_on_selector_all(".tr .now + .one", CARDS) == [view.to_act[0]]
            shown = self.lower.eval_on_selector_all(".tr .card", CARDS)
            assert sorted(shown) == sorted(lying)


def cut(site: Site) -> None:
    """End every stream, as a network does that goes away."""
    streams: Streams = site.ledger.listeners[-1].__self__  # type: ignore[attr-defined]

    async def end() -> None:
        for stream in streams._open():
            await stream.end()

    assert streams._loop is not None
    asyncio.run_coroutine_threadsafe(end(), streams._loop).result(PATIENCE)


def test_a_second_computer_shows_a_whole_match(chromium: Browser, live_site: Site) -> None:
    ledger, broadcasts = live_site.ledger, Broadcasts(live_site.ledger.store)
    match = ledger.open(Header(WIDEST, SEATS, OPTIONS), introduced(ledger.store)).match
    broadcasts.begin(SECRET, Broadcast(match, "", 0))
    context = chromium.new_context(viewport=PHONE, service_workers="block")
    for name, value in {"phone": TOKEN, "lang": "en"}.items():
        context.add_cookies([{"name": name, "value": value, "url": live_site.url}])
    table = context.new_page()
    table.goto(f"{live_site.url}/t/{match}")
    second = SecondComputer(chromium, live_site)

    def enters(line: str) -> None:
        seen = ledger.view(match).seq
        assert ledger.declare(match, line, seen, f"key-{seen:06}").seq == seen + 1, line

    entries = played(GAMES[WIDEST], SEATS, 3, options=OPTIONS).entries
    lines = [ledger.view(match).grammar.print(entry) for entry in entries]
    for number, line in enumerate(lines, 1):
        if number == UNDONE:
            ledger.undo(match, ledger.view(match).seq, "key-undoes")
            second.follows(live_site, match, table)
            enters(lines[number - 2])
        if number == AMENDED:
            enters(f"table strike {ledger.view(match).seq}")
            second.follows(live_site, match, table)
            ledger.undo(match, ledger.view(match).seq, "key-unstrikes")
        if number == CUT:
            second.context.set_offline(True)
            cut(live_site)
            expect(second.lower.locator(".net")).to_be_visible()
        enters(line)
        if number == CUT:
            assert all("ERR_INTERNET_DISCONNECTED" in fault for fault in second.faults)
            second.context.set_offline(False)
            second.faults.clear()
        second.follows(live_site, match, table)
    assert ledger.view(match).outcome
    assert second.faults == []
    broadcasts.end(match)
    ledger.reseated(match)
    for overlay in (second.score, second.lower):
        expect(overlay.locator("#live > *")).to_have_count(0)
    expect(second.live.locator("#live")).to_have_count(0)
