"""The log of a match, its entries, and corrections: looked at first, then made."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from flask import Blueprint, abort, current_app, make_response, redirect, render_template, request
from flask import url_for as address
from werkzeug.wrappers import Response

from referee.core.log import CORRECTIONS, Insert, Rewind, resolved
from referee.core.record import Unreadable, form
from referee.core.verdict import Verdict
from referee.desk import Preview, StaleTable, View
from referee.rulings import COMMON, Book, book
from referee.store import Stored
from referee.telling import Told, evidence, told, word
from referee.web import access, errors, forms, lang
from referee.web.boards import BOARDS
from referee.web.reading import Entry, Reading, Stood

bp = Blueprint("entries", __name__)

KEYS = 200  # of plays that an entry could be corrected to; beyond that it is written
CHOSEN = ("amend", "insert")
SHAPES = {
    "amend": "table amend {number} {play}",
    "insert": "table insert {number} {play}",
    "strike": "table strike {number}",
    "rewind": "table rewind {number}",
    "rule": "table rule {number} stands",
}


class Key(NamedTuple):
    """A play that an entry can be corrected to: its line, the judge's word for it."""

    play: Any
    line: str
    word: str


@bp.get("/t/<match>/log")
def log(match: str) -> str:
    """All entries, newest first, one deal at a time."""
    reading = Reading(_view(match))
    deals = reading.deals() or [0]
    deal = request.args.get("deal", deals[0], type=int)
    if deal not in deals:
        abort(404)
    page = reading.page(deal, request.args.get("before", type=int))
    return render_template("log.html", view=reading.view, reading=reading, deals=deals, page=page)


@bp.get("/t/<match>/e/<number>")
def entry(match: str, number: str) -> str:
    """One entry: what the referee says of it, why, and what the table can do about it."""
    reading = Reading(_view(match))
    entry = reading.entry(_existing(reading.view, number))
    rules = book(reading.view.header.game)
    stored = current_app.extensions["desk"].store.read(match, entry.seq - 1)[0]
    return render_template(
        "entry.html",
        view=reading.view,
        entry=entry,
        book=rules,
        clause=rules.clause(entry.verdict.clause),
        why=_why(reading, entry, rules),
        given=_given(reading.view, entry, stored),
        clock=datetime.fromisoformat(stored.at).astimezone().strftime("%H:%M"),
        stood=reading.as_it_stood(entry.step) if entry.step else None,
        undone_by=reading.undone_by(entry.seq) if entry.fate == "undone" else None,
        actions=list(reading.actions(entry)),
    )


@bp.get("/t/<match>/correct/<number>")
def correct(match: str, number: str) -> Response:
    """A correction of entry ``number``: first what it should say, then what that would change."""
    view = _view(match)
    seq = _existing(view, number)
    do, play = request.args.get("do", "amend"), request.args.get("line", "")
    if do not in SHAPES or len(play) > forms.LINE_LENGTH:
        abort(400)
    if do in CHOSEN and not play:
        return _choice(view, seq, do)
    try:
        return _previewed(match, SHAPES[do].format(number=seq, play=play))
    except Unreadable as fault:
        if do not in CHOSEN:
            raise
        return _choice(view, seq, do, play, fault)


@bp.post("/t/<match>/correct")
def make(match: str) -> Response:
    """Record a correction, once, if the table is still as the phone saw it."""
    said = forms.told()
    line = said.lines[0]
    if len(said.lines) > 1 or not isinstance(_view(match).grammar.parse(line), CORRECTIONS):
        abort(400)
    try:
        standing = access.standing(_view(match))
        answer = current_app.extensions["desk"].declare(
            match, line, said.seen, said.key, standing=standing
        )
    except StaleTable:
        return _previewed(match, line, 409)
    if answer.seq is None:
        return _previewed(match, line)
    return redirect(address("tables.table", match=match), 303)


@bp.app_template_filter()
def verb(entry: Any) -> str:
    """The word by which the record tells what ``entry`` is: lay, deal, amend …"""
    return form(entry.FORM).verb


@bp.app_template_filter()
def briefly(play: Any, view: View) -> str:
    """A play in as few words as possible, as its game's screen tells it."""
    board = BOARDS.get(view.game.NAME)
    return board.what(play) if board else view.grammar.print(play)


@bp.app_template_filter("word")
def spoken(verdict: Verdict) -> str:
    """The verdict in one word: legal, illegal, unprovable."""
    return word(verdict)


def _view(match: str) -> View:
    view: View = current_app.extensions["desk"].view(match)
    return view


def _existing(view: View, number: str) -> int:
    """The entry that an address names; 404 with a sentence if there is none."""
    known = number.isascii() and number.isdigit() and len(number) < 9
    if not known or not 1 <= int(number) <= view.seq:
        told = book(COMMON).says("no_entry", {"number": number[:9]}, lang.current())
        abort(errors.page(404, told))
    return int(number)


def _response(page: str, status: int) -> Response:
    response: Response = make_response(page, status)
    return response


def _why(reading: Reading, entry: Entry, rules: Book) -> list[Told]:
    """The sentences for the verdict, or those by which a later entry refuted what was declared."""
    last = entry.step or reading.log.moments[entry.seq].step
    if entry.finding is None:
        return evidence(entry.verdict, last, rules, lang.current())
    # without the premise: the finding says itself what was declared
    facts = (*resolved(entry.verdict.evidence, last), *entry.finding.evidence)
    return told(facts, rules, lang.current())


def _given(view: View, entry: Entry, stored: Stored) -> Stored | None:
    """The opinion given at the table, if it is not the one that today's rules give of the same."""
    if entry.fate == "amended":
        return None
    now = (word(entry.verdict), entry.verdict.clause, view.game.VERSION)
    return None if (stored.verdict, stored.clause, stored.rules) == now else stored


def _choice(
    view: View, seq: int, do: str, play: str = "", fault: Unreadable | None = None
) -> Response:
    """What entry ``seq`` should really say, or what comes before it: one tap a card."""
    step = view.step(seq)
    if step is None or isinstance(view.log.entries[seq - 1], CORRECTIONS):
        return _previewed(view.match, SHAPES["strike"].format(number=seq))  # says why not
    state = step.before.state if step.before else view.log.start
    plays = list(islice(view.game.candidates(state), KEYS + 1))
    if len(plays) > KEYS:  # four new table cards: nobody looks for them among two thousand keys
        plays = []
    seats = view.header.seats if any(play.SUBJECT == "seat" for play in plays) else ()
    due = view.game.to_act(state)[:1] or seats
    seat = request.args.get("seat", getattr(step.play, "seat", None) if do == "amend" else None)
    if seats:
        seat = seat if seat in seats else due[0]
        plays = [replace(play, seat=seat) if play.SUBJECT == "seat" else play for play in plays]
        plays = list(dict.fromkeys(plays))
    keys = [Key(p, view.grammar.print(p), word(view.game.judge(state, p))) for p in plays]
    page = render_template(
        "correct.html",
        view=view,
        do=do,
        seq=seq,
        step=step,
        seats=seats,
        seat=seat,
        keys=keys,
        play=play or (view.grammar.print(step.play) if do == "amend" else ""),
        fault=fault and forms.sentence(fault),
    )
    return _response(page, 400 if fault else 200)


def _previewed(match: str, line: str, status: int = 200) -> Response:
    """What the correction ``line`` would change, with the button that makes it."""
    preview: Preview = current_app.extensions["desk"].preview(match, line)
    view = preview.before
    correction = view.grammar.parse(line)
    stood = _side_by_side(Reading(view), Reading(preview.after), correction)
    verdicts = preview.changes.verdicts
    rules = book(view.header.game)
    breaks = preview.changes.breaks
    page = render_template(
        "preview.html",
        view=view,
        book=rules,
        line=line,
        key=secrets.token_urlsafe(12),
        stale=status == 409,
        do=verb(correction),
        correction=correction,
        number=getattr(correction, "number", None) or getattr(correction, "to", 0),
        changes=preview.changes,
        verdict=preview.verdict,
        why=evidence(preview.verdict, preview.after.moment.step, rules, lang.current()),
        before=stood[0],
        after=stood[1],
        changed=[change for change in verdicts if change.before and change.after],
        gone=spans(change.seq for change in verdicts if change.after is None),
        back=spans(change.seq for change in verdicts if change.before is None),
        broken=evidence(breaks.verdict, breaks, rules, lang.current()) if breaks else [],
    )
    return _response(page, status)


def _side_by_side(
    before: Reading, after: Reading, correction: Any
) -> tuple[Stood | None, Stood | None]:
    """The trick that a correction touches, now and then."""
    if isinstance(correction, Rewind):
        return before.trick_now(), after.trick_now()
    old = before.played.get(correction.number)
    if old is None:
        return None, None
    new = after.played.get(len(before.log) + 1 if isinstance(correction, Insert) else old.seq)
    place = before.place(old)
    return (
        before.trick_of(old, place),
        after.trick_of(new, after.place(new) if new else place),
    )


def spans(numbers: Iterable[int]) -> list[str]:
    """Ascending ``numbers`` as people write them: 3, 5–9."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]
