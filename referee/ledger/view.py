"""A match as it was after an entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple

from referee.core.corrections import Rewind, Rule
from referee.core.game import Game
from referee.core.generic import P, S
from referee.core.log import Log
from referee.core.record import Grammar, Header
from referee.core.steps import Moment, Step, steps
from referee.core.verdict import Finding, Legal, Outcome, Seat
from referee.store import Extent


class View(NamedTuple, Generic[S, P]):
    """A match as it was after entry ``seq``. Later entries don't change a view."""

    match: str
    header: Header
    log: Log[S, P]
    grammar: Grammar
    seq: int
    moment: Moment[S, P]
    no_longer_legal: Sequence[int] = ()
    """Entries that took effect when they were recorded, and that the present rules refuse."""
    names_version: int = 0
    reviewed: int = 0
    """Both: see ``Extent``."""

    @property
    def game(self) -> Game[S, P]:
        return self.log.game

    @property
    def state(self) -> S:
        return self.log.state_at(self.moment)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the header, then those that have joined."""
        return self.log.seats_at(self.state)

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats that are in; others sit out and have no place."""
        return self.log.present_at(self.state)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return self.game.to_act(self.state)

    def findings(self) -> tuple[Finding, ...]:
        """Proven illegal plays, such as revokes, with entry numbers."""
        return self.log.findings(self.moment)

    def in_force(self) -> set[int]:
        """Numbers of the entries that no rewind has undone, corrections included."""
        return self.log.in_force(self.moment)

    def step(self, seq: int) -> Step[S, P] | None:
        """The play in force of entry ``seq``, or None."""
        return next((step for step in steps(self.moment.step) if step.seq == seq), None)

    def before(self, seq: int) -> View[S, P]:
        """The match as it stood before entry ``seq`` was made; for a step use its ``before``."""
        return self._replace(seq=seq - 1, moment=self.log.moment(seq - 1))

    def undo_target(self) -> int | None:
        """The entry to which undo goes back; None if there is nothing to undo.

        Undo twice goes back two plays; it does not redo. A play that was accepted by a ruling with
        the same tap is undone together with the ruling.
        """
        last = left_by(self.log, self.seq)
        if last == 0:
            return None
        entry = self.log.entries[last - 1]
        if isinstance(entry, Rule) and entry.number == last - 1:
            return last - 2
        return last - 1


class NotReplayed(NamedTuple):
    """A match that has not been replayed yet.

    ``stands``: another value after every change. ``view`` replays it: one that cannot be replayed
    stops no other.
    """

    match: str
    stands: tuple[Extent | None, int]
    view: Callable[[], View]


def left_by(log: Log, seq: int) -> int:
    """The entry, never a rewind, that left the table as it is after entry ``seq``; 0: none."""
    while seq and isinstance(entry := log.entries[seq - 1], Rewind):
        done = isinstance(log.moments[seq].verdict, Legal)
        seq = entry.to if done else seq - 1
    return seq
