"""What the table agrees on: points to adjust, the result at the end, the rest of a deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flask import Blueprint, Response, request

from referee.core import adjusting, agreeing
from referee.core.game import TABLE
from referee.core.generic import GameState
from referee.core.ranking import Rank
from referee.core.record import Unreadable
from referee.core.standing import Standing
from referee.core.verdict import Illegal, Seat
from referee.ledger import View
from referee.rulings import book_of
from referee.rulings.report import agreed
from referee.rulings.sentences import evidence, says
from referee.web.http import access, forms, htmx, language
from referee.web.http.current import ledger
from referee.web.http.language import gettext as _
from referee.web.review.scores import ranking, ranking_at
from referee.web.table import tables

bp = Blueprint("agreed", __name__)

REASON = 200  # characters
MINUS = str.maketrans({"−": "-", "－": "-", "+": None})


class Effect(NamedTuple):
    """The total and the place of a line of the ranking, before and after an adjustment."""

    names: tuple[Seat, ...]
    points: tuple[int, int]
    places: tuple[int, int]


@bp.get("/t/<match>/adjust")
def adjust(match: str) -> Response:
    """Page on which the table adjusts points; ``?seat=&why=`` fill it in.

    With points and a reason it shows their effect, and the button that records it.
    """
    return _adjusting(ledger().view(match))


@bp.get("/t/<match>/agree")
def result(match: str) -> Response:
    """Page on which players agree with the result, each on a phone of their own."""
    view = ledger().view(match)
    here = access.standing(view)
    counting = view.log.agreeing_with(agreeing.result(view.game, view.state))
    own = [] if here.role == "watching" else [s for s in view.header.seats if here.speaks_for(s)]
    return htmx.fragment(
        "table/agree.html",
        view=view,
        book=book_of(view.game),
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
    verbs = {seat: view.grammar.quoted[seat] for seat in view.header.seats}
    return htmx.fragment(
        "table/rest.html",
        view=view,
        book=book_of(view.game),
        claim=claim,
        lines=[(seat, f"{name} rest") for seat, name in verbs.items() if here.speaks_for(seat)],
        consents=list(_consents(view, here)) if claim else [],
        key=tables.form_key(),
    )


def claims_here(view: View) -> bool:
    """Whether the rest of the deal can be claimed now: by a seat, or an open claim is answered."""
    for seat in view.header.seats:
        try:
            entry = view.grammar.parse(f"{view.grammar.quoted[seat]} rest")
        except Unreadable:
            return False
        if not isinstance(view.game.judge(view.state, entry), Illegal):
            return True
    return False


def _consents(view: View, here: Standing) -> Iterator[tuple[Seat, str]]:
    """The seats that can agree to the open claim on this phone, one of each side, with the line."""
    sides = view.game.HOOKS.teams(view.state) or [(seat,) for seat in view.header.seats]
    for side in sides:
        for seat in side:
            line = f"{view.grammar.quoted[seat]} grant rest"
            legal = not isinstance(view.game.judge(view.state, view.grammar.parse(line)), Illegal)
            if legal and here.speaks_for(seat):
                yield seat, line
                break


def _adjusting(view: View) -> Response:
    given = {seat: request.values.get(f"p{i}", "") for i, seat in enumerate(view.header.seats)}
    why = " ".join(request.values.get("why", "").replace('"', "”").split())[:REASON]
    line, fault, effects = None, "", None
    if any(given.values()):
        line, fault, effects = _considered(view, given, why)
    return htmx.fragment(
        "table/adjust.html",
        view=view,
        book=book_of(view.game),
        given=given,
        why=why,
        line=line,
        effects=effects,
        fault=fault,
        possible=adjusting.possible(view.game, view.log.table),
        reason_length=REASON,
        key=tables.form_key(),
    )


def _considered(
    view: View, given: dict[Seat, str], why: str
) -> tuple[str | None, str, list[Effect] | None]:
    """The line that these points make, what is wrong with it, and its effect."""
    points = {seat: text.translate(MINUS).strip() for seat, text in given.items()}
    pairs = " ".join(f'"{seat}"={text}' for seat, text in points.items() if text not in ("", "0"))
    if not pairs:
        return None, _("だれの点を変えるかを入れてください。"), None
    try:
        entry = view.grammar.parse(f'{TABLE} adjust {pairs} because "{why}"')
    except Unreadable as unreadable:
        if not why:
            return None, _("理由を書いてください。"), None
        return None, forms.sentence(unreadable), None
    moment = view.log.consider(entry)
    if isinstance(moment.verdict, Illegal):
        facts = evidence(moment.verdict, None, book_of(view.game), language.current())
        return None, says(facts, language.current()), None
    return view.grammar.print(entry), "", list(_effects(view, view.log.state_at(moment)))


def _effects(view: View, after: GameState) -> Iterator[Effect]:
    """The lines of the ranking that the state ``after`` changes."""
    now = ranking(view)
    then = {rank.seat: rank for rank in ranking_at(view, after)}
    for rank in now:
        other: Rank = then[rank.seat]
        if (rank.points, rank.place) != (other.points, other.place):
            points, places = (rank.points, other.points), (rank.place, other.place)
            yield Effect(rank.names, points, places)
