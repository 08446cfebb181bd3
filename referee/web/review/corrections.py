"""Pages of corrections: choose what an entry should be, preview the effect, record it.

Up to the last button everything is in the address: nothing is stored, and a page can be shared.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, abort, make_response, redirect, render_template, request
from flask import url_for as address
from werkzeug.wrappers import Response

from referee.core.corrections import (
    CORRECTIONS,
    NO_PLAYS,
    PARTS,
    Agree,
    Amend,
    Contest,
    Decide,
    Insert,
    Rewind,
    Strike,
    Together,
    Void,
    Vote,
)
from referee.core.generic import Entry
from referee.core.record import AND, Unreadable
from referee.core.sheets import TableSheet
from referee.core.slips import named
from referee.core.steps import Step, steps
from referee.http import access, forms, language
from referee.http.current import book_at, ledger
from referee.ledger import Preview, StaleTable, View
from referee.rulings.sentences import evidence
from referee.screens.band import TableBand
from referee.web.review import alternatives, entries, rounds
from referee.web.review.entries import spans, verb
from referee.web.review.reading import Reading, Stood

bp = Blueprint("corrections", __name__)

CHOSEN = ("amend", "insert")
SHAPES = {
    "amend": "amend {number} {play}",
    "insert": "insert {number} {play}",
    "strike": "strike {number}",
    "rewind": "rewind {number}",
    "rule": "rule {number} stands",
    "void": "void {number}",
}
OPINIONS = (Contest, Vote, Decide, Agree)
"""Entries that say something about others, but correct none (``contests``, ``agreeing``)."""
WITH = 12  # corrections that can be combined by hand, at most


class AskedCorrection(NamedTuple):
    """A correction in an address: ``do`` is a key of ``SHAPES``, ``play`` a line or "".

    ``more``: further corrections that are recorded in the same entry. ``along``: whether the plays
    after it are given to the seats that are then due; None: if it moves seats (``_moves_seats``).
    """

    number: int
    do: str
    play: str
    more: tuple[str, ...]
    along: bool | None

    @property
    def line(self) -> str:
        parts = [*self.more, SHAPES[self.do].format(number=self.number, play=self.play)]
        return f"table {parts[0]}" if len(parts) == 1 else together(parts)


class Sides(NamedTuple):
    """The table before a correction and after it; None before the first entry."""

    before: TableBand | None
    after: TableBand | None


def together(parts: Iterable[str]) -> str:
    """The line that combines several corrections."""
    return f"table together {f' {AND} '.join(parts)}"


@bp.get("/t/<match>/correct/<number>")
def correct(match: str, number: str) -> Response:
    """Page of a correction of entry ``number``: first the choice, then the preview."""
    view = ledger().view(match)
    asked = _asked(entries.existing(view, number))
    if asked.do in CHOSEN and not asked.play:
        return _choice(view, asked)
    try:
        return _previewed(view, asked.line, asked)
    except Unreadable as fault:
        if asked.do not in CHOSEN:
            raise
        return _choice(view, asked, fault)


@bp.post("/t/<match>/correct")
def make(match: str) -> Response:
    """Record a correction, once, if the table has no newer entries than the phone saw."""
    said = forms.declared()
    line, along = said.lines[0], request.form.get("along") == "1"
    view = ledger().view(match)
    entry = view.grammar.parse(line)
    correcting = isinstance(entry, CORRECTIONS) and not isinstance(entry, OPINIONS)
    if len(said.lines) > 1 or not correcting:
        abort(400)
    asked = AskedCorrection(getattr(entry, "number", 0), verb(entry), "", (), along)
    try:
        answer = ledger().correct(
            match, line, said.seen, said.key, along=along, standing=access.standing
        )
    except StaleTable as stale:
        return _previewed(stale.view, line, asked, 409)
    if answer.seq is None:
        return _previewed(answer.view, line, asked)
    return redirect(address("tables.table", match=match), 303)


def _asked(number: int) -> AskedCorrection:
    do, play = request.args.get("do", "amend"), request.args.get("line", "")
    more = tuple(request.args.getlist("with"))
    if do not in SHAPES or len(more) > WITH or len(play) + sum(map(len, more)) > forms.LINE_LENGTH:
        abort(400)
    if more and do not in ("amend", "insert", "strike", "rule"):
        abort(400)
    along = {"0": False, "1": True}.get(request.args.get("along", ""))
    return AskedCorrection(number, do, play, more, along)


def _choice(view: View, asked: AskedCorrection, fault: Unreadable | None = None) -> Response:
    """The page for choosing what entry ``number`` should be, or what was missing before it."""
    moment = view.moment
    if asked.more:
        moment = view.log.consider(view.grammar.parse(together(asked.more)))
    step = view._replace(moment=moment).step(asked.number)
    if step is None or isinstance(view.log.entries[asked.number - 1], NO_PLAYS):
        # the entry is not in force: the preview of a cancellation says so
        return _previewed(view, f"table strike {asked.number}", asked)
    if asked.do == "amend" and isinstance(step.play, TableSheet):  # it has rows, not one play
        return redirect(address("sheets.table", match=view.match, instead=asked.number), 303)
    if asked.do == "amend" and fault is None and rounds.values(step.play):
        return redirect(address("rounds.correct", match=view.match, number=asked.number), 303)
    seat, state = request.args.get("seat"), view.log.before(step)
    if asked.do == "amend":
        offered = alternatives.instead(view, state, step.play, seat)
    else:
        offered = alternatives.missing(view, state, seat)
    page = render_template(
        "review/correct.html",
        view=view,
        asked=asked,
        do=asked.do,
        seq=asked.number,
        step=step,
        picks=offered,
        play=asked.play or (view.grammar.print(step.play) if asked.do == "amend" else ""),
        fault=fault and forms.sentence(fault),
    )
    return _response(page, 400 if fault else 200)


def _previewed(view: View, line: str, asked: AskedCorrection, status: int = 200) -> Response:
    """The page with the effect of the correction ``line``, and the button that records it."""
    correction = view.grammar.parse(line)
    along = asked.along if asked.along is not None else _moves_seats(view, correction)
    preview: Preview = ledger().preview(view.match, line, along=along)
    view = preview.before
    readings = Reading(view), Reading(preview.after)
    stood = _side_by_side(*readings, correction)
    verdicts = preview.changes.verdicts
    rules = book_at(view)
    breaks = preview.changes.breaks
    parts = _parts(correction)
    number = getattr(parts[-1], "number", None) or getattr(correction, "to", 0)
    page = render_template(
        "review/preview.html",
        watching=access.way(view.match).role() == "watching",
        view=view,
        line=line,
        key=secrets.token_urlsafe(12),
        stale=status == 409,
        do=verb(parts[-1]),
        correction=parts[-1],
        with_it=parts[:-1],
        asked=asked,
        number=number,
        along=preview.along,
        other=ledger().preview(view.match, line, along=True) if breaks and not along else None,
        changes=preview.changes,
        verdict=preview.verdict,
        why=evidence(preview.verdict, preview.after.moment.step, rules, language.current()),
        before=stood[0],
        after=stood[1],
        tables=[] if any(stood) else _tables(*readings, correction),
        changed=[change for change in verdicts if change.before and change.after],
        gone=spans(change.seq for change in verdicts if change.after is None),
        back=spans(change.seq for change in verdicts if change.before is None),
        broken=evidence(breaks.verdict, breaks, rules, language.current()) if breaks else [],
        mend=_mend(view, preview, breaks),
    )
    return _response(page, status)


def _parts(correction: Entry) -> Sequence[Entry]:
    """The corrections that are made together; most are made alone."""
    return correction.parts if isinstance(correction, Together) else (correction,)


def _moves_seats(view: View, correction: Entry) -> bool:
    """Whether the correction adds, cancels or reassigns a play.

    Then the plays after it were probably recorded for the wrong seats, too.
    """
    played = {step.seq: step.play for step in steps(view.moment.step)}
    for part in _parts(correction):
        if isinstance(part, Insert | Strike):
            return True
        if isinstance(part, Amend) and part.number in played:
            was, now = (
                {name: seat for name, seat, _ in named(view.log.table, play)}
                for play in (played[part.number], part.play)
            )
            if was != now:
                return True
    return False


def _mend(view: View, preview: Preview, breaks: Step | None) -> str:
    """The address for correcting the entry that ``preview`` breaks together with this one.

    ``breaks``: the first play that becomes illegal. "" if there is none or it can't be combined.
    """
    correction = preview.correction
    if breaks is None or not isinstance(correction, (*PARTS, Together)):
        return ""
    parts = view.log.parts(correction, view.moment)
    aimed = {part.number for part in parts if not isinstance(part, Insert)}
    own = breaks.seq <= view.seq and not isinstance(view.log.entries[breaks.seq - 1], NO_PLAYS)
    if not own or breaks.seq in aimed or len(parts) >= WITH:
        return ""
    more = [view.grammar.print(part).removeprefix("table ") for part in parts]
    here = address(".correct", match=view.match, number=breaks.seq)
    return f"{here}?{urlencode({'with': more}, doseq=True)}"


def _side_by_side(
    before: Reading, after: Reading, correction: Entry
) -> tuple[Stood | None, Stood | None]:
    """The trick that a correction changes, before and after it; None where there is none."""
    if isinstance(correction, Rewind):
        return before.trick_now(), after.trick_now()
    correction = _parts(correction)[0]
    old = before.played.get(getattr(correction, "number", 0))
    if old is None:
        return None, None
    new = after.played.get(len(before.log) + 1 if isinstance(correction, Insert) else old.seq)
    place = before.place(old)
    return (
        before.trick_of(old, place),
        after.trick_of(new, after.place(new) if new else place),
    )


def _tables(before: Reading, after: Reading, correction: Entry) -> list[Sides]:
    """The table at the corrected entry, and the present one, each before and after a correction.

    Only those that the correction changes; one that it leaves alone if that is all there is.
    """
    now = _drawn(before, before.view.moment.step, after, after.view.moment.step)
    part = _parts(correction)[-1]
    old = before.played.get(getattr(part, "number", 0))
    if old is None or isinstance(part, Rewind | Void):
        return [now]
    inserted = isinstance(part, Insert)
    new = after.played.get(len(before.log) + 1 if inserted else old.seq)
    there = _drawn(before, old.before if inserted else old, after, new or old.before)
    found = [there] if there == now else [there, now]
    return [sides for sides in found if sides.before != sides.after] or found[:1]


def _drawn(before: Reading, old: Step | None, after: Reading, new: Step | None) -> Sides:
    return Sides(entries.board(before.view, old), entries.board(after.view, new))


def _response(page: str, status: int) -> Response:
    response: Response = make_response(page, status)
    return response
