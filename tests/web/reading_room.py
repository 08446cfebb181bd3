"""A table with its phone: lines are declared at the ledger, pages are parsed with BeautifulSoup."""

from __future__ import annotations

import io
import zipfile
from copy import copy
from random import Random
from typing import Any

from bs4 import BeautifulSoup, Tag
from chosen_games import head
from flask import Flask
from parsed import parsed
from werkzeug.test import TestResponse

from referee.core.log import Log
from referee.games.simulation import WIDEST
from referee.ledger import Answer, Ledger, View

FIVE_NAMES = "あかね 源五郎 北大路 みどり子 ほしの"

# みどり子 plays a second 7 (5), declaring nothing but 4, 7, 9, and plays a 6 later (10).
REVOKE = """
table deal leader=あかね
あかね lay 4
源五郎 lay 7
北大路 lay 9
みどり子 lay 7
ほしの lay 5
あかね lay 3
源五郎 lay 10
北大路 lay 8
みどり子 lay 6
"""


class Room:
    """One match and one phone. ``declare`` records a line, ``get`` and ``post`` are requests of the
    phone.
    """

    def __init__(self, app: Flask) -> None:
        self.ledger: Ledger = app.extensions["ledger"]
        self.phone = app.test_client()
        self.match = ""

    def open(self, game: str, seats: str, lines: str = "", **options: str) -> Room:
        texts = {"date": options.pop("date")} if "date" in options else {}
        header = head(game, tuple(seats.split()), options, texts)
        self.match = self.ledger.open(header).match
        for line in filter(None, lines.splitlines()):
            self.declare(line)
        return self

    def revoke(self) -> Room:
        return self.open(WIDEST, FIVE_NAMES, REVOKE)

    def declare(self, line: str, *, overrule: bool = False) -> Answer:
        """Declare ``line``, which is recorded."""
        seen = self.view.seq
        answer = self.ledger.declare(self.match, line, seen, f"entry-{seen:06}", overrule=overrule)
        assert answer.seq is not None, answer.verdict
        return answer

    def play_out(self, most: int = 10_000, seed: int = 0) -> Room:
        """Play on by chance to the end of the match; declare only where nothing else is left."""
        chance = Random(seed)
        for _ in range(most):
            view = self.view
            if view.outcome:
                break
            plays: dict[str, list[Any]] = {"Legal": [], "Unprovable": [], "Illegal": []}
            for play in view.game.candidates(view.state):
                plays[type(view.game.judge(view.state, play)).__name__].append(play)
            self.declare(view.grammar.print(chance.choice(plays["Legal"] or plays["Unprovable"])))
        return self

    @property
    def view(self) -> View:
        return self.ledger.view(self.match)

    @property
    def log(self) -> Log:
        return self.view.log

    def get(self, path: str, status: int = 200, **headers: str) -> BeautifulSoup:
        """The page ``path`` of this match, or any page if it begins with a slash.

        A link to an entry may lead on to the page where it is corrected.
        """
        onward = status == 200
        answer = self.phone.get(self.address(path), headers=headers, follow_redirects=onward)
        return self.soup(answer, status)

    def post(self, path: str, status: int, **fields: Any) -> TestResponse:
        answer = self.phone.post(self.address(path), data=fields)
        assert answer.status_code == status, answer.text
        return answer

    def submit(self, page: BeautifulSoup, status: int = 303, **changed: str) -> TestResponse:
        """Press the button of the only form of ``page`` that posts."""
        form = one(page, "form[method=post]")
        fields = {field["name"]: field["value"] for field in form.select("input[name]")}
        return self.post(form["action"], status, **{**fields, **changed})

    def address(self, path: str) -> str:
        return path if path.startswith("/") else f"/t/{self.match}/{path}"

    def soup(self, answer: TestResponse, status: int = 200) -> BeautifulSoup:
        assert answer.status_code == status, answer.text
        return parsed(answer.text)


def one(page: BeautifulSoup | Tag, selector: str) -> Any:
    """The only element that ``selector`` finds."""
    [found] = page.select(selector)
    return found


def words(element: Tag) -> str:
    """The text of ``element`` with single blanks; names and sums are a part of their sentence."""
    flat = copy(element)
    for part in flat.select(".eq, .nm"):
        part.unwrap()
    flat.smooth()
    return " ".join(flat.get_text(" ").split())


def contents(packed: bytes) -> list[bytes]:
    """The files of an archive."""
    with zipfile.ZipFile(io.BytesIO(packed)) as files:
        return [files.read(name) for name in files.namelist()]
