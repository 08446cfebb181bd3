"""Entries that every game has: a deal entered by its sheet, an adjustment of points, the early end.

``judge``, ``apply`` and ``let_stand`` handle these and all plays of the game; the log calls them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from referee.core import adjusting
from referee.core.adjusting import Adjust
from referee.core.game import DealSheet, Game, Impossible, SheetLine, Table
from referee.core.game import Line as Points
from referee.core.generic import ByTable, P, S
from referee.core.verdict import Facts, Illegal, Legal, Outcome, Seat, Verdict, evidence


@dataclass(frozen=True, slots=True)
class TableSheet(ByTable):
    """A deal, entered by its sheet instead of its plays.

    ``lines``: who leads or deals first, then the seats in turn order, then the other keys.
    """

    FORM: ClassVar[str] = "sheet [{lines:sheet}]"
    lines: tuple[SheetLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Stop(ByTable):
    """The table ends the match here; nobody wins (ruling X8)."""

    FORM: ClassVar[str] = "stop [because {reason:text}]"
    reason: str | None = None


STOPPED = "leave.1"
"""The clause of the outcome of a match that was stopped."""


Common: TypeAlias = TableSheet | Stop | Adjust
"""The entries that are no plays of a single game, and can be corrected like one."""


def entries(game: Game[S, P]) -> tuple[type[Common], ...]:
    """The classes of common entries that ``game`` has."""
    sheet = (TableSheet,) if game.HOOKS.sheet else ()
    return (*sheet, *((Stop,) if game.HOOKS.stopped else ()), Adjust)


def of_a_deal(play: object) -> bool:
    """Whether ``play`` belongs to the deal in which it lies."""
    return not isinstance(play, Stop | Adjust)


def judge(game: Game[S, P], table: Table, state: S, play: P | Common) -> Verdict:
    """Whether ``play``, of the game or a common entry, is legal at ``state``."""
    match play:
        case Adjust():
            return adjusting.judge(game, table, state, play)
        case Stop():
            if game.outcome(state):
                return Illegal("end.1", evidence("match_over"))
            return Legal(STOPPED, _why(play))
        case TableSheet():
            begun = game.judge(state, _deal(game, table, play))
            if isinstance(begun, Illegal):
                return begun
            try:
                _entered(game, table, state, play)
            except Impossible as fault:
                return Illegal(fault.clause, evidence(fault.fact, **fault.values))
            return Legal("sheet.1", evidence("entered_by_sheet", number=state.deal + 1))
        case _:
            return game.judge(state, play)


def apply(game: Game[S, P], table: Table, state: S, play: P | Common) -> S:
    """The state after ``play``, which is not illegal."""
    match play:
        case Adjust():
            return adjusting.apply(game, state, play)
        case Stop():
            assert game.HOOKS.stopped is not None
            return game.HOOKS.stopped(state, Outcome(STOPPED, (), _why(play)))
        case TableSheet():
            return _entered(game, table, state, play)
        case _:
            return game.apply(state, play)


def let_stand(game: Game[S, P], table: Table, state: S, play: P | Common) -> S | None:
    """The state after an illegal play that the table accepts; None if that makes no sense.

    A sheet can be accepted where a deal can be, but not if it cannot have happened.
    """
    match play:
        case Stop() | Adjust():
            return None
        case TableSheet():
            deal = _deal(game, table, play)
            legal = not isinstance(game.judge(state, deal), Illegal)
            begun = game.apply(state, deal) if legal else game.let_stand(state, deal)
            try:
                return _sheet(game).ended(begun, play.lines) if begun is not None else None
            except Impossible:
                return None
        case _:
            return game.let_stand(state, play)


def stopped(outcome: Outcome | None) -> bool:
    """Whether ``outcome`` is that of a match which was stopped before it was decided."""
    return outcome is not None and outcome.clause == STOPPED


def named_seats(lines: Iterable[SheetLine], key: str) -> tuple[Seat, ...]:
    """The seats that the line ``key`` names; none without such a line."""
    words = (word for line in lines if line.key == key for word in line.words)
    return tuple(seat for seat, _ in words if seat is not None)


def seat_words(lines: Iterable[SheetLine], seats: Sequence[Seat]) -> dict[Seat, tuple[str, ...]]:
    """The words of every seat's line, in turn order; raises ``Impossible`` if one is missing."""
    by_seat = {line.seat: tuple(word for _, word in line.words) for line in lines if line.seat}
    for seat in seats:
        if seat not in by_seat:
            raise Impossible("sheet.1", "sheet_lacks", seat, key=seat)
    return {seat: by_seat[seat] for seat in seats}


def too_many(key: str, card: object, entered: int, copies: int) -> Impossible:
    """The fault of a sheet whose line ``key`` has ``entered`` copies of a card.

    The deck has fewer ``copies``, perhaps 0.
    """
    clause, fact = ("deck.2", "sheet_copies") if copies else ("deck.1", "sheet_no_card")
    return Impossible(clause, fact, key, card=card, entered=entered, copies=copies)


def moved(lines: Iterable[Points], deal: int, at: int) -> tuple[Points, ...]:
    """``lines`` with deal number ``deal``, all shown by the entry at ``at``."""
    return tuple(
        line._replace(deal=deal, evidence=tuple(fact._replace(at=at) for fact in line.evidence))
        for line in lines
    )


def in_order(played: Iterable[Points], entered: Collection[Points]) -> tuple[Points, ...]:
    """The arithmetic of played deals and of deals entered as sheets, ordered by deal."""
    if not entered:
        return tuple(played)
    return tuple(sorted((*played, *entered), key=lambda line: line.deal))


def _why(stop: Stop) -> Facts:
    """The facts that the table stopped and, if given, why."""
    reason = evidence("reason", text=stop.reason) if stop.reason is not None else ()
    return (*evidence("stopped"), *reason)


def _sheet(game: Game[S, P]) -> DealSheet[S, P]:
    assert game.HOOKS.sheet is not None  # the grammar reads no sheet otherwise
    return game.HOOKS.sheet


def _deal(game: Game[S, P], table: Table, play: TableSheet) -> P:
    """The play of the game that begins the deal of a sheet."""
    sheet = _sheet(game)
    leaders = named_seats(play.lines, sheet.first) if sheet.first else ()
    return sheet.deal(table, leaders[0] if leaders else None)


def _entered(game: Game[S, P], table: Table, state: S, play: TableSheet) -> S:
    """The state after the deal of a sheet; raises ``Impossible``."""
    begun = game.apply(state, _deal(game, table, play))
    return _sheet(game).ended(begun, play.lines)
