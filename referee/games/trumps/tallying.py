"""Tally sheets: only the end of a game."""

from __future__ import annotations

from collections import Counter

from referee.core.cards import pairs_deck
from referee.core.game import SheetLines, Table, Tally
from referee.core.record import Unreadable, rank_and_copies, seat_lines, words
from referee.core.verdict import Seat
from referee.games.trumps.scoring import decided, sheet_of
from referee.games.trumps.state import TOP, Pile


def tally(table: Table, lines: SheetLines, end: int) -> Tally:
    """``A: 9*5 8*3``: the score pile of every seat; nothing after the colon is an empty one."""
    deck = pairs_deck(TOP[len(table.seats)])
    seen: Counter[int] = Counter()
    piles: dict[Seat, Pile] = {}
    for seat, (number, text) in seat_lines(lines, table.seats, end).items():
        try:
            cards = [rank for word in words(text) for rank in rank_and_copies(word)]
        except Unreadable as fault:
            raise Unreadable(fault.fact, line=number, **fault.values) from None
        seen.update(cards)
        for rank in cards:
            if rank not in deck or seen[rank] > deck.copies[deck.place[rank]]:
                raise Unreadable("read_too_many", line=number, text=str(rank))
        piles[seat] = Counter(cards)
    return Tally(sheet_of(table, piles, 1), decided(table, piles, ()))
