"""A review that is no longer cached is freed at once: the server rarely searches for garbage."""

from __future__ import annotations

import gc

import pytest

from referee.core.log import Log
from referee.games import GAMES
from referee.games.simulation import played
from referee.insight import review as reviews


def read_whole(log: Log) -> None:
    """Compute all that a review caches, in one of the deals that are over."""
    found = reviews.review(log, reviews.finished(log)[0])
    for read in found.entries:
        assert read.review is found
        _ = read.grid, read.course, read.hindsight, read.declarations, read.could_beat
    assert all(revoke.doubt is not None for revoke in found.revokes)


@pytest.mark.parametrize("name", GAMES)
def test_a_review_leaves_nothing_for_the_garbage_collector(name: str) -> None:
    game = GAMES[name]
    log = played(game, "ABC"[: min(3, game.SEATS[-1])], 4, lies=0.2)
    read_whole(log)  # what is cached for good is cached now
    reviews._reviewed.cache_clear()
    gc.collect()
    gc.disable()
    try:
        read_whole(log)
        reviews._reviewed.cache_clear()
        assert gc.collect() == 0
    finally:
        gc.enable()
