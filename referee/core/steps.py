"""The plays in force as a linked list, newest first, and the moments of a match."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Generic, NamedTuple

from referee.core import sheets
from referee.core.adjusting import Adjust
from referee.core.game import Game
from referee.core.generic import P, S
from referee.core.record import form
from referee.core.verdict import Evidence, Facts, Position, Verdict


class Step(NamedTuple, Generic[S, P]):
    """A play in force: the entry ``seq`` that records it, its verdict, and the state after it.

    ``before``: the previous step; ``onto``: the last previous one that took effect. ``depth``
    counts the plays that took effect, this one included. ``ruled``: the entry by which the table
    accepted the play.
    """

    before: Step[S, P] | None
    onto: Step[S, P] | None
    seq: int
    play: P
    verdict: Verdict
    state: S
    depth: int
    ruled: int | None

    @property
    def took_effect(self) -> bool:
        """Whether the play was legal, or the table accepted it."""
        return self.depth > depth(self.before)

    @property
    def by_sheet(self) -> bool:
        """Whether this play enters a whole deal by its sheet, and took effect."""
        return isinstance(self.play, sheets.TableSheet) and self.took_effect

    def __repr__(self) -> str:  # the inherited one would print the whole match
        return f"Step({self.seq}, {self.play!r}, {self.verdict!r})"


class Chain(NamedTuple):
    """The entries that led to a moment, newest first."""

    before: Chain | None
    seq: int

    def __repr__(self) -> str:
        return f"Chain({self.seq}, …)"


class Moment(NamedTuple, Generic[S, P]):
    """The table after an entry; ``verdict`` is the one that was given to that entry."""

    step: Step[S, P] | None
    chain: Chain | None
    verdict: Verdict


class DealAndTrick(NamedTuple):
    """Deal and trick, 1-based; ``trick`` is None for entries between tricks."""

    deal: int
    trick: int | None


class PastMoment(NamedTuple):
    """A moment without its steps: ``Log.moment`` makes them again.

    Its state is not kept: it holds a history of its own. ``proven``: whether infractions are.
    """

    place: DealAndTrick
    proven: bool
    chain: Chain | None
    verdict: Verdict


def deal_and_trick(game: Game[S, P], state: S) -> DealAndTrick:
    """Deal and trick in which a match is at ``state``."""
    running = bool(game.to_act(state))
    return DealAndTrick(state.deal, game.HOOKS.trick(state) if running else None)


def steps(step: Step[S, P] | None) -> Iterator[Step[S, P]]:
    """``step`` and those before it, newest first."""
    while step is not None:
        yield step
        step = step.before


def depth(step: Step | None) -> int:
    """How many plays took effect up to ``step``."""
    return step.depth if step else 0


def effective(step: Step[S, P] | None) -> Step[S, P] | None:
    """The last step up to ``step`` that took effect."""
    return step.onto if step and not step.took_effect else step


def number_of(last: Step | None, at: int) -> int:
    """The number of the entry at position ``at`` of the timeline that ends with ``last``.

    Raises LookupError if there is none.
    """
    step = effective(last)
    while step is not None and step.depth > at:
        step = step.onto
    if step is None or step.depth < at:
        raise LookupError(at)
    return step.seq


def resolved(evidence: Facts, last: Step | None) -> Facts:
    """``evidence`` with entry numbers in place of positions."""
    return tuple(map(partial(_numbered, last), evidence))


def _numbered(last: Step | None, fact: Evidence) -> Evidence:
    if fact.at is None:
        return fact
    values = {
        name: number_of(last, value) if isinstance(value, Position) else value
        for name, value in fact.values.items()
    }
    return fact._replace(at=number_of(last, fact.at), values=values)


def adjustments(last: Step | None) -> list[tuple[int, Adjust]]:
    """The adjustments of points in the timeline that ends with ``last``, with their numbers, in
    order.
    """
    return [
        (step.seq, step.play)
        for step in steps(last)
        if isinstance(step.play, Adjust) and step.took_effect
    ][::-1]


def dealt(last: Step | None) -> set[int]:
    """Numbers of the entries that dealt, in the timeline that ends with ``last``."""
    return {
        step.seq
        for step in steps(last)
        if form(step.play.FORM).verb in ("deal", "sheet") and step.took_effect
    }
