"""The app on a loopback port, and a Chromium.

Without a Chromium the tests are skipped; in CI they fail.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from chosen_games import head
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from put_right import Opens, Table
from serving import PATIENCE, PHONE, SEATS, Site
from sockets import running
from werkzeug.serving import WSGIRequestHandler, make_server

from referee.app import create_app
from referee.games import GAMES
from referee.games.simulation import played
from referee.server.bridge import Bridge
from referee.server.live import Streams

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP fudami.test 127.0.0.1",
)
ENDS_WITHIN = 0.03  # seconds; werkzeug's server looks twice a second whether it should end

expect.set_options(timeout=PATIENCE)


class Silent(WSGIRequestHandler):
    def log(self, kind: str, message: str, *args: Any) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path, chromium: Browser) -> Iterator[Site]:
    app = create_app(tmp_path)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Silent)
    thread = threading.Thread(target=server.serve_forever, args=(ENDS_WITHIN,))
    thread.start()
    with closing(app.extensions["ledger"].store):
        yield Site(f"http://127.0.0.1:{server.port}", app.extensions["ledger"], app)
        close_all(chromium)
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def live_site(tmp_path: Path, chromium: Browser) -> Iterator[Site]:
    """The app behind the server that `referee serve` runs."""
    app = create_app(tmp_path)
    ledger = app.extensions["ledger"]
    with closing(ledger.store), running(Bridge(app, Streams(ledger))) as port:
        yield Site(f"http://127.0.0.1:{port}", ledger, app)
        close_all(chromium)


@pytest.fixture(scope="module")  # its event loop would be in the way of other tests
def chromium() -> Iterator[Browser]:
    """Makes phones, each a context of its own. They are closed with the site of their test.

    Before the site, so that no page asks for anything while it shuts down; and however the test
    ended, so that pages of one test take no time from the next.
    """
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not path:
        if os.environ.get("CI") == "true":
            pytest.fail("there is no Chromium")
        pytest.skip("there is no Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET, timeout=PATIENCE)
        browser.new_context = patient(browser.new_context)  # type: ignore[method-assign]
        yield browser
        browser.close()


def patient(new_context: Callable[..., BrowserContext]) -> Callable[..., BrowserContext]:
    """``new_context``, but its pages wait as long for everything as a busy machine may take.

    Nothing moves on them unless a test wants it: drawing a card that slides costs more than all
    else that a tap does.
    """

    @wraps(new_context)
    def made(**options: Any) -> BrowserContext:
        context = new_context(**{"reduced_motion": "reduce"} | options)
        context.set_default_timeout(PATIENCE)
        return context

    return made


def close_all(browser: Browser) -> None:
    for context in browser.contexts:
        context.close()


@pytest.fixture
def phone(chromium: Browser) -> Callable[..., Page]:
    """Opens phones, each of them a browser of its own.

    A ``still`` one has no animations: for tests with hundreds of taps.
    """

    def opened(url: str, init: str = "", still: bool = False) -> Page:
        context = chromium.new_context(
            viewport=PHONE,
            locale="ja-JP",
            has_touch=True,
            service_workers="block",
            reduced_motion="reduce" if still else "no-preference",  # which most people have
        )
        # known where it was introduced; elsewhere the app gives it another one
        context.add_cookies([{"name": "phone", "value": TOKEN, "url": url}])
        page = context.new_page()
        if init:
            page.add_init_script(init)
        page.goto(url)
        return page

    return opened


@pytest.fixture
def opened(live_site: Site) -> Callable[..., str]:
    """Opens matches and enters their first lines."""
    ledger = live_site.ledger
    circle = introduced(ledger.store)

    def opened(*lines: str, game: str, seats: tuple[str, ...] = SEATS, **options: str) -> str:
        match = ledger.open(head(game, seats, options), circle).match
        for seq, line in enumerate(lines):
            assert ledger.declare(match, line, seq, f"before-{seq:06}").seq, line
        return match

    return opened


@pytest.fixture
def opens(site: Site, chromium: Browser) -> Opens:
    """Opens tables on a small phone, each with the entries of a match that was really played."""
    context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="ja-JP")
    page = context.new_page()

    def opened(game: str, seats: str, seed: int = 1, **options: Any) -> Table:
        truth = played(GAMES[game], seats, seed, **options).entries
        return Table(site, page, truth, game, seats)

    return opened
