"""What matches are worth in the table of an evening and of a season."""

from __future__ import annotations

from fractions import Fraction

from referee.games.simulation import WIDEST
from referee.history.evening_points import can_add_points, evening_table, season_table
from referee.store.played import Placing, PlayedMatch, SessionShare


def match(*placings: Placing, over: bool = True, unit: str = "points") -> PlayedMatch:
    head = ("m", 1, "2026-11-28T10:00:00.000+00:00", WIDEST, over, 9, 0, 0, None, unit)
    return PlayedMatch(*head, False, False, False, False, placings)


def placing(person: int, rank: int, beaten: int | None, points: int = 0) -> Placing:
    return Placing(person, person, "ABCD"[person - 1], points, rank, rank == 1, None, beaten)


FOUR = match(placing(1, 1, 6, 9), placing(2, 2, 3, 5), placing(3, 2, 3, 5), placing(4, 4, 0, 1))
TOGETHER = match(placing(1, 1, None), placing(2, 1, None))
OPEN = match(placing(1, 1, None), placing(2, 1, None), over=False)


def test_points_are_how_many_one_stands_before() -> None:
    rows = evening_table([FOUR, TOGETHER, OPEN], "beaten")
    assert [(row.place, row.name, str(row.points), row.games) for row in rows] == [
        (1, "A", "3", 1),
        (2, "B", "3/2", 1),
        (2, "C", "3/2", 1),
        (4, "D", "0", 1),
    ]
    first, second, third = rows[0].cells
    assert first is not None
    assert first.worth == 3
    assert second is not None
    assert (second.place, second.worth) == (1, None)
    assert third is not None
    assert third.place is None
    assert rows[3].cells[1] is None


def test_a_win_together_is_a_win() -> None:
    rows = evening_table([FOUR, TOGETHER], "wins")
    assert [(row.name, row.wins, row.games) for row in rows[:2]] == [("A", 2, 2), ("B", 1, 2)]


def test_points_are_added_up_in_one_game_alone() -> None:
    uno, skyjo = (FOUR._replace(game=f"{WIDEST}:{name}") for name in ("uno", "skyjo"))
    assert can_add_points([uno, uno])
    assert not can_add_points([uno, skyjo])
    assert not can_add_points([FOUR, match(unit="fewest")])
    assert not can_add_points([match(unit="wins")])
    assert [row.points for row in evening_table([FOUR, FOUR], "points")] == [18, 10, 10, 2]


def test_where_the_fewest_points_win_more_games_count_first() -> None:
    few = match(placing(1, 2, 0, 7), placing(2, 1, 2, 3), unit="fewest")
    one = match(placing(3, 1, 2, 1), placing(2, 2, 0, 4), unit="fewest")
    assert [row.name for row in evening_table([few, one], "points")] == ["B", "C", "A"]


def test_a_season_has_the_average_of_each_evening() -> None:
    shares = [
        SessionShare(7, 1, "A", 3, 2, 9, 2),
        SessionShare(7, 2, "B", 1, 0, 1, 1),
        SessionShare(9, 2, "B", 2, 1, 10, 2),
    ]
    sessions, rows = season_table(shares, "beaten")
    assert sessions == [7, 9]
    assert [(row.place, row.name, row.points, row.games) for row in rows] == [
        (1, "B", Fraction(11, 2), 3),
        (2, "A", Fraction(9, 2), 2),
    ]
    assert rows[0].each == (Fraction(1, 2), Fraction(5, 2))
    assert rows[1].each == (Fraction(9, 4), None)
    assert rows[1].average == Fraction(9, 4)
    _sessions, wins = season_table(shares, "wins")
    assert [(row.name, row.points) for row in wins] == [("A", 2), ("B", 1)]
