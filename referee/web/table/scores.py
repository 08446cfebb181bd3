"""Matches by scores alone: deals are entered by their sheets (``sheet_entry`` has the pad)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from flask import Blueprint, Response, current_app, request, url_for

from referee.core.ranking import Rank
from referee.core.ranking import ranking as by_points
from referee.core.sheets import TableSheet, stopped
from referee.core.steps import steps
from referee.core.verdict import Seat
from referee.core.written import Points
from referee.history.records import noon_of
from referee.http import access, forms, guarded, htmx, language
from referee.http.current import book_at, ledger
from referee.http.current import game as game_named
from referee.http.game_templates import drawn
from referee.http.language import gettext as _
from referee.http.local_time import today, zone
from referee.http.replies import Reply, replying
from referee.ledger import StaleTable, View
from referee.rulings import sentences
from referee.screens import screen
from referee.screens.band import TableBand
from referee.screens.base import Strip
from referee.screens.wording import size, won
from referee.web.desk import at_table
from referee.web.site.last_time import latest
from referee.web.table import equipment, message, sheet_entry, spoken, tables
from referee.web.table.aloud import aloud
from referee.web.table.dealing import how_to_deal
from referee.web.table.sheet_entry import DRAFT

bp = Blueprint("sheets", __name__)

PLACE = 80  # characters of the place of an earlier game


class RecordedDeal(NamedTuple):
    """A deal of the match: its points by seat.

    ``seq``: the entry of its sheet, None if it was recorded card by card.
    """

    number: int
    points: Mapping[Seat, Points]
    seq: int | None


@bp.get("/t/<match>/sheet")
def table(match: str) -> Response:
    """Page of the scores; ``?was=``: the last entry when the draft in the address was begun.

    The draft stays as long as its deal is still to be entered. A game without sheets has its table.
    """
    view = ledger().view(match)
    if not view.game.HOOKS.sheet:
        return htmx.go_to(url_for("tables.table", match=match))
    was = request.args.get("was", view.seq, type=int)
    passed = 0 <= was < view.seq
    over = passed and view.before(was + 1).state.deal != view.state.deal
    asked = {} if over and not request.args.get("instead") else request.args
    response = page(view, clash=message.FasterPhone() if passed else None, asked=asked)
    response.status_code = 200
    return response


@bp.post("/t/<match>/sheet/play")
def play(match: str) -> Response:
    """Record a sheet, or the entry of another key of the page."""
    declared, asked = forms.declared(), None
    if declared.lines[0].startswith(DRAFT):
        asked = draft = _asked(declared)
        requested = tables.attempted(lambda: _requested(match, declared, draft), page, declared)
        if isinstance(requested, Response):
            return requested
        line = requested.spot.line(requested.sheet())
        if declared.seen == requested.spot.view.seq == ledger().view(match).seq:
            stays = _stays(match, requested, line, asked)
            if stays:
                return stays
        declared = declared._replace(lines=(line,))
    made = tables.attempted(lambda: tables.declare(match, declared), page, declared)
    if isinstance(made, Response):
        return made
    answer, line = made
    if answer.seq is None:
        can_overrule = not asked and ledger().can_overrule(answer.view, line)
        return page(answer.view, message.refused(answer, line, can_overrule), asked=asked)
    return _done(answer.view)


def _asked(declared: forms.Declared) -> dict[str, str]:
    """The draft that the button of the pad sent, as parameters of the page's address."""
    sheet = declared.lines[0].removeprefix(DRAFT)
    return {"sheet": sheet, "instead": request.form.get("instead", "")}


def _requested(
    match: str, declared: forms.Declared, asked: Mapping[str, str]
) -> sheet_entry.SheetRequest:
    """The draft on the match as its phone had seen it, so that a repetition gives the same entry.

    Raises ``StaleTable`` if no deal can be entered there.
    """
    view = ledger().view(match)
    spot = sheet_entry.spot(
        view.before(declared.seen + 1) if declared.seen < view.seq else view, asked["instead"]
    )
    if spot is None:
        raise StaleTable(view)
    return sheet_entry.read(spot, asked)


def _stays(
    match: str, requested: sheet_entry.SheetRequest, line: str, asked: Mapping[str, str]
) -> Response | None:
    """The pad again if the draft can't be recorded, or the preview of a correction; else None."""
    view = ledger().view(match)
    if sheet_entry.incomplete(requested):
        return page(view, asked=asked)
    first = sheet_entry.shown_first(requested.spot, line)
    if first and htmx.wants_partial():
        return page(view, clash=message.FasterPhone(first=first), asked=asked)
    return htmx.go_to(first) if first else None


@bp.get("/t/<match>/sheet/play")
def after_refusal(match: str) -> Response:
    """Redirect to the page: a refused entry was reloaded."""
    return htmx.go_to(url_for("sheets.table", match=match))


@bp.post("/t/<match>/sheet/undo")
def undo(match: str) -> Response:
    return tables.taken_back(match, page, lambda answer: _done(answer.view))


def chosen(game: str) -> bool | None:
    """Whether the form of a new table selects scores alone; None for a game without sheets.

    If the form does not say it: whether the match that is played again has sheets, else the newest
    one of this phone's circle.
    """
    if game_named(game).HOOKS.sheet is None:
        return None
    if request.method == "POST":
        return request.form.get("scores") == "1"
    like = request.args.get("like")
    matches = [like] if like else [row.id for row in latest(1)]
    return any(guarded.each(matches, _has_sheets).values())


def _has_sheets(view: View) -> bool:
    return any(isinstance(step.play, TableSheet) for step in steps(view.moment.step))


def past(form: Mapping[str, str]) -> dict[str, str]:
    """The header's ``date`` and ``place``, if the form says that the game was played earlier."""
    day, place = form.get("played", ""), " ".join(form.get("place", "").split())[:PLACE]
    earlier = day and day != today().isoformat()
    return ({"date": day} if earlier else {}) | ({"place": place} if place else {})


def wrong_day(game: str) -> str:
    """Why a game cannot have been played on the day in the form; "" if it can."""
    typed = request.form.get("played", "")
    if not typed or not chosen(game):
        return ""
    if not noon_of(typed, zone()):
        return _("遊んだ日は、1900年1月1日からきょうまでの日付にしてください。")
    if typed > today().isoformat():
        return _("遊んだ日が、きょうより後になっています。日付を直してください。")
    return ""


def begin(view: View, leader: Seat) -> Response:
    """Redirect to the pad for the first sheet of a new table."""
    for seen, entry in enumerate(equipment.brought_along(view)):
        ledger().declare(view.match, view.grammar.print(entry), seen, tables.form_key())
    response = htmx.go_to(url_for("sheets.table", match=view.match, sheet=";", leader=leader))
    # nothing is recorded yet: without it, the table would come back as one of cards
    response.set_cookie(tables.ALONE, view.match, samesite="Lax", httponly=True)
    return response


def page(
    view: View,
    strip: Strip | None = None,
    clash: message.FasterPhone | None = None,
    status: int = 200,
    asked: Mapping[str, str] | None = None,
) -> Response:
    """The match as a table of scores and, if ``asked`` has a draft, the pad for it."""
    partial, key = htmx.wants_partial(), tables.form_key()
    ended = view.outcome
    phase = "end" if ended else "trick" if view.to_act else "deal"
    there, here = access.way(view.match), access.standing(view)
    keyless = here.keyless(view.log.table.option("entry_mode")) is not None
    asked = {} if keyless else asked or {}
    entry = _entry(view, asked) if asked.keys() & {"sheet", "instead"} else None
    said = sentences.outcome(ended, book_at(view), language.current()) if ended else ""
    access.mark_plates(here.phones)
    number = view.state.deal + (phase == "deal")
    shown = (entry and entry.refused) or strip or message.latest(view)
    response = (htmx.part if partial else htmx.fragment)(
        "table/_scores.html" if partial else "table/scores.html",
        partial=partial,
        view=view,
        title=book_at(view).title.in_(language.current()),
        heading=_heading(view, number, entry),
        phase=phase,
        number=number,
        screen=screen(view.game.NAME),
        band=TableBand(result=said),
        deals=deals(view),
        ranking=ranking(view),
        leader=_leader(view) if phase == "deal" and not (entry and entry.instead) else "",
        entry=entry,
        game=drawn(view.game.NAME, "table.html").module,
        drawn=drawn(view.game.NAME, "sheet.html").module if entry else None,
        strip=shown,
        said=spoken.of_strip(shown, view.header.seats) if shown and not shown.clause else "",
        aloud=None if entry else aloud(view, None if clash else shown),
        clash=clash,
        links=tables.links(view.match),
        key=key,
        streams=request.environ.get("referee.streams", False),
        can_undo=tables.can_undo(view, here),
        undo_seconds=tables.left_to_undo(view),
        objections=len(view.log.open_contests(view.moment)),
        dealing=how_to_deal(view.game, view.state) if phase == "deal" and not entry else None,
        size=size,
        looks_on=here.role == "watching",
        keyless=keyless,
        contestable=tables.contestable(view),
        person=there.person(),
        onward=access.doors().onward(view.match, access.phone()) if ended else None,
        at_desk=None if partial else at_table.of_match(view.match, there),
    )
    response.status_code = 409 if clash and not clash.first else status
    if made := tables.reply(strip, clash, status):
        replying(response, made)
    if partial:
        current_app.extensions["fragments"].shorten(response, key)
    return response


def _heading(view: View, number: int, entry: sheet_entry.SheetEntry | None) -> str:
    """The heading of the page; ``number``: the deal that is running or comes next, from 1."""
    if entry and entry.instead:
        return _("記録%(number)sを訂正", number=entry.instead)
    if ended := view.outcome:
        return _("途中で終わり") if stopped(ended) else won(ended.winners, ended.losers, ended.team)
    look = screen(view.game.NAME)
    return _("得点表") if look.one_deal else look.deal(number)


def _entry(view: View, asked: Mapping[str, str]) -> sheet_entry.SheetEntry | None:
    spot = sheet_entry.spot(view, asked.get("instead", ""))
    return sheet_entry.drawn(sheet_entry.read(spot, asked), asked) if spot else None


def _done(view: View) -> Response:
    """The page after an entry was recorded."""
    if htmx.wants_partial():
        return replying(page(view), Reply.RECORDED)
    return htmx.go_to(url_for("sheets.table", match=view.match))


def deals(view: View) -> list[RecordedDeal]:
    """Every deal that has begun, with the points of all seats."""
    if not view.state.deal:
        return []
    none: dict[Seat, Points] = dict.fromkeys(view.seats, 0)
    over = range(1, view.state.deal + (not view.to_act))
    found = {number: dict(none) for number in over}
    for line in view.game.score(view.state).lines:
        found.setdefault(line.deal, dict(none))[line.seat] += line.points
    by_sheet = {step.state.deal: step.seq for step in steps(view.moment.step) if step.by_sheet}
    return [
        RecordedDeal(number, points, by_sheet.get(number))
        for number, points in sorted(found.items())
    ]


def ranking(view: View) -> dict[Seat, Rank]:
    """Points and place of every seat."""
    return {
        rank.seat: rank
        for rank in by_points(view.present, view.game.score(view.state), view.outcome)
    }


def _leader(view: View) -> Seat:
    """The seat that leads or deals next, if the rules decide it; else ""."""
    leaders = {
        getattr(play, "leader", None)
        for play in view.game.candidates(view.state)
        if view.grammar.print(play).startswith("table deal")
    }
    return (leaders.pop() or "") if len(leaders) == 1 else ""
