"""Page that reviews a deal: who could hold what after each entry. Only for finished deals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from flask import Blueprint, abort, render_template, request

from referee.core.verdict import Card, Seat, word_of
from referee.http import errors, language
from referee.http.current import book_at, ledger
from referee.http.language import gettext as _
from referee.insight.chances import TurningPoint, is_known, resumable, turning_point
from referee.insight.grid import Cell, Grid
from referee.insight.report import percent
from referee.insight.review import Declaration, NotOver, Odds, Read, Review, last_shown, review
from referee.insight.risks import Risk, boldest, luckiest, risks
from referee.ledger import View
from referee.rulings.sentences import declared, finding, says
from referee.screens import screen
from referee.store import Unavailable
from referee.web.group import charts
from referee.web.review.reading import Reading
from referee.web.review.timeline import Timeline, timeline
from referee.web.table import seats

bp = Blueprint("deal_reviews", __name__)

FEW_KINDS = 15  # kinds of cards: if there are more, those with equal values share a row
LONG = 10**12  # numbers below this are shown digit by digit
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class KindRow(NamedTuple):
    """Cards that share a row, since they have equal ``cells``: one for each hidden place."""

    cards: tuple[Card, ...]
    cells: tuple[Cell, ...]


class Mattered(NamedTuple):
    """The head of the page: what moved the chance most, and the risk of each draw.

    ``known``: whether ``turning`` has been computed. ``estimated``: whether it can be.
    """

    known: bool
    turning: TurningPoint | None
    estimated: bool
    risks: Sequence[Risk]
    boldest: Risk | None
    luckiest: Risk | None


class WhoCouldHold(NamedTuple):
    """The table: who could hold what after the entry, by the cards alone (neither ``whole`` nor
    ``trusting``), with hindsight (``whole``), or if all declarations are true (``trusting``).
    """

    grid: Grid | None
    rows: list[KindRow]
    gone: list[Card]
    named: Callable[[Card], str]
    declared: Callable[[Declaration], str]
    listed: Callable[[Iterable[Card]], str]
    whole: bool
    counted_whole: bool
    trusting: bool
    counted_believed: bool


class Charts(NamedTuple):
    """The probabilities entry by entry: of the entry's own question, and of ``seat`` and ``card``,
    chosen from ``holders`` and ``kinds``.
    """

    course: Sequence[Odds]
    course_picture: charts.ChanceChart | None
    holders: Sequence[Seat]
    kinds: Sequence[Card]
    seat: Seat
    card: Card | None
    held: Sequence[Odds]
    held_picture: charts.ChanceChart | None


@bp.get("/t/<match>/review/<int:deal>")
def deal(match: str, deal: int) -> str:
    """Page of what everybody could know after an entry of the deal.

    The entry is number ``?entry=``, or the one at ``?at=`` of the slider (1-based), or the last
    one. ``?whole``: what the whole deal shows about the hands at that moment. ``?seat=&card=``: the
    probability that this seat held this card, entry by entry.

    What mattered most is computed apart, since it can take a second: ``?mattered`` waits for it.

    The match remembers that the review was opened: see ``seen_before``.
    """
    view: View = ledger().view(match)
    try:
        found = review(view.log, deal, view.seq)
    except NotOver:
        why = _("振り返りは、配札が終わってから表示されます。途中でやめた配札では表示されません。")
        abort(errors.page(403, why))
    read, entries = _wanted(found), found.entries
    shown = last_shown(view.log, deal)
    if view.reviewed < shown:
        with suppress(Unavailable):  # a full disk closes no review
            ledger().store.opened_review(match, shown)
    lang = language.current()
    former = seats.former(view)
    return render_template(
        "review/deal_review.html",
        view=view,
        book=book_at(view),
        deal=deal,
        entries=entries,
        read=read,
        entry=Reading(view).entry(read.seq),
        timeline=_timeline(found),
        before=entries[read.place - 1].seq if read.place else None,
        after=entries[read.place + 1].seq if read.place + 1 < len(entries) else None,
        revokes=found.revokes,
        proven=[
            (each, says(finding(each.finding, book_at(view), lang), lang))
            for each in found.revokes
            if read.seq in (each.finding.at, each.provable)
        ],
        former=former,
        then=partial(seats.as_then, former),
        texts={each.seq: each.step.play for each in entries},
        **_mattered(found)._asdict(),
        **_hidden_cards(view, read)._asdict(),
        **_charts(found, read)._asdict(),
    )


def _mattered(found: Review) -> Mattered:
    known = is_known(found) or "mattered" in request.args
    drawn = list(risks(found))
    return Mattered(
        known=known,
        turning=turning_point(found) if known else None,
        estimated=resumable(found),
        risks=drawn,
        boldest=boldest(drawn),
        luckiest=luckiest(drawn),
    )


def _hidden_cards(view: View, read: Read) -> WhoCouldHold:
    later, said = read.hindsight, read.believed
    whole = later is not None and "whole" in request.args
    trusting = said is not None and not whole and "believed" in request.args
    seen = later if whole else said if trusting else read.grid
    rows, gone = _rows(seen) if seen else ([], [])
    named = screen(view.game.NAME).named
    return WhoCouldHold(
        grid=seen,
        rows=rows,
        gone=gone,
        named=named,
        declared=lambda said: declared(
            said.seat, said.only, said.lacked, book_at(view), language.current()
        ),
        listed=lambda cards: " ".join(map(named, cards)),
        whole=whole,
        counted_whole=later is not None,
        trusting=trusting,
        counted_believed=said is not None,
    )


def _charts(found: Review, read: Read) -> Charts:
    holders, kinds = _choices(found)
    seat = next((each for each in holders if each == request.args.get("seat")), "")
    card = next((each for each in kinds if str(each) == request.args.get("card")), None)
    held = found.held(seat, card) if seat and card is not None else ()
    refuted = next((each for each in found.revokes if each.offence is read), None)
    course = refuted.doubt if refuted else read.course
    return Charts(
        course=course,
        course_picture=_picture(course),
        holders=holders,
        kinds=kinds,
        seat=seat,
        card=card,
        held=held,
        held_picture=_picture(held),
    )


def _wanted(found: Review) -> Read:
    """The entry in the address; 404 if it is not of this deal."""
    at = request.args.get("at", type=int)
    wanted = request.args.get("entry", type=int)
    if at is None and wanted is None:
        return found.entries[-1]
    fits = (each for each in found.entries if wanted == each.seq or at == each.place + 1)
    return next(fits, None) or abort(404)


def _rows(seen: Grid) -> tuple[list[KindRow], list[Card]]:
    """The rows of the table, and the cards that can be at no hidden place."""
    rows, gone = dict[object, KindRow](), list[Card]()
    cells: Sequence[tuple[Cell, ...]] = list(zip(*(row.cells for row in seen.rows), strict=True))
    for kind in cells:
        card = kind[0].card
        if not any(cell.odds for cell in kind):
            gone.append(card)
            continue
        same = tuple(cell[1:] for cell in kind) if len(cells) > FEW_KINDS else card
        cards = rows[same].cards if same in rows else ()
        rows[same] = KindRow((*cards, card), kind)
    return list(rows.values()), gone


def _choices(found: Review) -> tuple[list[str], tuple[Card, ...]]:
    """The seats and the cards for which the page can show probabilities over time."""
    seen = next((read.grid for read in found.entries if read.grid and read.grid.rows), None)
    if seen is None:
        return [], ()
    seats = [row.seat for row in seen.rows if row.kind == "hand" and row.seat is not None]
    return seats, tuple(cell.card for cell in seen.rows[0].cells)


def _timeline(found: Review) -> Timeline:
    place = {read.seq: read.place for read in found.entries}
    proven = {revoke.finding.at for revoke in found.revokes}
    ends = [(revoke.finding.at, revoke.provable) for revoke in found.revokes]
    words = [
        "illegal" if read.seq in proven else word_of(read.step.verdict) for read in found.entries
    ]
    return timeline(words, [(place[start], place[end]) for start, end in ends if end in place])


def _picture(course: Sequence[Odds]) -> charts.ChanceChart | None:
    """The probabilities as a chart; None for a single point."""
    if len(course) < 2:
        return None
    return charts.course([(str(read.seq), odds) for read, odds in course])


bp.add_app_template_filter(percent, "percent")


@bp.app_template_filter()
def ratio(pair: tuple[int, int]) -> Fraction:
    """The fraction of a numerator and a denominator from JSON data."""
    return Fraction(*pair)


@bp.app_template_filter()
def odds(value: Fraction | None) -> str:
    """A probability as a fraction with a percentage; a word if it is not computed."""
    if value is None:
        return _("数えられません")
    short = percent(value)
    if not 0 < value < 1 or value.denominator >= 100_000:
        return short
    return _("%(odds)s（%(percent)s）", odds=value, percent=short)


@bp.app_template_filter()
def distributions(ways: int) -> str:
    """A number of distributions as text."""
    if ways < LONG:
        return f"{ways:,}"
    power = len(str(ways)) - 1
    digits = round(Fraction(ways, 10 ** (power - 2)))
    if digits == 1000:
        digits, power = 100, power + 1
    return f"{digits // 100}.{digits % 100:02}×10{str(power).translate(RAISED)}"
