"""Games and tables of the evening: sizes, games, minutes, and the wishes of directors."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Response, request, url_for

from referee.desk import DeskView
from referee.games import GAMES
from referee.http import forms, htmx
from referee.http.current import game as game_named
from referee.http.language import gettext as _
from referee.kit import shipped
from referee.tonight.asking import tables_of
from referee.tonight.call import SEATS, TABLES
from referee.tonight.entries import (
    DeskEntry,
    FixedSeat,
    GameForAll,
    RoundMinutes,
    StandingShown,
    TableCleared,
    TableLaid,
    TableSizes,
    Wished,
)
from referee.tonight.sizes import sizes
from referee.web.desk import frame

bp = Blueprint("desk_tables", __name__)


@bp.get("/desk/<int(max=999999999):desk>/tables")
def page(desk: int) -> Response:
    """The form with all of it; wishes are for directors alone."""
    return _page(frame.shown(desk))


def _page(found: DeskView, fault: str = "") -> Response:
    evening = found.evening
    present = evening.present(evening.next)
    tables = tables_of(evening, len(present))
    count = sizes(tables, [0] * len(tables), len(present)) or ()
    used = [size for size in count if size]
    games = {name: frame.title(name) for name in (*GAMES, *shipped.games())}
    return frame.page(
        "desk/tables.html",
        found,
        present=len(present),
        used=used,
        idle=len(present) - sum(used),
        games=games,
        offered=[table.table for table in tables],
        here=[person for person, guest in evening.guests.items() if guest.here],
        fault=fault,
    )


@bp.post("/desk/<int(max=999999999):desk>/tables")
def change(desk: int) -> Response:
    """One change; the field ``do`` says which."""
    found = frame.shown(desk)
    frame.require_director(found.evening)
    try:
        entries = _changes(found)
    except forms.BadForm as fault:
        return _page(found, str(fault))
    frame.press(desk, lambda view: entries)
    return htmx.go_to(url_for(".page", desk=desk, _anchor=request.form.get("do", "")))


def _changes(found: DeskView) -> Sequence[DeskEntry]:
    match request.form.get("do"):
        case "sizes":
            least, most, prefer = _limits(found.evening.sizes.prefer)
            return (TableSizes(least, most, prefer),)
        case "minutes":
            return (RoundMinutes(frame.number("minutes", 0, 600)),)
        case "standing":
            return (StandingShown(request.form.get("shown") == "1"),)
        case "game":
            return (GameForAll(_game()),)
        case "table":
            return (_table(found),)
        case "clear":
            return (TableCleared(request.form.get("table", "")),)
        case "together" | "apart" as wish:
            one, other = frame.person(found, "one"), frame.person(found, "other")
            if one == other:
                raise forms.BadForm(_("2人の別の人を選んでください。"))
            return (Wished(one, other, wish == "together", True),)
        case "unwish":
            one, other = frame.person(found, "one"), frame.person(found, "other")
            return (Wished(one, other, True, False),)
        case "fix":
            table = request.form.get("table", "").strip()
            return (FixedSeat(frame.person(found), frame.table_name(table) if table else ""),)
        case _:
            raise forms.BadForm(_("送信内容に誤りがあります。前の画面に戻ってやり直してください。"))


def _limits(wanted: int) -> tuple[int, int, int]:
    """The least, most and preferred number of seats; the last is chosen if it is not given."""
    least, most = frame.number("least", 2, SEATS), frame.number("most", 2, SEATS)
    if least > most:
        raise forms.BadForm(
            _("最少%(least)s人は最多%(most)s人より多くできません。", least=least, most=most)
        )
    given = request.form.get("prefer", "").strip()
    prefer = frame.number("prefer", least, most) if given else min(max(wanted, least), most)
    return least, most, prefer


def _game() -> str:
    game = request.form.get("game", "")
    if game and not frame.known_game(game):
        raise forms.BadForm(_("そのゲームはありません。"))
    return game


def _table(found: DeskView) -> TableLaid:
    """A table with the limits of the form, which must suit its game."""
    name, game = frame.table_name(request.form.get("table", "")), _game()
    if name not in found.evening.tables and len(found.evening.tables) >= TABLES:
        raise forms.BadForm(_("卓は%(most)sまでです。", most=TABLES))
    least, most, prefer = _limits(4)
    if game:
        seats = [count for count in game_named(game).SEATS if 2 <= count <= SEATS]
        fits = [count for count in range(least, most + 1) if count in seats]
        if not fits:
            raise forms.BadForm(
                _(
                    "%(game)sは%(few)s人から%(most)s人までです。いまは%(count)s人です。",
                    game=frame.title(game),
                    few=seats[0],
                    most=seats[-1],
                    count=most,
                )
            )
        least, most = fits[0], fits[-1]
        prefer = min(max(prefer, least), most)
    return TableLaid(name, least, most, prefer, game)
