"""An evening as a director and the players go through its pages."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence

from bs4 import BeautifulSoup
from phones import Phone, soup
from werkzeug.test import TestResponse

from referee.desk import Desk, DeskView

TWELVE = (
    "あかね",
    "源五郎",
    "ほしの",
    "シホ",
    "リン",
    "ケン",
    "メイ",
    "ユイ",
    "タク",
    "ソウタ",
    "クロエ",
    "ハル",
)


class DeskPhone:
    """A phone on the pages of a desk."""

    def __init__(self, phone: Phone, desk: int = 0) -> None:
        self.phone, self.desk = phone, desk
        self.desks: Desk = phone.client.application.extensions["desk"]

    def opens(self) -> DeskPhone:
        answer = self.phone.post("/desk", {"key": new_key()})
        assert answer.status_code == 303, answer.text
        self.desk = int(answer.location.rpartition("/")[2])
        return self

    @property
    def view(self) -> DeskView:
        return self.desks.caught_up(self.desk)

    def get(self, path: str = "") -> BeautifulSoup:
        answer = self.phone.get(f"/desk/{self.desk}{path}", follow_redirects=True)
        assert answer.status_code == 200, answer.text
        return soup(answer)

    def post(self, path: str, fields: Mapping[str, object], key: str = "") -> TestResponse:
        data = {"key": key or new_key()} | fields
        return self.phone.post(f"/desk/{self.desk}{path}", data)

    def does(self, path: str, **fields: object) -> TestResponse:
        """Press a key; the answer leads to the next page."""
        answer = self.post(path, fields)
        assert answer.status_code == 303, text_of(answer)
        return answer

    def ticks(self, *names: str) -> None:
        for name in names:
            self.does("/came", name=name)

    def number(self, name: str) -> int:
        return list(self.view.names).index(name)

    def proposes(self) -> None:
        self.does("/propose")

    def publishes(self) -> int:
        """Publish the proposal as its page does; returns the number of the round."""
        page = self.get("/seats")
        [form] = [f for f in page.select("form") if str(f["action"]).endswith("/publish")]
        fields = {str(i["name"]): str(i["value"]) for i in form.select("input")}
        answer = self.phone.post(str(form["action"]), fields)
        assert answer.status_code == 303, text_of(answer)
        return int(answer.location.rpartition("/")[2])

    def types(self, number: int, table: str, order: Sequence[int], **more: str) -> TestResponse:
        """Type the places of a table: the first in ``order`` is first."""
        fields = {f"place-{person}": at for at, person in enumerate(order, 1)}
        return self.post(f"/rounds/{number}/{table}/places", fields | more)

    def standing(self) -> list[list[str]]:
        """Place, name, points, firsts, strength of each row."""
        return [
            [cell.get_text(" ", strip=True) for cell in row.select("td,th")]
            for row in self.get("/standing").select(".stand tbody tr")
        ]


def new_key() -> str:
    return secrets.token_hex(7)


def text_of(answer: TestResponse) -> str:
    return re.sub(r"\s+", " ", soup(answer).get_text(" "))
