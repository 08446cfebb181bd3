"""A phone at the table: its requests, and ways to read its pages."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from bs4 import BeautifulSoup, Tag
from flask.testing import FlaskClient
from parsed import parsed
from werkzeug.test import TestResponse

from referee.games.simulation import WIDEST

AFAR = {"REMOTE_ADDR": "192.168.1.9"}
"""The environment of a request from another machine."""

SEEN = re.compile(r'name="seen" value="(\d+)"')
FIVE = ("A", "B", "C", "D", "E")


class Phone:
    """One phone: its requests, and the content of its page."""

    def __init__(self, client: FlaskClient, match: str = "", htmx: bool = False) -> None:
        self.client, self.match = client, match
        self.headers = {"HX-Request": "true"} if htmx else {}

    def get(self, path: str, **extra: Any) -> TestResponse:
        return self.client.get(path, headers=self.headers, **extra)

    def post(self, path: str, data: Any, **headers: str) -> TestResponse:
        return self.client.post(path, data=data, headers={**self.headers, **headers})

    def opens(
        self, game: str = WIDEST, names: Sequence[str] = FIVE, leader: str = "A", **options: str
    ) -> Phone:
        """Open a table and look at it."""
        called = options.pop("called", "UNO")
        data = {"game": game, "name": list(names), "leader": leader, "called": called}
        answer = self.post("/new", data | {f"option.{k}": v for k, v in options.items()})
        assert answer.status_code == 303, answer.text
        self.match = answer.location.rpartition("/")[2]
        return self

    def page(self, query: str = "") -> BeautifulSoup:
        answer = self.get(f"/t/{self.match}{query}")
        assert answer.status_code == 200
        return soup(answer)

    def seen(self) -> str:
        """The last entry on the table, which all its forms name; without reading the whole page.

        The table leads on to the page of its sheets where only these are entered.
        """
        answer = self.get(f"/t/{self.match}", follow_redirects=True)
        assert answer.status_code == 200
        [seen] = set(SEEN.findall(answer.text))
        return str(seen)

    def lays(self, *lines: str, **fields: str) -> TestResponse:
        """Declare plays one after the other, as from a fresh page; the last answer."""
        answer = None
        for line in lines:
            data = {"line": line, "seen": self.seen(), "key": secrets.token_urlsafe(9)} | fields
            answer = self.post(f"/t/{self.match}/play", data)
        assert answer is not None
        return answer

    def undoes(self, **fields: str) -> TestResponse:
        data = {"seen": self.seen(), "key": secrets.token_urlsafe(9)} | fields
        return self.post(f"/t/{self.match}/undo", data)

    def log(self) -> list[str]:
        """The lines that are recorded."""
        view = self.client.application.extensions["ledger"].view(self.match)
        return [view.grammar.print(entry) for entry in view.log.entries]


def soup(answer: TestResponse) -> BeautifulSoup:
    return parsed(answer.text)


def one(page: BeautifulSoup | Tag, selector: str) -> Tag:
    """The only element that ``selector`` finds."""
    [found] = page.select(selector)
    return found


def removable(page: BeautifulSoup) -> list[str]:
    """The phones that the page offers to take out, as its links to the question name them."""
    links = page.select("a[href*='/expel?'],a[href*='/circle/phones?']")
    return [parse_qs(urlsplit(str(link["href"])).query)["phone"][0] for link in links]


def text(page: BeautifulSoup | Tag, selector: str) -> str:
    """Its text, with single blanks."""
    return re.sub(r"\s+", " ", one(page, selector).get_text()).strip()
