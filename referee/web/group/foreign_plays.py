"""Plays of other programs: what would come in, who is who, and the yes to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

from flask import Blueprint, Response, abort, current_app, request, url_for

from referee.core.naming import NAME_LENGTH, clean_name, usable
from referee.foreign import taking
from referee.foreign.plays import ForeignPlay, ForeignPlayer
from referee.http import access, htmx, language
from referee.http.current import ledger
from referee.http.language import gettext as _
from referee.http.local_time import zone
from referee.store import People, new_id
from referee.store.foreign import ForeignPlays
from referee.web.group import jobs, sent_files
from referee.web.group.intake import Busy
from referee.web.group.waiting import Waiting, WaitingFiles

bp = Blueprint("foreign_plays", __name__)

MOST_CHOICES = 300  # people of a file whom the form asks about; others are found by their names
MOST_NAMES = 200  # people of the group to choose from
SHOWN = 20  # faults
SAMPLES = 3  # plays whose times are shown


class Choice(NamedTuple):
    """Somebody in the file: who it will be here, "" for a new person of this name."""

    number: int
    name: str
    chosen: str


class Sample(NamedTuple):
    """A play, as one of the two ways to read times would show it."""

    called: str
    shown: datetime  # in the group's zone


def ask(circle: str, head: sent_files.ForeignHead, plays: Sequence[ForeignPlay]) -> Response:
    """Keep what was read, and lead to the page that asks about it."""
    _files().keep(circle, Waiting(new_id(), head, tuple(plays)))
    return htmx.go_to(url_for("foreign_plays.preview"))


def said(fault: sent_files.SaidFault) -> str:
    """What is wrong with a play, with its line and column."""
    if fault.column:
        place = _("%(line)s行目%(column)s列目", line=fault.number, column=fault.column)
    else:
        place = _("%(n)s行目", n=fault.number)
    return _("%(place)s：%(said)s", place=place, said=fault.text)


@bp.get("/history/import/plays")
def preview() -> Response:
    """What would come in, and who is who; nothing is written."""
    access.adopt()
    return _page(_waiting())


@bp.post("/history/import/plays")
def take_in() -> Response:
    """Import the plays that wait, in the background."""
    waiting = _waiting()
    if request.form.get("file") != waiting.id:
        return _page(waiting, _("そのあとに別のファイルが送られました。もう一度確かめてください。"))
    if waiting.head.faults and waiting.head.table and "leave_out" not in request.form:
        return _page(waiting, _("読めない行があります。直すか、その行を除いてください。"))
    circle, when = access.own_circle(), _when(waiting)
    who = _who(waiting, circle) | _chosen(waiting)
    try:
        taking.require_different(waiting.plays, who)
    except taking.SamePerson as fault:
        n, name = fault.number, fault.name
        return _page(
            waiting, _("%(n)s番目のゲームに、同じ人が2人います（%(name)s）。", n=n, name=name)
        )
    job = partial(jobs.import_plays, waiting.plays, who, when, language.current())
    try:
        jobs.start(job, circle, len(waiting.plays))
    except Busy:
        return _page(waiting, _("ほかの取り込みが終わるまでお待ちください。"))
    _files().drop(circle)
    return htmx.go_to(url_for("transfers.work"))


def _files() -> WaitingFiles:
    found: WaitingFiles = current_app.extensions["waiting"]
    return found


def _waiting() -> Waiting:
    """What waits for this phone's group; 404 if it was too long ago, or another server has it."""
    return _files().get(access.circle()) or abort(404)


def _when(waiting: Waiting) -> taking.When:
    times = request.form.get("times", "local" if waiting.head.local else "utc")
    return taking.When(zone(), utc=times != "local" and not waiting.head.table)


def _who(waiting: Waiting, circle: str) -> dict[str, str]:
    """Who everybody in the file is, as far as it is known without asking."""
    people = taking.people(waiting.plays)
    names = People(ledger().store).playing(circle, -1)
    last = ForeignPlays(ledger().store, circle).people([player.known for player in people])
    return taking.matched(people, last, names)


def _chosen(waiting: Waiting) -> dict[str, str]:
    """Who somebody is by the form: a name, or "" for a new person with the name in the file."""
    found: dict[str, str] = {}
    for number, player in enumerate(taking.people(waiting.plays)[:MOST_CHOICES]):
        text = request.form.get(f"who{number}")
        if text is None:
            continue
        name = clean_name(text or player.name)[:NAME_LENGTH]
        if usable(name):
            found[player.known] = name
    return found


def _page(waiting: Waiting, fault: str = "") -> Response:
    circle = access.own_circle()
    people = taking.people(waiting.plays)
    who = _who(waiting, circle) | _chosen(waiting)
    here = People(ledger().store).playing(circle, MOST_NAMES)
    taken = ForeignPlays(ledger().store, circle).taken(
        [k for play in waiting.plays for k in play.keys]
    )
    fresh = [play for play in waiting.plays if not taken.intersection(play.keys)]
    return htmx.fragment(
        "group/foreign_plays.html",
        file=waiting.id,
        table=waiting.head.table,
        plays=len(waiting.plays),
        known=len(waiting.plays) - len(fresh),
        games=len({play.called for play in waiting.plays}),
        people=len(people),
        choices=_choices(people, who, here),
        here=here,
        utc=_when(waiting).utc,
        samples={utc: _samples(waiting.plays, utc) for utc in (True, False)},
        faults=waiting.head.faults[:SHOWN],
        more=max(0, len(waiting.head.faults) - SHOWN),
        fault=fault,
        said=said,
    )


def _choices(
    people: Sequence[ForeignPlayer], who: Mapping[str, str], here: Sequence[str]
) -> list[Choice]:
    return [
        Choice(number, player.name, who[player.known] if who[player.known] in here else "")
        for number, player in enumerate(people[:MOST_CHOICES])
    ]


def _samples(plays: Sequence[ForeignPlay], utc: bool) -> list[Sample]:
    when = taking.When(zone(), utc)
    return [Sample(play.called, when.shown(play.clock)) for play in plays[:SAMPLES]]
