"""The menu page of a table: pending questions, how to deal, people, rules, stopping."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for

from referee.core import adjusting
from referee.core.clusters import cut
from referee.core.naming import clean_name
from referee.core.sheets import Stop
from referee.http import access, forms, htmx, sure
from referee.http.current import book_at, ledger
from referee.http.language import gettext as _
from referee.ledger import View
from referee.screens import screen
from referee.screens.base import Strip
from referee.store.broadcasts import Broadcasts
from referee.web.desk import at_table
from referee.web.table import claiming, message, tables
from referee.web.table.dealing import how_to_deal
from referee.web.table.message import FasterPhone

bp = Blueprint("menu", __name__)

REASON = 60  # characters


@bp.get("/t/<match>/menu")
def menu(match: str) -> Response:
    """The menu page 「卓」."""
    view = ledger().view(match)
    there = access.way(match)
    return htmx.fragment(
        "table/menu.html",
        view=view,
        book=book_at(view),
        screen_of=screen(view.game.NAME),
        objections=view.log.open_contests(view.moment),
        dealing=how_to_deal(view.game, view.state),
        phones=len(there.inside()),
        watching=there.role() == "watching",
        over=view.outcome is not None,
        house_rules=len(view.header.options),
        hosting=there.hosts(),
        hidden=access.hidden().has(match),
        adjusts=adjusting.possible(view.game, view.log.table),
        claims=claiming.claims_here(view),
        comes_and_goes=view.grammar.joining,
        at_desk=at_table.place_of(match, there),
        aired=Broadcasts(ledger().store).of(match) is not None,
    )


@bp.get("/t/<match>/hide")
def before_hiding(match: str) -> Response:
    """Page that asks before the match is hidden."""
    return sure.ask(
        _("このゲームを一覧から外しますか"),
        _(
            "ホームと履歴の一覧に出なくなり、成績にも数えません。記録は何も消えず、"
            "「一覧から外したゲーム」からいつでも戻せます。"
        ),
        _("一覧から外す"),
        url_for(".hide", match=match),
        url_for(".menu", match=match),
    )


@bp.post("/t/<match>/hide")
def hide(match: str) -> Response:
    """Hide the match for everybody in its circle."""
    access.hidden().put_away(match)
    return htmx.go_to(url_for("home.home"))


@bp.post("/t/<match>/show")
def bring_back(match: str) -> Response:
    """List the match again."""
    access.hidden().bring_back(match)
    listed = request.form.get("next") == "hidden"
    return htmx.go_to(url_for("history.hidden") if listed else url_for(".menu", match=match))


@bp.get("/t/<match>/stop")
def before_stopping(match: str) -> Response:
    """Page that asks before the match is stopped, with the present score."""
    return _stopping(ledger().view(match))


@bp.post("/t/<match>/stop")
def stop(match: str) -> Response:
    """Stop the match, once, if the table has no newer entries than the phone saw."""
    reason = cut(clean_name(request.form.get("reason", "")), REASON) or None
    view = ledger().view(match)
    line = view.grammar.print(Stop(reason))
    seen, key = forms.seen(), forms.key()
    made = tables.attempted(
        lambda: ledger().declare(match, line, seen, key, standing=access.standing), _not_stopped
    )
    if isinstance(made, Response):
        return made
    if made.seq is None:
        return _not_stopped(made.view, message.refused(made, line, False))
    return htmx.go_to(url_for("tables.table", match=match))


def _not_stopped(
    view: View, strip: Strip | None = None, clash: FasterPhone | None = None, status: int = 409
) -> Response:
    """The page again with the text of ``strip``; without one, another phone was faster."""
    return _stopping(view, strip.text if strip else _("ほかのスマホが先に記録しました。"), status)


def _stopping(view: View, fault: str = "", status: int = 0) -> Response:
    sheet = view.game.score(view.state)
    return htmx.fragment(
        "table/stop.html",
        view=view,
        book=book_at(view),
        screen_of=screen(view.game.NAME),
        totals=sorted(sheet.totals.items(), key=lambda row: row[1] if sheet.fewest else -row[1]),
        key=tables.form_key(),
        fault=fault,
        over=view.outcome is not None,
        reason_length=REASON,
        status_code=status,
    )
