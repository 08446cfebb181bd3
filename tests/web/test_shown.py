"""What is sent away: a result under an address of its own, and what messengers show beside it."""

from __future__ import annotations

import struct

import pytest
from flask import Flask
from honest import played
from phones import Phone, one, soup

from referee.core.record import Header
from referee.games import GAMES
from referee.invites import Keeper
from referee.store import Doors

SEATS = ("あかね", "北大路", "シホ")


@pytest.fixture
def address(phone: Phone, app: Flask) -> str:
    match = app.extensions["desk"].open(Header("perite", SEATS)).match
    desk = app.extensions["desk"]
    for seen, entry in enumerate(played(GAMES["perite"], SEATS, 3).entries):
        desk.declare(match, desk.view(match).grammar.print(entry), seen, f"key-{seen:06}")
    phone.match = match
    page = soup(phone.get(f"/t/{match}/result"))
    return str(one(page, "a[data-share]")["href"]).removeprefix("http://localhost")


def test_whoever_has_the_address_sees_the_card_and_nothing_else(
    app: Flask, phone: Phone, address: str
) -> None:
    stranger = app.test_client()
    answer = stranger.get(address)
    page = soup(answer)
    assert [seat.get_text() for seat in page.select(".rank li span:nth-of-type(2)")]
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "Set-Cookie" not in answer.headers
    assert not [a for a in page.select("a[href]") if "/t/" in str(a["href"])]
    assert stranger.get(f"/t/{phone.match}/result").status_code == 403
    assert stranger.get(f"/t/{phone.match}/card.svg").status_code == 403


def test_an_address_nobody_made_shows_nothing(app: Flask, phone: Phone, address: str) -> None:
    stranger = app.test_client()
    keeper: Keeper = app.extensions["keeper"]
    going = app.extensions["desk"].open(Header("perite", SEATS)).match
    for secret in (
        phone.match,
        f"{phone.match}.",
        address.rpartition("/")[2][:-1] + "_",
        keeper.sealed("unknown"),
        keeper.sealed(going),
        "あ.い",
    ):
        assert stranger.get(f"/shown/{secret}").status_code == 404, secret


def properties(page: str, app: Flask, **headers: str) -> dict[str, str]:
    found = soup(app.test_client().get(page, headers=headers)).select("meta[property^=og]")
    return {str(tag["property"])[3:]: str(tag["content"]) for tag in found}


def test_messengers_show_who_won_and_a_picture_of_the_game(
    app: Flask, phone: Phone, address: str
) -> None:
    told = properties(address, app)
    winner = app.extensions["desk"].view(phone.match).outcome.winners[0]
    assert told["title"].startswith(f"{winner} の勝ち — ペリテ")
    assert all(name in told["description"] for name in SEATS)
    english = properties(address, app, **{"Accept-Language": "en"})
    assert english["title"].startswith(f"{winner} wins — Perite")


@pytest.mark.parametrize("page", ["/", *(f"/rules/{name}" for name in GAMES), "/check/perite"])
def test_every_page_that_strangers_may_open_has_its_picture(app: Flask, page: str) -> None:
    told = properties(page, app)
    assert told["title"]
    assert told["description"]
    assert told["url"] == f"http://localhost{page}"
    assert told["image"].startswith("http://localhost/static/pictures/")
    with app.test_client().get(told["image"]) as picture:
        assert picture.mimetype == "image/png"
        assert struct.unpack(">II", picture.get_data()[16:24]) == (1200, 630)


def test_a_messenger_that_looks_at_an_invitation_takes_no_place(app: Flask, phone: Phone) -> None:
    phone.opens()
    link = str(one(soup(phone.get(f"/t/{phone.match}/join")), ".link input")["value"])
    there = Doors(app.extensions["desk"].store).at(phone.match)
    line = {"User-Agent": "facebookexternalhit/1.1;line-poker/1.0"}
    told = properties(link, app, **line)
    assert told["title"].startswith("ペリテ")
    assert told["image"].partition("?")[0].endswith("/pictures/perite.png")
    assert Doors(app.extensions["desk"].store).at(phone.match) == there
    browser = app.test_client()
    page = soup(browser.get(link, headers=line))
    assert browser.get(link + str(one(page, "main a.go")["href"]), headers=line).status_code == 303
