"""Who sits where in the next round: propose, change by two taps, lock, publish."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import NamedTuple
from zlib import crc32

from flask import Blueprint, Response, abort, request, url_for

from referee.desk import DeskView
from referee.http import forms, htmx, sure
from referee.http.current import desks
from referee.http.language import gettext as _
from referee.tonight import asking
from referee.tonight.call import Pair, Wish
from referee.tonight.entries import (
    DeskEntry,
    Exchanged,
    LockedIn,
    MovedTo,
    Published,
    RoundTakenBack,
)
from referee.tonight.evening import DeskState, EveningRound, RoundTable, renamed
from referee.tonight.measure import holds
from referee.tonight.seating import NoSizes
from referee.web.desk import frame

bp = Blueprint("seating", __name__)

SEASON = timedelta(days=365)
"""How far back people count as having met in the season."""


class ShownTable(NamedTuple):
    """A table of a proposal: how often each pair of it has met, the present time included."""

    table: RoundTable
    again: list[tuple[Pair, int]]
    first: int


class Exchange(NamedTuple):
    """What an exchange makes of a proposal: wishes, meetings again; ``good``: it costs nothing."""

    breaks: bool
    again: int
    good: bool


@bp.get("/desk/<int(max=999999999):desk>/seats")
def page(desk: int) -> Response:
    """The proposal; ``?pick=``: the person to exchange."""
    return _page(frame.shown(desk))


def _page(found: DeskView, fault: str = "") -> Response:
    evening = found.evening
    if not frame.directs(evening):
        if evening.published:
            last = evening.published[-1].number
            return htmx.go_to(url_for("running.page", desk=found.desk, number=last))
        return frame.page("desk/seats_soon.html", found)
    proposal = evening.proposal
    return _proposal(found, proposal, fault) if proposal else _unasked(found, fault)


def _unasked(found: DeskView, fault: str) -> Response:
    evening = found.evening
    present = evening.present(evening.next)
    return frame.page(
        "desk/seats_none.html",
        found,
        present=len(present),
        status_code=400 if fault else 200,
        problem=fault or _too_few(evening),
        missing=[t.table for each in evening.published for t in each.tables if t.open],
    )


def _too_few(evening: DeskState) -> str:
    """What is missing before anybody can be seated, or ""."""
    present = evening.present(evening.next)
    tables = asking.tables_of(evening, len(present))
    least = min((table.least for table in tables), default=evening.sizes.least)
    if not present:
        return _("まだだれも来ていません。来た人にチェックを入れてください。")
    if len(present) < least:
        return _(
            "1卓に%(least)s人必要です。いまは%(count)s人です。", least=least, count=len(present)
        )
    return ""


def _proposal(found: DeskView, proposal: EveningRound, fault: str) -> Response:
    evening = found.evening
    question = _question(found, ranked=proposal.ranked)
    pick = forms.number("pick")
    picked = pick if pick is not None and pick in proposal.seated() else None
    present = set(evening.present(proposal.number))
    return frame.page(
        "desk/seats.html",
        found,
        proposal=proposal,
        mark=mark(proposal),
        tables=_shown(evening, proposal),
        again=_again(evening, proposal),
        broken=_broken(evening, proposal),
        picked=picked,
        costs=_costs(evening, question, proposal, picked) if picked is not None else {},
        picked_table=proposal.of(picked) if picked is not None else None,
        idle_before=evening.sat_out(),
        changed=present != proposal.seated(),
        early=[person for person in sorted(present) if evening.guests[person].leaves],
        new=sorted(present - proposal.seated()),
        gone=sorted(proposal.seated() - present),
        fault=fault,
    )


def _question(found: DeskView, *, ranked: bool) -> asking.SeatingQuestion:
    since = (datetime.now(UTC) - SEASON).isoformat()
    season = desks().store.season(found.desk, since)
    return asking.asked(found.evening, frame.names_of(found), season, ranked=ranked)


def _shown(evening: DeskState, round_: EveningRound) -> list[ShownTable]:
    met = evening.meetings()
    shown = []
    for table in round_.tables:
        pairs = list(combinations(sorted(table.people), 2))
        again = [(pair, met[pair] + 1) for pair in pairs if met.get(pair)]
        shown.append(ShownTable(table, again, len(pairs) - len(again)))
    return shown


def _broken(evening: DeskState, round_: EveningRound) -> list[Wish]:
    at = {person: n for n, table in enumerate(round_.tables) for person in table.people}
    at |= dict.fromkeys(round_.idle, -1)
    return [wish for wish in evening.wishes if not holds(wish, *(at.get(p) for p in wish.people))]


def _again(evening: DeskState, round_: EveningRound) -> int:
    """How many pairs at the tables have met before."""
    return sum(len(shown.again) for shown in _shown(evening, round_))


def _costs(
    evening: DeskState, question: asking.SeatingQuestion, round_: EveningRound, picked: int
) -> dict[int, Exchange]:
    """What an exchange with each person of another table would make of the proposal."""
    own, now = round_.of(picked), asking.cost(question, round_)
    found = {}
    for other in sorted(round_.seated()):
        if other != picked and round_.of(other) is not own:
            changed = renamed(round_, {picked: other, other: picked})
            cost = asking.cost(question, changed)
            found[other] = Exchange(cost.wishes > now.wishes, _again(evening, changed), cost <= now)
    return found


@bp.post("/desk/<int(max=999999999):desk>/propose")
def propose(desk: int) -> Response:
    """The best seating for the next round; once more: the next seed."""
    found = frame.shown(desk)
    frame.require_director(found.evening)
    evening, ranked = found.evening, request.form.get("ranked") == "1"
    before = evening.proposal
    if problem := _too_few(evening):
        return _page(found, problem)
    question = _question(found, ranked=ranked)
    try:
        made = asking.proposed(evening, question, before.seed + 1 if before else 0)
    except NoSizes:
        return _page(found, _unfitting(evening))

    def decide(view: DeskView) -> Sequence[DeskEntry]:
        return (made,) if view.evening.next == made.round else ()

    frame.press(desk, decide)
    return htmx.go_to(url_for(".page", desk=desk))


def _unfitting(evening: DeskState) -> str:
    """Which table has more locked people than seats, or too few people for all of them."""
    proposal = evening.proposal
    held = dict(evening.fixed)
    for person in evening.locked:
        seat = proposal.of(person) if proposal else None
        if seat:
            held[person] = seat.table
    here = {*evening.present(evening.next)}
    tables = [table for person, table in held.items() if person in here]
    for table in dict.fromkeys(tables):
        most = evening.limits(table).most
        if tables.count(table) > most:
            return _(
                "卓%(table)sは%(most)s人までですが、%(count)s人が固定されています。",
                table=table,
                most=most,
                count=tables.count(table),
            )
    return _("固定した人の卓を全部使うには、人が足りません。固定をいくつか外してください。")


@bp.post("/desk/<int(max=999999999):desk>/swap")
def swap(desk: int) -> Response:
    """Two people change places, or one moves to a table ("" sits out)."""
    found = frame.shown(desk)
    frame.require_director(found.evening)
    number, one = frame.number("round", 1, 999), frame.person(found, "one")
    round_ = found.evening.round(number)
    if round_ is None or one not in round_.seated():
        raise forms.BadForm(_("その人はこのラウンドにいません。"))
    entry: DeskEntry
    if "table" in request.form:
        table = request.form["table"]
        if problem := _no_room(found.evening, round_, one, table):
            return _refused(found, round_, problem)
        entry = MovedTo(number, one, table)
    else:
        other = frame.person(found, "other")
        if other not in round_.seated() or round_.of(one) is round_.of(other):
            raise forms.BadForm(_("別の卓の人を選んでください。"))
        entry = Exchanged(number, one, other)
    if round_.published:
        if problem := _begun(round_, entry):
            return _refused(found, round_, problem)
        if request.form.get("sure") != "1":
            return _confirm(found, round_, entry)
    frame.press(desk, lambda view: (entry,) if _still(view, entry) else ())
    if round_.published:
        return htmx.go_to(url_for("running.page", desk=desk, number=number))
    return htmx.go_to(url_for(".page", desk=desk))


def _refused(found: DeskView, round_: EveningRound, problem: str) -> Response:
    if round_.published:
        raise forms.BadForm(problem)
    return _page(found, problem)


def _still(view: DeskView, entry: Exchanged | MovedTo) -> bool:
    """Whether an exchange is still possible after what others have done meanwhile."""
    round_ = view.evening.round(entry.round)
    people = {entry.one, entry.other} if isinstance(entry, Exchanged) else {entry.person}
    return round_ is not None and people <= round_.seated() and not _begun(round_, entry)


def _begun(round_: EveningRound, entry: Exchanged | MovedTo) -> str:
    """Why an exchange comes too late: a table of a published round has begun; or ""."""
    people = (entry.one, entry.other) if isinstance(entry, Exchanged) else (entry.person,)
    tables = [round_.of(person) for person in people]
    if isinstance(entry, MovedTo):
        tables.append(round_.at(entry.table))
    begun = [table.table for table in tables if table and not table.untouched]
    if not round_.published or not begun:
        return ""
    return _("卓%(table)sはもう始まっています。席は替えられません。", table=begun[0])


def _no_room(evening: DeskState, round_: EveningRound, person: int, name: str) -> str:
    """Which limit a move would break, or ""."""
    own, table = round_.of(person), round_.at(name)
    if name and table is None:
        return _("その卓はこのラウンドにありません。")
    if table is own:
        return _("別の卓の人を選んでください。")
    if table and len(table.people) >= evening.limits(table.table).most:
        most = evening.limits(table.table).most
        return _("卓%(table)sは%(most)s人までです。", table=table.table, most=most)
    if own and len(own.people) <= evening.limits(own.table).least:
        least = evening.limits(own.table).least
        return _("卓%(table)sには%(least)s人必要です。", table=own.table, least=least)
    return ""


def _confirm(found: DeskView, round_: EveningRound, entry: Exchanged | MovedTo) -> Response:
    """The question before a change of a published round."""
    if isinstance(entry, Exchanged):
        one, other = frame.name_of(found, entry.one), frame.name_of(found, entry.other)
        question = _("%(one)sと%(other)sの席を入れ替えますか？", one=one, other=other)
        fields = {"one": str(entry.one), "other": str(entry.other)}
    else:
        name = frame.name_of(found, entry.person)
        question = (
            _("%(name)sを卓%(table)sに移しますか？", name=name, table=entry.table)
            if entry.table
            else _("%(name)sを休みにしますか？", name=name)
        )
        fields = {"one": str(entry.person), "table": entry.table}
    return sure.ask(
        question,
        _("公開した席です。全員の画面が変わり、変更の記録が残ります。"),
        _("替える"),
        url_for(".swap", desk=found.desk),
        url_for("running.page", desk=found.desk, number=round_.number),
        key=forms.key(),
        round=str(round_.number),
        sure="1",
        **fields,
    )


@bp.post("/desk/<int(max=999999999):desk>/lock")
def lock(desk: int) -> Response:
    """Keep a person, or all people of a table, where they are in the next proposal."""
    found = frame.shown(desk)
    proposal = found.evening.proposal or abort(404)
    if "table" in request.form:
        table = proposal.at(request.form["table"])
        people = table.people if table else ()
    else:
        people = (frame.person(found),)
    entry = LockedIn(people, request.form.get("locked") == "1")
    frame.press(desk, lambda view: (entry,) if view.evening.proposal else ())
    return htmx.go_to(url_for(".page", desk=desk))


@bp.post("/desk/<int(max=999999999):desk>/publish")
def publish(desk: int) -> Response:
    """Show the round to everybody; not if another director has changed it meanwhile."""
    found = frame.shown(desk)
    number, seen = frame.number("round", 1, 999), forms.seen()
    faster = _("ほかのディレクターが席を替えました。もう一度見て、公開してください。")

    def decide(view: DeskView) -> Sequence[DeskEntry]:
        round_ = view.evening.round(number)
        if round_ is None or round_.published:
            return ()
        if mark(round_) != seen:
            raise forms.BadForm(faster)
        return (Published(number),)

    try:
        view = frame.press(desk, decide)
    except forms.BadForm as fault:
        return _page(found, str(fault))
    if not view.evening.published:
        return htmx.go_to(url_for(".page", desk=desk))
    last = view.evening.published[-1].number
    return htmx.go_to(url_for("running.page", desk=desk, number=last))


def mark(round_: EveningRound) -> int:
    """A number that another seating of the round does not have, for the form that publishes."""
    people = [(table.table, table.people) for table in round_.tables]
    return crc32(repr((people, round_.idle)).encode()) % 10**9


@bp.post("/desk/<int(max=999999999):desk>/back")
def take_back(desk: int) -> Response:
    """The published round is a proposal again, as long as no table has begun."""
    number = frame.number("round", 1, 999)

    def decide(view: DeskView) -> Sequence[DeskEntry]:
        round_ = view.evening.round(number)
        if round_ is None or not round_.published or round_ is not view.evening.published[-1]:
            return ()
        begun = [table.table for table in round_.tables if not table.untouched]
        if begun:
            raise forms.BadForm(
                _("卓%(table)sが始まったので、ラウンドを取り消せません。", table=begun[0])
            )
        return (RoundTakenBack(number),)

    frame.press(desk, decide)
    return htmx.go_to(url_for(".page", desk=desk))
