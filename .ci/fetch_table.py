"""`fetch_table.py URL` opens a table as a browser without JavaScript does and looks at its page."""

import sys
import time
from http.cookiejar import CookieJar
from urllib.error import URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

FORM = [("game", "perite"), *(("name", name) for name in ("葵", "Ben", "千尋", "Dora", "榎本"))]
ON_THE_PAGE = ('class="pad', "葵", "榎本")
START_SECONDS = 30


def main(base: str) -> None:
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            with browser.open(f"{base}/new", timeout=10) as page:
                assert page.status == 200, page.status
            break
        except URLError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)

    headers = {"Origin": base, "Referer": f"{base}/new", "Sec-Fetch-Site": "same-origin"}
    form = Request(f"{base}/new", urlencode(FORM).encode(), headers)
    with browser.open(form, timeout=10) as page:
        assert page.status == 200, page.status
        assert urlsplit(page.url).path.startswith("/t/"), page.url
        text = page.read().decode()
    missing = [part for part in ON_THE_PAGE if part not in text]
    assert not missing, f"{page.url} lacks {missing}"
    print(f"{page.url}: {len(text)} characters, with the pad")


main(sys.argv[1])
