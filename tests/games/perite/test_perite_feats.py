"""What the history remembers of a match of ペリテ."""

from __future__ import annotations

from table_talk import led, playthrough

from referee.core.game import Feat


def test_the_first_card_of_a_trick_is_led() -> None:
    log = playthrough("perite", "a_tie")
    ranks = [("D", 8), ("B", 6), ("D", 4), ("C", 8), ("A", 8), ("D", 5), ("D", 8), ("D", 3)]
    assert led(log) == ranks


def test_what_a_trick_was_worth_to_its_winner_is_remembered() -> None:
    log = playthrough("perite", "a_tie")
    won = [("B", 3), ("D", 5), ("C", 3), ("A", 2), ("C", 2), ("B", 4), ("A", 6), ("D", 3)]
    assert list(log.game.HOOKS.feats(log.state)) == [
        Feat(seat, "trick", f"1.{number}", points) for number, (seat, points) in enumerate(won, 1)
    ]
