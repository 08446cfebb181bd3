"""What onlookers get: the live page, the overlays, the stream of both, the feed, the record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from math import ceil
from typing import NamedTuple

from flask import Blueprint, Response, abort, current_app, g, request, url_for
from markupsafe import Markup

from referee.core.corrections import Rewind
from referee.core.infractions import undecided
from referee.core.record import write
from referee.core.verdict import Seat, word_of
from referee.core.written import Points
from referee.history.records import former_players
from referee.http import access, forms, htmx, language
from referee.http.current import book_at, ledger
from referee.http.game_templates import drawn
from referee.http.local_time import clock, local_time, of_group
from referee.ledger import View
from referee.rulings.sentences import in_sentences, says
from referee.screens import screen
from referee.screens.pad import UNTAPPED
from referee.screens.wording import size
from referee.store.broadcasts import Broadcast, Broadcasts
from referee.web.broadcast.misses import Misses
from referee.web.broadcast.released import Released, released
from referee.web.review.entries import reasons
from referee.web.review.reading import LogEntry, Reading, Stood
from referee.web.review.scores import ranking, teams_of
from referee.web.table import join, tables

bp = Blueprint("live", __name__)

NEWEST = 5
"""Entries on the page."""
REASONS = 2
"""Sentences beside an entry."""
MOST_LINES = 500
"""Lines of the feed in one answer; the client, or its stream, asks for the next."""
MOST_IN_ROW = 6
"""Cards of a trick that an overlay has room for."""
LOOKS = ("page", "score", "lower")
"""What a stream can show: the page, the score of an overlay, its last play."""
AGAIN_MS = 2000
"""After how long a client comes again where a server only answers, and holds no streams."""


class ShownTotal(NamedTuple):
    """The points of a seat or a team. ``leads``: nobody has more; ``due``: it is its turn."""

    names: tuple[Seat, ...]
    points: Points
    leads: bool
    due: bool


class ShownEntry(NamedTuple):
    """An entry with the reasons of its verdict, and the time of day at which it was made."""

    entry: LogEntry
    why: str
    at: str


class LivePage(NamedTuple):
    """A live page, and what of its match may be known by now."""

    broadcast: Broadcast
    known: Released

    @property
    def version(self) -> str:
        """Another one whenever the picture is another one."""
        view = self.known.view
        return f"{view.seq}.{self.known.last}.{view.names_version}.{self.broadcast.delay}"


@bp.get("/live/<secret>")
def page(secret: str) -> Response:
    """The live page; ``?overlay=score`` or ``lower``: transparent, for a stream or a projector."""
    watched = _watched(secret)
    look = request.args.get("overlay", "page")
    if look not in LOOKS:
        abort(404)
    tongue = request.args.get("lang", "")
    if tongue in language.LANGS:
        g.lang = tongue
    view = watched.known.view
    made = htmx.fragment(
        "broadcast/page.html" if look == "page" else "broadcast/overlay.html",
        view=view,
        title=book_at(view).title.in_(language.current()),
        shown=_drawn(watched, look),
        stream=url_for(".stream", secret=secret, look=look, lang=language.current()),
    )
    return join.unlisted(made)


@bp.get("/live/<secret>/stream")
def stream(secret: str) -> Response:
    """The picture of the page or an overlay as an event, unless the client has it already.

    Behind the bridge it is a stream that goes on (see `referee.server.onlookers`); another server
    answers once, and the client comes again.
    """
    watched = _watched(secret)
    look, tongue = request.args.get("look", ""), request.args.get("lang", "")
    if look not in LOOKS or tongue not in language.LANGS:
        abort(404)
    g.lang = tongue
    if request.headers.get("Last-Event-ID") == watched.version:
        return _events(watched, "")
    return _events(watched, _event(watched.version, _drawn(watched, look)))


@bp.get("/live/<secret>/events")
def feed(secret: str) -> Response:
    """The next entries after the one in ``Last-Event-ID``, each as an event with JSON."""
    watched = _watched(secret)
    after = forms.digits(request.headers.get("Last-Event-ID", "")) or 0
    return _events(watched, "".join(islice(_fed(watched.known, after), MOST_LINES)))


@bp.get("/live/<secret>/record.txt")
def record(secret: str) -> Response:
    """The match as a record, without the free texts of its head."""
    known = _watched(secret).known
    header, match = known.whole.header, known.whole.match
    former = former_players(ledger().store, match, header.seats)
    kept = tuple(row for row in former if row.until <= known.last)
    text = write(replace(header, texts={}, former=kept), known.lines())
    return join.unlisted(Response(text, content_type="text/plain; charset=utf-8"))


def _fed(known: Released, after: int) -> Iterator[str]:
    for row in known.feed(after):
        said = row._asdict()
        del said["again"]
        # a line that comes again keeps the place of the client in the feed
        yield _event("" if row.again else str(row.number), json.dumps(said, ensure_ascii=False))


def _watched(secret: str) -> LivePage:
    """The match of this secret; 404 for any other, whatever is wrong with it."""
    misses: Misses = current_app.extensions["misses"]
    address, found = request.remote_addr or "", None
    if not misses.refuses(address, secret):
        found = Broadcasts(ledger().store).with_secret(secret)
        if found is None:
            misses.add(address, secret)
    if found is None:
        abort(404)
    of_group(access.circles().of_match(found.match))
    view = ledger().view(found.match)
    stored = ledger().store.read(found.match) if found.delay else []
    return LivePage(found, released(view, stored, found.delay, datetime.now(UTC)))


def _drawn(watched: LivePage, look: str) -> Markup:
    """The part of the page or the overlay that changes."""
    view = watched.known.view
    reading = Reading(view)
    band = screen(view.game.NAME).band(view, UNTAPPED)
    found = sorted(one.at for one in undecided(view.log, view.moment))
    return htmx.drawn(
        f"broadcast/_{look}.html",
        view=view,
        game=drawn(view.game.NAME, "table.html").module,
        title=book_at(view).title.in_(language.current()),
        heading=tables.heading(view, band, ""),
        band=band,
        size=size,
        totals=_totals(view),
        entries=_newest(reading),
        stood=_trick(reading) if view.state.deal and len(view.seats) <= MOST_IN_ROW else None,
        found=[reading.entry(seq) for seq in found[:REASONS]],
        delay=watched.broadcast.delay,
    )


def _trick(reading: Reading) -> Stood | None:
    """The trick on the table; until its first card the one before it, and who leads now."""
    now = reading.trick_now()
    if now is None or now.cards or not now.place.trick:
        return now
    over = reading.trick_of(None, now.place._replace(trick=now.place.trick - 1))
    return over._replace(due=now.due[:1]) if over else now


def _totals(view: View) -> list[ShownTotal]:
    """The seats or teams in seat order, as they never move."""
    best = {rank.seat for rank in ranking(view) if rank.place == 1 and rank.points}
    totals, due = view.game.score(view.state).totals, view.to_act
    sides = teams_of(view) or tuple((seat,) for seat in view.present)
    return [
        ShownTotal(side, totals[side[0]], side[0] in best, any(seat in due for seat in side))
        for side in sides
    ]


def _newest(reading: Reading) -> list[ShownEntry]:
    """The newest entries in force, the last one first; of a rewind only the effect is seen."""
    view = reading.view
    seen = (
        seq
        for seq in range(view.seq, 0, -1)
        if seq in reading.in_force and not isinstance(view.log.entries[seq - 1], Rewind)
    )
    numbers = list(islice(seen, NEWEST))
    if not numbers:
        return []
    first = numbers[-1]
    stored = ledger().store.read(view.match, first - 1, numbers[0] - first + 1)
    return [_explained(reading, seq, stored[seq - first].at) for seq in numbers]


def _explained(reading: Reading, seq: int, at: str) -> ShownEntry:
    entry, why = reading.entry(seq), ""
    if entry.finding or word_of(entry.verdict) != "legal":
        facts = in_sentences(reasons(reading, entry), book_at(reading.view), language.current())
        why = says(facts[:REASONS], language.current())
    return ShownEntry(entry, why, clock(local_time(at)))


def _events(watched: LivePage, text: str) -> Response:
    """Events as an answer; ``Retry-After``: in how many seconds the delay lets more through."""
    made = Response(f"retry: {AGAIN_MS}\n\n{text}", content_type="text/event-stream; charset=utf-8")
    if watched.known.due is not None:
        made.headers["Retry-After"] = str(max(1, ceil(watched.known.due)))
    return join.unlisted(made)


def _event(number: str, text: str) -> str:
    lines = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"id: {number}\n{lines}\n" if number else f"{lines}\n"
