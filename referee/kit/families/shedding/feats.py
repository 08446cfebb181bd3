"""What the history counts of a match: places, and what plays brought about."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.game import Feat
from referee.core.generic import Entry
from referee.kit.families.shedding.effects import acts_of, scope_of_lay
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.plays import Lay
from referee.kit.families.shedding.state import BETWEEN, State

EVENT = "event"
REVOLUTION, CLEAR, FOUL, FALL = "revolution", "clear", "foul", "fall"
"""Labels of counted feats; those of places are numbers."""


def counted(before: State, entry: Entry, after: State) -> Iterator[Feat]:
    """Plays that turn the order of the deal or clear the trick; at the end of a deal the places,
    fouls and falls.
    """
    if isinstance(entry, Lay):
        acts = acts_of(rules_of(before), scope_of_lay(before, entry))
        if acts.get("reverse deal", 0) % 2:
            yield Feat(entry.seat, EVENT, REVOLUTION, 1)
        if "clear" in acts:
            yield Feat(entry.seat, EVENT, CLEAR, 1)
    if after.phase != BETWEEN or (before.phase == BETWEEN and before.deal == after.deal):
        return
    round_ = after.round
    if any(round_.finish):
        for seat, place in zip(after.table.seats, round_.finish, strict=True):
            if place:
                yield Feat(seat, EVENT, str(place), 1)
        yield from (Feat(seat, EVENT, FOUL, 1) for seat in round_.fouls)
        yield from (Feat(seat, EVENT, FALL, 1) for seat in round_.fallen)
