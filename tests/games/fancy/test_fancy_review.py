"""The review of Fancy against a second opinion, for every entry of whole matches."""

from __future__ import annotations

from pathlib import Path

import pytest
from counted_again import Line, Lying, followed, known_at_the_end, numbers, reviewed, written

from referee.core.record import Header
from referee.games import fancy
from referee.games.simulation import played
from referee.insight.review import finished, review

SEATS = ("A", "B", "C", "D", "E", "F")


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_whole_matches(seats: int, tmp_path: Path) -> None:
    names = SEATS[:seats]

    def follow(lying: Lying | None, line: Line) -> Lying:
        match line.words:
            case ["table", "deal", *_]:
                lying = Lying(numbers(10))
                for seat in names:
                    lying.hidden["hand", seat] = 8
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
        log = played(fancy, names, seed, lies=0.2 * seed, shows=0.02 * seed)
        for entries in reviewed(written(log, Header(fancy.NAME, names)), tmp_path):
            count, end = followed(entries, follow)
            grids += count
            said += known_at_the_end(entries, end)
    assert grids > 60
    assert said


def test_in_hindsight_a_hand_held_what_it_showed_and_laid_later() -> None:
    """Nobody draws: what a seat lays later lay in its hand before, whether it was shown or not."""
    log = played(fancy, SEATS[:3], 3, shows=0.1)
    certain = 0
    for deal in finished(log):
        entries = review(log, deal).entries
        assert any(isinstance(read.step.play, fancy.Show) for read in entries)
        for i, read in enumerate(entries):
            later = [each.step.play for each in entries[i + 1 :]]
            laid = {(play.seat, play.rank) for play in later if isinstance(play, fancy.Lay)}
            assert read.hindsight is not None
            held = {
                (row.seat, cell.card)
                for row in read.hindsight.rows
                for cell in row.cells
                if cell.word == "certain"
            }
            assert held == laid
            certain += len(held)
    assert certain > 100
