"""The score alone, from the cards that each seat has kept as points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from referee.core.adjusting import added
from referee.core.game import (
    DealSheet,
    Impossible,
    Line,
    ScoreSheet,
    SheetLine,
    SheetLines,
    Table,
    Tally,
)
from referee.core.record import Unreadable, rank_and_copies, seat_lines, words
from referee.core.sheets import seat_words, too_many
from referee.core.verdict import Seat, evidence
from referee.games.pairs.effects import lost_by, scored
from referee.games.pairs.plays import Deal, Play
from referee.games.pairs.state import BURNED, DECK, Score, ShownCard, State, limit, outside


def tally(table: Table, lines: SheetLines, end: int, adjusted: Mapping[Seat, int]) -> Tally:
    """The score from lines such as ``A: 8 3*2``.

    They hold the cards kept by each seat, in any order; an empty line means none.
    """
    most = limit(table)
    seen: Counter[int] = Counter()
    sheet: list[Line] = []
    totals = dict.fromkeys(table.seats, 0)
    lost: list[Seat] = []
    for seat, (number, text) in seat_lines(lines, table.seats, end).items():
        cards = _cards(number, text, seen)
        sheet += (
            Line(seat, rank, "score.3", evidence("kept", seat=seat, rank=rank), 1, None)
            for rank in cards
        )
        totals[seat] = sum(cards)
        if totals[seat] >= most:
            lost.append(seat)
        # before the last card, whichever that was, no seat may have had enough points to lose
        least = min(0, adjusted.get(seat, 0))
        if (lost[1:] and not adjusted) or (cards and sum(cards) + least - max(cards) >= most):
            raise Unreadable("read_tally_limit", line=number, text=text, limit=most)
    totals = added(totals, adjusted)
    # who has lost by cards has lost, whatever was adjusted afterwards
    losers = lost or [seat for seat, points in totals.items() if points >= most]
    ended = lost_by(tuple(losers), totals, most)
    return Tally(ScoreSheet(tuple(sheet), totals, fewest=True), ended)


def entered_as_sheet(state: State, lines: tuple[SheetLine, ...]) -> State:
    """The end of the round that has just begun, from its sheet: one seat keeps one card.

    It is not known which other cards were seen, or whether the deck was shuffled.
    """
    entered = {
        seat: [rank for word in cards for rank in rank_and_copies(word)]
        for seat, cards in seat_words(lines, state.table.seats).items()
    }
    kept = [(seat, rank) for seat, cards in entered.items() for rank in cards]
    if len(kept) != 1:
        raise Impossible("score.3", "sheet_one_card", entered=len(kept))
    [(seat, rank)] = kept
    left = outside(state)
    if rank not in DECK or not left[rank - 1]:
        copies = DECK.copies[rank - 1] if rank in DECK else 0
        raise too_many(seat, rank, copies + 1, copies)
    score = Score(state.deal, seat, rank, False, seat, state.at, by_sheet=True)
    left[rank - 1] -= 1
    points = tuple(ShownCard(each.seat, each.rank, each.at) for each in (*state.scores, score))
    over = scored(state, score)
    stock = max(0, sum(left) - BURNED)
    return over._replace(unseen=tuple(left), seen=points, stock=stock, uncounted=True)


def _cards(line: int, text: str, seen: Counter[int]) -> list[int]:
    """The cards of one line; counts them into ``seen``."""
    try:
        cards = [rank for word in words(text) for rank in rank_and_copies(word)]
    except Unreadable as fault:
        raise Unreadable(fault.fact, line=line, **fault.values) from None
    seen.update(cards)
    for rank in cards:
        if rank not in DECK or seen[rank] > DECK.copies[DECK.place[rank]]:
            raise Unreadable("read_too_many", line=line, text=str(rank))
    return cards


SHEET: DealSheet[State, Play] = DealSheet(
    lambda table, leader: Deal(), entered_as_sheet, rank_and_copies
)
