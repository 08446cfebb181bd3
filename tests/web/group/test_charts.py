"""Names beside the lines of a chart."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from referee.web.group import charts
from referee.web.review.scores import beside


def ends(*values: float) -> list[charts.Curve]:
    """Lines from 0 to ``values``, as they are drawn."""
    return charts.lines([(f"P{i}", (0, value)) for i, value in enumerate(values)]).curves


def test_only_names_that_would_overlap_move_and_no_further_than_they_must() -> None:
    first, *others = ends(2, 0, 0, 0)
    assert first.label == first.y
    assert [curve.label for curve in others] == [124.0, 137.0, 150.0]


def test_equal_labels_below_a_band_are_one_where_they_end() -> None:
    days = ["11/20", "11/27", "11/27", "11/27"]
    marks = charts.band([(day, 1500, 100) for day in days]).xs
    assert [mark.text for mark in marks] == ["11/20", "11/27"]
    assert marks[-1].at == charts.WIDTH - charts.RIGHT


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Bartholomew", "Bartholomew"),
        ("Maximilienne", "Maximilienne"),
        ("Wolfeschlegelstein", "Wolfeschle…"),
        ("ほしのみどり", "ほしのみどり"),
        ("北大路ロマネスク三世閣下", "北大路ロマ…"),
    ],
)
def test_a_name_beside_a_chart_is_cut_by_its_width(name: str, shown: str) -> None:
    assert beside(name) == shown


@given(some.lists(some.integers(0, 30), min_size=1, max_size=20))
def test_names_stand_apart_and_within_the_picture(values: list[int]) -> None:
    labels = [curve.label for curve in ends(*values)]
    step = min(charts.STEP, (charts.BOTTOM - charts.TOP) / max(1, len(values) - 1))
    assert all(low - high >= step - 0.11 for high, low in pairwise(labels))
    assert min(labels) >= charts.TOP - 0.11
    assert max(labels) <= charts.BOTTOM
