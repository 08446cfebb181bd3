"""The page on which the table adjusts points: whose, how many, why; then the effect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flask import Blueprint, Response, request

from referee.core import adjusting
from referee.core.adjusting import Adjust
from referee.core.corrections import NO_PLAYS, Insert
from referee.core.game import TABLE
from referee.core.generic import Entry
from referee.core.infractions import settled
from referee.core.ranking import Rank
from referee.core.record import Unreadable
from referee.core.sheets import stopped
from referee.core.steps import Moment, Step, steps
from referee.core.verdict import Illegal, Seat
from referee.core.written import Points
from referee.http import forms, htmx
from referee.http.current import book_at, ledger
from referee.http.language import gettext as _
from referee.ledger import View
from referee.screens.wording import won
from referee.web.review.scores import ranking, ranking_at
from referee.web.table import message, tables

bp = Blueprint("adjusting", __name__)

REASON = 200  # characters
OFFERED = 3  # infractions that are offered as reasons, at most


class Effect(NamedTuple):
    """The total and the place of a line of the ranking, before and after an adjustment."""

    names: tuple[Seat, ...]
    points: tuple[Points, Points]
    places: tuple[int, int]


class Considered(NamedTuple):
    """What an adjustment would do: the ``line`` to record, and the lines of the ranking that
    change; or the ``fault`` that it has. ``end``: how the match ends then, if that changes.
    """

    line: str = ""
    effects: tuple[Effect, ...] = ()
    end: str = ""
    fault: str = ""


@bp.get("/t/<match>/adjust")
def adjust(match: str) -> Response:
    """Page on which the table adjusts points.

    ``?entry=``: the entry of a proven infraction, which says whose points and why. With points and
    a reason the page shows their effect, and the button that records it.
    """
    view = ledger().view(match)
    about = {found.at: found.seat for found in view.findings()}
    about |= {made.finding.at: made.finding.seat for made in settled(view.log, view.moment)}
    entry = request.args.get("entry", type=int)
    reasons = [_reason(at) for at in sorted(about, reverse=True)[:OFFERED]]
    if entry in about:
        reasons = list(dict.fromkeys((_reason(entry), *reasons)))
    reasons.append(_("配り間違い"))
    given = {seat: request.args.get(f"p{i}", "") for i, seat in enumerate(view.seats)}
    chosen = request.args.get("why", "") or (reasons[0] if entry in about else "")
    why = " ".join((request.args.get("words", "").strip() or chosen).replace('"', "”").split())
    closing = _closing(view)
    before = closing if request.args.get("count") == "deal" else None
    return htmx.fragment(
        "table/adjust.html",
        view=view,
        book=book_at(view),
        given=given,
        seat=about.get(entry or 0),
        entry=entry if entry in about else None,
        reasons=reasons,
        why=why[:REASON],
        closing=closing,
        before=before,
        made=_considered(view, given, why[:REASON], before) if any(given.values()) else None,
        possible=adjusting.possible(view.game, view.log.table),
        reason_length=REASON,
        key=tables.form_key(),
    )


def _reason(entry: int) -> str:
    """The reason that an infraction in ``entry`` gives."""
    return _("記録%(n)sのリボーク", n=entry)


def _closing(view: View) -> int | None:
    """The entry that closed the deal that is just over; None within a deal.

    An adjustment before it counts in that deal already: where the end of the match is looked for.
    """
    if view.to_act or stopped(view.outcome):
        return None
    last = next((one for one in steps(view.moment.step) if _plays(one)), None)
    if last is None or isinstance(view.log.entries[last.seq - 1], NO_PLAYS):
        return None  # nothing can be inserted before what a correction has inserted
    closes = last.by_sheet or bool(view.game.to_act(view.log.before(last)))
    return last.seq if closes else None


def _plays(step: Step) -> bool:
    return step.took_effect and not isinstance(step.play, Adjust)


def _considered(view: View, given: dict[Seat, str], why: str, before: int | None) -> Considered:
    """What these points would do, in front of the entry ``before`` if there is one."""
    points = {seat: forms.points(text) for seat, text in given.items()}
    pairs = " ".join(f'"{seat}"={text}' for seat, text in points.items() if text not in ("", "0"))
    if not pairs:
        return Considered(fault=_("だれの点を変えるかを入れてください。"))
    if not why:
        return Considered(fault=_("理由を書いてください。"))
    try:
        entry: Entry = view.grammar.parse(f'{TABLE} adjust {pairs} because "{why}"')
    except Unreadable as unreadable:
        return Considered(fault=forms.sentence(unreadable))
    if before is not None:
        assert isinstance(entry, Adjust)
        entry = Insert(before, entry)
    moment = view.log.consider(entry)
    if isinstance(moment.verdict, Illegal):
        return Considered(fault=message.why(view, moment.verdict))
    return Considered(view.grammar.print(entry), tuple(_effects(view, moment)), _end(view, moment))


def _effects(view: View, moment: Moment) -> Iterator[Effect]:
    """The lines of the ranking that are others at ``moment``."""
    now = ranking(view)
    then = {rank.seat: rank for rank in ranking_at(view, view.log.state_at(moment))}
    for rank in now:
        other: Rank = then[rank.seat]
        if (rank.points, rank.place) != (other.points, other.place):
            points, places = (rank.points, other.points), (rank.place, other.place)
            yield Effect(rank.names, points, places)


def _end(view: View, moment: Moment) -> str:
    """How the match ends at ``moment``, if it ends otherwise than now."""
    ended, now = view.game.outcome(view.log.state_at(moment)), view.outcome
    if ended is None:
        return _("勝負はまだ続きます。") if now else ""
    if now and (now.winners, now.losers) == (ended.winners, ended.losers):
        return ""
    return won(ended.winners, ended.losers, ended.team)
