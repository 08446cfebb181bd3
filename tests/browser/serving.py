"""What a browser test knows of the app that runs."""

from __future__ import annotations

from typing import NamedTuple

from flask import Flask
from playwright.sync_api import Page, expect

from referee.desk import Desk

PHONE = {"width": 390, "height": 844}
PATIENCE = 15_000


class Site(NamedTuple):
    """A running app, its address and its desk."""

    url: str
    desk: Desk
    app: Flask


def at(page: Page, seq: int) -> None:
    """The page shows entry ``seq``."""
    expect(page.locator("#play [name=seen]")).to_have_value(str(seq), timeout=PATIENCE)


def entries(site: Site, match: str) -> list[str]:
    view = site.desk.view(match)
    return [view.grammar.print(entry) for entry in view.log.entries]
