"""Points, and the winners (rulings K25–K31)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.core.adjusting import added
from referee.core.ending import best, by_points
from referee.core.game import Line, ScoreSheet, Table
from referee.core.verdict import Evidence, Outcome, Seat, evidence
from referee.core.written import whole, written
from referee.games.three_kings.evidence import sum_of
from referee.games.three_kings.state import Bonus, State, TakenSet

KINGS = "kings"
"""The kind of the lines for three kings; the others are for sets."""
BONUS = {"1": 1, "2": 15, "3": -15}  # for three kings, by win condition


def score(state: State) -> ScoreSheet:
    sheet = sheet_of(state.table, state.sets, state.bonuses)
    return sheet._replace(totals=added(sheet.totals, state.adjusted))


def sheet_of(table: Table, sets: Iterable[TakenSet], bonuses: Iterable[Bonus]) -> ScoreSheet:
    """The score of these sets and bonuses, by the win condition of the table."""
    method = table.option("method")
    lines = []
    if method == "1":
        for seat, deal, at in bonuses:
            lines.append(
                Line(seat, BONUS[method], "method.1", evidence("won", at), deal, None, KINGS)
            )
    else:
        for taken in sets:
            fact = sum_of(taken.cards)._replace(at=taken.at)
            lines.append(Line(taken.seat, taken.points, "score.1", (fact,), taken.deal, None))
        for seat, deal, at in bonuses:
            points = BONUS[method]
            fact = Evidence("bonus", {"points": written(points, "+d")}, at)
            lines.append(Line(seat, points, f"method.{method}", (fact,), deal, None, KINGS))
    totals = dict.fromkeys(table.seats, 0)
    for line in lines:
        totals[line.seat] += whole(line.points)
    return ScoreSheet(tuple(lines), totals, fewest=method == "3")


def _totals(table: Table, sets: Iterable[TakenSet], bonuses: Iterable[Bonus]) -> Mapping[Seat, int]:
    """The totals of ``sheet_of``, without its arithmetic."""
    method = table.option("method")
    totals = dict.fromkeys(table.seats, 0)
    if method != "1":
        for taken in sets:
            totals[taken.seat] += taken.points
    for bonus in bonuses:
        totals[bonus.seat] += BONUS[method]
    return totals


def outcome(state: State) -> Outcome | None:
    return state.ended


def decided(table: Table, state: State) -> Outcome | None:
    """The outcome after the last deal of ``state``; None if a tie asks for another deal.

    ``table``: the house rules that decide.
    """
    holders = [bonus.seat for bonus in state.bonuses if bonus.deal == state.deal]
    return by_method(table, _all_points(state), holders, state.rivals)


def by_method(
    table: Table, totals: Mapping[Seat, int], holders: Iterable[Seat], rivals: tuple[Seat, ...]
) -> Outcome | None:
    """The outcome by this table's win condition; ``holders`` have three kings."""
    method, variant = table.option("method"), table.option("end") == "all_cards"
    fact = "holds_three" if variant else "declared"
    why = tuple(Evidence(fact, {"seat": seat}) for seat in holders)
    if not why and not variant:
        why = evidence("nobody_declared")
    if method == "1":
        winners = tuple(holders)
        if not winners:
            return Outcome("close.1", winners, why)
        return Outcome("method.1", winners, (*why, *evidence("wins_with_three", seats=winners)))
    return by_points(
        table, totals, rivals, clause=f"method.{method}", why=why, fewest=method == "3"
    )


def seats_level(state: State) -> tuple[Seat, ...]:
    """The tied seats for whom a deal is played again."""
    fewest = state.table.option("method") == "3"
    return best(_all_points(state), state.rivals or state.table.seats, fewest=fewest)


def _all_points(state: State) -> Mapping[Seat, int]:
    return added(_totals(state.table, state.sets, state.bonuses), state.adjusted)
