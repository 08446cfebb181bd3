"""The page on which a player claims the rest of a deal, and the others answer."""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, Response, request

from referee.core.record import Unreadable
from referee.core.standing import Standing
from referee.core.steps import Moment
from referee.core.verdict import Illegal, Legal, Seat
from referee.http import access, htmx
from referee.http.current import book_at, ledger
from referee.ledger import View
from referee.screens import screen
from referee.web.table import message, tables

bp = Blueprint("claiming", __name__)


class WaitingClaim(NamedTuple):
    """A claim that is waiting: for how many tricks, and who has agreed to it.

    ``taken``: the tricks of the claimant's side, now and with these.
    """

    seat: Seat
    tricks: int
    granted: tuple[Seat, ...]
    taken: tuple[int, int]
    side: tuple[Seat, ...]


class ClaimWays(NamedTuple):
    """What a claim of ``seat`` would be: proven, refused with a ``fault``, or a question.

    ``line``: the claim. ``alone``: the claim and the consent of all others, "" if this phone may
    not say it for them. ``hand``: whether the seat can show its hand.
    """

    seat: Seat
    line: str
    proven: bool
    fault: str
    alone: str
    hand: bool


class SideAnswer(NamedTuple):
    """Whether a side has agreed; ``line``: its consent, "" if this phone does not speak for it."""

    side: tuple[Seat, ...]
    agreed: bool
    line: str


@bp.get("/t/<match>/rest")
def rest(match: str) -> Response:
    """Page that asks about the rest of a deal; ``?seat=``: who claims it."""
    view = ledger().view(match)
    here = access.standing(view)
    claim = open_claim(view)
    own = [seat for seat in view.header.seats if here.speaks_for(seat)]
    wish = request.args.get("seat", "")
    first = [seat for seat in (wish, here.seat, *view.to_act, *own) if seat in own][:1]
    return htmx.fragment(
        "table/rest.html",
        view=view,
        book=book_at(view),
        claim=claim,
        own=own,
        asked=_asked(view, first[0], here) if first and not claim and claims_here(view) else None,
        answers=[_answer(view, claim, side, here) for side in _sides(view, claim.seat)]
        if claim
        else [],
        key=tables.form_key(),
    )


def open_claim(view: View) -> WaitingClaim | None:
    """The claim of the rest that is waiting for an answer."""
    shown = view.game.public(view.state)
    found = shown.get("rest")
    if not isinstance(found, dict):
        return None
    [side] = [side for side in _sides(view) if found["seat"] in side]
    tricks = shown["tricks"]
    assert isinstance(tricks, dict)
    taken = sum(tricks[seat] for seat in side)
    after = (taken, taken + found["tricks"])
    return WaitingClaim(found["seat"], found["tricks"], tuple(found["granted"]), after, side)


def claims_here(view: View) -> bool:
    """Whether the rest of the deal can be claimed now: by a seat, or an open claim is answered."""
    for seat in view.header.seats:
        considered = _considered(view, seat)
        if considered is None:
            return False
        if not isinstance(considered.verdict, Illegal):
            return True
    return False


def _considered(view: View, seat: Seat) -> Moment | None:
    """The table after a claim of ``seat``; None in a game without such claims."""
    try:
        entry = view.grammar.parse(f"{view.grammar.quoted[seat]} rest")
    except Unreadable:
        return None
    return view.log.consider(entry)


def _asked(view: View, seat: Seat, here: Standing) -> ClaimWays:
    considered = _considered(view, seat)
    assert considered is not None
    verdict, line = considered.verdict, f"{view.grammar.quoted[seat]} rest"
    if isinstance(verdict, Illegal):
        fault = message.why(view, verdict, view.moment.step)
        return ClaimWays(seat, line, False, fault, "", False)
    others = [[one for one in side if here.speaks_for(one)] for side in _sides(view, seat)]
    consents = [f"{view.grammar.quoted[side[0]]} grant rest" for side in others if side]
    alone = "\n".join([line, *consents]) if all(others) else ""
    hand = screen(view.game.NAME).open_hand(view, seat) is not None
    return ClaimWays(seat, line, isinstance(verdict, Legal), "", alone, hand)


def _sides(view: View, without: Seat = "") -> list[tuple[Seat, ...]]:
    """The teams, or every seat by itself; not the one of ``without``."""
    teams = view.game.HOOKS.teams(view.state) or [(seat,) for seat in view.header.seats]
    return [side for side in teams if without not in side]


def _answer(view: View, claim: WaitingClaim, side: tuple[Seat, ...], here: Standing) -> SideAnswer:
    if any(seat in claim.granted for seat in side):
        return SideAnswer(side, True, "")
    spoken = [seat for seat in side if here.speaks_for(seat)]
    return SideAnswer(side, False, f"{view.grammar.quoted[spoken[0]]} grant rest" if spoken else "")
