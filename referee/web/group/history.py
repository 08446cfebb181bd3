"""Pages of a circle's history: evenings, matches, people, and comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import NamedTuple

from flask import Blueprint, Response, abort, request
from markupsafe import Markup

from referee import zones
from referee.history import counting
from referee.http import access, forms, guarded, htmx, language
from referee.http.current import BOOKS, book_at, ledger
from referee.http.local_time import local_time, zone
from referee.http.shelf import has_game
from referee.ledger import View
from referee.store import NoSuchCircle
from referee.store.folding import folded
from referee.store.past import Past
from referee.store.played import ESTABLISHED, Evening, MatchFilter, PlayedMatch
from referee.web.group import careers, charts, evening_pages

bp = Blueprint("history", __name__, url_prefix="/history")

MATCHES = 24  # on a page, which then continues to the end of the evening
FOUND = 1_000  # matches that a search looks for; filters reach older ones
EACH = 48  # matches of one evening on a page; the evening's own page has the rest
CLOCKED = 48  # latest matches of an evening among which the last to end is looked for
CHOICE = 200  # people in the filter form, the latest players first
STANDINGS = 100  # people on a page
DUELLISTS = 30  # people in the table of who beats whom
STARS = 10  # matches in the table of wins
SECONDS = 0.5  # time that a page spends on counting new matches
REREAD = 4  # matches that a page counts again after an update
NOBODY = 999_999_999  # larger than any person's number
WORDS = 6  # words of a search, at most


class HistoryFilters(NamedTuple):
    """The filters as the form shows them; ``active`` if any is set."""

    game: str
    person: int | None
    since: str
    until: str
    text: str

    @property
    def active(self) -> bool:
        return any(self)


NOTHING = HistoryFilters("", None, "", "", "")


class Star(NamedTuple):
    """A column of the table of wins: the match and its local day."""

    match: PlayedMatch
    day: date


@bp.get("")
def history() -> Response:
    """Page of the evenings, the latest first."""
    access.adopt()
    asked = _asked()
    if not access.circle():
        return htmx.fragment(
            "group/history.html",
            asked=NOTHING,
            shown=[],
            left=0,
            matches=0,
            stars=[],
            earlier=None,
            hidden=0,
            changed=None,
        )
    left, past = current()
    changed = access.revisions().count(access.circle())
    only = _filter(asked)
    skip = forms.skipped()
    sessions = past.sessions(only, FOUND if only.words else -1)
    matches = sum(count for _, count in sessions)
    some = _page(sessions[skip:])
    shown = past.evenings(some, EACH, only)
    stars = [] if asked.active or skip else _stars(past)
    return htmx.fragment(
        "group/history.html",
        left=left,
        circle=access.circles().get(access.circle()),
        asked=asked,
        matches=matches,
        more_found=bool(only.words) and matches == FOUND,
        known=_choice(asked.person),
        books=BOOKS,
        shown=[(evening, local_time(evening.began), _took(evening)) for evening in shown],
        earlier=skip + len(some) if skip + len(some) < len(sessions) else None,
        stars=stars,
        months=[(month, len(list(run))) for month, run in groupby(stars, _month)],
        rows=_rows(stars),
        year=stars[-1].day.year if stars else None,
        hidden=access.hidden().count(access.circle()),
        changed=changed,
        changed_since=local_time(changed.since) if changed.since else None,
    )


@bp.get("/hidden")
def hidden() -> Response:
    """Page of the hidden matches; the page of each can list it again."""
    matches = [row.id for row in access.hidden().of(access.circle())]
    held = guarded.each(matches, _hidden)
    unshown = [match for match in matches if match not in held]
    return htmx.fragment("group/hidden.html", held=list(held.values()), unshown=unshown)


def _hidden(view: View) -> Markup:
    """The line of a hidden match."""
    opened = local_time(ledger().store.opened_at(view.match))
    return htmx.drawn("group/_hidden.html", view=view, book=book_at(view), opened=opened)


@bp.get("/evening/<int(max=999999999):session>")
def evening(session: int) -> Response:
    """Page of an evening: the winner of each match."""
    _left, past = current()
    about = access.circles().session(access.circle(), session)
    skip = forms.skipped()
    first, clocked = past.clocked(session, CLOCKED)
    return htmx.fragment(
        "group/evening.html",
        about=about,
        began=local_time(about.began),
        took=took(first, clocked),
        matches=past.evening(session, EACH, skip),
        later=skip + EACH if skip + EACH < about.matches else None,
        table=evening_pages.evening_table(past, session, language.current()),
        tally=past.tally(session),
        books=BOOKS,
    )


@bp.get("/people")
def people() -> Response:
    """Page that compares all people: ratings, and head-to-head results."""
    access.adopt()
    if not access.circle():
        return htmx.fragment("group/standings.html", left=0, standings=[], stranger=True)
    left, past = current()
    skip = forms.skipped()
    standings = past.standings(STANDINGS + 1, skip)
    shown, duellists = standings[:STANDINGS], standings[:DUELLISTS]
    ids = [standing.person for standing in duellists]
    return htmx.fragment(
        "group/standings.html",
        left=left,
        stranger=False,
        standings=shown,
        more=skip + STANDINGS if len(standings) > STANDINGS else None,
        duellists=duellists,
        duels={(duel.person, duel.other): duel for duel in past.duels(*ids)} if ids else {},
        heat=charts.heat,
        rating=careers.rating,
        established=ESTABLISHED,
    )


@bp.get("/person/<int(max=999999999):person>")
def person(person: int) -> Response:
    """Page of one person."""
    left, past = current()
    found = access.people().get(access.circle(), person)
    numbers = careers.numbers(past, person)
    return htmx.fragment(
        "group/career.html",
        left=left,
        person=found,
        numbers=numbers,
        names=access.people().called(access.circle(), numbers.others()),
        books=BOOKS,
        rating=careers.rating,
    )


def current() -> tuple[int, Past]:
    """The number of matches left to count, and the history of this phone's circle.

    Counts new matches for ``SECONDS`` before, and a few of an earlier version: `referee serve` does
    that by itself, other servers and the app in a tab do not. 404 without a circle.
    """
    store = ledger().store
    next(counting.reread(store, REREAD), 0)
    left = counting.catch_up(store, SECONDS)
    if not access.circle():
        abort(404)
    return left, Past(store, access.circle())


def took(first: str, clocked: Sequence[tuple[str, int]]) -> timedelta | None:
    """The time from ``first``, when an evening began, to its last end; None without ends.

    ``clocked``: (opened, milliseconds) of the matches whose duration is known. Times are stored
    ones (UTC, ISO 8601).
    """
    ends = [
        datetime.fromisoformat(opened) + timedelta(milliseconds=millis)
        for opened, millis in clocked
    ]
    return max(ends) - datetime.fromisoformat(first) if ends else None


def _took(evening: Evening) -> timedelta | None:
    """``took`` for an evening, None if not all of its matches are shown: its own page has it."""
    if len(evening.matches) < evening.passing:
        return None
    clocked = [(match.opened, match.millis) for match in evening.matches if match.millis]
    return took(evening.matches[-1].opened, clocked)


def _choice(asked: int | None) -> dict[int, str]:
    """The people in the filter form, the chosen one included: id → name."""
    people, circle = access.people(), access.circle()
    known = people.names_of(circle, CHOICE)
    if asked is not None and asked not in known:
        with suppress(NoSuchCircle):
            known[asked] = people.get(circle, asked).name
    return known


def _page(sessions: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The first of (evening, matches) that fill a page; evenings are not split."""
    shown, count = [], 0
    for session, matches in sessions:
        if count >= MATCHES:
            break
        shown.append((session, matches))
        count += matches
    return shown


def _asked() -> HistoryFilters:
    """The filters in the address; invalid values are ignored."""
    given = request.args
    game = given.get("game", "")
    return HistoryFilters(
        game if has_game(game) else "",
        _person(given.get("person", "")),
        _day(given.get("since", "")),
        _day(given.get("until", "")),
        " ".join(given.get("q", "").split())[:80],
    )


def _filter(asked: HistoryFilters) -> MatchFilter:
    """``asked`` as the store understands it: stored times, single words."""
    words = tuple(asked.text.split()[:WORDS])
    return MatchFilter(
        asked.game,
        asked.person,
        midnight(asked.since, 0),
        midnight(asked.until, 1),
        words,
        tuple(_titled(word) for word in words),
    )


def _titled(word: str) -> tuple[str, ...]:
    """The games whose title contains ``word``, in either language."""
    word = folded(word)
    return tuple(
        name
        for name, rules in BOOKS.items()
        if any(word in folded(title) for title in (rules.title.ja, rules.title.en))
    )


def _person(text: str) -> int | None:
    """The number in ``text`` (0 to ``NOBODY``, larger ones become ``NOBODY``), or None."""
    with suppress(ValueError):
        return min(max(int(text), 0), NOBODY)
    return None


def _day(text: str) -> str:
    with suppress(ValueError):
        return date.fromisoformat(text).isoformat()
    return ""


def midnight(day: str, later: int) -> str:
    """The stored form of local midnight ``later`` days after the beginning of ``day``.

    "" for no day, and at either end of the calendar.
    """
    if not day:
        return ""
    with suppress(ValueError, OverflowError):  # at either end of the calendar
        return zones.begins(date.fromisoformat(day) + timedelta(days=later), zone())
    return ""


def _stars(past: Past) -> list[Star]:
    return [Star(match, local_time(match.opened).date()) for match in reversed(past.last(STARS))]


def _month(star: Star) -> date:
    return star.day.replace(day=1)


def _rows(stars: Sequence[Star]) -> Mapping[str, list[str]]:
    """Name → its result in each match of ``stars``; most wins first.

    A result is "won", "lost", "level" (nobody has won, and this seat has not lost), or "" (did not
    play).
    """
    found: dict[str, list[str]] = {}
    for i, star in enumerate(stars):
        unwon = not any(placing.won for placing in star.match.placings)
        for placing in star.match.placings:
            row = found.setdefault(placing.name, [""] * len(stars))
            row[i] = "won" if placing.won else "level" if unwon and not placing.lost else "lost"
    return dict(sorted(found.items(), key=lambda item: -item[1].count("won")))


bp.add_app_template_filter(careers.month, "month_name")


@bp.app_template_filter()
def hours(span: timedelta) -> str:
    """A time span in hours and minutes, as text."""
    minutes = round(span.total_seconds() / 60)
    whole, rest = divmod(minutes, 60)
    _ = language.gettext
    if not whole:
        return _("%(m)s分", m=rest)
    return _("%(h)s時間%(m)s分", h=whole, m=rest) if rest else _("%(h)s時間", h=whole)


@bp.app_template_filter()
def seconds(millis: float) -> str:
    """A time per play in seconds, as text."""
    return language.gettext("%(n)s秒", n=f"{millis / 1000:.1f}")
