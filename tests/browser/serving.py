"""What a browser test knows of the app that runs."""

from __future__ import annotations

import time
from typing import NamedTuple

from flask import Flask
from honest import played
from playwright.sync_api import Locator, Page, expect

from referee.core.record import Header
from referee.desk import Desk
from referee.games import GAMES
from referee.store import NewEntry

PHONE = {"width": 390, "height": 844}
PATIENCE = 30_000  # milliseconds, as all that follow
DOUBLE_TAP = 450  # table.js takes two taps on one key within 400 for one
LATE_TAP = (
    350  # live.js takes a tap within 300 of another phone's play to be meant for the table before
)


class Site(NamedTuple):
    """A running app, its address and its desk."""

    url: str
    desk: Desk
    app: Flask


class Finger:
    """Taps one key after the other as people do: twice the same is two plays, and no double tap."""

    def __init__(self, page: Page, scripted: bool = True) -> None:
        self.page, self.scripted = page, scripted
        self._told, self._until = "", 0.0

    def tap(self, what: Locator) -> None:
        told = what.get_attribute("id") or what.get_attribute("value") or ""
        if self.scripted and told == self._told and self.page.locator("[data-once]").count():
            self.page.wait_for_timeout(max(1, self._until - 1000 * time.monotonic()))
        what.click()
        self._told, self._until = told, 1000 * time.monotonic() + DOUBLE_TAP


def at(page: Page, seq: int) -> None:
    """The page shows entry ``seq``."""
    expect(page.locator("#play [name=seen]")).to_have_value(str(seq))


def sent_with(page: Page) -> str:
    """The key under which the next play would be sent: every table has another."""
    return page.input_value("#play [name=key]")


def exchanged(page: Page, key: str) -> None:
    """There is another table than that of ``key``, and all of it."""
    page.wait_for_selector(f'#play [name=key]:not([value="{key}"])', state="attached")
    page.wait_for_load_state("domcontentloaded")  # without scripts it comes piece by piece


def entries(site: Site, match: str) -> list[str]:
    view = site.desk.view(match)
    return [view.grammar.print(entry) for entry in view.log.entries]


def played_at(site: Site, circle: str, name: str, most: int, seed: int = 3, lies: float = 0) -> str:
    """A match of ``name`` after ``most`` entries, or to its end; its id."""
    game = GAMES[name]
    seats = ("あかね", "北大路ロマネスク三世閣下", "シホ")[: max(2, min(3, max(game.SEATS)))]
    view = site.desk.open(Header(name, seats), circle)
    log = played(game, seats, seed, lies, most=most)
    lines = map(view.grammar.print, log.entries)
    rows = [NewEntry(line, f"k{i}", "legal", "-", "-") for i, line in enumerate(lines)]
    site.desk.store.append(view.match, 0, rows)
    return view.match
