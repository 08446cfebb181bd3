"""Pages that store nothing: which entry may be wrong, and the verdict on another play."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request

from referee.core.corrections import NO_PLAYS
from referee.core.generic import Play
from referee.core.hands import HAND_SHOWN
from referee.core.slips import slots
from referee.core.steps import Step, steps
from referee.core.verdict import Illegal
from referee.http import forms, language
from referee.http.current import book_at, ledger
from referee.ledger import View
from referee.rulings.sentences import evidence
from referee.web.review import alternatives, entries
from referee.web.review.reading import Reading

bp = Blueprint("questions", __name__)


@bp.get("/t/<match>/suspects")
def suspects(match: str) -> str:
    """Page of the entries of which one must be wrong if the refused ``?line=`` is right."""
    view = ledger().view(match)
    line = _line()
    entry = view.grammar.parse(line)
    if isinstance(entry, NO_PLAYS):
        abort(400)
    verdict = view.log.consider(entry).verdict
    rules, reading = book_at(view), Reading(view)
    found = suspected(view, entry) if isinstance(verdict, Illegal) else []
    return render_template(
        "review/suspects.html",
        view=view,
        entry=entry,
        line=line,
        verdict=verdict,
        why=evidence(verdict, view.moment.step, rules, language.current()),
        found=[reading.entry(step.seq) for step in found],
    )


@bp.get("/t/<match>/what-if/<number>")
def what_if(match: str, number: str) -> str:
    """Page of the verdict on another play in place of entry ``number``."""
    view = ledger().view(match)
    seq = entries.existing(view, number)
    # if it is not in force: the play as it was recorded
    step = view.step(seq) or view.before(seq + 1).step(seq) or abort(404)
    line = _line() if "line" in request.args else ""
    then, verdict, after = None, None, None
    if line:
        then = view.grammar.parse(line)
        if isinstance(then, NO_PLAYS):
            abort(400)
        after = view.log.judged(step.before, seq, then, None)
        verdict = after.verdict
    rules = book_at(view)
    return render_template(
        "review/what_if.html",
        view=view,
        seq=seq,
        step=step,
        then=then,
        verdict=verdict,
        book=rules,
        why=evidence(verdict, after, rules, language.current()) if verdict else [],
        board=entries.board(view, after) if after else None,
        picks=alternatives.instead(
            view, view.log.before(step), step.play, request.args.get("seat")
        ),
    )


def suspected(view: View, entry: Play) -> list[Step]:
    """The plays of this deal that contradict the refused ``entry``, newest first.

    They show a card of ``entry``. Where it is refused because its seat has shown its hand,
    the plays of this seat count, too.
    """
    refused = view.game.judge(view.state, entry)
    laid_open = getattr(entry, "seat", None) if refused.clause == HAND_SHOWN else None
    cards = {slot.card for slot in slots(view.state, entry)}
    found = []
    for step in steps(view.moment.step):
        if step.state.deal != view.state.deal:
            break
        own = laid_open is not None and getattr(step.play, "seat", None) == laid_open
        shown = {slot.card for slot in slots(step.state, step.play)}
        if own or cards & shown:
            found.append(step)
    return found


def _line() -> str:
    line = request.args.get("line", "")
    if not line or len(line) > forms.LINE_LENGTH:
        abort(400)
    return line
