"""What the players agree on: the result at the end, and the rest of a deal."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response

from referee.core import agreeing
from referee.core.record import Unreadable
from referee.core.standing import Standing
from referee.core.verdict import Illegal, Seat
from referee.ledger import View
from referee.rulings.report import agreed
from referee.web.http import access, htmx
from referee.web.http.current import book_at, ledger
from referee.web.review.scores import ranking
from referee.web.table import tables

bp = Blueprint("agreed", __name__)


@bp.get("/t/<match>/agree")
def result(match: str) -> Response:
    """Page on which players agree with the result, each on a phone of their own."""
    view = ledger().view(match)
    here = access.standing(view)
    counting = view.log.agreeing_with(agreeing.result(view.game, view.state))
    own = [] if here.role == "watching" else [s for s in view.seats if here.speaks_for(s)]
    return htmx.fragment(
        "table/agree.html",
        view=view,
        book=book_at(view),
        ranking=ranking(view),
        outcome=view.outcome,
        agreed=agreed(view.log),
        own=[seat for seat in own if seat not in counting] if view.outcome else [],
        key=tables.form_key(),
    )


@bp.get("/t/<match>/rest")
def rest(match: str) -> Response:
    """Page on which a player claims the rest of a deal, and the others agree."""
    view = ledger().view(match)
    here = access.standing(view)
    found = view.game.public(view.state).get("rest")
    claim = found if isinstance(found, dict) else None
    verbs = {seat: view.grammar.quoted[seat] for seat in view.seats}
    return htmx.fragment(
        "table/rest.html",
        view=view,
        book=book_at(view),
        claim=claim,
        lines=[(seat, f"{name} rest") for seat, name in verbs.items() if here.speaks_for(seat)],
        consents=list(_consents(view, here)) if claim else [],
        key=tables.form_key(),
    )


def claims_here(view: View) -> bool:
    """Whether the rest of the deal can be claimed now: by a seat, or an open claim is answered."""
    for seat in view.seats:
        try:
            entry = view.grammar.parse(f"{view.grammar.quoted[seat]} rest")
        except Unreadable:
            return False
        if not isinstance(view.game.judge(view.state, entry), Illegal):
            return True
    return False


def _consents(view: View, here: Standing) -> Iterator[tuple[Seat, str]]:
    """The seats that can agree to the open claim on this phone, one of each side, with the line."""
    sides = view.game.HOOKS.teams(view.state) or [(seat,) for seat in view.seats]
    for side in sides:
        for seat in side:
            line = f"{view.grammar.quoted[seat]} grant rest"
            legal = not isinstance(view.game.judge(view.state, view.grammar.parse(line)), Illegal)
            if legal and here.speaks_for(seat):
                yield seat, line
                break
