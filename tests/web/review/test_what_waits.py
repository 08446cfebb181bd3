"""What the table has not decided stays in sight; what can be done stands before what is read."""

from __future__ import annotations

from bs4 import BeautifulSoup
from reading_room import Room, one, words

from referee.games import GAMES

FIRST = next(iter(GAMES))  # a trick-taking game in which everybody plays a card in turn


def table(room: Room) -> BeautifulSoup:
    return room.get(f"/t/{room.match}")


def test_an_open_objection_is_on_log_score_and_entry_until_it_is_decided(room: Room) -> None:
    room.revoke().declare("源五郎 contest 4")
    room.declare("みどり子 vote 11 no")
    mark = "源五郎の異議が未決です"
    assert mark in words(one(room.get("log"), "#e4"))
    for page in ("log", "score", "e/4", "menu"):
        assert mark in words(one(room.get(page), "main")), page
    room.declare("table decide 11 no")
    for page in ("log", "score", "e/4", "menu"):
        assert mark not in words(one(room.get(page), "main")), page


def test_keys_and_actions_come_before_the_folded_table_and_the_evidence(room: Room) -> None:
    page = room.revoke().get("e/4")
    order = [
        next(i for i, tag in enumerate(page.find_all(True)) if tag in page.select(selector))
        for selector in (".picks", ".acts-l", "details.stood-b", ".evi", ".clause")
    ]
    assert order == sorted(order)
    assert not one(page, "details.stood-b").has_attr("open")
    assert len(page.select(".asit, .board")) == 1


def test_entries_that_a_correction_broke_are_marked_until_they_are_put_right(room: Room) -> None:
    room.open(FIRST, "A B C", "table deal leader=A\nA lay 5\nB lay 6\nC lay 7")
    mark = "訂正で合わなくなった記録"
    assert mark not in words(one(room.get("log"), "main"))
    room.declare("table strike 3")  # now C was not due
    assert "1件の記録が合わなくなりました" in words(one(table(room), ".strip"))
    assert f"{mark}が1件" in words(one(table(room), ".bar"))
    assert one(room.get("log"), ".warn a")["href"] == f"/t/{room.match}/e/4"
    room.declare("table rule 4 stands")
    assert mark not in words(one(table(room), ".bar"))
    assert mark not in words(one(room.get("log"), "main"))
