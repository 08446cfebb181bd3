"""Tally sheets: only the end of a game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from referee.core.adjusting import added
from referee.core.draws import Draws
from referee.core.game import DealSheet, Impossible, SheetLine, SheetLines, Table, Tally
from referee.core.record import Unreadable, unquoted, words
from referee.core.sheets import named_seats, seat_words, too_many
from referee.core.verdict import Seat
from referee.games.three_kings.cards import KING, KINGS_TO_END, NUMBERS, TABLEAU, VALUE, deck_for
from referee.games.three_kings.effects import deal_ended
from referee.games.three_kings.plays import Deal, Play
from referee.games.three_kings.scoring import by_method, sheet_of
from referee.games.three_kings.state import Bonus, State, TakenSet


def tally(table: Table, lines: SheetLines, end: int, adjusted: Mapping[Seat, int]) -> Tally:
    """The score from lines such as ``A: 4+8=Q A+5=6`` and ``declarer: A``.

    A seat's line holds its sets. In the variant, ``declarer`` names every holder of three kings.
    """
    for key, found in lines.items():
        if key != "declarer" and key not in table.seats:
            raise Unreadable("read_tally_key", line=found[0][0], key=key)
        if len(found) > 1:
            raise Unreadable("read_repeated", line=found[1][0], key=key)
    for seat in table.seats:
        if seat not in lines:
            raise Unreadable("read_missing", line=end, key=seat)
    entered: dict[Seat, tuple[tuple[str, str, str], ...]] = {}
    holders: tuple[Seat, ...] = ()
    for key, [(number, text)] in lines.items():
        try:
            if key == "declarer":
                holders = _read_declarers(table, text)
            else:
                entered[key] = tuple(map(_read_set, words(text)))
        except Unreadable as fault:
            raise Unreadable(fault.fact, line=number, **fault.values) from None
    try:
        holders = _checked(table, entered, holders)
    except Impossible as fault:
        raise Unreadable(fault.fact, line=lines[fault.at_fault][0][0], **fault.values) from None
    sets = [TakenSet(seat, cards, 1, None) for seat, took in entered.items() for cards in took]
    sheet = sheet_of(table, sets, [Bonus(seat, 1, None) for seat in holders])
    totals = added(sheet.totals, adjusted)
    return Tally(sheet._replace(totals=totals), by_method(table, totals, holders, ()))


def entered_as_sheet(state: State, lines: tuple[SheetLine, ...]) -> State:
    """The end of the deal that has just begun, with the sets on its sheet."""
    table = state.table
    entered = {
        seat: tuple(map(_read_set, took)) for seat, took in seat_words(lines, table.seats).items()
    }
    holders = _checked(table, entered, named_seats(lines, "declarer"))
    sets = (
        TakenSet(seat, cards, state.deal, state.at)
        for seat, took in entered.items()
        for cards in took
    )
    over = state._replace(
        tableau=(),
        stock=0,
        hands=Draws.dealt(state.deck, table.seats, 0),
        sets=state.sets.with_items(sets),
    )
    return deal_ended(over, holders, ())


def _checked(
    table: Table,
    entered: Mapping[Seat, Iterable[tuple[str, str, str]]],
    declarers: tuple[Seat, ...],
) -> tuple[Seat, ...]:
    """The ``declarers`` that get the bonus.

    Raises ``Impossible`` if the sets or the declarers are impossible.
    """
    seen: Counter[str] = Counter()
    for seat, took in entered.items():
        for cards in took:
            text = "{}+{}={}".format(*cards)
            if KING in cards:
                raise Impossible("king.1", "king_in_set", seat)
            if VALUE[cards[0]] + VALUE[cards[1]] != VALUE[cards[2]]:
                raise Impossible("set.1", "read_tally_set", seat, text=text)
            for card in cards:
                seen[card] += 1
                if seen[card] > 2 * len(table.seats):
                    raise too_many(seat, card, seen[card], 2 * len(table.seats))
    variant = table.option("end") == "all_cards"
    most = deck_for(len(table.seats)).copies[-1] // KINGS_TO_END if variant else 1
    if len(set(declarers)) < len(declarers):
        raise Impossible("declare.1", "read_repeated", "declarer", key=declarers[0])
    if len(declarers) > most:
        text = " ".join(declarers)
        raise Impossible("declare.1", "read_tally_declarers", "declarer", text=text, most=most)
    return () if variant and table.option("all_cards_bonus") == "none" else declarers


def _read_set(word: str) -> tuple[str, str, str]:
    """The cards of ``4+8=Q``, whether they make a set or not; raises ``Unreadable``."""
    if not re.fullmatch("[^+=]+[+][^+=]+=[^+=]+", word):
        raise Unreadable("read_tally_set", text=word)
    low, middle, high = re.split("[+=]", word)
    if not {low, middle, high} <= {*VALUE, KING}:
        raise Unreadable("read_tally_set", text=word)
    return low, middle, high


def _read_declarers(table: Table, text: str) -> tuple[Seat, ...]:
    seats = tuple(unquoted(word) for word in words(text))
    for seat in seats:
        if seat not in table.seats:
            raise Unreadable("read_seat", name=seat)
    return seats


SHEET: DealSheet[State, Play] = DealSheet(
    lambda table, dealer: Deal(dealer or table.seats[0], NUMBERS[:TABLEAU]),
    entered_as_sheet,
    _read_set,
    first="dealer",
    named="declarer",
)
