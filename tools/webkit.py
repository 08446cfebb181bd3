"""``python tools/webkit.py``: play in WebKit, the engine of every browser on an iPhone.

Drives WebKitGTK's MiniBrowser (Debian: ``webkit2gtk-driver``) through its WebDriver, which needs a
display (``xvfb-run``). At a table of every game it taps keys and compares the record with the lines
that it tapped. Raises on what is wrong.

The client below stands for Selenium: it makes four calls, and only this program needs it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from socket import create_server
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from referee.games import GAMES

MINI_BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"), None)
TAPS = 30
NUMBERS = count()  # no two players have the same name
PATIENCE = 180.0  # seconds, for a busy machine

RECORD = """(() => {
  const asked = new XMLHttpRequest();
  asked.open("GET", location.pathname + "/record.txt", false);
  asked.send();
  return asked.responseText.split("\\n\\n").slice(1).join("").split("\\n").filter(Boolean);
})()"""
LIVE = ".filter((key) => key.offsetParent && !key.disabled && !key.matches('.off, .not'))"
KEYS = f"""[...document.querySelectorAll("#play [name=line], .flags [name=line]")]{LIVE}"""
STEPS = f"""[...document.querySelectorAll("#play a.key, #play [name=card]")]{LIVE}"""
SETTLED = 'document.querySelector("#play") && !document.querySelector("#table.waits")'
ENTRIES = 'Number(document.querySelector("#play [name=seen]")?.value ?? -1)'
PLAY = 'document.querySelector("#table").outerHTML'


class WebKit:
    """A browser."""

    def __init__(self, driver: str) -> None:
        options = {"binary": str(MINI_BROWSER), "args": ["--automation"]}
        asked = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._at = driver
        self._at += "/session/" + self._post("/session", capabilities=asked)["sessionId"]

    def _post(self, path: str, **body: Any) -> Any:
        headers = {"Content-Type": "application/json"}
        request = Request(self._at + path, json.dumps(body).encode(), headers)
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except HTTPError as fault:
            raise RuntimeError(fault.read().decode()) from fault

    def go(self, address: str) -> None:
        self._post("/url", url=address)

    def run(self, script: str, wait: str = "sync") -> Any:
        """What ``script`` returns, or with "async" the call of its last argument."""
        return self._post(f"/execute/{wait}", script=script, args=[])

    def until(self, condition: str) -> Any:
        """What the expression ``condition`` gives, as soon as it holds."""
        end = time.monotonic() + PATIENCE
        found: object = None
        while time.monotonic() < end:
            try:
                found = self.run(f"return {condition}")
                if found:
                    return found
            except RuntimeError as fault:  # between two pages
                found = fault
            time.sleep(0.05)
        raise TimeoutError(f"{condition}: {found}")

    def painted(self) -> None:
        """Wait until the table is on the screen: an earlier tap is one on the table before it."""
        self.run("page.painted(arguments[0])", "async")

    def tap(self, number: int) -> str:
        """Tap the key with this number (from 0) of those that enter a whole play; its line."""
        # the line is read first: the tap moves the keys on to the next seat
        return str(
            self.run(f"const key = {KEYS}[{number}], line = key.value; key.click(); return line")
        )


def open_table(browser: WebKit, game: str, seats: int) -> None:
    """From any page; players are added or removed one after the other until there are ``seats``."""
    browser.run(f'location.href = "/new?game={game}"')
    chosen = f'document.querySelector("#new [name=game]")?.value === "{game}"'
    browser.until(f'document.readyState === "complete" && {chosen}')
    there = 'document.querySelectorAll("#new [name=name]").length'
    while (now := browser.run(f"return {there}")) != seats:
        if now > seats:
            browser.run('document.querySelector("#new [value^=out]").click()')
        else:
            browser.run(
                f'const field = document.querySelector("#typed"); field.value = "P{next(NUMBERS)}";'
                'field.form.requestSubmit(document.querySelector("#new .chip[value=write]"))'
            )
        browser.until(f"{there} !== {now}")
    browser.run('document.querySelector("#new .go").click()')
    browser.until('document.querySelector("#play")')


def played(browser: WebKit, times: int, chance: Random) -> list[str]:
    """Enter up to ``times`` plays by keys that chance chooses, steps included; their lines."""
    lines: list[str] = []
    for _ in range(8 * times):
        browser.until(SETTLED)
        browser.painted()
        entries, keys, steps = browser.run(f"return [{ENTRIES}, {KEYS}.length, {STEPS}.length]")
        if len(lines) >= times or not keys + steps:
            break
        number = chance.randrange(keys + steps)
        if number < keys:
            line = browser.tap(number)
            entered, refused = f"{ENTRIES} > {entries}", "document.querySelector('.refused')"
            if browser.until(f"{entered} ? 'entered' : {refused} && 'refused'") == "entered":
                lines += line.splitlines()
        else:
            browser.run(f"window.before = {PLAY}; {STEPS}[{number - keys}].click()")
            browser.until(f"{PLAY} !== window.before")
    return lines


def check_games(browser: WebKit, address: str) -> None:
    """Play at a table of every game, with keys that chance chooses."""
    browser.go(f"{address}/new")
    for name, game in GAMES.items():
        open_table(browser, name, min(3, game.SEATS[-1]))
        lines = played(browser, TAPS, Random(1))
        record = browser.until(RECORD)
        assert lines, name
        rest = iter(record)  # the last step of a play is an entry, too, which no key named
        assert all(line in rest for line in lines), (name, record, lines)
        print(f"{name}: {len(lines)} plays, recorded in order", flush=True)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server on ``folder``."""
    port = free_port()
    command = [sys.executable, "-m", "referee", "serve", "--host", "127.0.0.1"]
    server = subprocess.Popen(
        [*command, "--port", str(port), "--data", str(folder)], stdout=subprocess.DEVNULL
    )
    try:
        answering(f"http://127.0.0.1:{port}/healthz")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


def answering(address: str) -> None:
    """Wait until a server answers at ``address``, with whatever status."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urlopen(address, timeout=PATIENCE).close()
            return
        except HTTPError:
            return
        except (URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def free_port() -> int:
    with create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def main() -> None:
    port = free_port()
    driver = subprocess.Popen(["WebKitWebDriver", f"--port={port}"])
    try:
        answering(f"http://127.0.0.1:{port}/status")
        browser = WebKit(f"http://127.0.0.1:{port}")
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as at:
            check_games(browser, at)
    finally:
        driver.kill()
        driver.wait()


if __name__ == "__main__":
    main()
