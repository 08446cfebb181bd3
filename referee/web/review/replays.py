"""Pages on which a match is watched again, play by play, with the table's own picture."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from flask import Blueprint, abort, render_template, request
from flask import url_for as address

from referee.core.corrections import NO_PLAYS, Rewind
from referee.core.steps import Step
from referee.core.verdict import word_of
from referee.http import forms, language
from referee.http.current import ledger
from referee.ledger import View
from referee.rulings import book_of
from referee.rulings.sentences import Sentence, in_sentences
from referee.screens import screen
from referee.screens.band import TableBand
from referee.screens.base import Strip
from referee.web.review import entries
from referee.web.review.reading import LogEntry, Reading
from referee.web.review.timeline import Timeline, timeline
from referee.web.table import message, seats

bp = Blueprint("replays", __name__)

AT_ONCE = 16  # frames in one answer to static/js/replay.js
REASONS = 2  # sentences below the table; the page of the entry has all


class Frame(NamedTuple):
    """What the replay shows at one place: an entry, and the table after it.

    ``before``: the table as the entry was first recorded, or as it was before a correction; None if
    the picture is the same. ``effect``: what the play did, as the strip of the table said it.
    """

    at: int
    entry: LogEntry
    title: object
    effect: Strip | None
    why: list[Sentence]
    clause: str
    board: TableBand | None
    before: TableBand | None
    deal: int


class Replay:
    """The frames of a match, 1-based.

    ``recorded``: every entry in the order in which it was made, undone and corrected ones included;
    otherwise the plays that count now.
    """

    def __init__(self, view: View, recorded: bool) -> None:
        self.view, self.recorded, self.reading = view, recorded, Reading(view)
        self.former = seats.former(view)
        self.steps = [] if recorded else [*self.reading.played.values()][::-1]
        self.numbers = range(1, view.seq + 1) if recorded else [step.seq for step in self.steps]

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def corrected(self) -> bool:
        """Whether what was recorded differs from what counts now."""
        return any(isinstance(entry, NO_PLAYS) for entry in self.view.log.entries[: self.view.seq])

    def wanted(self) -> int:
        """The place in the address: ``?entry=`` a number, or ``?at=`` of the slider."""
        entry = request.args.get("entry", type=int)
        if entry is not None and entry in self.numbers:
            return self.numbers.index(entry) + 1
        return min(max(request.args.get("at", 1, type=int), 1), len(self))

    def frame(self, at: int) -> Frame:
        """The frame at place ``at``."""
        seq = self.numbers[at - 1]
        entry, step = self.reading.entry(seq), self._step(at)
        before, now = self._pictures(seq, step)
        facts = seats.facts_then(self.former, entries.reasons(self.reading, entry), seq)
        said = in_sentences(facts, book_of(self.view.game), language.current())
        play = entry.said if self.recorded or step is None else step.play
        return Frame(
            at=at,
            entry=entry,
            title=seats.as_then(self.former, play, seq),
            effect=self._effect(seq, step),
            why=said[:REASONS],
            clause=entry.verdict.clause,
            board=now,
            before=before if before != now else None,
            deal=entry.place.deal,
        )

    def deals(self) -> list[tuple[int, int]]:
        """Each deal with the place of its first frame; none if there is only one."""
        first: dict[int, int] = {}
        for at, seq in enumerate(self.numbers, 1):
            first.setdefault(self._deal(at, seq), at)
        return list(first.items()) if len(first) > 1 else []

    def marks(self) -> Timeline:
        """The frames as a line, with the verdicts that are not "legal"."""
        found = self.reading.findings
        verdicts = self.view.log.moments if self.recorded else {s.seq: s for s in self.steps}
        words = [
            "illegal" if seq in found else word_of(verdicts[seq].verdict) for seq in self.numbers
        ]
        return timeline(words)

    def _deal(self, at: int, seq: int) -> int:
        return self.reading.where(seq).deal if self.recorded else self.steps[at - 1].state.deal

    def _step(self, at: int) -> Step | None:
        """The last play on the table after the frame at ``at``."""
        if self.recorded:
            return self.view.log.moment(self.numbers[at - 1]).step
        return self.steps[at - 1]

    def _pictures(self, seq: int, step: Step | None) -> tuple[TableBand | None, TableBand | None]:
        """The table before or as it was recorded first, and the table that the frame shows."""
        log, draw = self.view.log, partial(entries.board, self.view)
        now, said = draw(step), log.entries[seq - 1]
        if not isinstance(said, NO_PLAYS):
            changed = step is not None and step.play != said
            return (draw(log.moment(seq).step) if changed else now), now
        if self.recorded and not isinstance(said, Rewind):
            return draw(log.moment(seq - 1).step), now
        return now, now

    def _effect(self, seq: int, step: Step | None) -> Strip | None:
        view = self.view
        if self.recorded:
            return message.latest(view._replace(seq=seq, moment=view.log.moment(seq)))
        if step is None:
            return None
        then = view._replace(seq=seq, moment=view.moment._replace(step=step))
        return screen(view.game.NAME).said(then, step.play, word_of(step.verdict))


@bp.get("/t/<match>/replay")
def replay(match: str) -> str:
    """Page of one frame, with links and a slider to the others; static/js/replay.js plays them.

    ``?recorded``: the entries as they were made, instead of what counts now.
    """
    found = _replay(match)
    at = found.wanted() if len(found) else 0
    return render_template(
        "review/replay.html",
        view=found.view,
        replay=found,
        at=at,
        frame=found.frame(at) if at else None,
        deals=found.deals(),
        timeline=found.marks(),
        to=_addresses(found),
        then=partial(seats.as_then, found.former),
        book=book_of(found.view.game),
    )


@bp.get("/t/<match>/replay/frames")
def frames(match: str) -> str:
    """Several frames, the first at ``?at=``, for static/js/replay.js."""
    found = _replay(match)
    first = forms.number("at") or 1
    if not 1 <= first <= len(found):
        abort(404)
    shown = range(first, min(first + AT_ONCE, len(found) + 1))
    return render_template(
        "review/_frames.html",
        view=found.view,
        replay=found,
        frames=map(found.frame, shown),
        then=partial(seats.as_then, found.former),
    )


def _replay(match: str) -> Replay:
    view = ledger().view(match)
    # as of the entry at which the page was opened, so that its places stay what they are
    seen = forms.number("seen")
    if seen and seen < view.seq:
        view = view.before(seen + 1)
    return Replay(view, "recorded" in request.args)


def _addresses(found: Replay) -> Callable[[int], str]:
    """The address of the page with the frame at a place."""
    match, recorded = found.view.match, 1 if found.recorded else None
    return lambda at: address(".replay", match=match, at=at, recorded=recorded)
