"""What is sent away: a result under an address of its own, and what messengers show beside it."""

from __future__ import annotations

import struct

import pytest
from flask import Flask
from phones import Phone, one, soup

from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import WIDEST, played
from referee.http.invites import Keeper
from referee.store import NOBODYS, Circles, Doors

SEATS = ("あかね", "北大路", "シホ")


@pytest.fixture
def address(phone: Phone, app: Flask) -> str:
    match = app.extensions["ledger"].open(Header(WIDEST, SEATS)).match
    ledger = app.extensions["ledger"]
    for seen, entry in enumerate(played(GAMES[WIDEST], SEATS, 3).entries):
        ledger.declare(match, ledger.view(match).grammar.print(entry), seen, f"key-{seen:06}")
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
    going = app.extensions["ledger"].open(Header(WIDEST, SEATS)).match
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
    shown = properties(address, app)
    winner = app.extensions["ledger"].view(phone.match).outcome.winners[0]
    assert shown["title"].startswith(f"{winner}の勝ち — ペリテ")
    assert all(name in shown["description"] for name in SEATS)
    english = properties(address, app, **{"Accept-Language": "en"})
    assert english["title"].startswith(f"{winner} wins — Perite")


@pytest.mark.parametrize("page", ["/", *(f"/rules/{name}" for name in GAMES), f"/check/{WIDEST}"])
def test_every_page_that_strangers_may_open_has_its_picture(app: Flask, page: str) -> None:
    shown = properties(page, app)
    assert shown["title"]
    assert shown["description"]
    assert shown["url"] == f"http://localhost{page}"
    assert shown["image"].startswith("http://localhost/static/")
    with app.test_client().get(shown["image"]) as picture:
        assert picture.mimetype == "image/png"
        assert struct.unpack(">II", picture.get_data()[16:24]) == (1200, 630)


def test_a_messenger_that_looks_at_an_invitation_takes_no_place(app: Flask, phone: Phone) -> None:
    phone.opens()
    link = str(one(soup(phone.get(f"/t/{phone.match}/join")), ".link input")["value"])
    there = Doors(app.extensions["ledger"].store).at(phone.match)
    line = {"User-Agent": "facebookexternalhit/1.1;line-poker/1.0"}
    shown = properties(link, app, **line)
    assert shown["title"].startswith("ペリテ")
    assert shown["image"].partition("?")[0].endswith(f"/games/{WIDEST}/share.png")
    assert Doors(app.extensions["ledger"].store).at(phone.match) == there
    browser = app.test_client()
    page = soup(browser.get(link, headers=line))
    assert browser.get(link + str(one(page, "main a.go")["href"]), headers=line).status_code == 303


@pytest.mark.parametrize("kind", ["circle", "claim"])
def test_a_messenger_that_looks_at_a_link_joins_no_circle(
    app: Flask, phone: Phone, kind: str
) -> None:
    phone.opens()
    circles = Circles(app.extensions["ledger"].store)
    before = circles.all(), circles.members(circles.only())
    keeper: Keeper = app.extensions["keeper"]
    link = f"/c/{keeper.invitation(kind, circles.only() if kind == 'circle' else NOBODYS).text}"
    for name in ("facebookexternalhit/1.1;line-poker/1.0", "WhatsApp/2.23", "Slackbot 1.0"):
        robot = app.test_client()
        agent = {"User-Agent": name}
        assert robot.get(link, headers=agent).status_code == 200
        assert robot.head(link, headers=agent).status_code == 200
        assert properties(link, app, **agent)["title"] == "サークルへの招待"
        assert robot.get_cookie("phone") is None
    assert (circles.all(), circles.members(circles.only())) == before
    page = soup(app.test_client().get(link, headers=agent))
    go_on = link + str(one(page, "main a.go")["href"])
    assert app.test_client().get(go_on, headers=agent).status_code == 303


@pytest.mark.parametrize("page", ["/circle", "/t/{}/join"])
def test_a_request_for_the_head_of_a_link_lets_nobody_in(
    app: Flask, phone: Phone, page: str
) -> None:
    phone.opens()
    link = str(one(soup(phone.get(page.format(phone.match))), ".link input")["value"])
    robot = app.test_client()
    for query in ("", "?in=1"):
        answer = robot.head(link + query)
        assert (answer.status_code, answer.headers.getlist("Set-Cookie")) == (200, [])


def test_a_deleted_name_leaves_what_was_sent_away_too(
    app: Flask, phone: Phone, address: str
) -> None:
    picture = f"/t/{phone.match}/card.svg"

    def sent() -> list[str]:
        return [app.test_client().get(address).text, phone.get(picture).text]

    assert all("北大路" in page for page in sent())
    gone = one(soup(phone.get("/people")), "a:has(b:-soup-contains('北大路'))")["href"]
    assert phone.post(f"{gone}/forget", {"sure": "1"}).status_code == 303
    assert all("北大路" not in page and "だれか" in page for page in sent())
    assert "だれか" in properties(address, app)["description"]


def test_the_picture_of_a_result_is_that_of_the_result(
    app: Flask, phone: Phone, address: str
) -> None:
    stranger, jpeg = app.test_client(), b"\xff\xd8\xff drawn \xff\xd9"
    assert stranger.get(f"{address}/card.jpg").status_code == 404
    keep = str(one(soup(phone.get(f"/t/{phone.match}/result")), "a[data-keep]")["data-keep"])
    assert stranger.post(keep, data=jpeg).status_code == 403
    assert phone.client.post(keep, data=b"<svg/>").status_code == 400
    assert phone.client.post(keep.replace("seen=", "seen=1"), data=jpeg).status_code == 409
    assert phone.client.post(keep, data=jpeg).status_code == 204
    assert not soup(phone.get(f"/t/{phone.match}/result")).select("a[data-keep]")
    image = str(one(soup(stranger.get(address)), "meta[property='og:image']")["content"])
    assert image == f"http://localhost{address}/card.jpg"
    answer = stranger.get(image.removeprefix("http://localhost"))
    assert (answer.data, answer.mimetype) == (jpeg, "image/jpeg")
    assert answer.headers["X-Robots-Tag"] == "noindex"
    seats = app.extensions["ledger"].view(phone.match).header.seats
    phone.post(f"/t/{phone.match}/seats/1/always", {"name": seats[1], "seen": "1"})
    assert stranger.get(f"{address}/card.jpg").status_code == 404  # it shows other names
    assert soup(phone.get(f"/t/{phone.match}/result")).select("a[data-keep]")
