"""Charts as numbers for ``_charts.html``: positions of lines, bands and bars in the picture.

Computed here and not by a library: the strict content security policy forbids the style attributes
and sheets that pygal and matplotlib write into their SVG, and these classes follow the page's
theme. All pictures are ``WIDTH`` units wide and scale with the page; y grows downwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import floor, log10
from typing import NamedTuple, TypeVar

from referee.core.written import written

WIDTH = 360
LEFT, RIGHT, TOP, BOTTOM = 34, 8, 10, 150  # edges of the plot
NAMES = 92  # space at the right for the names of lines
STEP = 13  # distance of two names
ASIDE = 78  # space at the left of ``intervals`` for the names of rows
ROW, APART = 28, 12  # height of a row, and of each further series in it
MOST_DOTS = 20  # dots on a line
MOST = 120  # points of a line: a phone can't show more


Point = TypeVar("Point")


class Mark(NamedTuple):
    """A label of an axis: ``at`` is its y beside a grid line, or its x below the plot."""

    at: float
    text: str


class Curve(NamedTuple):
    """A line: ``path`` (attribute ``d``), its last point, and the y of the name beside it."""

    name: str
    path: str
    x: float
    y: float
    label: float


class Lines(NamedTuple):
    """Several lines over one axis; ``rules``: x of vertical lines where a new part begins."""

    curves: list[Curve]
    ys: list[Mark]
    xs: list[Mark]
    rules: list[float]


class Band(NamedTuple):
    """A line with its range of uncertainty."""

    path: str
    area: str
    x: float
    y: float
    ys: list[Mark]
    xs: list[Mark]


class Bar(NamedTuple):
    """A bar from the ground up; ``part``: the height of its filled piece."""

    x: float
    y: float
    width: float
    height: float
    part: float
    value: int
    text: str


class Bars(NamedTuple):
    """Bars side by side over one axis."""

    bars: list[Bar]
    ys: list[Mark]


def lines(
    series: Sequence[tuple[str, Sequence[float]]], starts: Sequence[tuple[int, str]] = ()
) -> Lines:
    """A line for each (name, values), all of the same length.

    ``starts``: (index, label) of each part, such as a deal; the first part begins at index 0.
    """
    right = WIDTH - NAMES
    low, high = _bounds([value for _, values in series for value in values])
    length = max(len(values) for _, values in series)
    curves = []
    for name, values in series:
        points = [
            (_x(i, length, right), _y(value, low, high))
            for i, value in thinned(list(enumerate(values)))
        ]
        curves.append(Curve(name, _path(points), *points[-1], points[-1][1]))
    xs = [Mark(_x(at, length, right), text) for at, text in starts]
    return Lines(_apart(curves), _ticks(low, high), _spaced(xs), [mark.at for mark in xs[1:]])


def spark(values: Sequence[float | None], width: float, height: float) -> str:
    """The path of a small line through ``values`` without axes, higher is better.

    It breaks at None, and a value alone is a short stroke.
    """
    known = [value for value in values if value is not None]
    if not known:
        return ""
    low, span = min(known), max(known) - min(known) or 1
    step, path, pen = width / max(1, len(values) - 1), "", "M"
    for i, value in enumerate(values):
        if value is None:
            pen = "M"
            continue
        x, y = i * step, height - (value - low) / span * height
        path += f"{pen}{x:.1f} {y:.1f}"
        alone = pen == "M" and (i + 1 == len(values) or values[i + 1] is None)
        path += "h.1" if alone else ""
        pen = "L"
    return path


def band(points: Sequence[tuple[str, float, float]]) -> Band:
    """A line through (label, value, deviation)."""
    kept = thinned(points)
    # the first deviations are so large that they would hide everything else: they are cut off
    sure = kept[len(kept) // 4 :]
    sides = [side for _, value, off in sure for side in (value - off, value + off)]
    low, high = _bounds([*sides, *(value for _, value, _ in kept)], zero=False)
    length, right = len(kept), WIDTH - RIGHT
    xs = [_x(i, length, right) for i in range(length)]
    upper = [(x, _y(v + off, low, high)) for x, (_, v, off) in zip(xs, kept, strict=True)]
    lower = [(x, _y(v - off, low, high)) for x, (_, v, off) in zip(xs, kept, strict=True)]
    middle = [(x, _y(v, low, high)) for x, (_, v, _) in zip(xs, kept, strict=True)]
    labels = [(xs[i], kept[i][0]) for i in _spread(length, 4)]
    later = [*(text for _, text in labels[1:]), ""]
    marks = [Mark(x, text) for (x, text), then in zip(labels, later, strict=True) if text != then]
    area = _path(upper) + _path(lower[::-1]).replace("M", "L", 1) + "Z"
    return Band(_path(middle), area, *middle[-1], _ticks(low, high), marks)


def bars(values: Sequence[tuple[str, int, int]], named: int = 12) -> Bars:
    """A bar for each (label, value, filled part of it); at most ``named`` labels are shown."""
    _, high = _bounds([0.0, *(float(value) for _, value, _ in values)])
    room = (WIDTH - RIGHT - LEFT) / len(values)
    apart = -(-len(values) // named)
    found = []
    for i, (text, value, part) in enumerate(values):
        top = _y(value, 0, high)
        found.append(
            Bar(
                round(LEFT + room * (i + 0.15), 1),
                top,
                round(room * 0.7, 1),
                round(BOTTOM - top, 1),
                round(BOTTOM - _y(part, 0, high), 1),
                value,
                text if i % apart == 0 else "",
            )
        )
    return Bars(found, _ticks(0, high))


class Interval(NamedTuple):
    """A share with its interval, its ``series`` (0-based) and its height in the picture."""

    series: int
    x: float
    low: float
    high: float
    y: float


class Intervals(NamedTuple):
    """Rows of shares with their intervals; ``even``: where all would be if they were equal."""

    marks: list[Interval]
    names: list[Mark]
    xs: list[Mark]
    even: float
    height: int


def intervals(
    rows: Sequence[tuple[str, Sequence[tuple[float, float, float]]]], even: float
) -> Intervals:
    """A row for each name, with a (share, low, high) in per cent for each series."""
    values = [value for _, series in rows for each in series for value in each]
    low, high = _bounds([*values, even], zero=False)
    room = ROW + APART * (max(len(series) for _, series in rows) - 1)

    def at(value: float) -> float:
        return round(ASIDE + (WIDTH - RIGHT - ASIDE) * (value - low) / (high - low), 1)

    marks, names = [], []
    for i, (name, series) in enumerate(rows):
        names.append(Mark(TOP + room * (i + 0.5), name))
        for j, (share, least, most) in enumerate(series):
            y = TOP + room * (i + 0.5) + APART * (j - (len(series) - 1) / 2)
            marks.append(Interval(j, at(share), at(least), at(most), y))
    step = _step(high - low)
    ticks = [low + step * i for i in range(round((high - low) / step) + 1)]
    xs = [Mark(at(value), f"{value:.0f}%") for value in ticks]
    return Intervals(marks, names, xs, at(even), TOP + room * len(rows))


class ChanceChart(NamedTuple):
    """How a chance changed: a line with a dot for each point, or for the last one of many."""

    path: str
    dots: list[tuple[float, float]]
    ys: list[Mark]
    xs: list[Mark]


def course(points: Sequence[tuple[str, Fraction]]) -> ChanceChart:
    """A line through (label, share from 0 to 1)."""
    xs = [_x(i, len(points), WIDTH - RIGHT) for i in range(len(points))]
    line = [(x, _y(100 * float(share), 0, 100)) for x, (_, share) in zip(xs, points, strict=True)]
    marks = [Mark(xs[i], points[i][0]) for i in _spread(len(points), 6)]
    ys = [Mark(_y(level, 0, 100), f"{level}%") for level in (0, 50, 100)]
    return ChanceChart(_path(line), line if len(line) <= MOST_DOTS else line[-1:], ys, marks)


class Piece(NamedTuple):
    """A bar of one of several series; ``share``: its part of the whole series."""

    series: int
    x: float
    y: float
    width: float
    height: float
    share: float


class Shares(NamedTuple):
    """A histogram: ``labels`` below the columns, ``pieces`` for each series."""

    pieces: list[Piece]
    labels: list[Mark]
    ys: list[Mark]


def shares(series: Sequence[Sequence[int]], most: int = 12) -> Shares:
    """Columns for the values of several series side by side; at most ``most`` columns."""
    low, high = min(map(min, series)), max(map(max, series))
    wide = -(-(high - low + 1) // most)
    columns = (high - low) // wide + 1
    counted = [Counter((value - low) // wide for value in values) for values in series]
    found = [[each[i] / each.total() for i in range(columns)] for each in counted]
    _, top = _bounds([0.0, *(100 * share for each in found for share in each)])
    room = (WIDTH - RIGHT - LEFT) / columns
    width = room * 0.8 / len(series)
    pieces = []
    for j, each in enumerate(found):
        for i, share in enumerate(each):
            y = _y(100 * share, 0, top)
            x = round(LEFT + room * (i + 0.1) + width * j, 1)
            pieces.append(Piece(j, x, y, round(width, 1), round(BOTTOM - y, 1), share))
    apart = -(-columns // 8)
    labels = [
        Mark(round(LEFT + room * (i + 0.5), 1), _range(low + wide * i, wide))
        for i in range(0, columns, apart)
    ]
    ys = [mark._replace(text=f"{mark.text}%") for mark in _ticks(0, top)]
    return Shares(pieces, labels, ys)


def _range(first: int, wide: int) -> str:
    return f"{first}" if wide == 1 else f"{first}–{first + wide - 1}"


def heat(share: float) -> int:
    """The colour step for a share from 0 to 1: 0 up to 1/4, 4 for 1/2, 8 from 3/4 on."""
    return min(8, max(0, round(4 + (share - 0.5) * 16)))


def _x(i: int, length: int, right: float) -> float:
    return round(LEFT + (right - LEFT) * (i / (length - 1) if length > 1 else 0.5), 1)


def _y(value: float, low: float, high: float) -> float:
    inside = min(high, max(low, value))
    return round(BOTTOM - (BOTTOM - TOP) * (inside - low) / (high - low), 1)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + " ".join(f"{x:g} {y:g}" for x, y in points)


def _bounds(values: Sequence[float], *, zero: bool = True) -> tuple[float, float]:
    """Round limits around ``values``, and around 0 with ``zero``."""
    low, high = min(values), max(values)
    if zero:
        low, high = min(low, 0), max(high, 0)
    step = _step(high - low or 1)
    return floor(low / step) * step, -floor(-high / step) * step or step


def _step(span: float) -> float:
    """The distance of grid lines: 1, 2 or 5 times a power of ten, at least 1."""
    power = 10.0 ** floor(log10(span / 4)) if span > 4 else 1.0
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor * 4 >= span)


def _ticks(low: float, high: float) -> list[Mark]:
    step = _step(high - low)
    count = round((high - low) / step)
    values = [low + step * i for i in range(count + 1)]
    return [Mark(_y(value, low, high), written(value, ".0f")) for value in values]


def thinned(points: Sequence[Point]) -> list[Point]:
    """At most ``MOST`` of ``points``, evenly spaced, with the first and the last."""
    return [points[i] for i in _spread(len(points), MOST)]


def _spread(length: int, most: int) -> list[int]:
    """At most ``most`` positions out of ``length``, evenly spaced, with both ends."""
    if length <= most:
        return list(range(length))
    return [round(i * (length - 1) / (most - 1)) for i in range(most)]


def _spaced(marks: Sequence[Mark]) -> list[Mark]:
    """``marks`` without those that would overlap the previous one."""
    kept: list[Mark] = []
    for mark in marks:
        if not kept or mark.at - kept[-1].at >= 24:
            kept.append(mark)
    return kept


def _apart(curves: Sequence[Curve]) -> list[Curve]:
    """``curves``, the highest in the picture first, with names that don't overlap.

    A name stands beside the end of its curve, or as near as the others and the ground allow.
    """
    ordered = sorted(curves, key=lambda curve: curve.y)
    step = min(STEP, (BOTTOM - TOP) / max(1, len(ordered) - 1))
    labels: list[float] = []
    for curve in ordered:
        labels.append(max(curve.y, labels[-1] + step) if labels else curve.y)
    lowest: float = BOTTOM
    for i in reversed(range(len(labels))):
        labels[i] = min(labels[i], lowest)
        lowest = labels[i] - step
    return [
        curve._replace(label=round(label, 1)) for curve, label in zip(ordered, labels, strict=True)
    ]
