"""The table page: the open cards, the pad, and the answer to each entry."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from types import MappingProxyType
from typing import TypeVar

from flask import Blueprint, Response, abort, current_app, request, url_for

from referee.core.compare import broken
from referee.core.corrections import NO_PLAYS
from referee.core.infractions import undecided
from referee.core.record import Unreadable
from referee.core.sheets import TableSheet, stopped
from referee.core.standing import Standing
from referee.core.verdict import Seat, Unprovable
from referee.http import access, errors, forms, htmx, language
from referee.http.assets import YEAR_SECONDS
from referee.http.current import book_at, ledger
from referee.http.game_templates import drawn
from referee.http.language import gettext as _
from referee.http.replies import Reply, replying
from referee.insight.review import seen_before
from referee.ledger import Answer, NotYours, StaleTable, View
from referee.rulings import sentences
from referee.screens import screen
from referee.screens.band import TableBand
from referee.screens.base import Strip
from referee.screens.pad import UNTAPPED, query
from referee.screens.wording import size, won
from referee.store import NoSuchMatch
from referee.web.desk import at_table
from referee.web.table import message, spoken
from referee.web.table.aloud import aloud
from referee.web.table.dealing import how_to_deal
from referee.web.table.proven import Proven, proven
from referee.web.table.table_page import Keyless, Links, TablePage

bp = Blueprint("tables", __name__)

T = TypeVar("T")

UNDO_SECONDS = 10
"""How long the strip offers to undo the last entry; the bar always does."""
ALONE = "alone"
"""The cookie with the match that this phone opened last for scores alone."""
MARKS, MARKS_SEEN = "marks", 6
"""The cookie of a phone that has seen what the marks mean, set at a table with so many entries."""


def last_by_sheet(view: View) -> bool:
    """Whether the last deal in force was entered by its sheet; without a deal, whether any entry
    was; without an entry, whether this phone has opened the table for scores alone.
    """
    last = view.moment.step
    if last is None and not view.seq:
        return request.cookies.get(ALONE) == view.match
    if last is None:
        return any(isinstance(entry, TableSheet) for entry in view.log.entries)
    return isinstance(last.play, TableSheet)


def form_key() -> str:
    """An idempotency key for the forms of one page.

    It only has to differ from the others of its match. Hexadecimal digits compress well.
    """
    return secrets.token_hex(7)


@bp.get("/t/<match>")
def table(match: str) -> Response:
    """The table page; ``?was=``: the last entry when a play of several taps was begun."""
    view = ledger().view(match)
    if last_by_sheet(view) and not (view.to_act or request.args or htmx.wants_partial()):
        return htmx.go_to(url_for("sheets.table", match=match))
    passed = request.args.get("was", view.seq, type=int) < view.seq
    response = page(view, clash=message.FasterPhone() if passed else None)
    response.status_code = 200
    return response


@bp.post("/t/<match>/play")
def play(match: str) -> Response:
    declared = forms.declared()
    try:
        made = attempted(lambda: declare(match, declared), page, declared)
    except Unreadable as unread:
        if hand := request.form.get("hand"):
            return _hand(ledger().view(match), hand, forms.sentence(unread), 400)
        raise
    if isinstance(made, Response):
        return made
    answer, line = made
    if answer.seq is None:
        if hand := request.form.get("hand"):
            return _hand(answer.view, hand, message.refused(answer, line, False).text)
        if isinstance(answer.verdict, Unprovable):
            return page(answer.view, clash=message.FasterPhone(declares=True))
        can_overrule = ledger().can_overrule(answer.view, line)
        laid_open = request.form.get("open") == "1"
        refused = answer.view.grammar.parse(line)
        return page(
            answer.view,
            message.refused(answer, line, can_overrule, laid_open),
            begun=screen(answer.view.game.NAME).begun(refused),
        )
    return _done(answer)


@bp.get("/t/<match>/play")
def after_refusal(match: str) -> Response:
    """Redirect to the table: a refused play was reloaded, or a seat was tapped on that page."""
    return htmx.go_to(url_for("tables.table", match=match, seat=request.args.get("seat")))


@bp.post("/t/<match>/undo")
def undo(match: str) -> Response:
    return taken_back(match, page, _done)


def taken_back(
    match: str, page: Callable[..., Response], done: Callable[[Answer], Response]
) -> Response:
    """Undo the last entry; ``page`` renders the table if that is not possible."""
    made = attempted(
        lambda: ledger().undo(match, forms.seen(), forms.key(), standing=access.standing), page
    )
    return made if isinstance(made, Response) else done(made)


def attempted(
    work: Callable[[], T], page: Callable[..., Response], declared: forms.Declared | None = None
) -> T | Response:
    """The result of ``work``; if nothing was recorded, the reason as rendered by ``page``.

    409 if another phone was faster than what was ``declared``, 403 if this phone may not do it.
    """
    try:
        return work()
    except StaleTable as stale:
        if declared is None:
            return page(stale.view, clash=message.FasterPhone())
        return page(stale.view, clash=message.clash(stale.view, declared.seen, declared.lines[0]))
    except NotYours as fault:
        return page(fault.view, message.barred(fault), status=403)


@bp.get("/t/<match>/live")
def live(match: str) -> Response:
    """The position of the table (see ``Extent``), for pages that poll.

    Behind the bridge, a client that requests events gets a stream of these numbers; see
    `referee.server.live`.
    """
    extent = ledger().store.extent(match)
    if extent is None:
        raise NoSuchMatch(match)
    ledger().contacts.heard(match, datetime.now(UTC))
    return Response(str(extent.position), mimetype="text/plain")


@bp.get("/t/<match>/show/<seat>")
def show(match: str, seat: Seat) -> Response:
    return _hand(ledger().view(match), seat)


def _hand(view: View, seat: Seat, fault: str = "", status: int = 200) -> Response:
    """The page on which ``seat`` shows its hand; with a ``fault`` the typed text stays there."""
    there = seat in view.header.seats and view.to_act
    hand = screen(view.game.NAME).open_hand(view, seat) if there else None
    if hand is None:
        abort(404)
    return htmx.fragment(
        "table/show.html",
        view=view,
        seat=seat,
        hand=hand,
        links=links(view.match),
        key=form_key(),
        fault=fault,
        typed=request.form.get("rank", ""),
        status_code=status,
    )


def page(
    view: View,
    strip: Strip | None = None,
    clash: message.FasterPhone | None = None,
    status: int = 200,
    begun: Mapping[str, str] = MappingProxyType({}),
) -> Response:
    """The table page of ``view``; ``strip`` replaces the one about the last entry.

    ``begun``: the query for a play of which a step is done, besides that of the address.
    """
    partial, key = htmx.wants_partial(), form_key()
    there, here = access.way(view.match), access.standing(view)
    looks_on = here.role == "watching"
    access.mark_plates(here.phones, here.seat)
    wish = {**request.args.to_dict(), **begun}
    band, keyless = _band(view, here, wish)
    foul = None if strip or clash else proven(view)
    strip = strip or message.latest(view)
    shown = TablePage(
        # importing the macros in the page would cost as much as a query
        game=drawn(view.game.NAME, "table.html").module,
        view=view,
        title=book_at(view).title.in_(language.current()),
        heading=heading(view, band, here.seat),
        band=band,
        strip=strip,
        said=_said(view, strip, foul),
        links=links(view.match),
        key=key,
        can_undo=can_undo(view, here),
        undo_seconds=left_to_undo(view),
        dealing=how_to_deal(view.game, view.state) if band.phase == "deal" else None,
        partial=partial,
        you=here.seat,
        foul=foul,
        new_marks=bool(strip and strip.word) and MARKS not in request.cookies,
        clash=clash,
        streams=request.environ.get("referee.streams", False),
        back=None if keyless or view.outcome else one_tap_less(wish),
        found=bool(undecided(view.log, view.moment)),
        broken=len(broken(view.log, view.moment)),
        looks_on=looks_on,
        keyless=keyless,
        contestable=contestable(view),
        person=there.person(),
        seen_before=seen_before(view.log, view.moment, view.reviewed),
        objections=len(view.log.open_contests(view.moment)),
        door=() if looks_on else there.knocking(),
        code_out=not looks_on and there.code_is_out(),
        aloud=aloud(view, None if clash else strip, foul, _turn(band)),
        onward=access.doors().onward(view.match, access.phone()) if view.outcome else None,
        at_desk=None if partial else at_table.of_match(view.match, there),
    )
    template = "table/_table.html" if partial else "table/table.html"
    response = (htmx.part if partial else htmx.fragment)(template, **shown._asdict(), size=size)
    return _completed(response, shown, status)


def _completed(response: Response, shown: TablePage, status: int) -> Response:
    """``response`` with its status, and with what scripts and later requests are told."""
    response.status_code = 409 if shown.clash else status
    if made := reply(shown.strip, shown.clash, status):
        replying(response, made)
    if shown.new_marks and shown.view.seq >= MARKS_SEEN:
        response.set_cookie(MARKS, "1", max_age=YEAR_SECONDS, samesite="Lax", httponly=True)
    if shown.partial:
        current_app.extensions["fragments"].shorten(response, shown.key)
    return response


def _said(view: View, strip: Strip | None, foul: Proven | None) -> str:
    """The news as a screen reader says them; a refusal and a question are read as they stand."""
    if strip is None or strip.clause:
        return ""
    if foul:
        return spoken.of_foul(foul, strip, view.header.seats)
    return spoken.of_strip(strip, view.header.seats)


def reply(strip: Strip | None, clash: message.FasterPhone | None, status: int) -> Reply | None:
    """What became of an entry whose answer is a page with ``strip`` or ``clash``; None: nothing."""
    if status in errors.FINAL:
        return Reply.NEVER
    if clash:
        return Reply.ASKS if clash.mine or clash.first else Reply.STALE
    return Reply.REFUSED if strip and strip.clause else None


def _band(view: View, here: Standing, wish: Mapping[str, str]) -> tuple[TableBand, Keyless | None]:
    """The values for board and pad; with the second value they have no keys."""
    look, mode = screen(view.game.NAME), view.log.table.option("entry_mode")
    band = look.band(view, UNTAPPED if here.role == "watching" else wish)
    barred = here.keyless(mode, band.seat)
    seats = view.header.seats if view.to_act else ()
    own = tuple(seat for seat in seats if here.keyless(mode, seat) is None)
    if barred is None:
        # only the server knows whether this phone has the keys of the next seat, too
        return band if own == seats else replace(band, turns=(), alike=()), None
    facts = sentences.evidence(barred, None, book_at(view), language.current())
    return look.band(view, UNTAPPED), Keyless(sentences.says(facts, language.current()), own)


def _turn(band: TableBand) -> str:
    """Whose turn it is, or what the table is asked, as a sentence."""
    return band.asks or (_("%(name)sの手番", name=band.due) if band.due else "")


NO_TAPS = ("seat", "was", "plays")  # parts of the query that are no part of a play


def one_tap_less(wish: Mapping[str, str]) -> str | None:
    """The query before the last tap of a half-entered play, "7-7-9" for three cards of a row.

    None if no play is half-entered: ``wish`` has at most the seat of the keys.
    """
    taps = {key: value for key, value in wish.items() if value and key not in NO_TAPS}
    if not taps:
        return None
    last, value = taps.popitem()
    return query(seat=wish.get("seat", ""), **{**taps, last: value.rpartition("-")[0]})


def can_undo(view: View, here: Standing) -> bool:
    """Whether there is an entry that this phone may undo."""
    barred = here.keyless(view.log.table.option("entry_mode"))
    return barred is None and view.undo_target() is not None


def contestable(view: View) -> int | None:
    """The entry of the last play in force; None if there is none to object to."""
    last = view.moment.step
    if last is None or isinstance(view.log.entries[last.seq - 1], NO_PLAYS):
        return None
    return last.seq


def left_to_undo(view: View) -> int:
    """For how many seconds the strip still offers to undo the last entry.

    The answer to an entry follows it at once. A page, or what a phone fetches after a live update,
    can come later.
    """
    if not view.seq:
        return 0
    if request.method == "POST":
        return UNDO_SECONDS
    [last] = ledger().store.read(view.match, view.seq - 1, 1)
    age = (datetime.now(UTC) - datetime.fromisoformat(last.at)).total_seconds()
    return max(0, min(UNDO_SECONDS, UNDO_SECONDS - int(age)))


def heading(view: View, band: TableBand, you: Seat) -> str:
    """The title of the window; except between deals also the heading of the page.

    ``you``: the seat of this phone, or "".
    """
    match band.phase:
        case "end":
            ended = view.outcome
            if stopped(ended):
                return _("途中で終わり")
            return won(ended.winners, ended.losers, ended.team) if ended else won(())
        case "deal":
            return screen(view.game.NAME).pause(view)
        case _:
            if band.asks:
                return band.asks
            yours = you and band.due == you
            return _("あなたの手番") if yours else _("%(name)sの手番", name=band.due)


def declare(match: str, declared: forms.Declared) -> tuple[Answer, str]:
    """Declare one line after the other, until one is refused; returns the last answer and line.

    The second line gets the key of the form with ".1", and so on, so that a repetition is found.
    """
    for i, line in enumerate(declared.lines):
        key = f"{declared.key}.{i}" if i else declared.key
        answer = ledger().declare(
            match,
            line,
            declared.seen + i,
            key,
            overrule=declared.overrule,
            undeclared=declared.undeclared,
            standing=access.standing,
        )
        if answer.seq is None:
            break
    return answer, line


def _done(answer: Answer) -> Response:
    """The table after an entry was recorded."""
    if htmx.wants_partial():
        return replying(page(answer.view), Reply.RECORDED)
    return htmx.go_to(links(answer.view.match).table)


@lru_cache(maxsize=256)
def links(match: str) -> Links:
    def to(endpoint: str) -> str:
        return url_for(endpoint, match=match)

    return Links(
        table=to("tables.table"),
        play=to("tables.play"),
        undo=to("tables.undo"),
        live=to("tables.live"),
        log=to("entries.log"),
        score=to("scores.score"),
        result=to("scores.result"),
        rules=to("rules.at_table"),
        join=to("join.table"),
        door=to("join.door"),
        menu=to("menu.menu"),
    )
