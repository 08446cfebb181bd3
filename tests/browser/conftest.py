"""The app on a loopback port, and a Chromium.

Without a Chromium the tests are skipped; in CI they fail.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from introduced import TOKEN
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from serving import PATIENCE, PHONE, Site
from sockets import running
from werkzeug.serving import WSGIRequestHandler, make_server

from referee.app import create_app
from referee.bridge import Bridge
from referee.live import Streams

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP fudami.test 127.0.0.1",
)


expect.set_options(timeout=PATIENCE)


class Silent(WSGIRequestHandler):
    def log(self, kind: str, message: str, *args: Any) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    app = create_app(tmp_path)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Silent)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield Site(f"http://127.0.0.1:{server.port}", app.extensions["desk"], app)
    server.shutdown()
    thread.join()
    server.server_close()
    app.extensions["desk"].store.close()


@pytest.fixture
def live_site(tmp_path: Path) -> Iterator[Site]:
    """The app behind the server that `referee serve` runs."""
    app = create_app(tmp_path)
    with running(Bridge(app, Streams(app.extensions["desk"]))) as port:
        yield Site(f"http://127.0.0.1:{port}", app.extensions["desk"], app)
    app.extensions["desk"].store.close()


@pytest.fixture(scope="module")  # its event loop would be in the way of other tests
def chromium() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not path:
        if os.environ.get("CI") == "true":
            pytest.fail("there is no Chromium")
        pytest.skip("there is no Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens one phone after the other, each a browser of its own."""
    contexts: list[BrowserContext] = []

    def opened(url: str) -> Page:
        context = chromium.new_context(
            viewport=PHONE, locale="ja-JP", has_touch=True, service_workers="block"
        )
        # known where it was introduced; elsewhere the app gives it another one
        context.add_cookies([{"name": "phone", "value": TOKEN, "url": url}])
        contexts.append(context)
        page = contexts[-1].new_page()
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
