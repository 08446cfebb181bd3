"""The settings of one phone, stored in its cookies only."""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, abort, redirect, render_template, request
from flask import url_for as address
from werkzeug.wrappers import Response

from referee.core.verdict import Seat
from referee.http import access, guarded, language, reach, voice
from referee.http.assets import YEAR_SECONDS
from referee.http.current import book_at
from referee.http.language import CUES, LANGS, LOOKS, SUITS, TEXTS, THEMES, TURNS, preference
from referee.http.voice import SentenceKind
from referee.ledger import View

bp = Blueprint("settings", __name__)

SEATS = 12  # tables in the list of this phone's seats

PREFERENCES = {
    "lang": LANGS,
    "theme": THEMES,
    "text": TEXTS,
    "turn": TURNS,
    "look": LOOKS,
    "cue": CUES,
    "suits": SUITS,
}


@bp.get("/settings")
def settings() -> str:
    """Page of language, theme, and the behaviour of the table page."""
    return render_template(
        "site/settings.html",
        chosen={name: request.cookies.get(name, "") for name in PREFERENCES},
        next=own_page(request.args.get("next", "")),
        reads_aloud=voice.chosen().on,
        has_circle=bool(access.circle()),
        held=_held_seats(),
    )


class HeldSeat(NamedTuple):
    """A seat of this phone at a running table; ``seat`` is "" if the phone has none there.

    ``game``: the title of the game.
    """

    match: str
    game: str
    seat: Seat


def _held_seats() -> list[HeldSeat]:
    """The seats of this phone at running tables, the newest table first."""
    rows = access.doors().tables(access.phone(), SEATS) if access.phone() else []
    listed = guarded.each([row.id for row in rows], _listed)
    return [held for match, table in listed.items() if (held := _held_seat(match, table))]


class ListedTable(NamedTuple):
    """What the settings say of a table; ``game``: the title of its game."""

    game: str
    seats: tuple[Seat, ...]
    over: bool


def _listed(view: View) -> ListedTable:
    title = book_at(view).title.in_(language.current())
    return ListedTable(title, view.seats, view.outcome is not None)


def _held_seat(match: str, table: ListedTable) -> HeldSeat | None:
    own = access.way(match).own
    if own is None or table.over:
        return None
    return HeldSeat(match, table.game, table.seats[own.place - 1] if own.place else "")


@bp.post("/settings")
def keep() -> Response:
    """Store the settings in the form; "auto" removes one; others stay."""
    response = _back()
    for name, known in PREFERENCES.items():
        value = request.form.get(name)
        if value in known:
            response.set_cookie(name, value, max_age=YEAR_SECONDS, samesite="Lax", httponly=True)
        elif value == "auto":
            response.delete_cookie(name, samesite="Lax", httponly=True)
        elif value is not None:
            abort(400)
    return response


@bp.get("/settings/voice")
def reading_aloud() -> str:
    """Page of what this phone reads aloud at a table."""
    return render_template(
        "site/voice.html",
        chosen=voice.chosen(),
        kinds=SentenceKind,
        next=own_page(request.args.get("next", "")),
    )


@bp.post("/settings/voice")
def keep_reading_aloud() -> Response:
    """Store which sentences this phone reads aloud, and how fast."""
    wanted, rate = request.form.getlist("kind"), request.form.get("rate", "")
    if not {*wanted} <= {*SentenceKind} or rate not in ("", *voice.RATES):
        abort(400)
    kinds = tuple(kind for kind in SentenceKind if kind in wanted)
    made = voice.Voice("on" in request.form, kinds, rate)
    response = _back()
    response.set_cookie(
        voice.COOKIE, made.text(), max_age=YEAR_SECONDS, samesite="Lax", httponly=True
    )
    return response


@bp.post("/settings/through")
def through() -> Response:
    """Choose the address of the server that QR codes name."""
    response = _back()
    reach.choose(response, request.form.get("address", ""))
    return response


def _back() -> Response:
    """To the page from which the settings were opened."""
    page: Response = redirect(own_page(request.form.get("next", "")) or address(".settings"), 303)
    return page


def at_table() -> dict[str, str]:
    """Template values: how the table page is turned, looks, announces entries, and inks suits."""
    return {
        "turn": preference("turn", TURNS),
        "look": preference("look", LOOKS),
        "cue": preference("cue", CUES),
        "suits": preference("suits", SUITS),
    }


def own_page(path: str) -> str:
    """``path`` if it is a page of this app, otherwise ""."""
    safe = path.startswith("/") and not path.startswith("//")
    return path if safe and path.isprintable() and "\\" not in path else ""
