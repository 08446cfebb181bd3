"""A deal of a game from a file, entered by its sheet: bids and tricks, or points alone.

If the points follow from bids and tricks, these are entered and the file's terms are evaluated; if
they depend on single cards, the table enters the points.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from referee.core.game import DealSheet, Impossible, SheetLine
from referee.core.hands import Hands
from referee.core.sheets import seat_words
from referee.kit.chapters.deck import table as table_of
from referee.kit.chapters.scoring.counted import by_points
from referee.kit.families.trick_taking import judging
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.plays import Bid, DealBySheet, Play
from referee.kit.families.trick_taking.possible import refuse_impossible
from referee.kit.families.trick_taking.state import BETWEEN, State
from referee.kit.scored import deal_scored
from referee.kit.sheets import entered, lacks, number, one_word, points, reader
from referee.kit.text.toml import Value

_WORD = re.compile(r"-?[0-9]{1,5}|[a-z][a-z0-9_]{0,23}")


def sheet(values: Mapping[str, Value]) -> DealSheet[State, Play]:
    """The sheet of the game with these values."""
    holder = table_of(values.get("deal")).get("leader") == "holder"
    return DealSheet(
        deal=lambda table, leader: DealBySheet(leader),
        ended=_by_points if by_points(values) else _by_tricks,
        card=reader(_WORD),
        first="" if holder else "leader",
    )


def _by_tricks(state: State, lines: tuple[SheetLine, ...]) -> State:
    """The end of a deal that has just begun, from bids and tricks; raises ``Impossible``."""
    rules, seats = rules_of(state), state.table.seats
    asked = 1 + rules.bidding.made
    possible = rules.bidding.possible(state) if rules.bidding.made else ()
    tricks, bids = list[int](), list[str | None]()
    for seat, words in seat_words(lines, seats).items():
        if len(words) != asked:
            raise lacks(seat)
        if rules.bidding.made and words[0] not in possible:
            values = {"bid": words[0], "bids": possible}
            raise Impossible("bid.1", "kit_no_such_bid", seat, **values)
        bids.append(words[0] if rules.bidding.made else None)
        tricks.append(number(seat, words[-1], 0))
    if rules.bidding.made:
        _refuse_barred(state, bids)
    size, every = rules.deal.trick_count(state.round.size), sum(tricks)
    leaves = rules.leaving.when is not None or rules.leaving.first is not None
    all_won = rules.source.at("trick", "next_none") is None and not leaves
    if every > size:
        raise Impossible("sheet.1", "kit_sheet_many", entered=every, size=size)
    if every < size and all_won:
        raise Impossible("sheet.1", "kit_sheet_few", entered=every, size=size)
    dealt = state.round._replace(
        number=size + 1, tricks=tuple(tricks), bids=tuple(bids) if rules.bidding.made else ()
    )
    return deal_scored(_over(state)._replace(round=dealt))


def _refuse_barred(state: State, bids: Sequence[str | None]) -> None:
    """Raises ``Impossible`` for a bid that its seat could not make when its turn came.

    Bids that are made at once, or may be changed, have no such order.
    """
    rules, first = rules_of(state), state.round.starter
    if rules.bidding.at_once or rules.bidding.may_change or first is None:
        return
    seats, said = state.table.seats, dict(zip(state.table.seats, bids, strict=True))
    order = state.table.starting(first)
    for place, seat in enumerate(order):
        made = tuple(said[other] if other in order[:place] else None for other in seats)
        before = state._replace(round=state.round._replace(bids=made))
        bid = said[seat]
        if bid is not None and judging.forbidden(before, Bid(seat, bid)):
            raise Impossible("bid.2", "kit_bid_barred", seat, bid=bid, rule="bid.2")


def _by_points(state: State, lines: tuple[SheetLine, ...]) -> State:
    """The end of a deal that has just begun, from its points; raises ``Impossible``."""
    found = points(one_word(lines, state.table.seats))
    refuse_impossible(state, found)
    return deal_scored(_over(state), entered(rules_of(state), found))


def _over(state: State) -> State:
    """``state`` after the last trick, with empty hands."""
    hands = Hands.dealt(state.deck, state.table.seats, 0)
    return state._replace(phase=BETWEEN, due=(), leader=None, hands=hands)
