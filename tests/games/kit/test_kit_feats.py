"""What the history remembers of a match by a game file."""

from __future__ import annotations

from collections import Counter

import kit_deals
import pytest

from referee.core.log import Log
from referee.games.simulation import player, room_of, table


@pytest.mark.parametrize("key", sorted(kit_deals.GAMES))
def test_the_best_deals_are_remembered_where_most_points_win(key: str) -> None:
    game = kit_deals.GAMES[key]
    log = Log(game, table(game, kit_deals.SEATS[: game.SEATS[0]]))
    for entry in player(room_of(game))(log, kit_deals.Random(3), 0, 0):
        log.push(entry)
    sheet, feats = game.score(log.state), list(game.HOOKS.feats(log.state))
    if sheet.fewest:
        assert not feats  # the highest is the worst: nothing to remember anybody by
        return
    points = Counter[str]()
    for feat in feats:
        assert feat.kind == "deal"
        points[feat.seat] += feat.value
    assert dict(points) == {seat: total for seat, total in sheet.totals.items() if seat in points}
