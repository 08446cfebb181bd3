"""A phone that may record nothing has no keys, in any game; what it sends is refused for good."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import islice
from random import Random

import kit_deals
import pytest
from bs4 import BeautifulSoup
from chosen_games import having, head, some_seats
from flask import Flask
from flask.testing import FlaskClient
from phones import Phone, one, soup, text
from werkzeug.test import TestResponse

from referee.core.log import Log
from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import WIDEST, played, player, room_of, table
from referee.http.invites import digest
from referee.store import Circles, Doors
from referee.store.gathering import now

SEATS = ("A", "B", "C")
MOST = 70  # entries whose pages are looked at; the last page is that of the end
LINKS = "[href*='?'], [href*='/correct'], [href*='/sheet'], [href='/new']"
KEYS = f"#table :is(button:not(.lamp), input:not([type=hidden]), {LINKS})"
"""What records something, or leads to it."""


def phone_with(app: Flask, token: str) -> FlaskClient:
    client = app.test_client()
    client.set_cookie("phone", token)
    Doors(app.extensions["ledger"].store).greet(digest(token))
    return client


def comes(app: Flask, match: str, role: str, place: int = 0) -> Phone:
    """A phone that is at the table in this role."""
    token = secrets.token_urlsafe(16)
    phone = Phone(phone_with(app, token), match)
    Doors(app.extensions["ledger"].store).seat(match, digest(token), role, place)
    return phone


def opened(app: Flask, header: Header) -> str:
    ledger = app.extensions["ledger"]
    founder = secrets.token_urlsafe(16)
    phone_with(app, founder)
    return str(ledger.open(header, Circles(ledger.store).create(digest(founder))).match)


def stages(app: Flask, name: str) -> Iterator[str]:
    """A table of ``name`` entry by entry, as its id."""
    ledger = app.extensions["ledger"]
    if name in GAMES:
        seats = tuple(some_seats(name, SEATS))
        match = opened(app, head(name, seats))
        log = played(GAMES[name], seats, 4, lies=0.1)
    else:
        file = kit_deals.game_of(name)
        ledger.store.game_files.keep((file.hash, file.KEY, file.text))
        seats = kit_deals.SEATS[: 4 if 4 in file.SEATS else file.SEATS[0]]
        match = opened(app, Header(file.KEY, seats, named={"kit": file.hash}))
        log = Log(file, table(file, seats))
        for entry in islice(player(room_of(file))(log, Random(4), 0.1, 0), MOST):
            log.push(entry)
    yield match
    for seq, entry in enumerate(log.entries):
        ledger.declare(
            match,
            ledger.view(match).grammar.print(entry),
            ledger.view(match).seq,
            f"entry-{seq:06}",
        )
        if seq < MOST or seq == len(log) - 1:
            yield match


@pytest.mark.parametrize("name", [*GAMES, *kit_deals.GAMES])
def test_a_phone_that_watches_has_no_keys(app: Flask, name: str) -> None:
    watcher = None
    for match in stages(app, name):
        watcher = watcher or comes(app, match, "watching")
        page = watcher.page()
        assert [str(key) for key in page.select(KEYS)] == []
        assert one(page, "#table").has_attr("data-keyless")
        assert text(page, ".looks-on a") == "席に着く"
        assert not page.select("#table form:not(#play)")


@pytest.mark.parametrize("name", having("sheet"))
def test_a_phone_that_watches_has_no_keys_for_scores(app: Flask, name: str) -> None:
    match = opened(app, head(name, tuple(some_seats(name, SEATS))))
    watcher = comes(app, match, "watching")
    for query in ("", "?sheet=;", "?sheet=x", "?instead=1"):
        page = watcher.page(f"/sheet{query}")
        assert [str(key) for key in page.select(KEYS)] == []


def test_who_watches_objects_for_a_seat_without_a_phone(app: Flask) -> None:
    host = Phone(app.test_client()).opens(WIDEST, SEATS)
    host.lays("A lay 4", "B lay 5")
    watcher = comes(app, host.match, "watching")
    comes(app, host.match, "seated", 1)
    link = next(a for a in watcher.page().select(".bar a") if a.get_text(strip=True) == "異議")
    page = soup(watcher.get(str(link["href"])))
    assert [chip.get_text() for chip in page.select("nav.chips .chip")] == ["B", "C"]
    said = objects(watcher, "B contest 3")
    assert said.status_code == 303
    assert host.log()[-1] == "B contest 3"
    assert objects(watcher, "A contest 3").status_code == 403
    assert objects(watcher, "C vote 4 yes").status_code == 403
    assert objects(watcher, "table decide 4 yes").status_code == 403
    entry = soup(watcher.get(f"/t/{host.match}/e/3"))
    assert not entry.select("form, .picks, [href*='/correct/']:not([href*='along=0'])")
    assert len(host.log()) == 4


def objects(phone: Phone, line: str) -> TestResponse:
    key = secrets.token_urlsafe(9)
    return phone.post(f"/t/{phone.match}/contest", {"line": line, "key": key})


@pytest.mark.parametrize("path", ["seats", "seats/1", "seats/1/always?name=Z", "stop", "show/A"])
def test_pages_that_are_there_to_enter_something_are_closed_to_who_watches(
    app: Flask, path: str
) -> None:
    host = Phone(app.test_client()).opens(WIDEST, SEATS)
    watcher = comes(app, host.match, "watching")
    answer = watcher.get(f"/t/{host.match}/{path}")
    assert answer.status_code == 403
    assert "席に着くと記録できます" in answer.text
    assert host.get(f"/t/{host.match}/{path}").status_code == 200


def keys(page: BeautifulSoup) -> set[str]:
    """The seats whose keys the page has."""
    return {str(key["value"]).split()[0] for key in page.select("#play button[name=line]")}


def test_where_each_seat_enters_for_itself_a_phone_has_no_keys_of_another(app: Flask) -> None:
    host = Phone(app.test_client()).opens(WIDEST, SEATS, entry_mode="own_seat")
    mine, other = comes(app, host.match, "seated", 1), comes(app, host.match, "seated", 2)
    assert keys(mine.page()) == {"A"}
    assert keys(other.page()) == set()
    page = other.page()
    assert "AのカードはAのスマホから" in text(page, ".looks-on")
    assert [link.get_text() for link in page.select(".looks-on a")] == ["B", "C"]
    assert keys(other.page("?seat=B")) == {"B"}
    assert "data-turns" not in str(one(mine.page(), "#table")).partition(">")[0]
    assert mine.lays("A lay 4").status_code == 303
    assert keys(mine.page()) == set()
    assert keys(other.page()) == {"B"}


def test_where_the_host_enters_everything_other_phones_have_the_keys_of_their_own_hand(
    app: Flask,
) -> None:
    host = Phone(app.test_client()).opens(WIDEST, SEATS, entry_mode="host")
    guest = comes(app, host.match, "seated", 2)
    assert keys(host.page()) == {"A"}
    assert keys(guest.page()) == set()
    assert one(guest.page(), "#undo button").has_attr("disabled")
    host.lays("A lay 4")
    assert keys(guest.page()) == {"B"}
    assert not one(host.page(), "#undo button").has_attr("disabled")


def test_a_final_refusal_says_that_it_is_one(app: Flask) -> None:
    host = Phone(app.test_client()).opens(WIDEST, SEATS)
    for phone in (comes(app, host.match, "watching"), Phone(app.test_client(), host.match)):
        phone.headers = {"HX-Request": "true"}
        answer = phone.post(f"/t/{host.match}/play", {"line": "A lay 4", "seen": 1, "key": "k" * 9})
        assert answer.status_code == 403
        assert answer.headers["X-Reply"] == "never"
    assert Phone(app.test_client(), "none", htmx=True).get("/t/none").headers["X-Reply"] == "never"
    assert host.lays("A lay 44").headers.get("X-Reply") != "never"


def person(phone: Phone) -> str:
    return str(one(phone.page(), ".bar")["data-person"])


def test_a_play_that_somebody_else_tapped_on_this_phone_is_not_recorded(app: Flask) -> None:
    host = Phone(app.test_client()).opens(WIDEST, SEATS)
    doors = Doors(app.extensions["ledger"].store)
    token = secrets.token_urlsafe(16)
    guest = Phone(phone_with(app, token), host.match)
    doors.seat(host.match, digest(token), "seated", 1)
    ben = person(guest)
    assert guest.lays("A lay 4", person=ben).status_code == 303
    doors.leave(host.match, digest(token))
    assert now()  # comes again later
    doors.seat(host.match, digest(token), "seated", 2)
    answer = guest.lays("B lay 5", person=ben)
    assert answer.status_code == 403
    assert answer.headers["X-Reply"] == "never"
    assert "前の人" in answer.text
    assert guest.undoes(person=ben).status_code == 403
    assert host.log()[1:] == ["A lay 4"]
    assert guest.lays("B lay 5", person=person(guest)).status_code == 303
    doors.seat(host.match, digest(token), "seated", 3)  # it changes its seat: somebody else's
    assert guest.lays("C lay 6", person=f"{person(guest)[:-1]}2").status_code == 403


def test_taking_a_seat_does_not_lose_what_the_phone_has_tapped_before(app: Flask) -> None:
    host = Phone(app.test_client()).opens(WIDEST, SEATS)
    before = person(host)
    host.post(f"/t/{host.match}/sit", {"place": "1"})
    assert host.lays("A lay 4", person=before).status_code == 303
    seated = person(host)
    host.post(f"/t/{host.match}/sit", {"place": "0"})
    assert host.lays("B lay 5", person=seated).status_code == 303
