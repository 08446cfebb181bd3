"""A play in few words, on the pages of the log."""

from __future__ import annotations

import pytest
from flask import Flask
from reading_room import Room

from referee.games import GAMES
from referee.games.simulation import played
from referee.web.review.entries import briefly

ALIKE = ("北大路ロマネスク三世", "北大路ロマネスク四世")


@pytest.mark.parametrize("name", GAMES)
def test_names_are_whole_and_never_those_of_others(app: Flask, room: Room, name: str) -> None:
    for seats in (("北大路ロマネスク三世", "B"), ALIKE):
        seats = (*seats, "C")[: max(2, GAMES[name].SEATS[0])]
        room.open(name, " ".join(seats))
        entries = played(GAMES[name], seats, 1, most=20).entries
        view, whole = room.view, 0
        for entry in entries:
            line = view.grammar.print(entry)
            with app.test_request_context():
                text = briefly(entry, view)
            assert not [seat for seat in seats if seat in text and seat not in line], text
            whole += seats[0] in text
        assert whole or seats[1] == ALIKE[1]
