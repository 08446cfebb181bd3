"""A key looks as the judge judges the line that it records, whoever's keys they are."""

from __future__ import annotations

import pytest
from kit_deals import GAMES as FILES
from kit_deals import recorded_deal
from reading_room import Room

from referee.core.game import Game
from referee.core.verdict import Illegal
from referee.games import GAMES, ON_CARDS
from referee.games.simulation import played

SEATS = ("A", "B", "C", "D")


@pytest.mark.parametrize("name", list(ON_CARDS))
def test_a_key_is_off_where_its_line_is_illegal_and_only_there(room: Room, name: str) -> None:
    game = GAMES[name]
    seats = SEATS[: max(2, game.SEATS[0])]
    entries = played(game, seats, 6, 0, 0, 60, {}).entries
    room.open(name, " ".join(seats))
    judged = 0
    for number, entry in enumerate(entries):
        if number % 9 in (1, 2):
            judged += sum(keys_judged(room, game, seat) for seat in seats)
        room.declare(room.view.grammar.print(entry))
    assert judged > 20


@pytest.mark.parametrize("key", FILES)
def test_so_it_is_in_games_of_a_file(room: Room, key: str) -> None:
    """Keys of cards and of bids."""
    game = FILES[key]
    _log, lines, view, _leader = recorded_deal(room.ledger, key, game.SEATS[0], 1)
    room.match, judged = view.match, 0
    for number, line in enumerate(lines):
        if number % 9 in (1, 2, 5):
            judged += sum(keys_judged(room, game, seat) for seat in view.log.table.seats)
        room.declare(line)
    assert judged > 20


def keys_judged(room: Room, game: Game, seat: str) -> int:
    """Compare the keys of ``seat`` with the verdicts on their lines; how many there were."""
    view = room.view
    keys = room.get(f"/t/{room.match}?seat={seat}").select("#play button:is(.key, .ck)[name=line]")
    for key in keys:
        entry = view.grammar.parse(str(key["value"]).splitlines()[0])
        if game.HOOKS.proof(view.state, entry):
            continue  # a claim may not be recorded before it is made (ruling J35)
        illegal = isinstance(game.judge(view.state, entry), Illegal)
        assert ("off" in key["class"]) == illegal, (view.seq, key["value"])
    return len(keys)
