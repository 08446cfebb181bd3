"""Who is here: opening the desk, ticking people, late and early, the phones that direct."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from flask import Blueprint, Response, request, url_for

from referee.core.naming import skeleton
from referee.desk import DeskView
from referee.http import access, errors, forms, htmx, sure
from referee.http.current import desks
from referee.http.language import gettext as _
from referee.http.local_time import day_of, local_time
from referee.tonight.call import PEOPLE
from referee.tonight.entries import (
    Came,
    DeskEntry,
    DirectorNamed,
    Dropped,
    LeavesAt,
    PhoneOf,
    TickedByMistake,
)
from referee.tonight.evening import Guest
from referee.web.desk import frame
from referee.web.table.tables import form_key

bp = Blueprint("checkin", __name__)

OFFERED = 300
"""People of the group in the list, the latest players first."""
EARLIER = 50
"""Past evenings in the list."""
CLOCK = re.compile(r"(?:[01]?[0-9]|2[0-3]):[0-5][0-9]")


class ListedPerson(NamedTuple):
    """A row of the list; ``number`` and ``guest`` are None for who was never ticked."""

    name: str
    number: int | None
    guest: Guest | None


class EarlierDesk(NamedTuple):
    """A desk of a past evening."""

    desk: int
    day: str


@bp.get("/desk")
def desk() -> Response:
    """This evening's desk, or the page that opens one."""
    circle = access.circle()
    found = desks().store.current(circle) if circle else None
    if found is not None:
        return htmx.go_to(url_for(".page", desk=found))
    return htmx.fragment("desk/open.html", key=form_key(), earlier=_earlier(circle))


@bp.get("/desk/earlier")
def earlier() -> Response:
    """The desks of past evenings, to read."""
    return htmx.fragment("desk/earlier.html", earlier=_earlier(access.circle()))


def _earlier(circle: str) -> list[EarlierDesk]:
    found = desks().store.earlier(circle, EARLIER) if circle else []
    return [EarlierDesk(desk, day_of(local_time(opened).date())) for desk, opened in found]


@bp.post("/desk")
def begin() -> Response:
    """Open the desk; this phone directs it."""
    found = desks().store.open(access.own_circle())
    phone = access.phone()
    frame.press(
        found,
        lambda view: () if view.evening.directors else (DirectorNamed(phone, True),),
        anybody=True,
    )
    return htmx.go_to(url_for(".page", desk=found))


@bp.get("/desk/<int(max=999999999):desk>")
def page(desk: int) -> Response:
    """The list of people; ``?did=``: the person who was ticked last."""
    return _page(frame.shown(desk))


def _page(found: DeskView, fault: str = "", typed: str = "") -> Response:
    did = forms.number("did")
    return frame.page(
        "desk/people.html",
        found,
        rows=_rows(found),
        here=sum(guest.here and not guest.dropped for guest in found.evening.guests.values()),
        late=sum(
            guest.here and guest.first > found.evening.next
            for guest in found.evening.guests.values()
        ),
        did=did if did in found.evening.guests else None,
        fault=fault,
        typed=typed,
    )


def _rows(found: DeskView) -> list[ListedPerson]:
    """Everybody of the group, those of last time first; ticks change no order."""
    known = access.people().playing(desks().store.circle(found.desk), OFFERED)
    listed = dict.fromkeys((*known, *(name for name in found.names if name)))
    rows = []
    for name in listed:
        number = found.number(name)
        guest = found.evening.guests.get(number) if number is not None else None
        rows.append(ListedPerson(name, number if guest else None, guest))
    return rows


@bp.post("/desk/<int(max=999999999):desk>/came")
def came(desk: int) -> Response:
    """Tick a person by name; a phone that does not direct ticks its own person."""
    found = frame.shown(desk)
    try:
        names = forms.names([request.form.get("name", "")])
        if not names:
            raise forms.BadForm(_("名前がありません。"))
    except forms.BadForm as fault:
        return _page(found, str(fault), request.form.get("name", ""))
    [name] = names
    if request.form.get("typed") and (question := _same(found, name)):
        return question
    known = found.number(name)
    if known is None and len(found.names) >= PEOPLE:
        return _page(found, _("1つのデスクは%(most)s人までです。", most=PEOPLE), name)
    own = found.evening.phones.get(access.phone())
    if not frame.directs(found.evening) and own is not None and own != known:
        ours = found.names[own] or ""
        return errors.page(403, _("このスマホは%(name)sのものです。", name=ours))
    number = desks().store.number(desk, name)

    def decide(view: DeskView) -> Sequence[DeskEntry]:
        guest = view.evening.guests.get(number)
        entries: list[DeskEntry] = []
        if not guest or not guest.here or guest.dropped:
            # who comes back keeps the round from which on they played first
            first = guest.first if guest and _seated(view, number) else view.evening.next
            entries.append(Came(number, first))
        if not frame.directs(view.evening):
            entries.append(PhoneOf(number))
        return entries

    frame.press(desk, decide, anybody=True)
    return htmx.go_to(url_for(".page", desk=desk, did=number, _anchor=f"p{number}"))


def _same(found: DeskView, name: str) -> Response | None:
    """The question whether a typed name means somebody who is known; None for a new name."""
    alike = [row for row in _rows(found) if skeleton(row.name) == skeleton(name)]
    if not alike:
        return None
    if alike[0].guest and alike[0].guest.here:
        fault = _("「%(name)s」はもう来ています。別の人なら、名前を変えてください。", name=name)
        return _page(found, fault, name)
    return sure.ask(
        _("同じ%(name)sですか？", name=alike[0].name),
        _("このサークルにはもう%(name)sがいます。別の人なら、名前を変えてください。", name=name),
        _("同じ人です"),
        url_for(".came", desk=found.desk),
        url_for(".page", desk=found.desk),
        name=alike[0].name,
        key=forms.key(),
    )


def _seated(view: DeskView, number: int) -> bool:
    """Whether a person has been part of a published round."""
    return any(number in each.seated() for each in view.evening.published)


@bp.post("/desk/<int(max=999999999):desk>/gone")
def gone(desk: int) -> Response:
    """Take a tick away; who has played already drops from the next round."""
    number = frame.person(frame.shown(desk))

    def decide(view: DeskView) -> Sequence[DeskEntry]:
        guest = view.evening.guests[number]
        own = view.evening.phones.get(access.phone()) == number
        if not own:
            frame.require_director(view.evening)
        if not guest.here or guest.dropped:
            return ()
        played = _seated(view, number)
        return (Dropped(number, view.evening.next) if played else TickedByMistake(number),)

    frame.press(desk, decide, anybody=True)
    return htmx.go_to(url_for(".page", desk=desk, did=number, _anchor=f"p{number}"))


@bp.get("/desk/<int(max=999999999):desk>/people/<int(max=999):number>")
def person(desk: int, number: int) -> Response:
    """When a person comes and goes."""
    return _person(frame.shown(desk), number)


def _person(found: DeskView, number: int, fault: str = "") -> Response:
    guest = found.evening.guests.get(number)
    if guest is None:
        return errors.page(404)
    return frame.page(
        "desk/person.html",
        found,
        number=number,
        guest=guest,
        played=_seated(found, number),
        fault=fault,
    )


@bp.post("/desk/<int(max=999999999):desk>/people/<int(max=999):number>")
def set_person(desk: int, number: int) -> Response:
    """Late ("from round 2"), early ("until round 3", "until 22:00"), or neither."""
    found = frame.shown(desk)
    if number not in found.evening.guests:
        return errors.page(404)
    leaves = request.form.get("leaves", "").strip()
    if leaves and not CLOCK.fullmatch(leaves):
        return _person(found, number, _("時刻は22:00のように入れてください。"))
    first = frame.number("first", 1, 99)
    last = frame.number("last", 0, 99)

    def decide(view: DeskView) -> Sequence[DeskEntry]:
        guest = view.evening.guests[number]
        entries: list[DeskEntry] = []
        if first != guest.first and not _seated(view, number):
            entries.append(Came(number, max(first, view.evening.next)))
        dropped = max(last + 1, view.evening.next) if last else 0
        if dropped != guest.dropped or entries:
            entries.append(Dropped(number, dropped))
        if leaves != guest.leaves:
            entries.append(LeavesAt(number, leaves))
        return entries

    frame.press(desk, decide)
    return htmx.go_to(url_for(".page", desk=desk, _anchor=f"p{number}"))


@bp.get("/desk/<int(max=999999999):desk>/phones")
def phones(desk: int) -> Response:
    """Which phones of the group direct."""
    found = frame.shown(desk)
    members = access.circles().members(desks().store.circle(desk))
    return frame.page("desk/phones.html", found, members=members, this=access.phone())


@bp.post("/desk/<int(max=999999999):desk>/phones")
def set_phones(desk: int) -> Response:
    """Let a phone direct, or no longer; somebody always does."""
    members = access.circles().members(desks().store.circle(desk))
    phone = request.form.get("phone", "")
    adds = request.form.get("directs") == "1"
    if phone not in {member.phone for member in members}:
        raise forms.BadForm(_("そのスマホはサークルにいません。"))

    def decide(view: DeskView) -> Sequence[DeskEntry]:
        if not adds and view.evening.directors <= {phone}:
            raise forms.BadForm(_("ディレクターが1人は必要です。"))
        return (DirectorNamed(phone, adds),) if (phone in view.evening.directors) != adds else ()

    frame.press(desk, decide)
    return htmx.go_to(url_for(".phones", desk=desk))


@bp.get("/desk/screen")
def screen() -> Response:
    """The projector of this evening's desk."""
    circle = access.circle()
    found = desks().store.current(circle) if circle else None
    target = url_for(".desk") if found is None else url_for("desk_shown.screen", desk=found)
    return Response("", 303, {"Location": target})
