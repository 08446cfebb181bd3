"""No page writes an error to the console of the browser, such as a style that its policy forbids."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from introduced import introduced
from playwright.sync_api import Page
from serving import Site, sheets_at, there

from referee.games import GAMES

pytestmark = pytest.mark.browser

KEYS = ".keyboard a:visible, .ends a:visible"
READ = ("", "/sheet", "/score", "/result", "/log", "/menu", "/rules")


@pytest.fixture
def errors(phone: Callable[..., Page], live_site: Site) -> tuple[Page, list[str]]:
    """A phone, and what its console says."""
    page, said = phone(f"{live_site.url}/", still=True), list[str]()
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else 0)
    page.on("pageerror", lambda error: said.append(str(error)))
    return page, said


@pytest.mark.parametrize("name", GAMES)
def test_a_session_of_score_sheets(
    live_site: Site, errors: tuple[Page, list[str]], name: str
) -> None:
    """Sheets are filled in, corrected and read, then the pages of the match and its history."""
    page, said = errors
    paths = sheets_at(live_site, introduced(live_site.desk.store), name)
    for path in paths:
        page.goto(live_site.url + path)
        there(page, "main")
        for _ in range(6):
            keys = page.locator(KEYS)
            if keys.count():
                keys.last.dispatch_event("click")
                page.wait_for_function("document.readyState === 'complete'")
    table = paths[2].removesuffix("/sheet")
    for end in READ:
        page.goto(f"{live_site.url}{table}{end}")
    page.goto(f"{live_site.url}/history")
    assert not said, "\n".join(said)


def test_the_console_is_heard(live_site: Site, errors: tuple[Page, list[str]]) -> None:
    """Or the test above could not fail."""
    page, said = errors
    page.evaluate("document.body.setAttribute('style', 'color: red')")
    page.wait_for_timeout(200)
    assert "style" in said[0]
