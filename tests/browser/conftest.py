"""The app on a loopback port, and a Chromium.

Without a Chromium the tests are skipped; in CI they fail.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright
from serving import Site
from werkzeug.serving import WSGIRequestHandler, make_server

from referee.app import create_app

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class Silent(WSGIRequestHandler):
    def log(self, kind: str, message: str, *args: Any) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    app = create_app(tmp_path)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Silent)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield Site(f"http://127.0.0.1:{server.port}", app.extensions["desk"])
    server.shutdown()
    thread.join()
    server.server_close()
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
