"""Pages of the result: the arithmetic, the result card, the record file."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import partial
from itertools import groupby
from typing import NamedTuple

from babel.dates import format_date
from flask import Blueprint, Response, abort, render_template, request
from markupsafe import Markup

from referee.core import adjusting
from referee.core.book import Book
from referee.core.game import Line, Unit
from referee.core.generic import Entry, GameState
from referee.core.infractions import Settled, settled, undecided
from referee.core.ranking import Rank
from referee.core.ranking import ranking as by_points
from referee.core.steps import adjustments, steps
from referee.core.verdict import Seat
from referee.core.written import Points, written
from referee.games import room
from referee.history.digest import Tick, course
from referee.history.records import export
from referee.http import access, forms, guarded, language, reach
from referee.http.current import book_at, ledger
from referee.http.downloads import attached
from referee.http.game_templates import drawn
from referee.http.local_time import local_time
from referee.insight.review import finished
from referee.ledger import View
from referee.rulings.report import agreed
from referee.rulings.sentences import in_sentences, says
from referee.screens.wording import amount, short, width, won
from referee.web.group import charts, revised
from referee.web.review import rounds
from referee.web.review.entries import NOTED
from referee.web.review.reading import Reading
from referee.web.site import crests
from referee.web.table import seats

bp = Blueprint("scores", __name__)

JPEG, JPEG_END = b"\xff\xd8\xff", b"\xff\xd9"  # the first and last bytes of such a file
ON_CARD = 6  # lines of arithmetic on the picture, at most
NAMED = 12  # half-width characters of a name beside a chart


class ScoredLine(NamedTuple):
    """A line of arithmetic as a sentence, with the entry that shows it and its play."""

    line: Line
    says: str
    seq: int | None
    play: Entry | None


class DealArithmetic(NamedTuple):
    """The arithmetic of one deal, in playing order; ``cells``: the lines by seat and trick."""

    number: int
    lines: list[ScoredLine]
    tricks: list[int]
    cells: dict[Seat, dict[int | None, list[ScoredLine]]]
    totals: dict[Seat, Points]

    def runs(self) -> list[tuple[int | None, list[ScoredLine]]]:
        """The lines, trick by trick."""
        tricks = groupby(self.lines, key=lambda scored: scored.line.trick)
        return [(trick, list(lines)) for trick, lines in tricks]


class Adjusted(NamedTuple):
    """Points that entry ``seq`` has given to a seat, or to its team, by agreement."""

    seq: int
    points: Points
    reason: str


class Summary(NamedTuple):
    """A result as text for a message: the winners, and the points of every seat."""

    title: str
    text: str


@bp.get("/t/<match>/score")
def score(match: str) -> str:
    """Page of the arithmetic, line by line."""
    view = ledger().view(match)
    rules = book_at(view)
    reading = Reading(view)
    ended, former = view.outcome, seats.former(view)
    contests = view.log.contests(view.moment)
    answers = settled(view.log, view.moment)
    findings = undecided(view.log, view.moment)
    rulings, skip = sorted(ruled(view, answers)), forms.skipped()
    decided = [one for one in contests if one.decided]
    waiting = [one for one in contests if not one.decided]
    shown = slice(skip, skip + NOTED)
    ranks, by_rounds = ranking(view), rounds.table(view)
    watching = access.way(match).role() == "watching"
    longest = max(map(len, (rulings, findings, answers, decided, waiting)))
    return render_template(
        "review/score.html",
        former=former,
        then=partial(seats.as_then, former),
        view=view,
        book=rules,
        deals=[] if by_rounds else deal_sheets(view, rules),
        rounds=by_rounds,
        comes_and_goes=view.grammar.joining and not ended and not watching,
        ranking=ranks,
        totals=rounds.totals(view, ranks) if by_rounds else {},
        adjusted=adjustments(view.moment.step),
        adjusts=adjusting.possible(view.game, view.log.table) and not watching,
        agreed=agreed(view.log),
        outcome=ended,
        trail=in_sentences(ended.evidence, rules, language.current()) if ended else [],
        by_sheet={step.state.deal for step in steps(view.moment.step) if step.by_sheet},
        ruled=[reading.entry(seq) for seq in rulings[shown]],
        findings=[(found, reading.entry(found.at)) for found in findings[shown]],
        settled=[(made, reading.entry(made.finding.at)) for made in answers[shown]],
        contests=decided[shown],
        waiting=waiting[shown],
        later=shown.stop if shown.stop < longest else None,
        played_on=played_on(view),
        course=course_of(view),
        teams=teams_of(view) or [(seat,) for seat in view.seats],
        reviewed=finished(view.log, view.moment),
        copied=access.way(match).circle == access.circle(),
        both=_both(view),
    )


@bp.get("/t/<match>/card.svg")
def card(match: str) -> Response:
    """The result card as SVG; a phone draws a PNG of it with its own fonts (``share.js``)."""
    view = ledger().view(match)
    if not view.outcome:
        abort(404)
    rules = book_at(view)
    text = render_template(
        "review/result_card.svg",
        view=view,
        book=rules,
        ranking=ranking(view)[:ON_CARD],
        adjusted=adjusted_by_seat(view),
        agreed=agreed(view.log),
        outcome=view.outcome,
        trail=in_sentences(view.outcome.evidence, rules, language.current()),
        unit=unit_of(view),
        played_on=played_on(view),
        crest=crests.crest(room(view.game.NAME)),
        figure=figure(view, deal_sheets(view, rules)),
        ink=crests.ink(),
    )
    return Response(text, content_type="image/svg+xml; charset=utf-8")


@bp.get("/t/<match>/result")
def result(match: str) -> str:
    """Page of the result card for sharing."""
    return card_page(ledger().view(match))


@bp.post("/t/<match>/card.jpg")
def keep_picture(match: str) -> Response:
    """Store a JPEG of the card that a phone has drawn; messengers show it beside a link.

    400 if it is no JPEG or the match is running, 409 if there are newer entries than ``?seen=``.
    """
    view = ledger().view(match)
    jpeg = request.get_data()
    if not view.outcome or jpeg[:3] != JPEG or jpeg[-2:] != JPEG_END:
        abort(400)
    of = ledger().store.extent(match)
    if of is None or request.args.get("seen") != str(view.seq) or of.tail != view.seq:
        abort(409)  # it shows an older state
    access.pictures().keep(match, of, jpeg)
    return Response(status=204)


def card_page(view: View, *, shared: bool = False, picture: str = "") -> str:
    """The page of the result card; ``shared``: for a person who only has a link to it.

    ``picture``: the address of the stored picture, or "".
    """
    rules = book_at(view)
    ended = view.outcome
    deals = deal_sheets(view, rules)
    answers = settled(view.log, view.moment)
    return render_template(
        "review/result.html",
        view=view,
        former=seats.former(view),
        shared=shared,
        says=summary(view, rules),
        unit=unit_of(view),
        picture=picture,
        drawn=shared or access.pictures().get(view.match) is not None,
        address="" if shared else reach.link("shown.result", access.keeper().sealed(view.match)),
        book=rules,
        ranking=ranking(view),
        adjusted=adjusted_by_seat(view),
        agreed=agreed(view.log),
        outcome=ended,
        trail=in_sentences(ended.evidence, rules, language.current()) if ended else [],
        ruled=ruled(view, answers),
        both=_both(view),
        settled=answers,
        open_contests=len(view.log.open_contests(view.moment)),
        played_on=played_on(view),
        figure=figure(view, deals),
    )


def _both(view: View) -> revised.Both | None:
    """The two results of a match whose result an update has changed."""
    team = bool(view.outcome and view.outcome.team)
    return revised.both(view.match, view.header.seats, team)


def figure(view: View, deals: list[DealArithmetic]) -> Markup:
    """An SVG drawing of what decided the match, for the one seat that won or lost.

    "" if there are several, or none.
    """
    ended = view.outcome
    decisive = (ended.winners or ended.losers) if ended else ()
    if len(decisive) != 1:
        return Markup()
    return Markup(
        render_template(
            drawn(view.game.NAME, "figure.svg"),
            view=view,
            seat=decisive[0],
            deals=deals,
            ink=crests.ink(),
        ).strip()
    )


@bp.get("/t/<match>/record.txt")
def record(match: str) -> Response:
    """Download of the match as a record file."""
    view = guarded.shown(match, partial(ledger().view, match))
    text, game = export(ledger().store, match), "record" if view is None else view.header.game
    return attached(text, f"{game}-{match[:8]}.txt", "text/plain")


def course_of(view: View) -> tuple[charts.Lines, list[Tick]] | None:
    """The score trick by trick, as a chart and as numbers; None before the first points."""
    ticks = course(view.log)
    if len(ticks) < 3:
        return None
    starts = [(i, ticks[i]) for i in range(1, len(ticks)) if ticks[i].deal != ticks[i - 1].deal]
    marks = [(0, "1"), *((i - 1, str(tick.deal)) for i, tick in starts)]
    teams = teams_of(view) or tuple((seat,) for seat in view.seats)
    names = [(team[0], beside(language.gettext("・").join(team))) for team in teams]
    series = [(name, [float(tick.totals.get(seat, 0)) for tick in ticks]) for seat, name in names]
    return charts.lines(series, marks if starts else ()), ticks


def beside(name: str) -> str:
    """``name`` as it fits beside a chart."""
    return name if width(name) <= NAMED else short(name, NAMED - 2)


def deal_sheets(view: View, rules: Book) -> list[DealArithmetic]:
    """The arithmetic of the score so far, one ``DealArithmetic`` per deal that has lines."""
    shown = {s.depth: s for s in steps(view.moment.step) if s.took_effect}
    sheets: dict[int, DealArithmetic] = {}
    for line in view.game.score(view.state).lines:
        sheet = sheets.setdefault(line.deal, _empty(line.deal, view.seats))
        at = next((fact.at for fact in line.evidence if fact.at), None)
        step = shown[at] if at else None
        sentence = says(in_sentences(line.evidence, rules, language.current()), language.current())
        scored = ScoredLine(line, sentence, step and step.seq, step and step.play)
        sheet.lines.append(scored)
        sheet.cells[line.seat].setdefault(line.trick, []).append(scored)
        sheet.totals[line.seat] += line.points
        if line.trick is not None and line.trick not in sheet.tricks:
            sheet.tricks.append(line.trick)
    return list(sheets.values())


def _empty(deal: int, seats: tuple[Seat, ...]) -> DealArithmetic:
    return DealArithmetic(deal, [], [], {seat: {} for seat in seats}, dict.fromkeys(seats, 0))


def ranking(view: View) -> list[Rank]:
    """All seats, or all teams, in the order of ``core.ranking``."""
    return ranking_at(view, view.state)


def ranking_at(view: View, state: GameState) -> list[Rank]:
    """As ``ranking``, at another state of the match."""
    score, ended = view.game.score(state), view.game.outcome(state)
    return by_points(view.log.present_at(state), score, ended, teams_of(view))


def adjusted_by_seat(view: View) -> dict[Seat, list[Adjusted]]:
    """The adjustments of every seat, or of every team by its first seat, in order."""
    first = {seat: team[0] for team in teams_of(view) for seat in team}
    found: dict[Seat, list[Adjusted]] = {}
    for seq, play in adjustments(view.moment.step):
        for seat, points in play.points:
            row = Adjusted(seq, points, play.reason)
            found.setdefault(first.get(seat, seat), []).append(row)
    return found


def teams_of(view: View) -> tuple[tuple[Seat, ...], ...]:
    """The seats of each team, () where each seat plays for itself."""
    return view.game.HOOKS.teams(view.state)


def summary(view: View, rules: Book) -> Summary:
    """The text of a message with the result."""
    dot = language.gettext("・")
    points = (f"{dot.join(r.names)} {amount(r.points, unit_of(view))}" for r in ranking(view))
    ended = view.outcome
    head = won(ended.winners, ended.losers, ended.team) if ended else won(())
    how = in_sentences(ended.evidence, rules, language.current())[-1:] if ended else []
    said = [*(fact.text for fact in how), dot.join(points)]
    title = f"{head} — {rules.title.in_(language.current())}"
    return Summary(title, language.gettext("　").join(said))


def unit_of(view: View) -> Unit:
    """The unit of a match's score."""
    return view.game.HOOKS.unit(view.log.table)


@bp.app_template_filter()
def sum_of(parts: list[int]) -> str:
    """Numbers as a sum: ``60 + 15``, ``40 − 15``."""
    first, *rest = map(written, parts)
    return first + "".join(f" − {n[1:]}" if n[0] == "−" else f" + {n}" for n in rest)


def ruled(view: View, answers: Iterable[Settled]) -> set[int]:
    """Entries in force that the table accepted although they are illegal.

    Without those that ``answers`` name as proven infractions.
    """
    proven = {made.finding.at for made in answers}
    accepted = {step.seq for step in steps(view.moment.step) if step.ruled is not None}
    return accepted - proven


def played_on(view: View) -> date | str | None:
    """The day of the match: that of its header (as text if it is no ISO date), else that of its
    first entry; None without entries.
    """
    day = view.header.texts.get("date", "")
    if not day:
        rows = ledger().store.read(view.match)
        return local_time(rows[0].at).date() if rows else None
    try:
        return date.fromisoformat(day)
    except ValueError:
        return day


@bp.app_template_filter()
def day(found: date | str | None) -> str:
    """A date as text; other text unchanged, and "" for None."""
    if not isinstance(found, date):
        return found or ""
    if language.current() == "ja":
        return format_date(found, "long", locale="ja")
    return format_date(found, "d MMMM y", locale=language.current())
