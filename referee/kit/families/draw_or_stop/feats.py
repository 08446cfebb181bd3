"""What the history counts of a match: the best rounds, cards drawn, stops and busts."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.game import Feat
from referee.core.generic import Entry
from referee.core.verdict import Seat
from referee.core.written import whole
from referee.kit import scored
from referee.kit.families.draw_or_stop.plays import Fold, Hit, Stay
from referee.kit.families.draw_or_stop.state import BETWEEN, State
from referee.kit.families.draw_or_stop.stock import in_match, rules_of

EVENT = "event"
ROUND, DRAWN, STAYED, FOLDED, BUST = "round", "drawn", "stay", "fold", "bust"
"""Labels of counted feats."""


def feats(state: State) -> Iterator[Feat]:
    """What each round was worth to a seat; nothing where the fewest points are best."""
    if rules_of(state).match.fewest:
        return
    rounds: dict[tuple[Seat, int], int] = {}
    for line in scored.score(state).lines:
        key = line.seat, line.deal
        rounds[key] = rounds.get(key, 0) + whole(line.points)
    for (seat, deal), points in rounds.items():
        yield Feat(seat, "deal", str(deal), points)


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
