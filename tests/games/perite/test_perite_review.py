"""The review of ペリテ against a second opinion, for every entry of whole matches."""

from __future__ import annotations

from pathlib import Path

import pytest
from counted_again import Line, Lying, followed, known_at_the_end, numbers, reviewed, written

from referee.core.record import Header
from referee.games import perite
from referee.games.simulation import played

SEATS = ("A", "B", "C", "D")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_matches(seats: int, tmp_path: Path) -> None:
    names = SEATS[:seats]

    def follow(lying: Lying | None, line: Line) -> Lying:
        match line.words:
            case ["table", "deal", *_]:
                lying = Lying(numbers(2 * seats))
                for seat in names:
                    lying.hidden["hand", seat] = 2 * seats
                lying.rest("rest")
            case [seat, "lay", card]:
                assert lying is not None
                lying.laid(seat, card)
            case [seat, "show", *cards]:
                assert lying is not None
                lying.shown(seat, cards)
        assert lying is not None
        return lying

    grids = said = 0
    for seed in range(3):
        log = played(perite, names, seed, lies=0.2 * seed, shows=0.02 * seed)
        for entries in reviewed(written(log, Header(perite.NAME, names)), tmp_path):
            count, end = followed(entries, follow)
            grids += count
            said += known_at_the_end(entries, end)
    assert grids > 40
    assert said or seats == 2
