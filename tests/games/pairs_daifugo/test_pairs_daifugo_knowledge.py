"""Where hidden cards of ペアーズ大富豪 lie: in hands, face down in pyramids, not dealt."""

from __future__ import annotations

from referee.core.cards import copies_in, size
from referee.core.steps import steps
from referee.games import pairs_daifugo
from referee.games.pairs_daifugo.plays import Lay
from referee.games.simulation import played
from referee.insight.grid import grid


def test_places_hold_what_is_hidden_and_no_card_comes_from_where_it_cannot_be() -> None:
    checked = 0
    for seats in range(2, 7):
        log = played(pairs_daifugo, [f"P{i}" for i in range(seats)], seats, most=400)
        for step in steps(log.now.step):
            known = pairs_daifugo.HOOKS.knowledge(step.state)
            assert known is not None
            [placement] = known.placements
            assert size(placement.unseen) == sum(place.hidden for place in placement.places)
            before = step.before and pairs_daifugo.HOOKS.knowledge(step.before.state)
            if not before or not isinstance(step.play, Lay) or step.state.deal == 0:
                continue
            fresh = len(step.play.ranks) - len(step.play.using)
            if fresh:
                rows = {(row.kind, row.seat): row for row in grid(before).rows}
                card = step.play.ranks[0]
                [cell] = [c for c in rows["hand", step.play.seat].cells if c.card == card]
                assert cell.most >= fresh
                checked += 1
                one = pairs_daifugo.DECK.one[card]
                left = copies_in(placement.unseen, one)
                assert left < copies_in(before.placements[0].unseen, one)
    assert checked > 50
