"""What the history remembers of a match of Three Kings."""

from __future__ import annotations

from table_talk import led, playthrough

from referee.core.game import Feat


def test_every_set_is_remembered_with_its_points() -> None:
    log = playthrough("three_kings", "method-2-by-a-king")
    assert [(feat.kind, feat.value) for feat in log.game.HOOKS.feats(log.state)] == [
        ("set", points) for points in (24, 22, 24, 22, 24, 14)
    ]
    assert next(iter(log.game.HOOKS.feats(log.state))) == Feat("源五郎", "set", "", 24)
    assert led(log) == []


def test_nothing_is_remembered_where_sets_count_nothing() -> None:
    log = playthrough("three_kings", "method-1-by-the-draw")
    assert log.state.sets
    assert list(log.game.HOOKS.feats(log.state)) == []
