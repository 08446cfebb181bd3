"""The packed app in Chromium: pages are reloaded, closed and killed while plays are entered.

``python -m torture.packed FOLDER --times 1000`` fails if a play that was acknowledged is not there
at the next start. FOLDER is what ``referee pack`` has written.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from math import inf
from pathlib import Path
from random import Random
from time import monotonic, time
from typing import Any

from playwright.sync_api import Frame, Page, expect, sync_playwright

from referee.core.record import Grammar
from referee.games import GAMES
from referee.games.simulation import WIDEST, played

PATIENCE_MS = 300_000
NAMES = ("あかね", "源五郎", "みどり子")
WAYS = ("reload", "close", "kill")
LONGEST_SECONDS = 0.6
"""The longest time, from its first play, after which a page is ended."""

OPEN = """async ([game, names, leader]) => {
  const body = new URLSearchParams({ game, leader });
  for (const name of names) body.append("name", name);
  const answer = await fetch("/new", { method: "POST", body, redirect: "follow" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector("#play")?.getAttribute("action").split("/")[2]
    ?? page.querySelector(".warn")?.textContent ?? String(answer.status);
}"""
PLAY = """async ([match, lines, seen]) => {
  const headers = { "HX-Request": "true" };
  for (const line of lines) {
    const body = new URLSearchParams({ line, seen, key: crypto.randomUUID() });
    const answer = await fetch(`/t/${match}/play`, { method: "POST", body, headers });
    const text = await answer.text();
    const recorded = answer.headers.get("X-Reply") === "recorded";
    if (!recorded) throw new Error(`${line}: ${answer.status} ${text}`);
    seen += 1;
    window.recorded = seen;
  }
  return seen;
}"""
PREPARED = """async () => {
  const memories = await caches.open("memories");
  while (!(await memories.keys()).length) await new Promise((resolve) => setTimeout(resolve, 50));
}"""
"""Waits until the snapshot for the next start exists."""
READ = "async (match) => (await (await fetch(`/t/${match}/record.txt`)).text())"


class Quiet(SimpleHTTPRequestHandler):
    """A handler that logs nothing."""

    def log_message(self, line: str, *args: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a plain web server on ``folder``."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def inside(page: Page, selector: str = "main") -> Frame:
    """The frame with the app, once ``selector`` is there."""
    expect(page.frame_locator("iframe").locator(selector).first).to_be_attached()
    return page.frames[1]


def match_of(name: str, seed: int) -> tuple[tuple[str, ...], list[str]]:
    """The seats and the lines of a whole match."""
    game = GAMES[name]
    seats = NAMES[: 3 if 3 in game.SEATS else game.SEATS[0]]
    grammar = Grammar(game, seats)
    return seats, [grammar.print(entry) for entry in played(game, seats, seed).entries]


def opened(frame: Frame, game: str, seats: Sequence[str], lines: Sequence[str]) -> tuple[str, int]:
    """The address of a new match, and how many of its lines were entered by opening it."""
    leader = re.search(r"leader=(\S+)", lines[0])
    match = frame.evaluate(OPEN, [game, seats, leader[1] if leader else ""])
    return match, len(entries(frame.evaluate(READ, match)))


def entries(record: str) -> list[str]:
    """The lines of a record after its header."""
    return record.partition("\n\n")[2].splitlines()


def ended(page: Page, way: str) -> Page:
    """The page after ``page`` was ended in this way."""
    context, url = page.context, page.url
    if way == "reload":
        page.reload(wait_until="commit")
        return page
    if way == "kill":
        kill(page)
    page.close()
    page = context.new_page()
    page.goto(url)
    return page


def kill(page: Page) -> None:
    """Kill every renderer of the browser of ``page``, as an operating system does without
    memory.
    """
    browser = page.context.browser
    assert browser is not None
    session = browser.new_browser_cdp_session()
    running = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    with page.expect_event("crash"):
        for process in running:
            if process["type"] == "renderer":
                os.kill(process["id"], signal.SIGKILL)


def killed(page: Page, times: int, rng: Random, seconds: float = inf) -> tuple[int, list[str]]:
    """End ``page`` up to ``times`` times while it plays, for at most ``seconds``.

    Returns how often it was ended, and a sentence about each loss.
    """
    wrong: list[str] = []
    heard: dict[str, int] = {}
    match, lines = "", list[str]()
    done, last = 0, monotonic() + seconds
    while done < times and monotonic() < last:
        done += 1
        frame = inside(page)
        if match:
            found = entries(frame.evaluate(READ, match))
            if found != lines[: len(found)] or len(found) < heard.get(match, 0):
                wrong.append(f"{match}: {heard[match]} acknowledged, {len(found)} kept")
        if not match or len(found) == len(lines):
            seats, lines = match_of(WIDEST, rng.randrange(1 << 30))
            match, begun = opened(frame, WIDEST, seats, lines)
            found = lines[:begun]
        heard[match] = len(found)
        # not awaited, so that the page ends in the middle of the call
        frame.evaluate(
            f"(match) => {{ window.recorded = match[2]; ({PLAY})(match).catch(() => {{}}); }}",
            [match, lines[len(found) :], len(found)],
        )
        until = monotonic() + rng.uniform(0, LONGEST_SECONDS)
        while monotonic() < until:
            heard[match] = max(heard[match], frame.evaluate("window.recorded"))
        page = ended(page, rng.choice(WAYS))
    return done, wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how often a page was ended, and what was lost; 1 if anything was lost."""
    parser = argparse.ArgumentParser(prog="torture.packed", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=inf, help="end then at the latest")
    parser.add_argument("--seed", type=int, default=int(time()))
    args = parser.parse_args(arguments)
    expect.set_options(timeout=PATIENCE_MS)
    with served(args.folder) as url, sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context()
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(url)
        inside(page)
        page.evaluate(PREPARED)  # otherwise every start would be one without a snapshot
        done, wrong = killed(page, args.times, Random(args.seed), args.seconds)
        browser.close()
    print(f"seed {args.seed}: {done} pages ended, {len(wrong)} lost something", *wrong, sep="\n")
    return min(len(wrong), 1)


if __name__ == "__main__":
    sys.exit(main())
