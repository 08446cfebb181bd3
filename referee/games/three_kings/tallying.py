"""Tally sheets: only the end of a game."""

from __future__ import annotations

import re
from collections import Counter

from referee.core.game import SheetLines, Table, Tally
from referee.core.record import Unreadable, unquoted, words
from referee.core.verdict import Seat
from referee.games.three_kings.cards import KINGS_TO_END, VALUE, deck_for
from referee.games.three_kings.scoring import by_method, sheet_of
from referee.games.three_kings.state import Bonus, Taken


def tally(table: Table, lines: SheetLines, end: int) -> Tally:
    """``A: 4+8=Q A+5=6``: the sets of a seat; ``declarer: A`` or, in the variant, every holder."""
    for key, found in lines.items():
        if key != "declarer" and key not in table.seats:
            raise Unreadable("read_tally_key", line=found[0][0], key=key)
        if len(found) > 1:
            raise Unreadable("read_repeated", line=found[1][0], key=key)
    for seat in table.seats:
        if seat not in lines:
            raise Unreadable("read_missing", line=end, key=seat)
    seen: Counter[str] = Counter()
    sets: list[Taken] = []
    holders: list[Seat] = []
    for key, [(number, text)] in lines.items():
        try:
            if key == "declarer":
                holders = _told_declarers(table, text)
            else:
                sets += (Taken(key, _told_set(table, word, seen), 1, None) for word in words(text))
        except Unreadable as fault:
            raise Unreadable(fault.fact, line=number, **fault.values) from None
    if table.option("end") == "all_cards" and table.option("all_cards_bonus") == "none":
        holders = []
    sheet = sheet_of(table, sets, [Bonus(seat, 1, None) for seat in holders])
    return Tally(sheet, by_method(table, sheet.totals, holders, ()))


def _told_set(table: Table, word: str, seen: Counter[str]) -> tuple[str, str, str]:
    """The cards of ``4+8=Q``; counts them into ``seen``."""
    cards = tuple(re.split("[+=]", word))
    values = [VALUE.get(card, 0) for card in cards]
    if not re.fullmatch("[^+=]+[+][^+=]+=[^+=]+", word) or 0 in values:
        raise Unreadable("read_tally_set", text=word)
    low, middle, high = cards
    if VALUE[low] + VALUE[middle] != VALUE[high]:
        raise Unreadable("read_tally_set", text=word)
    for card in cards:
        seen[card] += 1
        if seen[card] > 2 * len(table.seats):
            raise Unreadable("read_too_many", text=card)
    return low, middle, high


def _told_declarers(table: Table, text: str) -> list[Seat]:
    seats = [unquoted(word) for word in words(text)]
    for i, seat in enumerate(seats):
        if seat not in table.seats:
            raise Unreadable("read_seat", name=seat)
        if seat in seats[:i]:
            raise Unreadable("read_repeated", key=seat)
    most = 1
    if table.option("end") == "all_cards":
        most = deck_for(len(table.seats)).copies[-1] // KINGS_TO_END
    if len(seats) > most:
        raise Unreadable("read_tally_declarers", text=text, most=most)
    return seats
