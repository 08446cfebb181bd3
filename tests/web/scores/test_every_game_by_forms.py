"""Scores alone without scripts, in every game: entered, cancelled, entered again and stopped."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from random import Random
from urllib.parse import urlencode

import pytest
from chosen_games import having
from phones import Phone, one, soup
from thumb import FOUR, Thumb, new_table

from referee.games import GAMES
from referee.kit import shipped

MOST_TAPS = 400


def entered(thumb: Thumb, chance: Random) -> None:
    """Keys are tapped until the sheet can be saved; what cannot be is taken back."""
    for _ in range(MOST_TAPS):
        if thumb.savable():
            return
        free = [str(key["id"]) for key in thumb.page.select(".keyboard a[id]:not(.off), #knext")]
        if not free and not thumb.page.select(".keyboard a"):  # all is entered and cannot have been
            for _ in range(chance.randrange(1, 12)):
                if str(one(thumb.page, "#kback")["href"]).endswith("/sheet"):
                    break  # nothing is left to take back
                thumb.tap("kback")
            continue
        ends = "knext" in free and chance.random() < 0.3
        thumb.tap("knext" if ends else chance.choice(free))
    raise AssertionError("nothing that was tapped made a sheet")


@pytest.mark.parametrize("name", having("sheet"))
def test_an_id_stands_once_in_the_page_of_a_sheet(phone: Phone, name: str) -> None:
    """The keys of all rows come with the page; a reader of its text saw their ids twice."""
    new_table(phone, name, FOUR[: min(3, max(GAMES[name].SEATS))])
    for sheet in ("", ";", "0", "1;2"):
        ids = Counter(
            re.findall(r'\sid="([^"]+)"', phone.get(f"/t/{phone.match}/sheet?sheet={sheet}").text)
        )
        assert ids
        assert [id_ for id_, many in ids.items() if many > 1] == []


@pytest.mark.parametrize("name", having("sheet"))
def test_a_match_by_links_and_forms_alone(phone: Phone, name: str) -> None:
    seats = FOUR[: min(3, max(GAMES[name].SEATS))]
    thumb, chance = new_table(phone, name, seats), Random(name)
    entered(thumb, chance)
    thumb.save()
    assert [line.startswith("table sheet") for line in phone.log()][-1]
    count = len(phone.log())
    seq = one(thumb.page, ".paper [id=deal1]")["href"].rpartition("=")[2]
    cancelled = soup(phone.get(f"/t/{phone.match}/correct/{seq}?do=strike"))
    form = one(cancelled, "form[action$='/correct']")
    fields = {str(i["name"]): str(i["value"]) for i in form.select("input[name], button[name]")}
    assert phone.post(f"/t/{phone.match}/correct", fields).status_code == 303
    assert phone.log()[count:] == [f"table strike {seq}"]
    thumb.at("?sheet=;")
    entered(thumb, chance)
    thumb.save()
    if soup(phone.get(f"/t/{phone.match}/sheet")).select(".over"):
        return  # a game of one deal
    stop = soup(phone.get(f"/t/{phone.match}/stop"))
    fields = {str(i["name"]): str(i.get("value", "")) for i in stop.select("main form input")}
    assert phone.post(f"/t/{phone.match}/stop", fields).status_code == 303
    assert phone.log()[-1] == "table stop"
    assert soup(phone.get(f"/t/{phone.match}/sheet")).select(".over")


WORDS = ("1", "0", "-5", "+7", "±", "4+", "4+8=Q", "9*3", "99*99", "1/3", "tricks", ".", ";")
"""Words of rows in any game, and some of none."""


@pytest.mark.parametrize("name", [*having("sheet"), *shipped.games()])
def test_words_of_other_games_in_an_address_are_no_fault(phone: Phone, name: str) -> None:
    seats = FOUR[: min(4, max({**GAMES, **shipped.games()}[name].SEATS))]
    phone.opens(name, seats, leader=seats[0])
    match = phone.match.partition("?")[0]
    for word, no in product(WORDS, ("±", "+7")):
        asked = {"sheet": ";".join([word] * 3), "at": "1", "edit": "1", "no": no}
        answer = phone.get(f"/t/{match}/sheet?{urlencode(asked)}")
        assert answer.status_code == 200, (word, no)


@pytest.mark.parametrize("name", having("sheet"))
def test_an_impossible_sheet_sent_as_a_play_is_refused(phone: Phone, name: str) -> None:
    seats = FOUR[: min(3, max(GAMES[name].SEATS))]
    phone.opens(name, seats, leader=seats[0])
    phone.match = phone.match.partition("?")[0]
    before = phone.log()
    for line in (f"table sheet leader={seats[0]}", "table sheet"):
        assert phone.lays(line).status_code < 500
    assert phone.log() == before
