"""`fetch_table.py FILE` opens a table as a browser without JavaScript does, and checks its page.

FILE has the output of the server, which prints its address.
"""

import re
import sys
import time
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

FORM = [("game", "perite"), *(("name", name) for name in ("葵", "Ben", "千尋", "Dora", "榎本"))]
ON_THE_PAGE = ('class="pad', "葵", "榎本")
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
PATIENCE = 60  # seconds: a machine may be busy


def address(output: Path) -> str:
    """The address in the server's output; waits for it. The server then listens already."""
    until = time.monotonic() + PATIENCE
    while not (found := ADDRESS.search(output.read_text(encoding="utf-8", errors="replace"))):
        assert time.monotonic() < until, "the server does not start"
        time.sleep(0.1)
    return found[0]


def main(base: str) -> None:
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    with browser.open(f"{base}/new", timeout=PATIENCE) as page:
        assert page.status == 200, page.status

    headers = {"Origin": base, "Referer": f"{base}/new", "Sec-Fetch-Site": "same-origin"}
    form = Request(f"{base}/new", urlencode(FORM).encode(), headers)
    with browser.open(form, timeout=PATIENCE) as page:
        assert page.status == 200, page.status
        assert urlsplit(page.url).path.startswith("/t/"), page.url
        text = page.read().decode()
    missing = [part for part in ON_THE_PAGE if part not in text]
    assert not missing, f"{page.url} lacks {missing}"
    print(f"{page.url}: {len(text)} characters, with the pad")


main(address(Path(sys.argv[1])))
