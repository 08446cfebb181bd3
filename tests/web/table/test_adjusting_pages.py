"""The page on which the table adjusts points, and every place where an adjustment is shown."""

from __future__ import annotations

import csv
import io

import pytest
from bs4 import BeautifulSoup
from chosen_games import head
from flask import Flask
from phones import Phone, one, soup
from reading_room import Room, words

from referee.core import adjusting
from referee.games import GAMES
from referee.games.simulation import WIDEST, played, table

BY_POINTS = [name for name, game in GAMES.items() if adjusting.possible(game, table(game, "ABC"))]

BY_WINS = [
    name
    for name, game in GAMES.items()
    if name not in BY_POINTS and game.HOOKS.unit(table(game, "ABC")) == "wins"
]


def opened(phone: Phone, app: Flask, name: str, most: int) -> None:
    game, ledger = GAMES[name], app.extensions["ledger"]
    seats = ("A", "B", "C")[: max(2, game.SEATS[0])]
    phone.match = ledger.open(head(name, seats)).match
    for seen, entry in enumerate(played(game, seats, 3, most=most).entries):
        line = ledger.view(phone.match).grammar.print(entry)
        ledger.declare(phone.match, line, seen, f"key-{seen:06}")


def recorded(room: Room, page: BeautifulSoup) -> str:
    """Send the form that records; the line that it has recorded."""
    fields = {str(f["name"]): str(f["value"]) for f in page.select("form[method=post] input")}
    assert room.phone.post(f"/t/{room.match}/play", data=fields).status_code == 303
    return room.view.grammar.print(room.view.log.entries[-1])


@pytest.mark.parametrize("name", BY_POINTS)
def test_points_are_adjusted_after_their_effect_was_shown(
    phone: Phone, app: Flask, name: str
) -> None:
    opened(phone, app, name, 5)
    page = phone.get(f"/t/{phone.match}/adjust?p1=−7&why=counted twice")
    fields = {field["name"]: field["value"] for field in soup(page).select("[method=post] input")}
    assert phone.post(f"/t/{phone.match}/play", fields).status_code == 303
    assert phone.log()[-1] == 'table adjust B=-7 because "counted twice"'
    for path in ("", "/log", "/score", f"/e/{len(phone.log())}", "/menu"):
        answer = phone.get(f"/t/{phone.match}{path}", follow_redirects=True)
        assert answer.status_code == 200, path
    assert "counted twice" in phone.get(f"/t/{phone.match}/score").text


@pytest.mark.parametrize("query", ["p0=x&why=so", "p0=5", "p0=0&why=so", "p0=1.5&why=so", ""])
def test_points_that_cannot_be_adjusted_are_not_offered(
    phone: Phone, app: Flask, query: str
) -> None:
    opened(phone, app, BY_POINTS[0], 5)
    page = phone.get(f"/t/{phone.match}/adjust?{query}")
    assert page.status_code == 200
    assert not soup(page).select("form[method=post]")
    assert bool(soup(page).select(".warn[role=alert]")) == bool(query)


def test_the_page_of_a_revoke_fills_in_who_and_why(room: Room) -> None:
    link = one(room.revoke().get("e/5"), ".adjusts a")["href"]
    page = room.get(str(link).rpartition("/")[2])
    own = one(page, ".cells .on")
    assert words(own) == "みどり子"
    assert one(own, "input").has_attr("autofocus")
    chosen = one(page, "[name=why][checked]")["value"]
    assert chosen == "記録5のリボーク"
    page = room.get(f"adjust?entry=5&{one(own, 'input')['name']}=-5&why={chosen}")
    assert [words(row) for row in page.select(".changes li")] == [
        "みどり子 0点・2位 → −5点・5位",
    ]
    assert recorded(room, page) == 'table adjust みどり子=-5 because "記録5のリボーク"'


def test_watchers_and_games_without_points_are_offered_no_adjustment(room: Room) -> None:
    room.open(BY_WINS[0], "A B C")
    assert not room.get("score").select("a[href*=adjust]")
    assert room.open(WIDEST, "A B C").get("score").select("a[href*=adjust]")


def test_another_reason_goes_before_the_chosen_one(room: Room) -> None:
    page = room.open(WIDEST, "A B C").get("adjust?p0=3&why=配り間違い&words=“お茶”をこぼした")
    assert recorded(room, page) == 'table adjust A=3 because "“お茶”をこぼした"'


def test_points_can_count_in_the_deal_that_is_just_over(room: Room) -> None:
    """The winner would not have won then: the match goes on, or another seat wins."""
    room.open(WIDEST, "A B C").play_out()
    won = room.view.outcome.winners[0]
    at = room.view.log.table.seats.index(won)
    last = room.view.seq
    now = room.get(f"adjust?p{at}=-200&why=so")
    assert one(now, "[name=count][checked]")["value"] == "now"
    page = room.get(f"adjust?p{at}=-200&why=so&count=deal")
    assert recorded(room, page) == f'table insert {last} table adjust {won}=-200 because "so"'
    assert not room.get(f"adjust?p{at}=5&why=so").select("[value=deal][checked]")


def test_within_a_deal_there_is_none_that_is_just_over(room: Room) -> None:
    assert not room.revoke().get("adjust").select("[name=count]")


def test_the_card_the_picture_and_the_table_of_results_name_the_adjustment(room: Room) -> None:
    room.open(WIDEST, "A B C").play_out()
    room.declare('table adjust B=-4 because "counted twice"')
    room.declare('table adjust B=1 because "so"')
    first, second = room.view.seq - 1, room.view.seq
    notes = [words(row) for row in room.get("result").select(".rank .more")]
    assert f"調整−4を含む（記録{first}：counted twice）" in notes
    assert f"調整+1を含む（記録{second}：so）" in notes
    picture = room.phone.get(f"/t/{room.match}/card.svg").text
    assert "−4 counted twice" in picture
    assert "+1 so" in picture
    rows = csv.DictReader(io.StringIO(room.phone.get(f"/t/{room.match}/result.csv").text))
    assert {row["name"]: row["adjusted"] for row in rows} == {"A": "", "B": "-3", "C": ""}
