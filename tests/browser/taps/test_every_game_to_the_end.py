"""Two phones play every game to its end; a third one watches, and all show the same."""

from __future__ import annotations

import pytest
from chosen_games import head, some_seats
from guests import Guest
from introduced import introduced
from kit_deals import SEATS, game_of, opened
from playwright.sync_api import Browser, Page, expect
from serving import Site, at, entries, fill, nothing_waits, painted

from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.games import GAMES
from referee.games.simulation import played
from referee.ledger import View

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


REFUSED, WRONG, CUT = "refused", "wrong", "cut"
"""What happens in this order, as soon as it can: a tap is refused, another play is recorded and
corrected, a play has no network.
"""


@pytest.mark.parametrize(
    ("key", "n", "lang", "theme"),
    [
        ("daifugo", 4, "ja", "light"),
        ("president", 4, "en", "dark"),
        ("seven_apart", 3, "ja", "dark"),
        pytest.param("big_two", 3, "ja", "dark", marks=pytest.mark.thorough),
        pytest.param("dou_dizhu", 3, "en", "light", marks=pytest.mark.thorough),
    ],
)
def test_two_phones_play_a_file_with_a_refusal_a_correction_and_a_cut(
    live_site: Site, chromium: Browser, key: str, n: int, lang: str, theme: str
) -> None:
    game, seats = game_of(key), SEATS[:n]
    log = played(game, seats, 4, most=2000)
    assert game.outcome(log.state)
    view = opened(live_site.ledger, game, seats, introduced(live_site.ledger.store))
    match, lines = view.match, [view.grammar.print(entry) for entry in log.entries]
    before = Log(game, log.table)
    for entry in log.entries[:-TAPPED]:
        before.push(entry)
    fill(live_site, match, before)
    phones = [Guest(live_site, chromium, match, lang, theme) for _ in range(2)]
    said = list[str]()
    for place, phone in enumerate(phones, 1):
        phone.is_now("host" if place == 1 else "seated", place)
        hears(phone.page, said)
        phone.looks()
    to_do = [REFUSED, WRONG, CUT]
    for number, line in enumerate(lines[-TAPPED:], len(before.entries) + 1):
        its = phones[line.startswith(f"{seats[1]} ")]
        seen = number - 1 + (WRONG not in to_do)
        at(its.page, seen)
        painted(its.page)
        task = to_do[0] if to_do else ""
        if task == REFUSED and (keys := its.page.locator("#play .off[name=line]")).count():
            keys.first.tap()
            expect(its.page.locator(".strip.refused")).to_be_visible()
            to_do.pop(0)
        elif task == WRONG and (other := another(live_site.ledger.view(match), line)):
            its.page.evaluate(TAP, other)
            at(its.page, number)
            to_do.pop(0)
            corrects(its, number, line)
            at(its.page, number + 1)
            continue
        elif task == CUT:
            its.offline(True)
            its.page.evaluate(TAP, line)
            expect(its.page.locator(".strip .mk.wait")).to_be_visible()
            its.offline(False)
            to_do.pop(0)
            at(its.page, seen + 1)
            continue
        its.page.evaluate(TAP, line)
        at(its.page, seen + 1)
    assert not to_do
    for phone in phones:
        at(phone.page, len(lines) + 1)
        expect(phone.page.locator(".over .result")).to_have_count(1)
        nothing_waits(phone.page)
    assert live_site.ledger.view(match).game.outcome(live_site.ledger.view(match).state)
    told = [phone.page.locator(".board, .result").all_inner_texts() for phone in phones]
    assert told[0] == told[1]
    assert not said, "\n".join(said)


def another(view: View, line: str) -> str:
    """Another entry that the same seat could make; "" without one."""
    seat = line.partition(" ")[0]
    offered = [
        view.grammar.print(each)
        for each in view.game.candidates(view.state)
        if not isinstance(view.game.judge(view.state, each), Illegal)
    ]
    others = (each for each in offered if each != line and each.startswith(f"{seat} "))
    return next(others, "")


def corrects(guest: Guest, number: int, line: str) -> None:
    """On its pages a phone says what the entry was."""
    page = guest.page
    page.goto(f"{guest.site.url}/t/{guest.match}/correct/{number}")
    page.locator(".words summary").click()
    page.fill("#line", line)
    page.locator(".words .btn").click()
    page.locator(".foot .btn.go").click()


def hears(page: Page, said: list[str]) -> None:
    """From now on ``said`` gets the errors of ``page``, those of its policy among them.

    That there is no network is none.
    """
    cut = ("net::ERR_INTERNET_DISCONNECTED", "Failed to fetch dynamically imported")

    def told(kind: str, text: str) -> None:
        if kind == "error" and not any(one in text for one in cut):
            said.append(text)

    page.on("pageerror", lambda error: told("error", str(error)))
    page.on("console", lambda message: told(message.type, message.text))
