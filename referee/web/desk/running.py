"""The running round: clock, calls, tables with their results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from flask import Blueprint, Response, request, url_for

from referee.desk import DeskView, TablePlace
from referee.http import access, forms, htmx
from referee.http.current import desks
from referee.http.language import gettext as _
from referee.tonight import asking
from referee.tonight.entries import (
    CallSettled,
    ClockSet,
    DeskEntry,
    DirectorCalled,
    DirectorComes,
    MatchBegun,
    PlacesTyped,
)
from referee.tonight.evening import EveningRound, RoundTable, Stamp, after
from referee.tonight.standing import is_ranking
from referee.web.desk import at_table, frame
from referee.web.table.tables import form_key

bp = Blueprint("running", __name__)

STEP_SECONDS = 5 * 60
"""What plus and minus add to the clock."""
LONGEST_SECONDS = 12 * 60 * 60


class Moves(NamedTuple):
    """Whom a result moves: the places in the standing before and after it."""

    person: str
    before: int
    after: int


@bp.get("/desk/<int(max=999999999):desk>/rounds/<int(max=999):number>")
def page(desk: int, number: int) -> Response:
    """A published round; ``?pick=``: the person to exchange."""
    found = frame.shown(desk)
    round_ = frame.round_of(found, number)
    pick = forms.number("pick")
    return frame.page(
        "desk/round.html",
        found,
        round=round_,
        last=number == len(found.evening.published),
        missing=[table.table for table in round_.tables if table.open],
        touched=desks().ledger.store.touched([t.match for t in round_.tables if t.match]),
        silent=_silent(round_),
        picked=pick if pick is not None and pick in round_.seated() else None,
    )


def _silent(round_: EveningRound) -> dict[str, str]:
    """The matches that still run and of whose phones nothing is heard, with the time since."""
    contacts, now = desks().ledger.contacts, datetime.now(UTC)
    found = {
        table.match: contacts.silent_since(table.match, now)
        for table in round_.tables
        if table.match and table.open
    }
    return {match: frame.said_time(since.isoformat()) for match, since in found.items() if since}


@bp.get("/desk/<int(max=999999999):desk>/rounds/<int(max=999):number>/<table>")
def table(desk: int, number: int, table: str) -> Response:
    """A table: who sits there, its match, its result. The QR code of its slip leads here."""
    found = frame.shown(desk)
    return _table(found, number, frame.table_of(found, number, table))


def _table(found: DeskView, number: int, table: RoundTable, fault: str = "") -> Response:
    return frame.page(
        "desk/table.html",
        found,
        number=number,
        table=table,
        call=found.evening.call(number, table.table),
        about=forms.number("seq") or 0,
        met=found.evening.meetings(),
        open_link=_open_link(found, number, table),
        fault=fault,
        typed=request.form,
    )


def _open_link(found: DeskView, number: int, table: RoundTable) -> str:
    """The form of a new table with the names, the game and the table filled in."""
    names = [frame.name_of(found, person) for person in table.people]
    at = f"{found.desk} {number} {table.table}"
    if table.game:
        return url_for("home.new", name=names, game=table.game, desk=at)
    return url_for("home.new", name=names, all=1, desk=at)


def begun(at: str, match: str) -> str:
    """Tell the desk that table ``at`` has opened ``match``; "": it plays this match.

    ``at``: desk, round and table as ``_open_link`` writes them. Of two phones that open the table
    at the same moment, the second gets the match of the first; its own is left out of lists.
    """
    head, _blank, rest = at.partition(" ")
    number, _blank, name = rest.partition(" ")
    desk, round_number = forms.digits(head), forms.digits(number)
    if desk is None or round_number is None:
        return ""
    found = frame.shown(desk)

    def decide(view: DeskView) -> Sequence[DeskEntry]:
        table = _at(view, round_number, name)
        free = table is not None and not table.match
        return (MatchBegun(round_number, name, match),) if free else ()

    view = desks().write(found.desk, access.phone(), f"match-{match}", decide)
    table = _at(view, round_number, name)
    if table is None or table.match in ("", match):
        return ""
    access.hidden().put_away(match)
    return table.match


def _at(view: DeskView, number: int, name: str) -> RoundTable | None:
    """A table of a published round, if there is one."""
    round_ = view.evening.round(number)
    return round_.at(name) if round_ and round_.published else None


@bp.post("/desk/<int(max=999999999):desk>/rounds/<int(max=999):number>/<table>/places")
def places(desk: int, number: int, table: str) -> Response:
    """Places that a director types; a result that differs from the present one is shown first."""
    found = frame.shown(desk)
    frame.require_director(found.evening)
    known = frame.table_of(found, number, table)
    if request.form.get("none") == "1":
        entry = PlacesTyped(number, table, ())
    else:
        try:
            entry = PlacesTyped(number, table, _typed(found, known))
        except forms.BadForm as fault:
            return _table(found, number, known, str(fault))
    differs = known.result is not None and dict(entry.places) != dict(known.result.places)
    if differs and request.form.get("sure") != "1":
        return _before(found, entry)
    frame.press(desk, lambda view: (entry,))
    return htmx.go_to(url_for(".page", desk=desk, number=number))


def _typed(found: DeskView, table: RoundTable) -> tuple[tuple[int, int], ...]:
    """The places in the form; raises ``BadForm`` if they are no ranking."""
    typed: dict[int, int] = {}
    for person in table.people:
        place = forms.digits(request.form.get(f"place-{person}", "").strip())
        if place is None or not 1 <= place <= len(table.people):
            raise forms.BadForm(
                _(
                    "%(name)sの順位を1から%(most)sまでで入れてください。",
                    name=frame.name_of(found, person),
                    most=len(table.people),
                )
            )
        typed[person] = place
    if not is_ranking(typed.values()):
        raise forms.BadForm(
            _("この順位は成り立ちません。同じ順位が2人なら、次の順位は1つ空きます（1・2・2・4）。")
        )
    return tuple(sorted(typed.items()))


def _before(found: DeskView, entry: PlacesTyped) -> Response:
    """What a result changes: the old and new places of everybody whom it moves."""
    names = frame.names_of(found)
    changed = after(found.evening, entry, Stamp("", ""))
    was = {each.person: each.row.place for each in asking.ranked(found.evening, names)}
    moves = [
        Moves(row.name, was[person], row.place)
        for person, row in asking.ranked(changed, names)
        if was[person] != row.place
    ]
    return frame.page("desk/before_places.html", found, entry=entry, moves=moves)


@bp.post("/desk/<int(max=999999999):desk>/rounds/<int(max=999):number>/<table>/call")
def call(desk: int, number: int, table: str) -> Response:
    """Call a director, come, or close the call."""
    found = frame.shown(desk)
    known = frame.table_of(found, number, table)
    do, person = request.form.get("do", ""), found.evening.phones.get(access.phone())
    name = frame.name_of(found, person) if person is not None else ""
    entry: DeskEntry
    match do:
        case "call":
            about = frame.number("seq", 0, 999_999_999) if "seq" in request.form else 0
            entry = DirectorCalled(number, table, about)
        case "come":
            entry = DirectorComes(number, table, name)
        case _:
            entry = CallSettled(number, table)
    frame.press(desk, lambda view: (entry,), anybody=do == "call")
    if do == "call" and request.form.get("at_table") and known.match:
        return htmx.go_to(url_for("tables.table", match=known.match))
    if do == "call":
        return htmx.go_to(url_for(".table", desk=desk, number=number, table=table))
    return htmx.go_to(url_for(".page", desk=desk, number=number))


@bp.get("/desk/<int(max=999999999):desk>/rounds/<int(max=999):number>/<table>/line")
def line(desk: int, number: int, table: str) -> Response:
    """What a table's own page shows of the desk: the clock, and the call or its key."""
    found = frame.shown(desk)
    frame.table_of(found, number, table)
    place = TablePlace(desk, number, table)
    response = htmx.part("desk/_line.html", at_desk=at_table.line(found, place), key=form_key())
    response.headers[frame.SEQ] = str(found.seq)
    return response


@bp.post("/desk/<int(max=999999999):desk>/clock")
def clock(desk: int) -> Response:
    """Start or stop the clock, or add and take five minutes."""
    do = request.form.get("do", "")

    def decide(view: DeskView) -> Sequence[DeskEntry]:
        now = datetime.now(UTC)
        set_ = view.evening.clock or ClockSet("", view.evening.minutes * 60)
        left = set_.seconds_left(now)
        changed = {
            "start": left,
            "stop": left,
            "more": min(left + STEP_SECONDS, LONGEST_SECONDS),
            "less": max(left - STEP_SECONDS, 0),
        }.get(do)
        if changed is None:
            raise forms.BadForm(_("送信内容に誤りがあります。前の画面に戻ってやり直してください。"))
        runs = do == "start" or (bool(set_.ends) and do != "stop")
        ends = (now + timedelta(seconds=changed)).isoformat(timespec="seconds") if runs else ""
        return (ClockSet(ends, changed),)

    view = frame.press(desk, decide)
    number = len(view.evening.published)
    if not number:
        return htmx.go_to(url_for("seating.page", desk=desk))
    return htmx.go_to(url_for(".page", desk=desk, number=number))
