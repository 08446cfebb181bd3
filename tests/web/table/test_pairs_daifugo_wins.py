"""ペアーズ大富豪 counts wins."""

from __future__ import annotations

from phones import one
from reading_room import Room, words


def test_wins_are_not_won_in_english(room: Room) -> None:
    room.open("pairs_daifugo", "A B").play_out()
    [winner] = room.view.outcome.winners
    wins = room.view.game.score(room.view.state).totals[winner]
    for path in ("/", "/history"):
        row = one(room.get(path, **{"Accept-Language": "en"}), ".rows .row")
        assert f"{winner} wins, {wins} wins" in words(row), path
