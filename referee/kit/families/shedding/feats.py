"""What the history counts of a match: the best deals, places, and what plays brought about."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.game import Feat
from referee.core.generic import Entry
from referee.core.verdict import Seat
from referee.core.written import whole
from referee.kit import scored
from referee.kit.families.shedding.effects import acts_of, scope_of_lay
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.plays import Lay
from referee.kit.families.shedding.state import BETWEEN, State

EVENT = "event"
REVOLUTION, CLEAR, FOUL, FALL = "revolution", "clear", "foul", "fall"
"""Labels of counted feats; those of places are numbers."""


def feats(state: State) -> Iterator[Feat]:
    """What each deal was worth to a seat; nothing where the fewest points are best."""
    deals: dict[tuple[Seat, int], int] = {}
    if rules_of(state).match.fewest:
        return
    for line in scored.score(state).lines:
        deals[line.seat, line.deal] = deals.get((line.seat, line.deal), 0) + whole(line.points)
    for (seat, deal), points in deals.items():
        yield Feat(seat, "deal", str(deal), points)


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
