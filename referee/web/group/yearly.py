"""A year of a group on one sheet of paper; and a page on how things are counted."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from flask import Blueprint, Response

from referee.http import access, htmx
from referee.http.current import BOOKS, ledger
from referee.http.local_time import local_time
from referee.screens import screen
from referee.store import years
from referee.web.group import careers, charts, history

bp = Blueprint("yearly", __name__, url_prefix="/history")

MEMBERS, GAMES, WORDS, BESTS, EVENINGS = 12, 8, 6, 8, 4  # lines on the sheet


class Highlight(NamedTuple):
    """The highest value of a kind in a game, as text, with its person and match."""

    game: str
    text: str
    name: str
    match: str


class Figures(NamedTuple):
    """All values on the page. ``months``: (label, games) for each month of the year.

    ``made``: the number of words with repetitions, ``different``: without. ``before`` and
    ``after``: the nearest years with games, None if there are none.
    """

    matches: int
    sessions: int
    people: int
    plays: int
    time: timedelta
    months: list[tuple[str, int]]
    bars: charts.Bars
    games: list[years.Games]
    members: list[years.YearMember]
    made: int
    different: int
    words: list[years.Best]
    bests: list[Highlight]
    evenings: list[years.YearEvening]
    before: int | None
    after: int | None


@bp.get("/year/<int(min=1,max=9998):year>")
def year(year: int) -> Response:
    """Page of the group's year, in local time."""
    left, _past = history.current()
    return htmx.fragment(
        "group/year.html",
        left=left,
        year=year,
        circle=access.circles().get(access.circle()),
        figures=_figures(year),
        books=BOOKS,
        members=MEMBERS,
        games=GAMES,
        local=local_time,
    )


@bp.get("/counted")
def counted() -> Response:
    """Page that explains how each number of the history is counted."""
    return htmx.fragment("group/counted.html")


def _figures(year: int) -> Figures:
    since, until = (history.midnight(date(each, 1, 1).isoformat(), 0) for each in (year, year + 1))
    found = years.Year(ledger().store, access.circle(), since, until)
    games, members = found.games(), found.members()
    names = [each.game for each in games]
    made, different, words = found.words(names, WORDS)
    sessions, evenings = found.evenings(EVENINGS)
    starts = [history.midnight(f"{year}-{n:02}-01", 0) for n in range(1, 13)]
    months = [
        (careers.month(date(year, n, 1)), found.between(start, end))
        for n, (start, end) in enumerate(pairwise([*starts, until]), 1)
    ]
    before, after = found.neighbours()
    return Figures(
        matches=sum(each.matches for each in games),
        sessions=sessions,
        people=len(members),
        plays=sum(each.plays for each in games),
        time=timedelta(milliseconds=sum(each.millis for each in games)),
        months=months,
        bars=charts.bars([(label, matches, 0) for label, matches in months], 6),
        games=games,
        members=members,
        made=made,
        different=different,
        words=words,
        bests=[
            Highlight(
                best.game,
                screen(best.game).feat(best.kind, best.label, best.value),
                best.name,
                best.match,
            )
            for best in found.bests(names)
        ][:BESTS],
        evenings=evenings,
        before=local_time(before).year if before else None,
        after=local_time(after).year if after else None,
    )
