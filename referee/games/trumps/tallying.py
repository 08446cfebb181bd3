"""Tally sheets: only the end of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from referee.core.adjusting import added
from referee.core.cards import pairs_deck
from referee.core.draws import Draws
from referee.core.game import DealSheet, Impossible, SheetLine, SheetLines, Table, Tally
from referee.core.record import Unreadable, rank_and_copies, seat_lines, words
from referee.core.sheets import seat_words, too_many
from referee.core.verdict import Seat
from referee.games.trumps.effects import deal_ended
from referee.games.trumps.plays import Deal, Play
from referee.games.trumps.scoring import decided, sheet_of
from referee.games.trumps.state import TOP, Pile, State, TrumpsStage


def tally(table: Table, lines: SheetLines, end: int, adjusted: Mapping[Seat, int]) -> Tally:
    """The score from lines such as ``A: 9*5 8*3``.

    They hold the score pile of each seat; an empty line means an empty pile.
    """
    entered: dict[Seat, list[int]] = {}
    for seat, (number, text) in seat_lines(lines, table.seats, end).items():
        try:
            entered[seat] = _cards(words(text))
        except Unreadable as fault:
            raise Unreadable(fault.fact, line=number, **fault.values) from None
    try:
        piles = _piles(table, entered)
    except Impossible as fault:
        raise Unreadable(fault.fact, line=lines[fault.at_fault][0][0], **fault.values) from None
    sheet = sheet_of(table, piles, 1)
    sheet = sheet._replace(totals=added(sheet.totals, adjusted))
    return Tally(sheet, decided(table, piles, (), adjusted))


def entered_as_sheet(state: State, lines: tuple[SheetLine, ...]) -> State:
    """The end of the deal that has just begun, after its final round, with the piles of its
    sheet.
    """
    table = state.table
    entered = {seat: _cards(pile) for seat, pile in seat_words(lines, table.seats).items()}
    piles = _piles(table, entered)
    _happened(state, sum(map(len, entered.values())))
    over = state._replace(
        step=TrumpsStage.IDLE,
        due=(),
        contest=(),
        piles=piles,
        hands=Draws.dealt(state.deck, table.seats, 0),
        stock=0,
        final=True,
    )
    return deal_ended(over)


def _happened(state: State, taken: int) -> None:
    """Raises ``Impossible`` if the piles of a deal cannot have so many cards together.

    In every round the first takes cards; those that are played in the last round are taken by
    nobody.
    """
    if not taken:
        raise Impossible("take.1", "sheet_nothing_taken")
    most = len(state.deck) - len(state.table.seats)
    if taken > most:
        raise Impossible("finish.1", "sheet_all_taken", entered=taken, most=most)


def _cards(pile: Iterable[str]) -> list[int]:
    return [rank for word in pile for rank in rank_and_copies(word)]


def _piles(table: Table, entered: Mapping[Seat, list[int]]) -> dict[Seat, Pile]:
    """The score piles; raises ``Impossible`` if the deck has fewer such cards."""
    deck = pairs_deck(TOP[len(table.seats)])
    seen: Counter[int] = Counter()
    for seat, cards in entered.items():
        seen.update(cards)
        for rank in cards:
            copies = deck.copies[deck.place[rank]] if rank in deck else 0
            if seen[rank] > copies:
                raise too_many(seat, rank, seen[rank], copies)
    return {seat: Counter(cards) for seat, cards in entered.items()}


SHEET: DealSheet[State, Play] = DealSheet(
    lambda table, leader: Deal(), entered_as_sheet, rank_and_copies
)
