"""The app in a browser tab: from the address to the first page, and a play, in Chromium."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

from playwright.sync_api import Browser, Page, expect, sync_playwright

from referee.games.simulation import WIDEST
from referee.pack.folder import pack
from torture.packed import PATIENCE_MS, PREPARED, inside, match_of, opened, served

TIMES = 3
PLAYS = 20
QUIET_MS = 3000  # until the browser has written to the disk what it loaded
SLOWER = 4  # times; a phone of some years ago
SLICE = 0.008  # seconds, of which the slowed browser runs a part
TIMED = """async ([match, lines, seen]) => {
  const times = [];
  for (const line of lines) {
    const body = new URLSearchParams({ line, seen, key: crypto.randomUUID() });
    const began = performance.now();
    const { recorded, status, text } = await page.ask(`/t/${match}/play`, { method: "POST", body });
    if (!recorded) throw new Error(`${line}: ${status} ${text.slice(0, 300)}`);
    times.push(performance.now() - began);
    seen += 1;
  }
  return times;
}"""


def run() -> None:
    """Print the minimum of ``TIMES`` runs for the download and the first pages, and the median
    play.
    """
    found = subprocess.run(
        ["sh", "tests/browser/ensure_pyodide.sh"], capture_output=True, text=True
    ).stdout.strip()
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not found or not chromium:
        print("packed app: not measured, it needs Pyodide and Chromium")
        return
    expect.set_options(timeout=PATIENCE_MS)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        size = pack(Path(found), Path(name)).size
        print(f"packed app: {size / 1e6:.1f} MB to download")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with served(Path(name)) as url:
            print(f"  {_least(browser, url)}")
            with slowed(browser, SLOWER):
                print(f"  with processors {SLOWER} times slower: {_least(browser, url)}")
        browser.close()


@contextmanager
def slowed(browser: Browser, times: int) -> Iterator[None]:
    """Stop the processes of the browser again and again, so that they run ``times`` slower.

    The browser's own way to be slowed leaves out workers, and the app runs in one.
    """
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    group = os.getpgid(next(each["id"] for each in found if each["type"] == "browser"))
    over = threading.Event()

    def turns() -> None:
        while not over.wait(SLICE / times):
            os.killpg(group, signal.SIGSTOP)
            sleep(SLICE - SLICE / times)
            os.killpg(group, signal.SIGCONT)

    thread = threading.Thread(target=turns)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _least(browser: Browser, url: str) -> str:
    runs = [_measured(browser, url) for _ in range(TIMES)]
    cold, second, play = map(min, zip(*runs, strict=True))
    return f"first page {cold:.1f} s, at the second load {second:.1f} s, a play {play:.0f} ms"


def _measured(browser: Browser, url: str) -> tuple[float, float, float]:
    """Seconds to the first page, cold and at the second load, and milliseconds of a play."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    cold = _until_there(page, url)
    page.evaluate(PREPARED)
    second = _until_there(page, url)
    frame = inside(page)
    seats, lines = match_of(WIDEST, 3)
    match, begun = opened(frame, WIDEST, seats, lines)
    frame.goto(f"{url}/t/{match}")
    page.wait_for_timeout(QUIET_MS)
    times = frame.evaluate(TIMED, [match, lines[begun : begun + PLAYS], begun])
    context.close()
    return cold, second, median(times)


def _until_there(page: Page, url: str) -> float:
    began = perf_counter()
    page.goto(url)
    inside(page)
    return perf_counter() - began
