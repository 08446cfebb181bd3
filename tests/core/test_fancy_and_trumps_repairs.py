"""Corrections in Fancy and Trumps: seats that were mixed up, a deal that is voided."""

from __future__ import annotations

from test_repairs import honest, pushed

from referee.core.corrections import (
    Amend,
    Void,
)
from referee.core.repair import taken_along
from referee.core.steps import depth
from referee.games import GAMES


def test_two_seats_that_were_mixed_up_change_places() -> None:
    entries = honest("trumps", "ABC", most=8)
    wrong = [entries[0], *(type(e)(s, e.rank) for e, s in zip(entries[1:4], "BAC", strict=True))]
    truth = {e.seat: e.rank for e in wrong[1:]}
    log = pushed(GAMES["trumps"], "ABC", wrong)
    seat = wrong[1].seat
    other = wrong[2].seat
    log.push(taken_along(log, Amend(2, type(wrong[1])(other, truth[seat]))))
    found = {s.play.seat: s.play.rank for s in log.steps()[1:]}
    assert found == {**truth, seat: truth[other], other: truth[seat]}


def test_a_deal_is_voided_and_the_others_stand() -> None:
    game = GAMES["fancy"]
    entries = honest("fancy", "ABC", most=10_000)
    log = pushed(game, "ABC", entries)
    sheet = game.score(log.state)
    second = next(s.seq for s in log.steps() if s.state.deal == 2)
    log.push(Void(second + 3))
    left = [step for step in log.steps() if step.depth > depth(step.before)]
    assert len(left) == 2 * len(entries) // 3
    points = dict.fromkeys("ABC", 0)
    for line in sheet.lines:
        points[line.seat] += line.points if line.deal != 2 else 0
    assert game.score(log.state).totals == points
    assert game.outcome(log.state) is None  # one more deal is due
