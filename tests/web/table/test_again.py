"""After a match: the same again, another game, one person less or more, in at most three taps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bs4 import BeautifulSoup, Tag
from chosen_games import having
from phones import Phone, one, soup
from werkzeug.datastructures import MultiDict

from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.ledger import View

MOST = 3
OFTEN = ("A", "B", "C")
OTHER = next(name for name in GAMES if name != WIDEST and len(OFTEN) in GAMES[name].SEATS)


class Thumb:
    """Taps links and buttons of the pages that a phone shows, and counts them."""

    def __init__(self, phone: Phone, path: str) -> None:
        self.phone, self.taps = phone, 0
        self.page = soup(phone.get(path))

    def link(self, selector: str) -> None:
        self.taps += 1
        self.page = soup(self.phone.get(str(self.page.select(selector)[0]["href"])))

    def button(self, do: str = "") -> str:
        """Tap the button with this value, or the one that begins; where it leads."""
        self.taps += 1
        form = one(self.page, "#new")
        assert do in [str(button.get("value", "")) for button in form.select("button")], do
        pressed = [("do", do)] if do else []
        answer = self.phone.post("/new", MultiDict([*fields(form), *pressed]))
        assert answer.status_code == (200 if do else 303), answer.text
        self.page = soup(answer)
        return answer.location or ""


def fields(form: BeautifulSoup | Tag) -> Iterator[tuple[str, str]]:
    """What a browser sends of the form without its buttons."""
    for field in form.select("input[name]"):
        kind = field.get("type", "text")
        if kind not in ("radio", "checkbox") or field.has_attr("checked"):
            yield str(field["name"]), str(field.get("value", ""))
    for field in form.select("select[name]"):
        chosen = field.select("option[selected]") or field.select("option")
        yield str(field["name"]), str(chosen[0]["value"])


def seen(phone: Phone, location: str) -> View:
    view: View = phone.client.application.extensions["ledger"].view(
        location.partition("?")[0].split("/")[2]
    )
    return view


def stopped(phone: Phone, game: str, where: str) -> Thumb:
    """A thumb on the page ``where`` of a match of ``game`` that was stopped."""
    phone.opens(names=("D", *OFTEN[:2]), leader="D")  # somebody else who has played
    names = OFTEN if len(OFTEN) in GAMES[game].SEATS else OFTEN[:2]
    phone.opens(game, names)
    phone.match = phone.match.partition("?")[0]  # where cards of the deal have to be entered
    phone.lays("table stop")
    return Thumb(phone, f"/t/{phone.match}{where}")


@pytest.mark.parametrize("game", having("stopped"))
@pytest.mark.parametrize("where", ["", "/score", "/result", "/menu"])
def test_the_same_again(phone: Phone, game: str, where: str) -> None:
    thumb = stopped(phone, game, where)
    thumb.link("a[href^='/new?like=']")
    view = seen(phone, thumb.button())
    before = phone.client.application.extensions["ledger"].view(phone.match)
    assert (view.header.seats, view.game.NAME) == (before.header.seats, game)
    assert thumb.taps == 2


@pytest.mark.parametrize(
    ("do", "game", "names"),
    [
        ("out C", WIDEST, OFTEN[:2]),
        ("in D", WIDEST, (*OFTEN, "D")),
        (f"game {OTHER}", OTHER, OFTEN),
    ],
)
@pytest.mark.parametrize("where", ["", "/score"])
def test_a_change_takes_one_tap_more(
    phone: Phone, do: str, game: str, names: tuple[str, ...], where: str
) -> None:
    thumb = stopped(phone, WIDEST, where)
    thumb.link("a[href^='/new?like=']")
    thumb.button(do)
    view = seen(phone, thumb.button())
    assert (view.header.seats, view.game.NAME) == (names, game)
    assert thumb.taps == MOST


def test_the_other_phones_are_led_to_the_next_table(phone: Phone, guest: Phone) -> None:
    phone.opens(names=OFTEN).lays("A lay 4")
    guest.match = phone.match
    code = soup(phone.get(f"/t/{phone.match}/join")).select(".code")[0].get_text()
    guest.post("/join", {"code": code.strip()})
    [knock] = phone.page().select("[name=phone]")
    phone.post(f"/t/{phone.match}/door", {"phone": str(knock["value"]), "do": "in"})
    assert guest.post(f"/t/{phone.match}/sit", {"place": "2"}).status_code == 303
    phone.lays("table stop")
    over, asked = phone.match, f"/t/{phone.match}/onward"
    assert one(guest.page(), "#door")["data-again"] == asked
    assert not soup(guest.get(asked)).select("a")

    phone.opens(names=OFTEN)
    by_scores = soup(guest.get(f"/t/{over}/sheet"))
    for page in (soup(guest.get(asked)), guest.page(), by_scores):
        link = one(page, "#door a")
        assert link["href"] == f"/t/{phone.match}"
        assert "次の卓が開きました" in link.get_text()
    assert not guest.page().select("[data-again]")
    guest.match = phone.match
    assert guest.page().select(".seat.you .nm")[0].get_text(strip=True) == "B"
    assert over != phone.match


@pytest.mark.parametrize("by_sheet", [False, True])
def test_the_way_of_recording_is_that_of_the_match(phone: Phone, by_sheet: bool) -> None:
    phone.opens(names=OFTEN, leader="A")
    card_by_card = phone.match
    data: dict[str, object] = {"game": WIDEST, "name": list(OFTEN), "leader": "A", "scores": "1"}
    answer = phone.post("/new", data)
    assert answer.status_code == 303
    phone.match = answer.location.split("/")[2]
    ledger = phone.client.application.extensions["ledger"]
    ledger.declare(
        phone.match, 'table sheet leader=A A="4 4" B="1/3 3" C="5"', 0, "key-of-the-sheet"
    )
    match = phone.match if by_sheet else card_by_card
    page = soup(phone.get(f"/new?like={match}"))
    [tick] = page.select("[name=scores]")
    assert tick.has_attr("checked") is by_sheet


@pytest.mark.parametrize("game", having("begins_next"))
def test_who_begins_follows_the_rules_if_they_say_it(phone: Phone, game: str) -> None:
    """The deal passes to the left: A dealt and B began; B deals, and C begins."""
    phone.opens(game, OFTEN)
    phone.match = phone.match.partition("?")[0]
    phone.lays("table deal dealer=A tableau=2,3,4,5", "table stop")
    page = soup(phone.get(f"/new?like={phone.match}"))
    [chosen] = page.select("[name=leader][checked]")
    assert chosen["value"] == "C"
