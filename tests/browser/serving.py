"""Functions of browser tests that use the running app."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

import waiting
from chosen_games import head, some_seats
from flask import Flask
from kit_deals import game_of
from playwright.sync_api import Page, expect

from referee.core.compare import broken
from referee.core.log import Log
from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import played, player, room_of, table
from referee.ledger import Ledger
from referee.store import NewEntry

SEATS = ("あかね", "源五郎", "みどり子", "ほしの", "六郎")
PHONE = {"width": 390, "height": 844}
PATIENCE = 1000 * waiting.PATIENCE  # milliseconds


# The entries that the phone has not sent yet, as a list in JavaScript.
UNSENT = """Object.entries(localStorage).filter(([name]) => name.startsWith('unsent '))
    .map(([, item]) => JSON.parse(item))"""


class Site(NamedTuple):
    """A running app, its address and its ledger."""

    url: str
    ledger: Ledger
    app: Flask


def there(page: Page, selector: str) -> None:
    """Wait until there is such an element, and the page with all that belongs to it."""
    page.wait_for_selector(selector, state="attached")
    page.wait_for_load_state()  # without scripts it comes piece by piece, its style sheet last


def at(page: Page, seq: int) -> None:
    """The page shows entry ``seq``."""
    there(page, f'#play [name=seen][value="{seq}"]')
    settled(page)


def sent_with(page: Page) -> str:
    """The key under which the next play would be sent: every table has another."""
    return page.input_value("#play [name=key]")


def exchanged(page: Page, key: str, step: str = "") -> None:
    """There is another table than that of ``key``, or ``step``, which the table had with it."""
    there(page, ", ".join(filter(None, [f'#play [name=key]:not([value="{key}"])', step])))
    settled(page)


def settled(page: Page) -> None:
    """Nothing that was tapped waits for its answer: the page says whose turn it is."""
    page.wait_for_selector("#table.waits", state="detached")


def stepped(page: Page) -> None:
    """The page shows the keys to which a step of a play, or another seat, has led."""
    page.wait_for_selector("#table.asks", state="detached")
    page.wait_for_load_state()


def nothing_waits(page: Page) -> None:
    assert page.evaluate(UNSENT) == []
    expect(page.locator(".unsent-strip, .mk.wait")).to_have_count(0)


def painted(page: Page) -> None:
    """Wait until the page has been painted: before that no person taps again."""
    page.evaluate("() => new Promise((done) => page.painted(done))")


def taps(page: Page, *ids: str) -> None:
    """Tap one key after the other."""
    for key in ids:
        page.locator(f'[id="{key}"]').tap()


def entries(site: Site, match: str) -> list[str]:
    view = site.ledger.view(match)
    return [view.grammar.print(entry) for entry in view.log.entries]


def played_at(site: Site, circle: str, name: str, most: int, seed: int = 3, lies: float = 0) -> str:
    """A match of ``name`` after ``most`` entries, or to its end; its id."""
    game = GAMES[name]
    seats = some_seats(name, ("あかね", "北大路ロマネスク三世閣下", "シホ"))
    view = site.ledger.open(head(name, seats), circle)
    fill(site, view.match, played(game, seats, seed, lies, most=most))
    return view.match


HERE = ("あかね", "北大路ロマネスク三世閣下", "シホ", "源五郎")


def begun(site: Site, circle: str, name: str, stop: int, seats: tuple[str, ...] = HERE) -> str:
    """A match of a game or a game file after ``stop`` entries; ``seats`` play that of a file."""
    if name in GAMES:
        return played_at(site, circle, name, stop)
    file = game_of(name)
    site.ledger.store.game_files.keep((file.hash, file.KEY, file.text))
    view = site.ledger.open(Header(file.KEY, seats, named={"kit": file.hash}), circle)
    log = Log(view.game, table(view.game, seats))
    for entry in islice(player(room_of(view.game))(log, Random(3), 0, 0), stop):
        log.push(entry)
    fill(site, view.match, log)
    return view.match


def marked(site: Site, circle: str, name: str, stop: int) -> str:
    """A match after ``stop`` entries and a correction that makes some of them illegal."""
    for number in range(stop - 1, 1, -1):
        match = begun(site, circle, name, stop)
        seq = site.ledger.view(match).seq
        struck = site.ledger.declare(match, f"table strike {number}", seq, "strike-0001").seq
        if struck and broken(site.ledger.view(match).log, site.ledger.view(match).moment):
            return match
    raise AssertionError(f"nothing in {name} depends on another entry")


def fill(site: Site, match: str, log: Log) -> None:
    """Store the entries of ``log`` in a new match."""
    lines = map(site.ledger.view(match).grammar.print, log.entries)
    rows = [NewEntry(line, f"k{i}", "legal", "-", "-") for i, line in enumerate(lines)]
    site.ledger.store.append(match, 0, rows)


def said(words: str) -> str:
    """The key of the pad with the line ``words``, whatever seat is due."""
    return f'.pad button[name=line][value$=" {words}"]'


def sheets_at(site: Site, circle: str, name: str) -> list[str]:
    """The pages of matches of ``name`` that are entered by sheets: one is empty, one has a deal."""
    if GAMES[name].HOOKS.sheet is None:
        return []
    file = Path(__file__).parents[1] / "games" / name / "playthroughs" / "entered-by-sheet.txt"
    lines = file.read_text(encoding="utf-8").splitlines()
    seats = next(line for line in lines if line.startswith("seats:")).split()[1:]
    options = [tuple(line.split(" ")[1].split("=")) for line in lines if line.startswith("option:")]
    header = head(name, tuple(seats), dict(options))
    new, begun = (site.ledger.open(header, circle).match for _ in range(2))
    line = next(line for line in lines if line.startswith("table sheet") and "# legal" in line)
    assert site.ledger.declare(begun, line.split(" #")[0], 0, "sheet-000001").seq
    corrected = f"/t/{begun}/sheet?instead=1"
    return [
        *(f"/t/{new}/sheet", f"/t/{new}/sheet?sheet=;", f"/t/{begun}/sheet"),
        *(corrected, f"{corrected}&at=0&edit=1", f"{corrected}&sheet=;&at=1&edit=1"),
    ]
