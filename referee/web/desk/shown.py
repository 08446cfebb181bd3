"""What others see of the evening: a player's own page, the projector, the prints, the stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flask import Blueprint, Response, url_for
from markupsafe import Markup

from referee.core.naming import skeleton
from referee.desk import DeskView
from referee.http import access, forms, htmx
from referee.tonight import asking
from referee.tonight.evening import EveningRound, RoundTable
from referee.web.desk import frame, standings
from referee.web.table.join import qr_code

bp = Blueprint("desk_shown", __name__)

LINES = 18
"""Lines of the projector, in two halves; and people of the standing on one screen."""
TURN_SECONDS = 10


class NameLine(NamedTuple):
    """Where a person sits; ``table`` "": sits out."""

    name: str
    table: str


class Slip(NamedTuple):
    """A table with the QR code that opens it."""

    table: RoundTable
    code: Markup


@bp.get("/desk/<int(max=999999999):desk>/me")
def mine(desk: int) -> Response:
    """The table of this phone's person; without one, the list to tick oneself."""
    found = frame.shown(desk)
    me = found.evening.phones.get(access.phone())
    if me is None:
        return htmx.go_to(url_for("checkin.page", desk=desk))
    rounds = found.evening.published
    last = rounds[-1] if rounds else None
    rows = dict(asking.ranked(found.evening, frame.names_of(found)))
    return frame.page(
        "desk/mine.html",
        found,
        person=me,
        round=last,
        table=last.of(me) if last else None,
        row=rows.get(me),
        met=found.evening.meetings(),
        fraction=standings.fraction,
    )


def by_name(found: DeskView, round_: EveningRound) -> list[NameLine]:
    """Everybody of a round in alphabetical order: a person looks for the own name."""
    lines = [
        NameLine(frame.name_of(found, person), table.table)
        for table in round_.tables
        for person in table.people
    ]
    lines += [NameLine(frame.name_of(found, person), "") for person in round_.idle]
    return sorted(lines, key=lambda line: (skeleton(line.name), line.name))


@bp.get("/desk/<int(max=999999999):desk>/screen")
def screen(desk: int) -> Response:
    """The projector: without keys, its pages turn by themselves; ``?page=`` from 0."""
    found = frame.shown(desk)
    rounds = found.evening.published
    pages: list[tuple[str, Sequence[object]]] = []
    if rounds:
        lines = by_name(found, rounds[-1])
        pages += [("names", part) for part in _parts(lines)]
    rows = [row for _, row in asking.ranked(found.evening, frame.names_of(found))]
    if found.evening.shows_standing and any(row.played for row in rows):
        pages += [("standing", part) for part in _parts(rows)]
    at = (forms.number("page") or 0) % max(len(pages), 1)
    kind, part = pages[at] if pages else ("", ())
    half = (len(part) + 1) // 2
    return frame.page(
        "desk/screen.html",
        found,
        round=rounds[-1] if rounds else None,
        kind=kind,
        halves=[part[:half], part[half:]],
        at=at,
        pages=len(pages),
        turn=TURN_SECONDS,
        missing=standings.missing(found),
        fraction=standings.fraction,
    )


def _parts(lines: Sequence[object]) -> list[Sequence[object]]:
    """The lines, as many as fit a screen at a time, in equal parts."""
    screens = -(-len(lines) // LINES)
    size = -(-len(lines) // screens) if screens else 0
    return [lines[at : at + size] for at in range(0, len(lines), size or 1)]


@bp.get("/desk/<int(max=999999999):desk>/print")
def printed(desk: int) -> Response:
    """Lists by name and by table, and a result slip for each table."""
    found = frame.shown(desk)
    number = forms.number("round") or len(found.evening.published)
    round_ = frame.round_of(found, number)
    slips = []
    for table in round_.tables:
        address = url_for(
            "running.table", desk=desk, number=number, table=table.table, _external=True
        )
        slips.append(Slip(table, qr_code(address)))
    return frame.page(
        "desk/print.html", found, round=round_, lines=by_name(found, round_), slips=slips
    )


@bp.get("/desk/<int(max=999999999):desk>/live")
def live(desk: int) -> Response:
    """The number of the last entry; the server answers with a stream of them if asked for one."""
    return Response(str(frame.shown(desk).seq), mimetype="text/plain")
