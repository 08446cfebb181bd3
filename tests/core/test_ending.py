"""How points decide a match."""

from __future__ import annotations

import pytest

from referee.core.ending import best, by_points
from referee.core.game import COMMON_OPTIONS, Table
from referee.core.verdict import Outcome
from referee.rulings import COMMON, book

TOTALS = {"A": 4, "B": 9, "C": 4, "D": 9}


def decided(*rivals: str, tie: str = "shared", fewest: bool = False) -> Outcome | None:
    table = Table(tuple(TOTALS), {"final_tie": tie}, COMMON_OPTIONS)
    return by_points(table, TOTALS, rivals, clause="outcome.1", fewest=fewest)


def test_best_keeps_the_order_of_those_asked_about() -> None:
    assert best(TOTALS, "DCBA") == ("D", "B")
    assert best(TOTALS, "DCBA", fewest=True) == ("C", "A")
    assert best(TOTALS, "CA") == ("C", "A")


@pytest.mark.parametrize(("fewest", "level"), [(False, ("B", "D")), (True, ("A", "C"))])
def test_a_tie_is_shared_goes_to_the_first_or_is_played_off(
    fewest: bool, level: tuple[str, ...]
) -> None:
    shared, first = decided(fewest=fewest), decided(tie="first_in_seat", fewest=fewest)
    assert shared is not None
    assert (shared.clause, shared.winners) == ("tie.1", level)
    assert first is not None
    assert (first.clause, first.winners) == ("tie.1", level[:1])
    assert decided(tie="replay", fewest=fewest) is None


def test_only_a_seat_that_was_level_before_can_win_the_deal_played_again() -> None:
    ended = decided("A", "D", tie="replay")
    assert ended is not None
    assert (ended.clause, ended.winners) == ("outcome.1", ("D",))
    assert [fact.fact for fact in ended.evidence] == ["tie_replayed", "most_of_tied"]


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("ja", "A・Cのうち、合計5点で最高のAの勝ち。"),
        ("en", "Of A and C, A has the highest total, 5, and wins."),
    ],
)
def test_the_winner_of_the_deal_after_a_tie_is_not_said_to_have_most_of_all(
    lang: str, says: str
) -> None:
    table = Table(tuple(TOTALS), {"final_tie": "replay"}, COMMON_OPTIONS)
    ended = by_points(table, {**TOTALS, "A": 5}, ("A", "C"), clause="outcome.1")
    assert ended is not None
    said = [book(COMMON).says(fact.fact, fact.values, lang) for fact in ended.evidence]
    assert said[-1] == says
