"""Whatever was entered six plays ago is put right in four taps, and nothing has to be scrolled."""

from __future__ import annotations

import pytest
from chosen_games import head
from introduced import TOKEN, introduced
from parsed import parsed
from playwright.sync_api import Browser, Locator
from serving import PHONE, SEATS, Site, fill

from referee.games import GAMES
from referee.games.simulation import played
from referee.web.review.reading import Reading

pytestmark = pytest.mark.thorough

BACK = 6
LIKELY = ":is(.picks, .chips) a[href*='do=amend']:not(.off)"  # the illegal ones may come last
# Those that are not wholly on the screen, with nothing above them.
UNSEEN = """(keys) => keys.map((key) => [key, key.getBoundingClientRect()])
  .filter(([key, { left, right, top, bottom }]) => {
    const inside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
    const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !inside || !key.contains(middle);
  }).map(([key, { top, bottom }]) => `${top} to ${bottom}: ${key.textContent.trim()}`)"""


def stops(reading: Reading) -> list[tuple[int, int]]:
    """Some lengths of a match, with the entry six plays before its end.

    It lies in the deal, or in the trick, before the last one, where that is possible.
    """
    entries = reading.log.entries
    plays = [seq for seq, entry in enumerate(entries, 1) if entry.SUBJECT == "seat"]
    pairs = list(zip(plays[BACK:], plays, strict=False))[:120]
    across = [pair for pair in pairs if reading.where(pair[0]).deal > reading.where(pair[1]).deal]
    return sorted({*across[:: len(across) // 2 + 1], *pairs[:: len(pairs) // 2 + 1]})


@pytest.mark.parametrize("language", ["ja", "en"])
def test_sixty_likely_keys_and_all_seats_are_seen(
    chromium: Browser, site: Site, language: str
) -> None:
    """The game with the most keys: those of an early play, which could be nearly anything."""
    circle, found = introduced(site.ledger.store), dict[str, int]()
    client = site.app.test_client()
    client.set_cookie("phone", TOKEN)
    for name in GAMES:
        seats = SEATS[: GAMES[name].SEATS[-1]]
        match = site.ledger.open(head(name, seats), circle).match
        for seq, entry in enumerate(played(GAMES[name], seats, 2).entries[:8]):
            line = site.ledger.view(match).grammar.print(entry)
            assert site.ledger.declare(match, line, seq, f"before-{seq:06}").seq, line
        for number in range(1, 9):
            path = f"/t/{match}/e/{number}"
            found[path] = len(parsed(client.get(path).text).select(LIKELY))
    path = max(found, key=lambda path: found[path])
    page = chromium.new_context(viewport=PHONE, locale=language).new_page()
    page.context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page.goto(f"{site.url}{path}")
    assert page.locator(LIKELY).count() > 50
    assert page.locator(LIKELY).evaluate_all(UNSEEN) == []


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("name", GAMES)
def test_six_plays_back(chromium: Browser, site: Site, name: str, language: str) -> None:
    circle, game = introduced(site.ledger.store), GAMES[name]
    seats = SEATS[: min(max(4, game.SEATS[0]), game.SEATS[-1])]
    log = played(game, seats, 3)
    page = chromium.new_context(viewport=PHONE, locale=language).new_page()
    page.context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])

    def shown(keys: Locator) -> Locator:
        assert keys.evaluate_all(UNSEEN) == [], where
        return keys

    whole = site.ledger.open(head(name, seats), circle).match
    fill(site, whole, log)
    for stop, wrong in stops(Reading(site.ledger.view(whole))):
        match = site.ledger.open(head(name, seats), circle).match
        for seq, entry in enumerate(log.entries[:stop]):
            line = site.ledger.view(match).grammar.print(entry)
            assert site.ledger.declare(match, line, seq, f"before-{seq:06}").seq, line
        where = f"{stop} entries, {wrong} is wrong"
        page.goto(f"{site.url}/t/{match}")
        shown(page.locator(".bar a[href$='/log']")).click()
        page.wait_for_url(f"**/t/{match}/log")
        shown(page.locator(f"#e{wrong} a")).click()
        page.wait_for_url(f"**/e/{wrong}")
        shown(page.locator(LIKELY)).last.click()
        page.wait_for_url(f"**/correct/{wrong}?**")
        shown(page.locator(".foot .go")).click()
        page.wait_for_url(f"**/t/{match}")
        step = site.ledger.view(match).step(wrong)
        assert step, where
        assert step.play != log.entries[wrong - 1], where
