"""A match for the review pages: each entry, its deal, and whether it still counts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby
from typing import NamedTuple, Protocol

from referee.core import sheets
from referee.core.adjusting import Adjust
from referee.core.corrections import CORRECTIONS, NO_PLAYS, Amend, Rewind, Strike
from referee.core.generic import Entry, GameState, Play
from referee.core.steps import DealAndTrick, Step, deal_and_trick, steps
from referee.core.verdict import Card, Finding, Illegal, Legal, Seat, Verdict
from referee.ledger import View
from referee.ledger.view import left_by
from referee.screens import screen

PAGE = 150  # entries on one page of the log, at most: a deal of most games has fewer
RECENT = 14  # newest entries that the log shows even if they belong to earlier deals


class LogEntry(NamedTuple):
    """An entry and its fate.

    ``said``: the recorded entry. ``step``: the play that it stands for in force, or stood for when
    it was recorded; None for a correction that inserts nothing. ``fate``: "stands", "amended",
    "struck", "undone", or "corrects" for a correction in force. ``by``: the entry that amended or
    struck it.
    """

    seq: int
    said: Entry
    step: Step | None
    verdict: Verdict
    fate: str
    by: int | None
    place: DealAndTrick
    finding: Finding | None

    @property
    def play(self) -> Entry:
        """The play as it counts, or as it was written where it doesn't; a correction is itself."""
        return self.step.play if self.step else self.said

    @property
    def corrects(self) -> bool:
        """Whether it is a correction without a play of its own, in force or not."""
        return self.step is None and isinstance(self.said, CORRECTIONS)

    @property
    def ruled(self) -> int | None:
        """The entry by which the table accepted it; None if there is none."""
        return self.step.ruled if self.step and self.fate not in ("struck", "undone") else None


class TrickOver(Protocol):
    """A finished trick, in the states of games whose tricks are drawn."""

    @property
    def deal(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def winner(self) -> Seat | None: ...
    @property
    def rank(self) -> Card | None: ...
    @property
    def cards(self) -> tuple[object, ...]: ...
    @property
    def before(self) -> TrickOver | None: ...


class Stood(NamedTuple):
    """A trick at some moment: ``due`` had still to play.

    ``winner``: None while the trick is running, and if nobody won it. ``hit``: the ``at`` of the
    card in question (``Step.depth``). ``play``: a card that is drawn beside the others, because it
    was just played (``counts``) or refused. ``down``: cards that are out of the trick are face
    down.
    """

    place: DealAndTrick
    cards: tuple[object, ...]
    due: tuple[Seat, ...]
    winner: Seat | None
    hit: int | None = None
    play: Play | None = None
    counts: bool = True
    down: bool = False


class Page(NamedTuple):
    """Some entries of one deal, newest first, in runs of one trick.

    ``older``: the deal that has further entries, and the oldest entry on this page; None if there
    are no more. They are the address of the next page: ``?deal=&before=``.
    """

    deal: int
    runs: list[tuple[DealAndTrick, list[LogEntry]]]
    older: tuple[int, int] | None


class Reading:
    """A view of a match, with what its pages ask of every entry computed once."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.log = view.log
        self.played = {step.seq: step for step in steps(view.moment.step)}
        self.in_force = view.in_force()
        self.findings = {found.at: found for found in view.findings()}

    @cached_property
    def corrected_by(self) -> dict[int, int]:
        """Plays that were amended or struck → the latest correction in force that did it."""
        found: dict[int, int] = {}
        for seq in sorted(self.in_force):
            said, verdict = self.log.entries[seq - 1], self.log.moments[seq].verdict
            if isinstance(said, NO_PLAYS) and isinstance(verdict, Legal):
                parts = self.log.parts_of(seq)
                found |= {p.number: seq for p in parts if isinstance(p, Amend | Strike)}
        return found

    @cached_property
    def winners(self) -> dict[DealAndTrick, tuple[Seat | None, Card | None]]:
        """Trick → (winner, card), for finished tricks; empty in games whose tricks nobody wins."""
        if not screen(self.log.game.NAME).wins_tricks:
            return {}
        return {
            DealAndTrick(trick.deal, trick.number): (trick.winner, trick.rank)
            for trick in self._tricks()
        }

    def entry(self, seq: int) -> LogEntry:
        """Entry ``seq``, which must exist."""
        said, step = self.log.entries[seq - 1], self._step(seq)
        verdict = step.verdict if step else self.log.moments[seq].verdict
        if seq not in self.in_force:
            fate = "undone"
        elif isinstance(said, NO_PLAYS):
            fate = "corrects"
        elif seq not in self.played:
            fate = "struck"
        else:
            fate = "stands" if self.played[seq].play == said else "amended"
        by = self.corrected_by.get(seq) if fate in ("struck", "amended") else None
        return LogEntry(seq, said, step, verdict, fate, by, self.where(seq), self.findings.get(seq))

    def undone_by(self, seq: int) -> int | None:
        """The rewind that undid entry ``seq``, which must not be in force; None without one."""
        rewinds = [
            later
            for later in range(seq + 1, self.view.seq + 1)
            if isinstance(self.log.entries[later - 1], Rewind)
        ]
        there = True
        last = None
        for later in rewinds:
            still = seq in self.log.in_force(self.log.moments[later])
            if there and not still:
                last = later
            there = still
        return last

    def where(self, seq: int) -> DealAndTrick:
        """Deal and trick in which entry ``seq`` was recorded."""
        if seq in self.played:
            return self.place(self.played[seq])
        after = self.log.place(seq)
        if isinstance(self.log.entries[seq - 1], NO_PLAYS):
            return after
        before = self.log.place(seq - 1)
        return before if after.deal == before.deal else DealAndTrick(after.deal, None)

    def place(self, step: Step) -> DealAndTrick:
        """Deal and trick in which ``step`` was played; a deal belongs to no trick of its own."""
        before = self.log.before(step)
        if step.state.deal != before.deal:
            return DealAndTrick(step.state.deal, None)
        return self._at(before)

    def deals(self) -> list[int]:
        """Deals that have entries, newest first; 0 stands for entries before the first deal."""
        return sorted({self.where(seq).deal for seq in range(1, self.view.seq + 1)}, reverse=True)

    def page(self, deal: int | None = None, before: int | None = None) -> Page:
        """At most ``PAGE`` entries of ``deal``: the newest, or those before entry ``before``.

        Without a deal, those of the present one, and the newest ``RECENT`` ones of any deal.
        """
        last = self.view.seq
        recent = last - RECENT if deal is None else last
        if deal is None:
            deal = self.where(last).deal if last else 0
        newest = range(min(before or last + 1, last + 1) - 1, 0, -1)
        found = [seq for seq in newest if seq > recent or self.where(seq).deal == deal]
        shown = found[:PAGE]
        entries = [self.entry(seq) for seq in shown]
        runs = [(place, list(run)) for place, run in groupby(entries, key=lambda e: e.place)]
        oldest = self.where(shown[-1]).deal if shown else deal
        more = any(self.where(seq).deal == oldest for seq in range(1, min(shown, default=1)))
        return Page(deal, runs, (oldest, shown[-1]) if more else None)

    def actions(self, entry: LogEntry) -> Iterator[str]:
        """The verbs of corrections that can be made to ``entry``, and "contest", "what-if"."""
        play = entry.fate in ("stands", "amended")
        adjusts = entry.step is not None and isinstance(entry.step.play, Adjust)
        if play:
            yield from ("strike", "insert") if adjusts else ("amend", "strike", "insert")
        here = left_by(self.log, self.view.seq)
        if entry.seq != here and left_by(self.log, entry.seq) != here:
            yield "rewind"
        if play and entry.ruled is None and self._can_rule(entry):
            yield "rule"
        if play and entry.step and entry.step.state.deal and not adjusts:
            yield "void"
        if play:
            yield "contest"
        if not isinstance(entry.said, NO_PLAYS) and self.log.game.HOOKS.cards:
            yield "what-if"

    def as_it_stood(self, step: Step) -> Stood | None:
        """The trick as it lay when ``step`` was recorded; None if there is none to draw."""
        before, place = self.log.before(step), self.place(step)
        if place.trick is None or not screen(self.log.game.NAME).draws_tricks:
            return None
        stood = self._stood(place, before.trick, before.due, None)
        return stood._replace(play=step.play, counts=step.took_effect)

    def trick_now(self) -> Stood | None:
        """The trick on the table; None if there is none to draw."""
        state = self.view.state
        place = self._at(state)
        if place.trick is None or not screen(self.log.game.NAME).draws_tricks:
            return None
        return self._stood(place, state.trick, state.due, None)

    def trick_of(self, step: Step | None, place: DealAndTrick) -> Stood | None:
        """The trick at ``place`` as far as it was played, with ``step`` marked."""
        stood = self._trick_at(place)
        if stood is None or step is None:
            return stood
        if not step.took_effect:
            return stood._replace(play=step.play, counts=False)
        return stood._replace(hit=step.depth)

    def _stood(
        self,
        place: DealAndTrick,
        cards: tuple[object, ...],
        due: tuple[Seat, ...],
        winner: Seat | None,
    ) -> Stood:
        look = screen(self.view.game.NAME)
        won = winner if look.wins_tricks else None
        return Stood(place, cards, due, won, down=look.turned_down)

    def _step(self, seq: int) -> Step | None:
        if seq in self.played or isinstance(self.log.entries[seq - 1], NO_PLAYS):
            return self.played.get(seq)
        return self.log.moment(seq).step

    def _at(self, state: GameState) -> DealAndTrick:
        return deal_and_trick(self.log.game, state)

    def _can_rule(self, entry: LogEntry) -> bool:
        if self.log.table.option("allow_override") == "off" or entry.step is None:
            return False
        if not isinstance(entry.verdict, Illegal):
            return entry.finding is not None
        before, table = self.log.before(entry.step), self.log.table
        return sheets.let_stand(self.log.game, table, before, entry.play) is not None

    def _tricks(self) -> Iterator[TrickOver]:
        trick: TrickOver | None
        trick = self.view.state.last if screen(self.log.game.NAME).draws_tricks else None
        while trick:
            yield trick
            trick = trick.before

    def _trick_at(self, place: DealAndTrick) -> Stood | None:
        for trick in self._tricks():
            if DealAndTrick(trick.deal, trick.number) == place:
                return self._stood(place, trick.cards, (), trick.winner)
        return self.trick_now() if self._at(self.view.state) == place else None
