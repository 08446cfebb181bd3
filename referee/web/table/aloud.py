"""What a phone reads aloud of a table: the sentences of the kinds that its setting names.

They are in the page of a phone that reads aloud, and in no other. static/js/voice reads them; it
makes no sentence of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.core.corrections import CORRECTIONS
from referee.core.ranking import ranking
from referee.http import language, voice
from referee.http.current import book_at
from referee.http.voice import SentenceKind
from referee.ledger import View
from referee.rulings import sentences
from referee.screens import screen
from referee.screens.base import Strip
from referee.screens.wording import amount, together
from referee.web.table import spoken
from referee.web.table.proven import Proven


class AloudLine(NamedTuple):
    """``lasts``: the sentence stays true when a card is played; only a correction can change it."""

    kind: SentenceKind
    text: str
    lasts: bool


class Aloud(NamedTuple):
    """``changed``: the last entry that may have changed an earlier one, 0 without one."""

    changed: int
    lines: tuple[AloudLine, ...]
    voice: voice.Voice


def aloud(
    view: View, strip: Strip | None, foul: Proven | None = None, turn: str = ""
) -> Aloud | None:
    """The sentences about the last entry of ``view``; None if this phone does not read aloud.

    ``strip`` and ``foul``: what the page shows. ``turn``: whose turn it is, as a sentence.
    """
    heard = voice.heard()
    if heard is None:
        return None
    entries = view.log.entries[: view.seq]
    changed = (n for n in range(view.seq, 0, -1) if isinstance(entries[n - 1], CORRECTIONS))
    spoken_of = _lines(view, strip, foul, turn, heard.kinds)
    lines = tuple(line for line in spoken_of if line.kind in heard.kinds)
    return Aloud(next(changed, 0), lines, heard)


def _lines(
    view: View,
    strip: Strip | None,
    foul: Proven | None,
    turn: str,
    kinds: tuple[SentenceKind, ...],
) -> Iterator[AloudLine]:
    seats = view.header.seats
    if strip and strip.clause:
        yield AloudLine(SentenceKind.REFUSED, spoken.of_refusal(strip, seats), False)
        return
    if strip and foul:
        # the trick that the same play ended names it: one sentence less
        proof = Strip("", "") if strip.trick and SentenceKind.TRICK in kinds else strip
        yield AloudLine(SentenceKind.FOUL, spoken.of_foul(foul, proof, seats), True)
    last = view.moment.step
    if strip and last and last.seq == view.seq:
        if strip.trick:
            yield AloudLine(SentenceKind.TRICK, spoken.in_pauses(strip.trick), True)
        goes_on = view.to_act or view.game.HOOKS.exchanging(view.state)
        if view.state.deal and not goes_on:
            yield AloudLine(SentenceKind.POINTS, _points(view), True)
    if turn:
        yield AloudLine(SentenceKind.TURN, turn, False)


def _points(view: View) -> str:
    """What all seats have at the end of a deal or of the match, the best first."""
    ended, unit = view.outcome, view.game.HOOKS.unit(view.log.table)
    head = screen(view.game.NAME).over(view.state.deal)
    if ended:
        head = sentences.outcome(ended, book_at(view), language.current()).rstrip("。.")
    ranks = ranking(view.present, view.game.score(view.state), ended)
    return spoken.sentences(
        [head], [f"{together(rank.names)} {amount(rank.points, unit)}" for rank in ranks]
    )
