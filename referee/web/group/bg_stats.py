"""A match for BG Stats: a link that adds it there, and the same as a file."""

from __future__ import annotations

import json

from flask import Blueprint, Response

from referee.core import adjusting
from referee.core.steps import adjustments
from referee.core.written import points_text
from referee.foreign import bg_stats_link
from referee.history import digest
from referee.http import access, htmx, language
from referee.http.current import book_at, ledger
from referee.http.downloads import attached
from referee.http.language import gettext as _
from referee.ledger import View
from referee.store import People
from referee.store.gathering import of_earlier_day
from referee.store.played import PlayedMatch
from referee.web.group.files import match_of_any_group
from referee.web.library.rules import in_force
from referee.web.table.join import qr_code

bp = Blueprint("bg_stats", __name__)


@bp.get("/t/<match>/bgstats")
def page(match: str) -> Response:
    """The link that adds the match to BG Stats; a match that was not decided has none."""
    played = match_of_any_group(match)
    link = bg_stats_link.link(_play(played)) if played.over else ""
    code = qr_code(link, error="l") if link else ""
    return htmx.fragment("group/bg_stats.html", match=match, link=link, code=code, over=played.over)


@bp.get("/t/<match>/bgstats.json")
def file(match: str) -> Response:
    """The match as a file for BG Stats."""
    text = json.dumps(_play(match_of_any_group(match)), ensure_ascii=False)
    return attached(text, f"fudami-{match[:8]}-bgstats.json", "application/json")


def _play(played: PlayedMatch) -> bg_stats_link.Play:
    view = ledger().view(played.match)
    first = digest.starter(view.log)
    title, totals = book_at(view).title.in_(language.current()), view.game.score(view.state).totals
    told = bg_stats_link.Told(
        group=access.way(played.match).circle,
        game=(title, played.game),
        noted=_noted(view, played),
        points=adjusting.possible(view.game, view.log.table),
        fewest=_fewest(played),
        people=People(ledger().store).seated(played.match),
        first=view.seats.index(first) + 1 if first else None,
        teams={
            view.seats.index(seat) + 1: team[0]
            for team in view.game.HOOKS.teams(view.state)
            for seat in team
        },
        left=tuple(
            bg_stats_link.SatOut(place, seat, totals[seat])
            for place, seat in enumerate(view.seats, 1)
            if seat not in view.present
        ),
        place=view.header.texts.get("place", ""),
        comments=_comments(view),
    )
    return bg_stats_link.play(played, told)


def _noted(view: View, played: PlayedMatch) -> str:
    """When the last entry that counts was made; of a match of an earlier day, when it was."""
    if of_earlier_day(played.opened):
        return played.opened
    last = max(view.log.in_force(), default=0)
    entries = ledger().store.read(view.match, last - 1, 1) if last else []
    return entries[0].at if entries else played.opened


def _fewest(played: PlayedMatch) -> bool:
    """Whether some who have more points stand behind those who have won, or have not lost."""
    best = [one for one in played.placings if one.won]
    best = best or [one for one in played.placings if not one.lost]
    return any(one.points < other.points for one in best for other in played.placings)


def _comments(view: View) -> str:
    """Title and note, the house rules that differ from the usual, and the adjustments."""
    rules, speech = book_at(view), language.current()
    parts = [view.header.texts.get(key, "") for key in ("title", "note")]
    for one in in_force(rules, view.log.table).values():
        if one.departs:
            chosen = next((c.text for c in one.option.choices if c.value == one.value), None)
            said = chosen.in_(speech) if chosen else one.value
            parts.append(_("%(rule)s：%(said)s", rule=one.option.title.in_(speech), said=said))
    for _seq, play in adjustments(view.log.now.step):
        points = " ".join(f"{seat} {points_text(given)}" for seat, given in play.points)
        parts.append(_("%(rule)s：%(said)s", rule=points, said=play.reason))
    return "\n".join(part for part in parts if part)
