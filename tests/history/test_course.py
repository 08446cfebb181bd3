"""The score in the course of a match: its points belong to the deals that the score names."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from referee.core.log import Log
from referee.games import GAMES
from referee.games.simulation import played
from referee.history.digest import course
from referee.kit.shipped import games as files

FILES = {game.KEY: game for game in files().values()}


def match(name: str, seed: int) -> Log:
    """A whole match of a built-in game, or of a game file that comes with the program."""
    if name in GAMES:
        seats = tuple("ABCD"[: min(4, GAMES[name].SEATS[-1])])
        return played(GAMES[name], seats, seed)
    game = FILES[name]
    return played(game, tuple("ABCD"[: min(4, game.SEATS[-1])]), seed)


@pytest.mark.parametrize("name", [*GAMES, *FILES])
def test_points_stand_in_the_deal_in_which_they_were_won(name: str) -> None:
    log = match(name, 2)
    ticks = course(log)
    shown: Counter[int] = Counter()
    for before, tick in pairwise(ticks):
        assert before.deal <= tick.deal
        shown[tick.deal] += sum(tick.totals.values()) - sum(before.totals.values())
    counted: Counter[int] = Counter()
    for line in log.game.score(log.state).lines:
        counted[line.deal] += line.points
    assert {deal: n for deal, n in shown.items() if n} == {d: n for d, n in counted.items() if n}
