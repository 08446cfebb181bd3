"""``python tools/lighthouse.py LIGHTHOUSE``: Lighthouse's scores of four pages on a mobile phone.

``LIGHTHOUSE`` is the program that ``make lighthouse`` installs; ``CHROMIUM`` in the environment
names the browser. Prints the median of three runs of each page, and the audits that keep a page
below 100; exit status 1 if a page is below 100.
"""

from __future__ import annotations

import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from referee.games import GAMES
from torture.ports import free

RUNS, WHOLE = 3, 100
TRIES = 3  # runs of Lighthouse: on a busy machine the browser can start too late
KINDS = ("performance", "accessibility", "best-practices")
TIMES = ("largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift")
RECORDS = Path(__file__).parent.parent / "tests" / "games"
PATIENCE_SECONDS = 60


@contextmanager
def served(folder: str) -> Iterator[int]:
    """The app with a match of each game, finished or not, on a port of this computer."""
    referee = (sys.executable, "-m", "referee")
    env = {**os.environ, "REFEREE_DATA": folder}
    records = sorted(RECORDS.glob("*/playthroughs/*.txt"), reverse=True)
    # Records of game files name no version of their file; a test adds it.
    built_in = (file for file in records if file.parents[1].name in GAMES)
    first_of_each = {file.parents[1]: str(file) for file in built_in}
    command = [*referee, "import", "--keep-illegal", *first_of_each.values()]
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)
    port = free()
    command = [*referee, "serve", "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL) as server:
        try:
            until = time.monotonic() + PATIENCE_SECONDS
            while time.monotonic() < until:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield port
        finally:
            server.terminate()


def introduced(port: int) -> tuple[str, str]:
    """The cookies of a phone that has adopted the matches, and the address of a running one.

    With all of its cookies the server sets none. If it did, the browser would send that one in the
    place of these, and the page's own requests would be those of a stranger.
    """
    line = HTTPConnection("127.0.0.1", port)
    line.request("GET", "/")
    answer = line.getresponse()
    answer.read()
    cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
    line.request("GET", "/", headers={"Cookie": cookie})
    page = line.getresponse().read().decode()
    table = re.search(r'href="(/t/[^/"]+)"', page)
    assert table, "no table goes on"
    line.request("GET", table[1], headers={"Cookie": cookie})
    answer = line.getresponse()
    answer.read()
    more = (header.partition(";")[0] for header in answer.headers.get_all("Set-Cookie") or ())
    return "; ".join((cookie, *more)), table[1]


def measured(lighthouse: str, url: str, cookie: str) -> dict[str, Any]:
    """One report of Lighthouse."""
    env = {**os.environ, "CHROME_PATH": os.environ["CHROMIUM"]}
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [
            lighthouse,
            url,
            "--quiet",
            f"--only-categories={','.join(KINDS)}",
            f"--extra-headers={json.dumps({'Cookie': cookie, 'Accept-Language': 'ja'})}",
            "--chrome-flags=--headless=new --no-sandbox",
            "--output=json",
            f"--output-path={report.name}",
        ]
        for left in reversed(range(TRIES)):
            if not subprocess.run(command, env=env, check=not left).returncode:
                break
        found: dict[str, Any] = json.load(report)
    return found


def lacking(report: dict[str, Any]) -> list[str]:
    """The audits of a report with a score below 0.9 that count, as lines to print."""
    return [
        f"  {report['audits'][ref['id']]['title']}: {report['audits'][ref['id']]['score']}"
        for kind in KINDS
        for ref in report["categories"][kind]["auditRefs"]
        if ref["weight"] and (report["audits"][ref["id"]]["score"] or 0) < 0.9
        if report["audits"][ref["id"]]["scoreDisplayMode"] not in ("notApplicable", "manual")
    ]


def main(lighthouse: str) -> int:
    """Measure the pages; 1 if one of them has a score below 100."""
    below = False
    print(f"{'':10}" + "".join(f"{kind:>16}" for kind in KINDS) + "     LCP   TBT   CLS")
    with tempfile.TemporaryDirectory() as folder, served(folder) as port:
        cookie, table = introduced(port)
        pages = {"home": "/", "new table": "/new", "table": table, "history": "/history"}
        for name, path in pages.items():
            url = f"http://127.0.0.1:{port}{path}"
            reports = [measured(lighthouse, url, cookie) for _ in range(RUNS)]
            scores = [
                round(statistics.median(r["categories"][kind]["score"] for r in reports) * WHOLE)
                for kind in KINDS
            ]
            lcp, tbt, cls = (
                statistics.median(r["audits"][time]["numericValue"] for r in reports)
                for time in TIMES
            )
            columns = "".join(f"{score:>16}" for score in scores)
            print(f"{name:10}{columns}{lcp / 1000:6.2f} s{tbt:4.0f} ms{cls:6.2f}", flush=True)
            if min(scores) < WHOLE:
                below = True
                print("\n".join(dict.fromkeys(line for r in reports for line in lacking(r))))
    return int(below)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
