"""``python tools/build_perite_dispute.py``: the pictures of a dispute that the README shows.

Draws ``docs/dispute-LANGUAGE-THEME.png``. At the left, the table shows a play that depends on the
hand. At the right, the page of the same entry after the next trick proves a revoke.
``CHROMIUM`` in the environment names the browser; ``make pictures`` installs what is needed.

The app answers the browser's requests in this process: there is no server to start or to wait for.
"""

from __future__ import annotations

import io
import os
import tempfile
from contextlib import closing
from itertools import product
from pathlib import Path
from urllib.parse import urldefrag

from flask import Flask
from flask.testing import FlaskClient
from PIL import Image
from playwright.sync_api import Browser, Route, sync_playwright

from referee.app import create_app
from referee.core.record import read
from referee.games import GAMES
from referee.history import records
from referee.http.invites import digest
from referee.store import Circles, Doors, Store

DOCS = Path(__file__).parent.parent / "docs"
SITE = "http://fudami.test"
PHONE_TOKEN = "the-phone-of-a-picture"
NAMES = {"en": "Anna Ben Chie Dai", "ja": "あかね 源五郎 みどり子 ほしの"}
# the second is GitHub's background in the dark theme
THEMES = {"light": "#ffffff", "dark": "#0d1117"}
WIDTH, HEIGHT, SCALE, GAP, COLOURS = 390, 844, 1.5, 24, 64
HEADER = "referee: 1\ngame: perite\nseats: {0} {1} {2} {3}\noption: rounds=1\n\n"
DECLARED = "table deal leader={0}\n{0} lay 5\n{1} lay 8\n{2} lay 5\n"
PROVEN = DECLARED + "{3} lay 7\n{3} lay 6\n{0} lay 4\n{1} lay 2\n{2} lay 3\n"
REVOKE = 4
"""The number of the entry that the picture is about."""


def prepared(app: Flask, store: Store, lang: str, theme: str) -> tuple[FlaskClient, list[str]]:
    """A phone of a group with both matches, and the addresses of the two pages."""
    Doors(store).greet(digest(PHONE_TOKEN))
    circle = Circles(store).create(digest(PHONE_TOKEN))
    names = NAMES[lang].split()
    early, late = (
        records.add(store, read((HEADER + plays).format(*names).encode(), GAMES), circle)
        for plays in (DECLARED, PROVEN)
    )
    phone = app.test_client()
    for cookie, value in {"phone": PHONE_TOKEN, "lang": lang, "theme": theme}.items():
        phone.set_cookie(cookie, value)
    return phone, [f"/t/{early}", f"/t/{late}/e/{REVOKE}#why"]


def drawn(browser: Browser, lang: str, theme: str) -> Image.Image:
    """The two pages side by side."""

    def answer(route: Route) -> None:
        got = phone.get(urldefrag(route.request.url.removeprefix(SITE)).url)
        route.fulfill(status=got.status_code, content_type=got.content_type, body=got.data)

    width, height, gap = (round(SCALE * length) for length in (WIDTH, HEIGHT, GAP))
    both = Image.new("RGB", (2 * width + gap, height), THEMES[theme])
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Path(folder))
        with closing(app.extensions["ledger"].store) as store:
            phone, addresses = prepared(app, store, lang, theme)
            page = browser.new_page(
                viewport={"width": WIDTH, "height": HEIGHT},
                device_scale_factor=SCALE,
                java_script_enabled=False,  # without scripts a page requests nothing later
            )
            page.route("**/*", answer)
            for address in addresses:
                page.goto(SITE + address)
                with Image.open(io.BytesIO(page.screenshot(animations="disabled"))) as shot:
                    both.paste(shot, (0 if address == addresses[0] else width + gap, 0))
            # the head and the proof of the entry, without the actions between them
            proof = round(SCALE * (page.locator("#why").bounding_box() or {"y": 0})["y"]) - gap
            page.goto(SITE + addresses[1].partition("#")[0])
            head = (
                round(SCALE * (page.locator("h2").first.bounding_box() or {"y": 0})["y"]) - gap // 3
            )
            with Image.open(io.BytesIO(page.screenshot(animations="disabled"))) as shot:
                both.paste(THEMES[theme], (width + gap, 0, 2 * width + gap, proof))
                both.paste(shot.crop((0, 0, width, head)), (width + gap, 0))
            page.close()
    return both


def main() -> None:
    """Draw the picture in each language and theme."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium
        browser = chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
        for lang, theme in product(NAMES, THEMES):
            few = drawn(browser, lang, theme).quantize(COLOURS, dither=Image.Dither.NONE)
            few.save(DOCS / f"dispute-{lang}-{theme}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
