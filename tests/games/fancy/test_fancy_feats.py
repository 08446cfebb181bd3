"""What the history remembers of a match of Fancy."""

from __future__ import annotations

from table_talk import led, playthrough

from referee.core.game import Feat


def test_the_first_card_of_a_trick_is_led() -> None:
    log = playthrough("fancy", "a_shared_win")
    ranks = [("A", 3), ("A", 9), ("B", 6), ("A", 10), ("D", 9), ("C", 8), ("D", 7), ("B", 4)]
    assert led(log) == ranks


def test_what_each_card_of_a_trick_was_worth_is_remembered() -> None:
    log = playthrough("fancy", "a_shared_win")
    feats = list(log.game.HOOKS.feats(log.state))
    assert len(feats) == 8 * 4
    assert feats[:4] == [
        Feat(seat, "trick", "1.1", n) for seat, n in zip("ABCD", (3, 3, 2, 2), strict=True)
    ]
    assert feats[-1] == Feat("A", "trick", "1.8", 0)
