"""Who joins a match, sits out and comes back, and when it ends, where a game allows it."""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, Response, abort, request, url_for

from referee.core import adjusting
from referee.core.game import TABLE
from referee.core.generic import Entry
from referee.core.record import Unreadable, quoted
from referee.core.verdict import Illegal, Seat
from referee.core.written import Points, points_text
from referee.http import access, forms, htmx
from referee.http.current import book_at, ledger
from referee.http.language import gettext as _
from referee.ledger import View
from referee.web.review.scores import ranking
from referee.web.table import message, seats, tables

bp = Blueprint("comings", __name__)


class SeatRow(NamedTuple):
    """A seat: its total, its place (None: it sits out), and the line that changes that, or ""."""

    seat: Seat
    points: Points
    place: int | None
    line: str


@bp.get("/t/<match>/players")
def players(match: str) -> Response:
    """Page with everybody who is in or out, who may join, and when the match ends."""
    return _page(_view(match))


@bp.post("/t/<match>/players")
def change(match: str) -> Response:
    """Somebody joins, or the match gets another end."""
    view, form = _view(match), request.form
    try:
        line = _joining() if form.get("do") == "join" else _ending(view)
        entry = view.grammar.parse(line)
    except forms.BadForm as fault:
        return _page(view, str(fault))
    except Unreadable as fault:
        return _page(view, forms.sentence(fault))
    if refused := _refused(view, entry):
        return _page(view, refused, 409)
    seen, key = forms.seen(), forms.key()
    made = tables.attempted(
        lambda: ledger().declare(match, line, seen, key, standing=access.standing), tables.page
    )
    if isinstance(made, Response):
        return made
    if made.seq is None:
        return _page(made.view, _refused(made.view, entry), 409)
    return htmx.go_to(url_for("tables.table", match=match))


def _view(match: str) -> View:
    view = ledger().view(match)
    if not view.grammar.joining:
        abort(404)
    return view


def _joining() -> str:
    """The line with which the person in the form joins; raises ``BadForm``."""
    given = request.form
    names = forms.names([given.get("name", "") or given.get("known", "")])
    if not names:
        raise forms.BadForm(_("名前を入れてください。"))
    points = forms.points(given.get("points", "")) or forms.points(given.get("with", ""))
    return f"{TABLE} join {quoted(names[0])}" + (f" with {points}" if points else "")


def _ending(view: View) -> str:
    """The line with which the match gets the end in the form; raises ``BadForm``."""
    now, limits = view.game.public(view.state), []
    for key in ("target", "rounds"):
        text = forms.points(request.form.get(key, "")) or "none"
        if text != str(now.get(key) if now.get(key) is not None else "none"):
            limits.append(f"{key}={text}")
    if not limits:
        raise forms.BadForm(_("変わったところがありません。"))
    return f"{TABLE} set {' '.join(limits)}"


def _refused(view: View, entry: Entry) -> str:
    """Why ``entry`` is illegal now, as a sentence; "" if it is not."""
    verdict = view.log.consider(entry).verdict
    return message.why(view, verdict) if isinstance(verdict, Illegal) else ""


def _legal(view: View, line: str) -> bool:
    return not _refused(view, view.grammar.parse(line))


def _page(view: View, fault: str = "", status: int = 0) -> Response:
    totals = view.game.score(view.state).totals
    places = {seat: rank.place for rank in ranking(view) for seat in rank.names}
    rows = []
    for seat in view.seats:
        verb = "leave" if seat in view.present else "return"
        line = f"{TABLE} {verb} {quoted(seat)}"
        place = places.get(seat) if view.log.state.deal else None
        rows.append(SeatRow(seat, totals[seat], place, line if _legal(view, line) else ""))
    joins = _legal(view, f"{TABLE} join {quoted(_unused(view))}")
    last = max(ranking(view), key=lambda rank: rank.place, default=None)
    now = view.game.public(view.state)
    return htmx.fragment(
        "table/players.html",
        view=view,
        book=book_at(view),
        rows=rows,
        joins=joins,
        known=seats.offered(view, view.seats),
        by_points=adjusting.possible(view.game, view.log.table),
        start=now.get("start"),
        last=points_text(last.points) if last and view.log.state.deal else None,
        ends=_legal(view, f"{TABLE} set target=none"),
        target=now.get("target"),
        rounds=now.get("rounds"),
        end=f"{TABLE} end" if _legal(view, f"{TABLE} end") else "",
        fault=fault,
        typed=request.form,
        key=tables.form_key(),
        status_code=status,
    )


def _unused(view: View) -> Seat:
    """A name that nobody has."""
    return next(name for n in range(len(view.seats) + 1) if (name := f"?{n}") not in view.seats)
