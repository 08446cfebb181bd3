"""Entries that another address or phone could not send: judged here before this phone takes them.

They reach the page ``/take`` in the part of its address after #, or as a file, so only scripts see
them (static/js/rescue.js, static/js/take.js). Nothing is recorded here: taken entries wait on the
phone and are sent like all others, with the keys that they had.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flask import Blueprint, Response, render_template, request

from referee.core.corrections import Rewind, Rule
from referee.core.generic import Entry
from referee.core.record import Unreadable
from referee.core.record.text import quoted
from referee.core.standing import barred
from referee.core.verdict import Illegal, Seat, word_of
from referee.http import access, forms, htmx
from referee.http.current import ledger
from referee.http.language import gettext as _
from referee.ledger import View
from referee.screens.wording import together
from referee.web.table import message, spoken

bp = Blueprint("carried", __name__)

FIELDS = ("key", "label", "does", "line", "rank", "rest", "tail", "overrule", "plain", "by")
MOST = 100  # entries that are judged: what a phone collects in a long evening without a server


class Carried(NamedTuple):
    """An entry as the other phone kept it, see static/js/taps.

    ``does``: "play", "undo", or "held" if only an answer of the server says whose turn it is; then
    ``tail`` is the play without its seat, "" if it was a step. ``by``: who tapped it, as
    ``Way.person``.
    """

    key: str
    label: str
    does: str
    line: str
    rank: str
    rest: str
    tail: str
    overrule: str
    plain: str
    by: str

    def lines(self, view: View) -> list[str]:
        """What it enters at the table of ``view``; nothing if nobody can know that yet."""
        if self.does == "undo":
            target = view.undo_target()
            return [] if target is None else [f"table rewind {target}"]
        if self.does == "play":
            return forms.lines_in(self._asdict())
        due = view.to_act
        if not self.tail or len(due) != 1:
            return []
        return [view.grammar.print(view.grammar.parse(f"{quoted(due[0])} {self.tail}"))]


class Judged(NamedTuple):
    """A carried entry and the answer it would get now.

    ``word``: the verdict, "" if there is none; ``said``: the verdict or what else is to be said.
    """

    key: str
    label: str
    word: str
    said: str
    recorded: bool = False


@bp.get("/take")
def page() -> str:
    """The page that takes carried entries over; a script does all of it."""
    return render_template("table/take.html")


@bp.post("/t/<match>/take")
def judge(match: str) -> Response:
    """The carried entries of this request with their verdicts, in their order."""
    items = carried()
    view = ledger().branch(match)
    return htmx.fragment(
        "table/_carried.html",
        seq=view.seq,
        person=access.way(match).person(),
        owners=together(owners(view, items)),
        rows=judged(view, items),
    )


def carried() -> list[Carried]:
    """The entries in this request; raises ``BadForm``."""
    columns = [request.form.getlist(name)[: MOST + 1] for name in FIELDS]
    if len({len(column) for column in columns}) != 1 or not 0 < len(columns[0]) <= MOST:
        raise forms.BadForm(_("一度に受け取れる記録は%(most)s件までです。", most=MOST))
    return [Carried(*row) for row in zip(*columns, strict=True)]


def owners(view: View, items: Sequence[Carried]) -> list[Seat]:
    """The seats of the phones on which ``items`` were tapped."""
    places = {item.by.rpartition(" ")[2] for item in items}
    return [name for place, name in enumerate(view.header.seats, 1) if str(place) in places]


def judged(view: View, items: Sequence[Carried]) -> list[Judged]:
    """What each of ``items`` would get if the ones before it were recorded."""
    found: list[Judged] = []
    for item in items:
        view, row = _judged(view, item)
        found.append(row)
    return found


def _judged(view: View, item: Carried) -> tuple[View, Judged]:
    if ledger().store.find(view.match, item.key) is not None:
        return view, Judged(item.key, item.label, "", _("記録済み"), recorded=True)
    try:
        lines = item.lines(view)
        if not lines:
            return view, Judged(item.key, item.label, "", _("卓で確かめます"))
        for line in lines:
            view, word, said = _entered(view, line, item)
            if word == "illegal":
                break
    except Unreadable as unread:
        return view, Judged(item.key, item.label, "illegal", forms.sentence(unread))
    return view, Judged(item.key, item.label, word, said)


def _entered(view: View, line: str, item: Carried) -> tuple[View, str, str]:
    """The table with ``line``, the word for its verdict, and what is said about it."""
    entry, log = view.grammar.parse(line), view.log
    moment = log.consider(entry)
    refusal = barred(access.standing(view), log, entry, moment)
    if refusal:
        return view, "illegal", _why(view, refusal)
    if isinstance(moment.verdict, Illegal) and log.state_at(moment) is log.state:
        if not (item.overrule and ledger().can_overrule(view, line)):
            return view, "illegal", _why(view, moment.verdict)
        return _with(view, entry, Rule(view.seq + 1)), "illegal", _("卓の了承で有効")
    if isinstance(entry, Rewind):
        return _with(view, entry), "", _("戻す")
    word = word_of(moment.verdict)
    return _with(view, entry), word, spoken.verdicts()[word]


def _with(view: View, *entries: Entry) -> View:
    """``view`` after ``entries``, in the log of its own that ``Ledger.branch`` has given it."""
    for entry in entries:
        view.log.push(entry)
    return view._replace(seq=len(view.log), moment=view.log.now)


def _why(view: View, verdict: Illegal) -> str:
    return message.why(view, verdict, view.moment.step, message.SENTENCES)
