"""A play in few words: with whole names on the pages of the log, with short ones in the strip."""

from __future__ import annotations

import pytest
from flask import Flask
from reading_room import Room

from referee.games import GAMES
from referee.games.simulation import played
from referee.screens.wording import short
from referee.web.review.entries import briefly
from referee.web.table.message import latest

LONG = "北大路ロマネスク三世"
ALIKE = "北大路ロマネスク四世"


@pytest.mark.parametrize("name", GAMES)
def test_names_are_whole_and_never_those_of_others(app: Flask, room: Room, name: str) -> None:
    for second in ("B", ALIKE):
        seats = (LONG, second, "C")[: max(2, GAMES[name].SEATS[0])]
        room.open(name, " ".join(seats))
        view, whole = room.view, 0
        for entry in played(GAMES[name], seats, 1, most=20).entries:
            line = view.grammar.print(entry)
            with app.test_request_context():
                text = briefly(entry, view)
            assert not [seat for seat in seats if seat in text and seat not in line], text
            whole += LONG in text
        assert whole


@pytest.mark.parametrize("name", GAMES)
def test_the_strip_has_room_for_short_names_only(app: Flask, room: Room, name: str) -> None:
    seats = (LONG, "B", "C")[: max(2, GAMES[name].SEATS[0])]
    room.open(name, " ".join(seats))
    shortened = 0
    for entry in played(GAMES[name], seats, 1, most=20).entries:
        room.declare(room.view.grammar.print(entry))
        with app.test_request_context():
            strip = latest(room.view)
        assert strip is not None
        assert LONG not in strip.head + strip.text
        shortened += short(LONG) in strip.head
    assert shortened
