"""What the history counts of a match: cards drawn, stops and busts."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.game import Feat
from referee.core.generic import Entry
from referee.kit.families.draw_or_stop.plays import Fold, Hit, Stay
from referee.kit.families.draw_or_stop.state import BETWEEN, State
from referee.kit.scored import in_match

EVENT = "event"
ROUND, DRAWN, STAYED, FOLDED, BUST = "round", "drawn", "stay", "fold", "bust"
"""Labels of counted feats."""


def counted(before: State, entry: Entry, after: State) -> Iterator[Feat]:
    """Cards drawn, stops, busts, and at the end of a round that a seat has played it."""
    match entry:
        case Hit():
            yield Feat(entry.seat, EVENT, DRAWN, 1)
        case Stay():
            yield Feat(entry.seat, EVENT, STAYED, 1)
        case Fold():
            yield Feat(entry.seat, EVENT, FOLDED, 1)
    if before.deal == after.deal:
        for i, seat in enumerate(after.table.seats):
            if after.round.busts[i] and not before.round.busts[i]:
                yield Feat(seat, EVENT, BUST, 1)
    if after.phase == BETWEEN and (before.phase != BETWEEN or before.deal != after.deal):
        yield from (Feat(seat, EVENT, ROUND, 1) for seat in in_match(before))
