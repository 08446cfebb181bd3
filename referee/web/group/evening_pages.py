"""The table of an evening, and of a season: who stands where, by the rule that one chooses."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import NamedTuple

from flask import Blueprint, Response, abort, request

from referee import zones
from referee.evenings.answer import mixed
from referee.evenings.table import By
from referee.history import counting, evening_points
from referee.history.evening_points import EveningRow, SeasonRow
from referee.http import access, htmx
from referee.http.current import BOOKS, ledger
from referee.http.language import gettext as _
from referee.http.local_time import local_time, zone
from referee.store.past import Past
from referee.store.played import PlayedMatch
from referee.web.group.charts import spark

bp = Blueprint("evenings", __name__)
bp.add_app_template_filter(mixed, "mixed")

MOST_MATCHES = 48  # of an evening in its table
MONTHS = 3  # of the season that is shown first
SHOWN, BEST = 4, 3  # games and people of tonight on the start page
COUNTING_SECONDS = 0.05
WIDTH, HEIGHT = 80, 24  # of the small line of a person


class RuleOffered(NamedTuple):
    """A rule by which the table can be made."""

    key: By
    title: str
    on: bool


class EveningTable(NamedTuple):
    """The table of an evening. ``said``: what its figures are; ``present``: who was in the latest
    match, in seat order.
    """

    rules: list[RuleOffered]
    said: str
    matches: list[PlayedMatch]
    titles: list[str]
    rows: list[EveningRow]
    present: tuple[str, ...]


class TonightGame(NamedTuple):
    """A game of tonight on the start page; ``who``: the winners, none while it goes on."""

    game: str
    title: str
    over: bool
    who: tuple[str, ...]


class TonightBox(NamedTuple):
    """The evening that began today, on the start page; ``best``: who leads."""

    session: int
    began: datetime
    people: int
    games: list[TonightGame]
    best: list[EveningRow]


class SeasonSpan(NamedTuple):
    """A span of days, both included; None: open."""

    key: str
    title: str
    first: date | None
    last: date | None


class SeasonShown(NamedTuple):
    """A person in the season; ``path``: a line through the averages of the sessions."""

    row: SeasonRow
    path: str
    average: str
    sessions: int


def evening_table(past: Past, session: int, speech: str) -> EveningTable:
    """The table of an evening by the rule in the address."""
    matches = past.evening(session, MOST_MATCHES)
    points = evening_points.can_add_points([match for match in matches if match.over])
    by = _asked(points)
    return EveningTable(
        _rules(by, points),
        _said(by),
        matches,
        [BOOKS[match.game].title.in_(speech) for match in matches],
        evening_points.evening_table(matches, by),
        _present(matches),
    )


def tonight(speech: str) -> TonightBox | None:
    """Today's evening; None before its first game. Counts for a moment what is new."""
    if not access.circle():
        return None
    counting.catch_up(ledger().store, COUNTING_SECONDS)
    past = Past(ledger().store, access.circle())
    for session, _count in past.sessions(most=1):
        began = local_time(access.circles().session(access.circle(), session).began)
        if began.date() == zones.today(zone()):
            table = evening_table(past, session, speech)
            games = [
                TonightGame(match.game, title, match.over, _winners(match))
                for match, title in zip(table.matches, table.titles, strict=True)
            ]
            return TonightBox(session, began, len(table.rows), games[-SHOWN:], table.rows[:BEST])
    return None


def _winners(match: PlayedMatch) -> tuple[str, ...]:
    return tuple(one.name for one in match.placings if one.won)


def _present(matches: Sequence[PlayedMatch]) -> tuple[str, ...]:
    latest = matches[-1].placings if matches else ()
    return tuple(one.name for one in sorted(latest, key=lambda one: one.place))


def _asked(points: bool) -> By:
    """The rule that the address names, if it can be chosen."""
    for rule in evening_points.RULES:
        if request.args.get("by") == rule and (points or rule != "points"):
            return rule
    return "beaten"


def _rules(by: By, points: bool) -> list[RuleOffered]:
    offered = [
        RuleOffered("beaten", _("人数−順位"), by == "beaten"),
        RuleOffered("wins", _("勝ち数"), by == "wins"),
    ]
    return [*offered, RuleOffered("points", _("点の合計"), by == "points")] if points else offered


def _said(by: By) -> str:
    if by == "beaten":
        return _("大きい数字は順位、小さい数字は順位点（自分より下の人数。同じ順位の人は½）。")
    if by == "wins":
        return _("大きい数字は順位、小さい数字は勝ち数。")
    return _("大きい数字は順位、小さい数字は点。")


@bp.get("/history/season")
def season() -> Response:
    """The table of a span of days."""
    if not access.circle():
        abort(404)
    spans = _spans()
    key = request.args.get("span", spans[0].key)
    span = next((one for one in spans if one.key == key), spans[0])
    by: By = "wins" if request.args.get("by") == "wins" else "beaten"
    past = Past(ledger().store, access.circle())
    sessions, rows = evening_points.season_table(past.shares(*_moments(span)), by)
    return htmx.fragment(
        "group/season.html",
        spans=spans,
        span=span,
        rules=_rules(by, points=False),
        by=by,
        sessions=len(sessions),
        shown=[_shown(row) for row in rows],
        size=(WIDTH, HEIGHT),
    )


def _moments(span: SeasonSpan) -> tuple[str, str]:
    """When the span begins and when it is over; "" for an open end."""
    try:
        since = zones.begins(span.first, zone()) if span.first else ""
        until = zones.begins(span.last + timedelta(days=1), zone()) if span.last else ""
    except OverflowError:  # at either end of the calendar
        return "", ""
    return since, until


def _shown(row: SeasonRow) -> SeasonShown:
    values = [None if each is None else float(each) for each in row.each]
    held = sum(each is not None for each in row.each)
    return SeasonShown(row, spark(values, WIDTH, HEIGHT), f"{float(row.average):.1f}", held)


def _spans() -> list[SeasonSpan]:
    """The spans to choose from, the usual one first; the own one as the address has it."""
    today = zones.today(zone())
    month = today.month - MONTHS + 1
    began = date(today.year - (month < 1), (month - 1) % 12 + 1, 1)
    months = _("%(first)s月–%(last)s月", first=began.month, last=today.month)
    return [
        SeasonSpan("months", months, began, today),
        SeasonSpan("year", _("今年"), date(today.year, 1, 1), today),
        SeasonSpan("all", _("全部"), None, None),
        SeasonSpan("own", _("期間"), _day("from"), _day("to")),
    ]


def _day(key: str) -> date | None:
    """The day in the address; None without one, or if it is none."""
    with suppress(ValueError):
        return date.fromisoformat(request.args.get(key, ""))
    return None
