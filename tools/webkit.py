"""``python tools/webkit.py [PACK]``: play in WebKit, the engine of every browser on an iPhone.

Drives WebKitGTK's MiniBrowser (Debian: ``webkit2gtk-driver``) through its WebDriver, which needs a
display (``xvfb-run``). At a table of every game it taps keys and compares the record with the lines
that it tapped, and looks at a score sheet; it taps without a server, reloads, and starts the server
again. With PACK, a folder that ``referee pack`` wrote, it plays in the app in a tab and reloads it.
Raises on what is wrong.

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

from referee.games import GAMES, ON_CARDS

MINI_BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"), None)
TAPS = 30
NUMBERS = count()  # no two players have the same name
PATIENCE = 180.0  # seconds, for a busy machine

RECORD = """fetch(location.pathname + "/record.txt")
  .then((answer) => answer.text()).then(arguments[0])"""
LIVE = ".filter((key) => key.offsetParent && !key.disabled && !key.matches('.off, .not'))"
KEYS = f"""[...document.querySelectorAll("#play [name=line], .flags [name=line]")]{LIVE}"""
STEPS = f"""[...document.querySelectorAll("#play a.key, #play [name=card]")]{LIVE}"""
LEGAL = "(key) => key.matches('[id]:not(.dot)')"
SETTLED = 'document.querySelector("#play") && !document.querySelector("#table.waits")'
UNSENT = 'Object.keys(localStorage).filter((name) => name.startsWith("unsent ")).length'
ENTRIES = 'Number(document.querySelector("#play [name=seen]")?.value ?? -1)'
PLAY = 'document.querySelector("#table").outerHTML'
HEADINGS = ".paper thead span"


class WebKit:
    """A browser; ``inside``: scripts run in the first frame of the page."""

    def __init__(self, driver: str) -> None:
        self.inside = False
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
        if self.inside:  # a frame that went to another page has to be entered again
            self._post("/frame", id=None)
            frame = self._post("/element", using="css selector", value="iframe")
            self._post("/frame", id=frame)
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

    def tap(self, key: str) -> str:
        """Tap the key that the expression ``key`` gives; its line."""
        # the line is read first: the tap moves the keys on to the next seat
        return str(self.run(f"const key = {key}, line = key.value; key.click(); return line"))

    def record(self) -> list[str]:
        """The lines of the record of the table that is shown."""
        text = str(self.run(RECORD, "async"))
        return [line for part in text.split("\n\n")[1:] for line in part.splitlines() if line]

    def reload(self) -> None:
        """Load the page again, without its frames."""
        if self.inside:
            self.inside = False
            self._post("/frame", id=None)
        self.go(self.run("return location.href"))


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
                'const field = document.querySelector("#typed");'
                f'field.value = "Player{next(NUMBERS)}";'
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
            line = browser.tap(f"{KEYS}[{number}]")
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
    for name, game in ON_CARDS.items():
        open_table(browser, name, min(3, game.SEATS[-1]))
        lines = played(browser, TAPS, Random(1))
        check_record(browser, lines)
        print(f"{name}: {len(lines)} plays, recorded in order", flush=True)


def check_headings(browser: WebKit) -> None:
    """On the Japanese score sheet of the table that is shown, names are written downwards."""
    browser.run("""document.cookie = "lang=ja;path=/"; location.pathname += "/sheet" """)
    names = browser.until(f"""[...document.querySelectorAll("{HEADINGS}")].map((name) =>
        [name.textContent.trim(), name.clientHeight, name.clientWidth])""")
    assert all(height > width for _name, height, width in names), names
    print("score sheet: the names are written downwards", flush=True)


def check_record(browser: WebKit, lines: list[str]) -> None:
    """The table entries and last steps of plays, which no key named, are in the record, too."""
    record = browser.record()
    rest = iter(record)
    assert lines, record
    assert all(line in rest for line in lines), (record, lines)


def check_without_server(browser: WebKit, folder: Path, port: int) -> None:
    """Tap while there is no server, and reload: all entries come when it is there again."""
    with serving(folder, port) as address:
        browser.go(f"{address}/new")
        open_table(browser, next(iter(GAMES)), 5)
        cards = [line.partition(" ")[2] for line in played(browser, 3, Random(2))]
        browser.until("navigator.serviceWorker.controller")
        browser.reload()  # now its service worker has the page
        browser.until(SETTLED)
    for unsent in range(1, 4):
        browser.painted()
        # Only a play that needs no declaration is sent unasked. Its seat is not compared: who leads
        # after a trick is known to the server alone.
        cards.append(browser.tap(f"{KEYS}.find({LEGAL})").partition(" ")[2])
        browser.until(f"{UNSENT} === {unsent}")
    browser.reload()
    browser.until('document.querySelector("#table.waits")')
    with serving(folder, port):
        browser.until(f"{UNSENT} === 0 && {SETTLED}")
        entered = [line for line in browser.record() if not line.startswith("table ")]
        assert [line.partition(" ")[2] for line in entered] == cards, (entered, cards)
    print("without a server: 3 taps and a reload; recorded in order when it is back", flush=True)


def check_pack(browser: WebKit, packed: Path) -> None:
    """The app in a tab: start, table, plays, reload."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
    files = subprocess.Popen(
        command, cwd=packed, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        answering(f"http://127.0.0.1:{port}/")
        browser.go(f"http://127.0.0.1:{port}/")
        first = framed(browser, 'document.querySelector("main")')
        open_table(browser, next(iter(GAMES)), 3)
        lines = played(browser, TAPS, Random(3))
        browser.reload()
        again = framed(browser, SETTLED)
        check_record(browser, lines)
    finally:
        files.kill()
        files.wait()
    print(f"in a tab: shown after {first:.0f} s; {len(lines)} plays, all there {again:.0f} s later")


def framed(browser: WebKit, condition: str) -> float:
    """Go into the frame of the app when there is one; the seconds until ``condition`` holds."""
    began = time.monotonic()
    browser.until('document.querySelector("iframe")')
    browser.inside = True
    browser.until(condition)
    return time.monotonic() - began


@contextmanager
def serving(folder: Path, port: int) -> Iterator[str]:
    """The address of a server on ``folder``, which is killed at the end."""
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
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder), free_port()) as at:
            check_games(browser, at)
            check_headings(browser)
        with tempfile.TemporaryDirectory() as folder:
            check_without_server(browser, Path(folder), free_port())
        for packed in sys.argv[1:]:
            check_pack(browser, Path(packed))
    finally:
        driver.kill()
        driver.wait()


if __name__ == "__main__":
    main()
