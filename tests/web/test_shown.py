"""What is sent away: a result under an address of its own, and what messengers show beside it."""

from __future__ import annotations

import struct
from itertools import count
from xml.etree import ElementTree

import pytest
from flask import Flask
from phones import Phone, one, soup

from referee.core.record import Header
from referee.core.verdict import Outcome
from referee.games import GAMES
from referee.games.simulation import played
from referee.store import NOBODYS, Circles, Doors, NewEntry
from referee.web.http.invites import Keeper

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
    assert told["title"].startswith(f"{winner}の勝ち — ペリテ")
    assert all(name in told["description"] for name in SEATS)
    english = properties(address, app, **{"Accept-Language": "en"})
    assert english["title"].startswith(f"{winner} wins — Perite")


@pytest.mark.parametrize("page", ["/", *(f"/rules/{name}" for name in GAMES), "/check/perite"])
def test_every_page_that_strangers_may_open_has_its_picture(app: Flask, page: str) -> None:
    told = properties(page, app)
    assert told["title"]
    assert told["description"]
    assert told["url"] == f"http://localhost{page}"
    assert told["image"].startswith("http://localhost/static/")
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
    assert told["image"].partition("?")[0].endswith("/games/perite/share.png")
    assert Doors(app.extensions["desk"].store).at(phone.match) == there
    browser = app.test_client()
    page = soup(browser.get(link, headers=line))
    assert browser.get(link + str(one(page, "main a.go")["href"]), headers=line).status_code == 303


@pytest.mark.parametrize("kind", ["circle", "claim"])
def test_a_messenger_that_looks_at_a_link_joins_no_circle(
    app: Flask, phone: Phone, kind: str
) -> None:
    phone.opens()
    circles = Circles(app.extensions["desk"].store)
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
def test_who_asks_for_the_head_of_a_link_comes_in_nowhere(
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


def decisive(outcome: Outcome) -> tuple[str, ...]:
    return outcome.winners or outcome.losers


@pytest.mark.parametrize("name", GAMES)
def test_the_card_draws_what_decided_the_match(app: Flask, phone: Phone, name: str) -> None:
    desk, seats = app.extensions["desk"], SEATS[: 2 if name == "jukugo_line" else 3]
    view = desk.open(Header(name, seats))
    logs = (played(view.game, seats, seed) for seed in count())
    log = next(log for log in logs if len(decisive(log.game.outcome(log.state))) == 1)
    lines = map(view.grammar.print, log.entries)
    rows = [NewEntry(line, f"key {i}", "legal", "-", "-") for i, line in enumerate(lines)]
    desk.store.append(view.match, 0, rows)
    [winner] = decisive(desk.view(view.match).outcome)
    drawn = one(soup(phone.get(f"/t/{view.match}/result")), ".figure > svg")
    picture = ElementTree.fromstring(phone.get(f"/t/{view.match}/card.svg").text)
    assert drawn["aria-label"] in {part.get("aria-label") for part in picture.iter()}
    match name:
        case "trumps":
            held = sum(log.state.piles[winner].values())
            assert len(drawn.select("rect[fill^='url(']")) == held
        case "jukugo_line":
            flags = [str(n) for n, owner in enumerate(log.state.owners, 1) if owner == winner]
            assert drawn["aria-label"] == "".join(flags)
            assert len(drawn.select("text[font-size='36']")) == 3 * len(flags)
        case "three_kings":
            points = [taken.points for taken in log.state.sets if taken.seat == winner]
            told = [text.get_text() for text in drawn.select("text") if "点" in text.get_text()]
            assert told == [f"{n}点" for n in sorted(points, reverse=True)[:3]]
        case _:
            assert drawn.select("rect[fill^='url(']")
