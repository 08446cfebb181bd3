"""Pages of the log of a match, and of single entries."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from functools import partial

from flask import Blueprint, abort, render_template, request

from referee.core import adjusting
from referee.core.compare import broken
from referee.core.contests import Contested
from referee.core.generic import Entry, Play
from referee.core.infractions import undecided
from referee.core.record import form
from referee.core.sheets import TableSheet
from referee.core.steps import Step, resolved
from referee.core.verdict import Facts, word_of
from referee.http import access, errors, forms, language
from referee.http.current import book_at, ledger
from referee.http.local_time import clock, local_time
from referee.ledger import View
from referee.rulings import COMMON, book
from referee.rulings.sentences import brought_about, carrying, in_sentences
from referee.screens import screen
from referee.screens.band import TableBand
from referee.screens.pad import UNTAPPED
from referee.store import Stored
from referee.web.desk import at_table
from referee.web.review import alternatives
from referee.web.review.reading import LogEntry, Reading
from referee.web.table import seats

bp = Blueprint("entries", __name__)

CONTESTS = 8  # on the page of an entry
NOTED = 12  # findings, and undecided contests, above the log, at most
BESIDE = 3  # contests beside an entry in the log, at most
RECORDS_NO_PLAY = ("contest", "what-if")  # actions of a phone that watches
DEALS = 20  # links to deals on either side of the shown one


@bp.get("/t/<match>/log")
def log(match: str) -> str:
    """Page of the log, newest entries first, one deal at a time.

    It opens on the present deal, and on some entries before it if that has just begun.
    """
    reading = Reading(ledger().view(match))
    former = seats.former(reading.view)
    deals = reading.deals() or [0]
    deal = request.args.get("deal", type=int)
    if deal not in (None, *deals):
        abort(404)
    page = reading.page(deal, forms.number("before"))
    skip, waiting = forms.skipped(), reading.log.open_contests(reading.view.moment)
    found = sorted(one.at for one in undecided(reading.log, reading.view.moment))
    beside: dict[int, list[str]] = {}
    for one in waiting:
        beside.setdefault(one.contest.number, []).append(one.contest.seat)
    return render_template(
        "review/log.html",
        view=reading.view,
        reading=reading,
        deals=_near(deals, page.deal),
        page=page,
        found=found[skip : skip + NOTED],
        waiting=waiting[skip : skip + NOTED],
        later=skip + NOTED if skip + NOTED < max(len(found), len(waiting)) else None,
        beside=beside,
        most_beside=BESIDE,
        broken=broken(reading.log, reading.view.moment),
        former=former,
        then=partial(seats.as_then, former),
    )


def _near(deals: list[int], deal: int) -> list[int]:
    """The numbers in ``deals`` near ``deal``, and the first and the last."""
    here = deals.index(deal)
    near = deals[max(0, here - DEALS) : here + DEALS + 1]
    return list(dict.fromkeys((deals[0], *near, deals[-1])))


@bp.get("/t/<match>/e/<number>")
def entry(match: str, number: str) -> str:
    """Page of one entry: its verdict, the reasons, and the possible corrections."""
    reading = Reading(ledger().view(match))
    view, log = reading.view, reading.log
    former = seats.former(view)
    entry = reading.entry(existing(view, number))
    rules = book_at(view)
    stored = ledger().store.read(match, entry.seq - 1, 1)[0]
    there = access.way(match)
    watching = there.role() == "watching"
    actions = [do for do in reading.actions(entry) if not watching or do in RECORDS_NO_PLAY]
    # a sheet enters a whole deal: no single tap can correct it, it has a page of its own
    slip = entry.step and not isinstance(entry.step.play, TableSheet)
    slip = slip and not view.game.HOOKS.whole_deals  # and so have the numbers of a round
    state = log.before(entry.step) if "amend" in actions and entry.step and slip else None
    amended = alternatives.instead(view, state, entry.play) if state else None
    contests = [one for one in log.contests(view.moment) if entry.seq in _about(one)]
    contests.sort(key=lambda one: one.decided is not None)
    skip = forms.skipped()
    return render_template(
        "review/entry.html",
        view=view,
        adjusts=adjusting.possible(view.game, view.log.table),
        entry=entry,
        book=rules,
        clause=rules.clause(entry.verdict.clause),
        why=in_sentences(
            seats.facts_then(former, reasons(reading, entry), entry.seq), rules, language.current()
        ),
        given=_given(view, entry, stored),
        clock=clock(local_time(stored.at)),
        stood=reading.as_it_stood(entry.step) if entry.step else None,
        board=board(view, entry.step or log.moment(entry.seq).step),
        undone_by=reading.undone_by(entry.seq) if entry.fate == "undone" else None,
        actions=actions,
        at_desk=at_table.place_of(match, there),
        watching=watching,
        policy=log.table.option("revoke_policy"),
        amended=amended,
        missing=alternatives.insertable(view, state, amended) if state and amended else None,
        contests=contests[skip : skip + CONTESTS],
        later=skip + CONTESTS if skip + CONTESTS < len(contests) else None,
        key=secrets.token_urlsafe(12),
        as_then=partial(seats.as_then, former),
        then=[
            (seat, row)
            for seat, rows in former.items()
            for row in [row for row in rows if entry.seq <= row.until][:1]
        ],
    )


def board(view: View, step: Step | None) -> TableBand | None:
    """The values with which the table page drew the board when ``step`` was the last play.

    None before the first play.
    """
    if step is None:
        return None
    then = view._replace(seq=step.seq, moment=view.moment._replace(step=step))
    return screen(view.game.NAME).band(then, UNTAPPED)


@bp.app_template_filter()
def verb(entry: Entry) -> str:
    """The word with which the record says what ``entry`` is: lay, deal, amend …"""
    return form(entry.FORM).verb


@bp.app_template_filter()
def briefly(play: Play, view: View) -> str:
    """A play in as few words as possible, as its game's screen writes it."""
    return screen(view.game.NAME).brief(play)


bp.add_app_template_filter(word_of, "word")


def _about(one: Contested) -> tuple[int, ...]:
    """The entries on whose pages a contest is shown."""
    return (one.seq, one.contest.number, *((one.decided,) if one.decided else ()))


def existing(view: View, number: str) -> int:
    """The entry number in an address; 404 with a sentence if there is no such entry."""
    seq = forms.digits(number)
    if seq is None or not 1 <= seq <= view.seq:
        sentence = book(COMMON).says("no_entry", {"number": number[:9]}, language.current())
        abort(errors.page(404, sentence))
    return seq


def reasons(reading: Reading, entry: LogEntry) -> Facts:
    """The facts of the verdict, or those by which a later entry refuted the declaration."""
    last = entry.step or reading.log.moment(entry.seq).step
    if entry.finding is None:
        log = reading.log
        changed = brought_about(log, entry.step)
        return (*carrying(entry.verdict, last), *changed)
    # without the premise: the finding states the declaration itself
    return (*resolved(entry.verdict.evidence, last), *entry.finding.evidence)


def _given(view: View, entry: LogEntry, stored: Stored) -> Stored | None:
    """The stored entry, if today's rules would have given another verdict at that time."""
    verdict = view.log.moments[entry.seq].verdict
    now = (word_of(verdict), verdict.clause)
    return None if (stored.verdict, stored.clause) == now else stored


def spans(numbers: Iterable[int]) -> list[str]:
    """Ascending ``numbers`` with ranges: 3, 5–9."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]
