"""What the history remembers of a match of ペアーズ大富豪."""

from __future__ import annotations

from table_talk import led, playthrough


def test_the_first_cards_of_a_trick_are_led() -> None:
    log = playthrough("pairs_daifugo", "two-players")
    assert led(log)[:6] == [("B", 10), ("A", 5), ("A", 10), ("A", 8), ("B", 9), ("B", 6)]
    assert list(log.game.HOOKS.feats(log.state)) == []
