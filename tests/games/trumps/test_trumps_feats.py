"""What the history remembers of a match of Trumps."""

from __future__ import annotations

from table_talk import led, playthrough

from referee.core.game import Feat


def test_the_first_cards_of_a_round_are_led() -> None:
    log = playthrough("trumps", "a_shared_win")
    assert led(log)[:5] == [("A", 2), ("B", 5), ("A", 8), ("A", 7), ("A", 6)]
    assert len(led(log)) == 14


def test_the_longest_run_of_each_pile_is_remembered() -> None:
    log = playthrough("trumps", "a_shared_win")
    assert list(log.game.HOOKS.feats(log.state)) == [
        Feat("A", "run", "4-5-6-7-8-9", 6),
        Feat("B", "run", "5-6-7-8-9", 5),
    ]
    assert list(log.game.HOOKS.feats(log.start)) == []
