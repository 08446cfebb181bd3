"""Pages of contests: both versions side by side, the votes, the decision, and its effect."""

from __future__ import annotations

import secrets
from datetime import datetime
from functools import partial
from typing import NamedTuple

from flask import Blueprint, abort, redirect, render_template, request
from flask import url_for as address
from markupsafe import Markup
from werkzeug.wrappers import Response

from referee.core.clusters import cut
from referee.core.contests import Contested, carried
from referee.core.corrections import NO_PLAYS, Amend, Contest, Decide, Strike, Vote
from referee.core.generic import Entry, Play
from referee.core.naming import clean_name
from referee.core.steps import Step
from referee.core.verdict import Illegal, Seat
from referee.http import access, errors, forms, guarded, htmx, language
from referee.http.current import book_at, ledger
from referee.http.language import gettext as _
from referee.http.local_time import local_time
from referee.ledger import Answer, StaleTable, View
from referee.rulings.sentences import evidence
from referee.store.folding import folded
from referee.store.log import DecisionEntry
from referee.web.review import alternatives, entries
from referee.web.review.reading import LogEntry, Reading

bp = Blueprint("contests", __name__)

REASON = 120  # characters
DECISIONS = 30  # on a page
TRIES = 5  # attempts to record, while other phones record plays at the same moment


class Decided(NamedTuple):
    """A decision of a table, in entry ``seq``; ``what``: the entry that the contest is about.

    ``day``: the local time of the decision. ``kept``: it is a house rule of the circle.
    """

    seq: int
    decision: Decide
    what: Entry
    day: datetime
    kept: bool


@bp.get("/t/<match>/contest/<number>")
def contest(match: str, number: str) -> Response | str:
    """Page for contesting entry ``number``: by which seat of this phone, and what is correct."""
    view = ledger().view(match)
    seq = entries.existing(view, number)
    step = view.step(seq)
    if step is None or isinstance(view.log.entries[seq - 1], NO_PLAYS):
        abort(404)
    seats = _speakers(view)
    if not seats:
        return errors.page(403, _("全員が自分のスマホで席に着いています。そこから異議を出せます。"))
    seat = request.args.get("seat", "")
    return render_template(
        "review/contest.html",
        view=view,
        seq=seq,
        step=step,
        seats=seats,
        seat=seat if seat in seats else seats[0],
        picks=alternatives.instead(view, view.log.before(step), step.play, request.args.get("of")),
        key=secrets.token_urlsafe(12),
    )


def _speakers(view: View) -> list[Seat]:
    """The seats for which this phone may object: its own, or those without a phone of theirs."""
    there = access.standing(view)
    if there.seat:
        return [there.seat]
    return [seat for seat in view.seats if there.speaks_for(seat)]


@bp.get("/t/<match>/votes/<number>")
def votes(match: str, number: str) -> Response:
    """The votes on contest ``number``, requested repeatedly; to the table once it is decided.

    ``?here=``: the entry on whose page they are.
    """
    view = ledger().view(match)
    seq = entries.existing(view, number)
    one = next((one for one in view.log.open_contests(view.moment) if one.seq == seq), None)
    if one is None:
        return htmx.go_to(address("tables.table", match=match))
    return htmx.fragment(
        "review/_votes.html",
        view=view,
        book=book_at(view),
        one=one,
        here=request.args.get("here", seq, type=int),
        key=secrets.token_urlsafe(12),
    )


@bp.post("/t/<match>/contest")
def say(match: str) -> Response:
    """Record a contest, a vote or a decision, even if there are entries that the page lacks.

    After a decision the phone is at the table again.
    """
    view, key = ledger().view(match), forms.key()
    line = _line(view)
    said = view.grammar.parse(line)
    if isinstance(said, Vote) and _counted(view, said):  # tapped twice
        return _votes(match, said.number)
    answer = _declared(match, line, key)
    if answer.seq is None:
        rules = book_at(view)
        why = evidence(answer.verdict, view.moment.step, rules, language.current())
        return errors.page(409, " ".join(fact.text for fact in why))
    entry = answer.view.log.entries[answer.seq - 1]
    if isinstance(entry, Decide):
        return redirect(address("tables.table", match=match), 303)
    about = entry.number if isinstance(entry, Vote) else answer.seq
    return _votes(match, about)


@bp.get("/decisions")
def decisions() -> str:
    """Page of the decisions of all tables of the circle, newest first."""
    query = request.args.get("q", "")[:REASON]
    kept = {(rule.match, rule.seq) for rule in ledger().store.house_rules(access.circle())}
    found = []
    skip = forms.skipped()
    rows = ledger().store.decisions(access.circle(), DECISIONS + 1, skip, query)
    shown = rows[:DECISIONS]
    for row, replay in zip(shown, ledger().replays([row.match for row in shown]), strict=True):
        is_kept = (row.match, row.seq) in kept
        show = partial(_listed, row, is_kept)
        made = guarded.remembered((_listed, row.match, row.seq, is_kept), replay, show)
        if made and made.line and folded(query) in folded(made.reason):
            found.append(made.line)
    later = skip + DECISIONS if len(rows) > DECISIONS else None
    return render_template("review/decisions.html", found=found, query=query, later=later)


class ListedDecision(NamedTuple):
    """The line of a decision, "" if it is not in force any more, and the reason of the decision."""

    line: Markup
    reason: str


def _listed(row: DecisionEntry, kept: bool, view: View) -> ListedDecision:
    decision = view.log.entries[row.seq - 1]
    if row.seq not in view.in_force() or not isinstance(decision, Decide):
        return ListedDecision(Markup(), "")
    one = _decided(view, row.seq, decision, row.at, kept)
    line = render_template("review/_decision.html", view=view, one=one) if one else ""
    return ListedDecision(Markup(line), decision.reason or "")


@bp.post("/t/<match>/e/<number>/keep")
def keep(match: str, number: str) -> Response:
    """Make the reason of a decision a house rule for later matches, or revoke it.

    House rules belong to the circle: only its own phones can change them, not guests at the table.
    """
    if not access.way(match).member:
        return errors.page(403, _("卓のルールにするのは、このサークルのスマホからできます。"))
    view = ledger().view(match)
    seq = entries.existing(view, number)
    decision = view.log.entries[seq - 1]
    if not isinstance(decision, Decide) or not decision.reason:
        abort(404)
    if request.form.get("keep") == "0":
        ledger().store.drop_house_rule(match, seq)
    else:
        ledger().store.keep_house_rule(view.game.NAME, decision.reason, match, seq)
    return redirect(address("contests.decisions"), 303)


class OpenVotes(NamedTuple):
    """What the template of a contest shows: both versions, the votes, possible decisions.

    ``rule``: how contests are decided at this table. ``new``: the entry as it would be, which is
    ``possible`` or not, and ``change`` the line that makes it so. ``voters``: the seats for which
    this phone may vote. ``settled``: the votes leave one decision.
    """

    rule: str
    said: LogEntry
    new: Step | None
    change: str
    yes: int
    no: int
    voters: frozenset[Seat]
    you: Seat
    watches: bool
    may_yes: bool
    may_no: bool
    settled: bool
    possible: bool
    may_keep: bool
    decision: Entry | None


@bp.app_template_global()
def open_votes(view: View, one: Contested) -> OpenVotes:
    """What is to be shown of a contest."""
    contest, number = one.contest, one.contest.number
    rule, seats = view.log.table.option("contest"), view.seats
    change = Strike(number) if contest.play is None else Amend(number, contest.play)
    made = view.log.consider(change)
    possible = not isinstance(made.verdict, Illegal)
    here = access.standing(view)
    may_yes = possible and carried(rule, seats, one.votes, True)
    may_no = carried(rule, seats, one.votes, False)
    return OpenVotes(
        rule=rule,
        said=Reading(view).entry(number),
        new=view._replace(moment=made).step(number),
        change=view.grammar.print(change),
        yes=sum(one.votes.values()),
        no=len(one.votes) - sum(one.votes.values()),
        voters=frozenset(
            seat for seat in seats if here.role != "watching" and here.speaks_for(seat)
        ),
        you=here.seat,
        watches=here.role == "watching",
        may_yes=may_yes,
        may_no=may_no,
        settled=rule != "host" and len(one.votes) == len(seats) and may_yes != may_no,
        possible=possible,
        may_keep=access.way(view.match).member,
        decision=view.log.entries[one.decided - 1] if one.decided else None,
    )


@bp.app_template_filter()
def vote(one: Contested, seat: Seat, agrees: bool) -> Vote:
    """The vote of ``seat`` on a contest."""
    return Vote(seat, one.seq, agrees)


@bp.app_template_filter()
def against(play: Play, seat: Seat, number: int) -> Contest:
    """The entry by which ``seat`` contests entry ``number``; see ``Contest``."""
    return Contest(seat, number, play)


def _line(view: View) -> str:
    """The line in this request, with the reason of a decision, which has a field of its own.

    Raises ``BadForm``; 400 for another entry than a contest, a vote or a decision.
    """
    line = request.form.get("line", "")
    if not line or len(line) > forms.LINE_LENGTH:
        raise forms.BadForm(_("何も送られていません。卓に戻って、もう一度タップしてください。"))
    entry = view.grammar.parse(line)
    if not isinstance(entry, Contest | Vote | Decide):
        abort(400)
    reason = cut(clean_name(request.form.get("reason", "")), REASON)
    if isinstance(entry, Decide) and reason:
        return view.grammar.print(Decide(entry.number, entry.right, reason))
    return line


def _counted(view: View, said: Vote) -> bool:
    """Whether this is already the vote of the seat."""
    contests = view.log.contests(view.moment)
    return any(
        one.seq == said.number and one.votes.get(said.seat) == said.agrees for one in contests
    )


def _votes(match: str, number: int) -> Response:
    """To the votes on the page of entry ``number``."""
    return redirect(address("entries.entry", match=match, number=number, _anchor="votes"), 303)


def _declared(match: str, line: str, key: str) -> Answer:
    """Declare the line on the present table, since it does not depend on the last entry.

    Raises ``StaleTable`` if other phones were faster at each of ``TRIES`` attempts.
    """
    for _try in range(TRIES):
        try:
            view = ledger().view(match)
            return ledger().declare(match, line, view.seq, key, standing=access.standing)
        except StaleTable as stale:
            last = stale
    raise last


def _decided(view: View, seq: int, decision: Decide, at: str, kept: bool) -> Decided | None:
    """The decision in entry ``seq``; None if its contest is not in force any more."""
    one = next((c for c in view.log.contests(view.moment) if c.decided == seq), None)
    if one is None:
        return None
    what = view.log.entries[one.contest.number - 1]
    return Decided(seq, decision, what, local_time(at), kept)
