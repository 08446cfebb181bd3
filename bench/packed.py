"""The app in a browser tab: from the address to the first page, and a play, in Chromium."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from playwright.sync_api import Browser, Page, expect, sync_playwright

from referee.games.simulation import WIDEST
from referee.pack.folder import pack
from torture.packed import PATIENCE_MS, PREPARED, inside, match_of, opened, served

TIMES = 3
PLAYS = 20
TIMED = """async ([match, lines, seen]) => {
  const times = [];
  for (const line of lines) {
    const body = new URLSearchParams({ line, seen, key: crypto.randomUUID() });
    const began = performance.now();
    await (await fetch(`/t/${match}/play`, { method: "POST", body })).text();
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
            runs = [_measured(browser, url) for _ in range(TIMES)]
        cold, second, play = map(min, zip(*runs, strict=True))
        print(f"  first page {cold:.1f} s, at the second load {second:.1f} s, a play {play:.0f} ms")
        browser.close()


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
    times = frame.evaluate(TIMED, [match, lines[begun : begun + PLAYS], begun])
    context.close()
    return cold, second, median(times)


def _until_there(page: Page, url: str) -> float:
    began = perf_counter()
    page.goto(url)
    inside(page)
    return perf_counter() - began
