"""A thumb that enters sheets by taps on links, as a phone without scripts does."""

from __future__ import annotations

from bs4 import BeautifulSoup
from phones import Phone, one, soup

FOUR = ("あかね", "源五郎", "みどり子", "B B")


class Thumb:
    """A finger on the sheet page of one match; counts its taps."""

    def __init__(self, phone: Phone) -> None:
        self.phone, self.taps = phone, 0
        self.page = self.at("")

    def at(self, query: str) -> BeautifulSoup:
        answer = self.phone.get(f"/t/{self.phone.match}/sheet{query}")
        assert answer.status_code == 200
        self.page = soup(answer)
        for kept in self.page.select("template"):  # for scripts
            kept.decompose()
        return self.page

    def tap(self, *keys: str) -> None:
        for key in keys:
            self.taps += 1
            [found] = self.page.find_all("a", id=key)
            self.at(str(found["href"]).rpartition("/sheet")[2])

    def save(self) -> None:
        self.taps += 1
        fields = {i["name"]: i["value"] for i in self.page.select("#play input")}
        button = one(self.page, "#play button")
        fields |= {str(button["name"]): str(button["value"])}
        answer = self.phone.post(f"/t/{self.phone.match}/sheet/play", fields)
        assert answer.status_code == 303, answer.text
        self.at("")

    def savable(self) -> bool:
        return not one(self.page, "#play button").has_attr("disabled")


def new_table(phone: Phone, game: str, names: tuple[str, ...] = FOUR) -> Thumb:
    data = {"game": game, "name": list(names), "leader": names[0], "scores": "1"}
    answer = phone.post("/new", data)
    assert answer.status_code == 303
    phone.match = answer.location.split("/t/")[1].split("/")[0]
    thumb = Thumb(phone)
    thumb.at("?" + answer.location.partition("?")[2])
    return thumb
