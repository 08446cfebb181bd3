"""An entry out of turn that the table lets stand."""

from __future__ import annotations

from table_talk import check


def test_an_entry_out_of_turn_that_stands_passes_the_turn_on() -> None:
    """log.3."""
    check(
        "referee: 1\ngame: pairs\nseats: A B C\n\ntable deal\n"
        "A reveal 2\nB reveal 3\nC reveal 4\n"
        "B hit 5 # illegal turn.1\ntable rule 5 stands # legal log.3\n# to act C\n"
    )
