"""The standing, and each person's sum line by line."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple
from unicodedata import numeric

from flask import Blueprint, Response, abort

from referee.desk import DeskView
from referee.tonight import asking
from referee.tonight.standing import RoundScore, StandingRow
from referee.web.desk import frame

bp = Blueprint("desk_standing", __name__)

VULGAR = {Fraction(numeric(sign)).limit_denominator(9): sign for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}


class OpenTable(NamedTuple):
    """A table without a result."""

    round: int
    table: str
    since: str


class ScoreLine(NamedTuple):
    """One round in somebody's sum; ``table``: its name, "" if they did not sit at one."""

    score: RoundScore
    table: str


@bp.get("/desk/<int(max=999999999):desk>/standing")
def page(desk: int) -> Response:
    """Everybody by place; above it the tables without a result."""
    found = frame.shown(desk)
    rows = asking.ranked(found.evening, frame.names_of(found))
    return frame.page(
        "desk/standing.html",
        found,
        rows=rows,
        level=_level(rows),
        missing=missing(found),
        fraction=fraction,
    )


def missing(found: DeskView) -> list[OpenTable]:
    """The tables of all published rounds without a result."""
    return [
        OpenTable(each.number, table.table, table.begun or each.published)
        for each in found.evening.published
        for table in each.tables
        if table.open
    ]


def _level(rows: list[asking.RankedGuest]) -> set[int]:
    """Who has the points of another person."""
    points = [row.points for _, row in rows]
    return {person for person, row in rows if row.points and points.count(row.points) > 1}


@bp.get("/desk/<int(max=999999999):desk>/standing/<int(max=999):number>")
def person(desk: int, number: int) -> Response:
    """A person's sum: each round, the first places, everybody met."""
    found = frame.shown(desk)
    rows = dict(asking.ranked(found.evening, frame.names_of(found)))
    row = rows.get(number) or abort(404)
    near = [other for other in rows.values() if other.points == row.points and other is not row]
    return frame.page(
        "desk/sum.html",
        found,
        row=row,
        lines=lines(found, row),
        near=near,
        fraction=fraction,
    )


def lines(found: DeskView, row: StandingRow) -> list[ScoreLine]:
    """The rounds of a person with the names of the tables."""
    shown = []
    for score in row.scores:
        table = ""
        if score.table is not None:
            done = asking.done(found.evening.published[score.round - 1])
            table = done[score.table - 1].table
        shown.append(ScoreLine(score, table))
    return shown


def fraction(value: Fraction) -> str:
    """A number as people write it: 2⅓."""
    whole, rest = divmod(value, 1)
    if not rest:
        return str(whole)
    part = VULGAR.get(rest)
    if part is None:
        return f"{whole} {rest}" if whole else str(rest)
    return f"{whole or ''}{part}"
