"""While a play is half-entered, undo takes back its last tap, in any game, and no entry."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qsl, urlencode

import pytest
from bs4 import BeautifulSoup
from chosen_games import head, some_seats
from flask import Flask
from phones import Phone, one, soup, text

from referee.games import GAMES
from referee.games.simulation import WIDEST, played

MOST = 40  # entries whose pages are looked at
STEPS = 3  # taps of a play that are followed
BACK = ".bar a[rel=prev]"


def stages(app: Flask, name: str) -> Iterator[Phone]:
    """A phone at a table of ``name`` entry by entry."""
    ledger, seats = app.extensions["ledger"], tuple(some_seats(name, ("A", "B", "C")))
    phone = Phone(app.test_client(), ledger.open(head(name, seats)).match)
    yield phone
    for seq, entry in enumerate(played(GAMES[name], seats, 4, most=MOST).entries):
        line = ledger.view(phone.match).grammar.print(entry)
        ledger.declare(phone.match, line, seq, f"entry-{seq:06}")
        yield phone


def query_of(address: str) -> dict[str, str]:
    return dict(parse_qsl(address.partition("?")[2]))


def steps(page: BeautifulSoup) -> list[dict[str, str]]:
    """The queries of the pages to which the first and the last key of a half-entered play lead."""
    found = [query_of(str(key["href"])) for key in page.select("#play a[href*='?']:not([rel])")]
    seat = {str(field["name"]): str(field["value"]) for field in page.select("#pick [type=hidden]")}
    for key in page.select("#table button[form=pick]"):
        found.append(seat | {str(key["name"]): str(key["value"])})
    more = [query for query in found if any(query[name] for name in query if name != "seat")]
    return [more[0], more[-1]] if more else []


def lines(page: BeautifulSoup) -> list[str]:
    return [str(key["value"]) for key in page.select("#table [name=line]")]


@pytest.mark.parametrize("name", GAMES)
def test_undo_takes_back_the_last_tap_of_a_play(app: Flask, name: str) -> None:
    """Back to the page without choices, which has the keys that it had before."""
    for phone in stages(app, name):
        before = phone.page()
        assert not before.select(BACK)
        for query in steps(before):
            page, taps = phone.page(f"?{urlencode(query)}"), 1
            while taps < STEPS and (further := steps(page)):
                page, taps = phone.page(f"?{urlencode(further[-1])}"), taps + 1
            while back := page.select(BACK):
                assert [key for key in page.select("#table .undo") if "戻す" in key.text] == []
                page, taps = phone.page("?" + str(back[0]["href"]).partition("?")[2]), taps - 1
                assert taps >= 0
            assert lines(page) == lines(before)


def test_without_a_half_entered_play_undo_takes_back_the_last_entry(app: Flask) -> None:
    """Also on the keys of a seat that was chosen."""
    phone = Phone(app.test_client()).opens(WIDEST, ("A", "B", "C"))
    phone.lays("A lay 4")
    for query in ("", "?seat=C", "?plays=1"):
        page = phone.page(query)
        assert not page.select(BACK)
        assert text(page, "#undo button") == "戻す"
        assert not one(page, "#undo").has_attr("hidden")


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_that_was_chosen_is_left_by_its_own_plate(app: Flask, name: str) -> None:
    for phone in stages(app, name):
        page = phone.page()
        for plate in page.select(".board a[href*='seat=']"):
            chosen = phone.page("?" + str(plate["href"]).partition("?")[2])
            again = chosen.select(".board a[aria-current]")
            if lines(chosen) != lines(page) and again:
                left = soup(phone.get(f"/t/{phone.match}?" + str(again[0]["href"]).split("?")[1]))
                assert lines(left) == lines(page)
