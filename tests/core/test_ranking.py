"""The order of seats by result."""

from __future__ import annotations

from referee.core.game import ScoreSheet
from referee.core.ranking import ranking
from referee.core.verdict import Outcome

TOTALS = {"A": 36, "B": 106, "C": 168, "D": 106}


def places(winners: tuple[str, ...], *, fewest: bool) -> list[tuple[int, str]]:
    outcome = Outcome("method.3", winners, ())
    ranks = ranking("ABCD", ScoreSheet((), TOTALS, fewest), outcome)
    assert [rank.won for rank in ranks] == [rank.seat in winners for rank in ranks]
    return [(rank.place, rank.seat) for rank in ranks]


def test_most_or_fewest_points_are_first() -> None:
    assert places(("C",), fewest=False) == [(1, "C"), (2, "B"), (2, "D"), (4, "A")]
    assert places(("A",), fewest=True) == [(1, "A"), (2, "B"), (2, "D"), (4, "C")]


def test_winners_come_first_whatever_the_points_say() -> None:
    """Declaring can win with points that are not the best."""
    assert places(("B",), fewest=False) == [(1, "B"), (2, "C"), (3, "D"), (4, "A")]


def test_an_unfinished_match_has_no_winner_and_an_order() -> None:
    ranks = ranking("ABCD", ScoreSheet((), TOTALS), None)
    assert [(rank.place, rank.won) for rank in ranks] == [
        (1, False),
        (2, False),
        (2, False),
        (4, False),
    ]


def test_the_loser_is_last_and_all_others_are_level() -> None:
    outcome = Outcome("end.2", (), (), ("D",))
    ranks = ranking("ABCD", ScoreSheet((), TOTALS, fewest=True), outcome)
    assert [(rank.place, rank.seat, rank.lost) for rank in ranks] == [
        (1, "A", False),
        (1, "B", False),
        (1, "C", False),
        (4, "D", True),
    ]
    assert not any(rank.won for rank in ranks)


def test_where_nobody_won_and_nobody_lost_all_are_level() -> None:
    ranks = ranking("ABCD", ScoreSheet((), TOTALS), Outcome("close.1", (), ()))
    assert {rank.place for rank in ranks} == {1}
    assert not any(rank.won or rank.lost for rank in ranks)
