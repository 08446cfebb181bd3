"""Scores alone: a match whose deals are entered as their sheets, and the pad on which that is done.

What is being entered is in the address of the page: ``sheet`` is the draft, ``at`` the row whose
turn it is, ``no`` a word that could not be (see ``referee.screens.sheet_pad``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from flask import Blueprint, Response, current_app, g, request, url_for

from referee.core.log import depth, steps
from referee.core.ranking import Rank
from referee.core.ranking import ranking as by_points
from referee.core.sheets import TableSheet, stopped
from referee.core.verdict import Illegal, Seat
from referee.desk import NotYours, StaleTable, View
from referee.history.records import noon_of
from referee.rulings import sentences
from referee.rulings.of_files import book_of
from referee.screens import screen, sheet_pad
from referee.screens.base import Strip
from referee.screens.pad import query
from referee.screens.sheet_pad import CLOSED, Draft, SheetKey, SheetRow
from referee.screens.wording import size, won
from referee.web.http import access, forms, htmx, language
from referee.web.http.current import desk
from referee.web.http.current import game as game_named
from referee.web.http.game_templates import drawn
from referee.web.http.language import gettext as _
from referee.web.table import equipment, message, tables
from referee.web.table.dealing import how_to_deal

bp = Blueprint("sheets", __name__)

PLACE = 80  # characters of the place of a game that was played before


class Deal(NamedTuple):
    """A deal of the match: its points by seat. ``seq``: the entry of its sheet, None if it was
    recorded card by card.
    """

    number: int
    points: Mapping[Seat, int]
    seq: int | None


class Row(NamedTuple):
    """A row of the pad as the page shows it. ``to``: the query that brings the cursor here."""

    row: SheetRow
    words: tuple[str, ...]
    closed: bool
    here: bool
    to: str
    says: str
    points: int | None


class Key(NamedTuple):
    """A key of the pad: what a tap leads to, and whether the game allows it."""

    key: SheetKey
    to: str
    off: bool


class Entry(NamedTuple):
    """What is being entered. ``line`` is recorded in the end, "" while something is missing.

    ``keys``: by their words. ``row``: where the cursor is, None when every row is done. ``close``
    says that the row has no more words, ``back`` takes the last word away; "": nothing to do.
    """

    rows: list[Row]
    row: SheetRow | None
    keys: dict[str, Key]
    columns: Any
    close: str
    back: str
    missing: int
    line: str
    totals: list[tuple[Seat, int]]


@bp.get("/t/<match>/sheet")
def table(match: str) -> Response:
    view = desk().view(match)
    passed = request.args.get("was", view.seq, type=int) < view.seq
    response = page(view, clash=message.Clash() if passed else None)
    response.status_code = 200
    return response


@bp.post("/t/<match>/sheet/play")
def play(match: str) -> Response:
    """Record a sheet, or whatever else a key of the page says."""
    told = forms.told()
    try:
        answer, line = tables.declare(match, told)
    except StaleTable as stale:
        return page(stale.view, clash=message.clash(stale.view, told.seen, told.lines[0]))
    except NotYours as fault:
        return page(fault.view, message.barred(fault), status=403)
    if answer.seq is None:
        can_overrule = desk().can_overrule(answer.view, line)
        return page(answer.view, message.refused(answer, line, can_overrule))
    return _done(answer.view)


@bp.get("/t/<match>/sheet/play")
def after_refusal(match: str) -> Response:
    """The page, for who reloads a refusal."""
    return htmx.go_to(url_for("sheets.table", match=match))


@bp.post("/t/<match>/sheet/undo")
def undo(match: str) -> Response:
    try:
        answer = desk().undo(match, forms.seen(), forms.key(), standing=access.standing)
    except StaleTable as stale:
        return page(stale.view, clash=message.Clash())
    except NotYours as fault:
        return page(fault.view, message.barred(fault), status=403)
    return _done(answer.view)


def chosen(game: str) -> bool | None:
    """Whether the form of a new table asks for scores alone; None for a game without sheets.

    Before it says so itself: whether the newest match of this phone's group has sheets.
    """
    if game_named(game).HOOKS.sheet is None:
        return None
    if request.method == "POST":
        return request.form.get("scores") == "1"
    circle = access.circle()
    newest = access.circles().matches(circle, 1) if circle else []
    return any(
        isinstance(step.play, TableSheet)
        for view in desk().views([row.id for row in newest])
        for step in steps(view.moment.step)
    )


def past(form: Mapping[str, str]) -> dict[str, str]:
    """The header's ``date`` and ``place`` where the form says that the game was played before."""
    day, place = form.get("played", ""), " ".join(form.get("place", "").split())[:PLACE]
    earlier = noon_of(day) and day < date.today().isoformat()
    return ({"date": day} if earlier else {}) | ({"place": place} if place else {})


def begin(view: View, leader: Seat) -> Response:
    """Off to the pad for the first sheet of a new table."""
    for seen, entry in enumerate(equipment.brought_along(view)):
        desk().declare(view.match, view.grammar.print(entry), seen, tables.form_key())
    return htmx.go_to(url_for("sheets.table", match=view.match, sheet=";", leader=leader))


def page(
    view: View,
    strip: Strip | None = None,
    clash: message.Clash | None = None,
    status: int = 200,
) -> Response:
    """The match as a sheet of paper has it and, where a deal may begin, the pad for the next."""
    partial, key = htmx.wants_partial(), tables.form_key()
    ended = view.outcome
    links = tables.links(view.match)
    phase = "end" if ended else "trick" if view.to_act else "deal"
    enters = phase == "deal" and "sheet" in request.args and view.game.HOOKS.sheet is not None
    entry = _entry(view, request.args) if enters else None
    refused = _refused(view, entry) if entry else None
    told = sentences.outcome(ended, book_of(view.game), language.current()) if ended else ""
    look = screen(view.game.NAME)
    there = access.way(view.match)
    g.seated = access.standing(view).phones
    number = view.state.deal + (phase == "deal")
    heading = (
        won(ended.winners, ended.losers)
        if ended
        else (_("得点表") if look.one_deal else look.deal(number))
    )
    if ended and stopped(ended):
        heading = _("途中で終わり")
    response = (htmx.part if partial else htmx.fragment)(
        "_scores.html" if partial else "scores.html",
        partial=partial,
        view=view,
        title=book_of(view.game).title.in_(language.current()),
        heading=heading,
        phase=phase,
        number=number,
        look=look,
        band={"told": told},
        deals=deals(view),
        ranking=ranking(view),
        leader=_leader(view) if phase == "deal" else "",
        entry=entry,
        game=drawn(view.game.NAME, "table.html").module,
        drawn=drawn(view.game.NAME, "sheet.html").module if entry else None,
        strip=refused or strip or message.latest(view),
        clash=clash,
        links=links,
        key=key,
        streams=request.environ.get("referee.streams", False),
        can_undo=view.undo_target() is not None,
        undo_seconds=tables.UNDO_SECONDS if partial else tables.left_to_undo(view),
        objections=len(view.log.open_contests(view.moment)),
        dealing=how_to_deal(view) if phase == "deal" and not entry else None,
        size=size,
        looks_on=there.role() == "watching",
    )
    response.status_code = 409 if clash else status
    if partial:
        current_app.extensions["fragments"].shorten(response, key)
    return response


def _done(view: View) -> Response:
    """The page after what was recorded; the header says so to static/js/taps.js."""
    if htmx.wants_partial():
        response = page(view)
        response.headers["X-Recorded"] = str(view.seq)
        return response
    return htmx.go_to(url_for("sheets.table", match=view.match))


def deals(view: View) -> list[Deal]:
    """Every deal that has been finished, and what everybody has made of it."""
    found = {number: dict.fromkeys(view.header.seats, 0) for number in _numbers(view)}
    for line in view.game.score(view.state).lines:
        found.setdefault(line.deal, dict.fromkeys(view.header.seats, 0))[line.seat] += line.points
    told = {
        step.state.deal: step.seq
        for step in steps(view.moment.step)
        if isinstance(step.play, TableSheet) and step.depth > depth(step.before)
    }
    return [Deal(number, points, told.get(number)) for number, points in sorted(found.items())]


def _numbers(view: View) -> range:
    return range(1, view.state.deal + (not view.to_act))


def ranking(view: View) -> dict[Seat, Rank]:
    """Everybody's points and place."""
    return {
        rank.seat: rank
        for rank in by_points(view.header.seats, view.game.score(view.state), view.outcome)
    }


def _leader(view: View) -> Seat:
    """Who leads or deals next, where that is decided; else ""."""
    leaders = {
        getattr(play, "leader", None)
        for play in view.game.candidates(view.state)
        if view.grammar.print(play).startswith("table deal")
    }
    return (leaders.pop() or "") if len(leaders) == 1 else ""


def _entry(view: View, wish: Mapping[str, str]) -> Entry:
    pad = screen(view.game.NAME).sheet_pad
    rows = pad.rows(view)
    draft = sheet_pad.read(wish.get("sheet", ""), pad, rows, view)
    if wish.get("leader") in view.header.seats and rows[0].key == "leader" and not draft[0]:
        draft = ((str(view.header.seats.index(wish["leader"])),), *draft[1:])
    asked = _row(wish.get("at", ""), rows)
    at = sheet_pad.cursor(rows, draft, asked or 0)
    if asked is not None and wish.get("edit"):
        at = asked
    return _drawn(view, rows, draft, at)


def _row(number: str, rows: Sequence[SheetRow]) -> int | None:
    """The row of this number, counted from 0; None if there is none."""
    numbers = [str(i) for i in range(len(rows))]
    return numbers.index(number) if number in numbers else None


def _drawn(view: View, rows: tuple[SheetRow, ...], draft: Draft, at: int) -> Entry:
    pad = screen(view.game.NAME).sheet_pad
    lines = pad.arithmetic(view, draft)
    points = sheet_pad.points(lines, view.header.seats)
    rules, tongue = book_of(view.game), language.current()
    shown = []
    for i, (row, words) in enumerate(zip(rows, draft, strict=True)):
        own = [line for line in lines if line.seat == row.seat]
        says = " ".join(
            sentences.says(sentences.told(line.evidence, rules, tongue), tongue) for line in own
        )
        closed = words[-1:] == (CLOSED,)
        shown.append(
            Row(
                row,
                words[:-1] if closed else words,
                closed,
                i == at,
                _query(draft, i),
                says,
                points[row.seat] if row.seat is not None and lines else None,
            )
        )
    keys: dict[str, Key] = {}
    if at >= 0 and not sheet_pad.done(rows[at], draft[at]):
        keys = {key.word: _key(view, rows, draft, at, key) for key in _keys(view, rows, draft, at)}
    verdict, missing = pad.verdict(view, draft), sheet_pad.missing(rows, draft)
    whole = not missing and not isinstance(verdict, Illegal)
    columns = getattr(pad, "columns", None)
    return Entry(
        shown,
        rows[at] if at >= 0 else None,
        keys,
        columns(view, draft, at) if columns and keys and not rows[at].seats else None,
        _closing(rows, draft, at),
        _back(draft, at),
        missing,
        view.grammar.print(pad.told(view, rows, draft)) if whole else "",
        list(points.items()) if lines else [],
    )


def _query(draft: Draft, at: int, no: str = "") -> str:
    return query(sheet=sheet_pad.written(draft) or ";", at=str(at), no=no)


def _keys(view: View, rows: tuple[SheetRow, ...], draft: Draft, at: int) -> list[SheetKey]:
    if rows[at].seats:
        taken = set(draft[at])
        seats = enumerate(view.header.seats)
        return [SheetKey(str(i), seat) for i, seat in seats if str(i) not in taken]
    return screen(view.game.NAME).sheet_pad.keys(view, draft, at)


def _key(view: View, rows: tuple[SheetRow, ...], draft: Draft, at: int, key: SheetKey) -> Key:
    pad = screen(view.game.NAME).sheet_pad
    after = sheet_pad.put(draft, at, pad.tapped(draft[at], key.word))
    if (key.copies and not key.left) or pad.possible(view, after):
        return Key(key, _query(draft, at, key.word), True)
    return Key(key, _query(after, sheet_pad.cursor(rows, after, at)), False)


def _closing(rows: tuple[SheetRow, ...], draft: Draft, at: int) -> str:
    """The query of the tap that says: nothing more in this row."""
    if at < 0 or sheet_pad.done(rows[at], draft[at]) or not (rows[at].none or draft[at]):
        return ""
    after = sheet_pad.put(draft, at, (*draft[at], CLOSED))
    return _query(after, sheet_pad.cursor(rows, after, at))


def _back(draft: Draft, at: int) -> str:
    """The query of the tap that takes the last word back."""
    count = len(draft)
    start = at if at >= 0 else count - 1
    order = [i for i in (*range(start, -1, -1), *range(count - 1, start, -1)) if draft[i]]
    if not order:
        return ""
    i = order[0]
    return _query(sheet_pad.put(draft, i, draft[i][:-1]), i)


def _refused(view: View, entry: Entry) -> Strip | None:
    """Why a tapped word can't be; why a sheet on which nothing is missing can't."""
    pad = screen(view.game.NAME).sheet_pad
    rows = pad.rows(view)
    draft = sheet_pad.read(request.args.get("sheet", ""), pad, rows, view)
    no, i = request.args.get("no", ""), _row(request.args.get("at", "0"), rows)
    if i is not None and sheet_pad.read(no, pad, [rows[i]], view) == ((no,),):
        draft = sheet_pad.put(draft, i, pad.tapped(draft[i], no))
        verdict = pad.possible(view, draft)
        head = no
    elif not entry.missing and not entry.line:
        verdict, head = pad.verdict(view, draft), _("この得点表は記録できません")
    else:
        return None
    if not isinstance(verdict, Illegal):
        return None
    facts = sentences.evidence(verdict, None, book_of(view.game), language.current())
    return Strip("illegal", head, sentences.says(facts, language.current()), clause=verdict.clause)
