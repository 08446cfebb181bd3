"""A review that is no longer cached is freed at once: the server rarely searches for garbage."""

from __future__ import annotations

import gc

import pytest

from referee.core.log import Log
from referee.games import GAMES, ON_CARDS
from referee.games.simulation import WIDEST, played
from referee.insight import review as reviews
from referee.weight import weight


def read_whole(log: Log) -> None:
    """Compute all that a review caches, in one of the deals that are over."""
    found = reviews.review(log, reviews.finished(log)[0])
    for read in found.entries:
        assert read.review is found
        _ = read.grid, read.course, read.hindsight, read.declarations, read.could_beat
    assert all(revoke.doubt is not None for revoke in found.revokes)


@pytest.mark.parametrize("name", ON_CARDS)
def test_a_review_leaves_nothing_for_the_garbage_collector(name: str) -> None:
    game = GAMES[name]
    log = played(game, "ABC"[: min(3, game.SEATS[-1])], 4, lies=0.2)
    read_whole(log)  # what is cached for good is cached now
    reviews._kept.clear()
    gc.collect()
    gc.disable()
    try:
        read_whole(log)
        reviews._kept.clear()
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_reviews_of_large_matches_are_let_go_before_their_number_is_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The one that nobody has used for longest goes first, the last one used never."""
    game = GAMES[WIDEST]
    logs = [played(game, "ABCD", seed) for seed in range(4)]
    reviews._kept.clear()
    monkeypatch.setattr(reviews, "KEPT_BYTES", sum(map(weight, logs[:3])) * 1.01)
    for log in (*logs[:3], logs[0]):
        reviews.review(log, 1)
    assert [log for log, _deal, _seq in reviews._kept] == [logs[1], logs[2], logs[0]]
    reviews.review(logs[3], 1)
    assert [log for log, _deal, _seq in reviews._kept][-1] is logs[3]
    assert logs[1] not in {log for log, _deal, _seq in reviews._kept}
    monkeypatch.setattr(reviews, "KEPT_BYTES", 1)
    reviews.review(logs[1], 1)
    assert [log for log, _deal, _seq in reviews._kept] == [logs[1]]
