"""How points decide a match: who is best, and what the house rule does about a tie (ruling X2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from referee.core.game import Table
from referee.core.sheets import stopped
from referee.core.verdict import Facts, Outcome, Seat, evidence
from referee.core.written import Points


def best(
    totals: Mapping[Seat, Points], among: Iterable[Seat], *, fewest: bool = False
) -> tuple[Seat, ...]:
    """The seats of ``among`` with the most points (or the fewest), in the given order."""
    among = tuple(among)
    first = (min if fewest else max)(totals[seat] for seat in among)
    return tuple(seat for seat in among if totals[seat] == first)


def by_points(
    table: Table,
    totals: Mapping[Seat, Points],
    rivals: tuple[Seat, ...],
    *,
    clause: str,
    why: Facts = (),
    fewest: bool = False,
) -> Outcome | None:
    """The outcome by ``clause`` if one seat is best, else by the house rule for a tie.

    ``rivals``: the seats that can win; after a tie that led to another deal, only those that were
    tied. ``why``: facts that come first in the evidence. None if the table plays another deal.
    """
    first = best(totals, rivals or table.seats, fewest=fewest)
    points = totals[first[0]]
    if len(first) > 1:
        return tie(table, first, (*why, *evidence("tied", seats=first, points=points)))
    most = most_points(first[0], points, rivals, fewest=fewest)
    return Outcome(clause, first, (*why, *most))


def most_points(
    seat: Seat, points: Points, rivals: tuple[Seat, ...], *, fewest: bool = False
) -> Facts:
    """The facts that ``seat`` has most points; ``rivals``: of those only that had tied before.

    Somebody who had not tied may have more of them.
    """
    if not rivals:
        return evidence("fewest_points" if fewest else "most_points", seat=seat, points=points)
    most = "fewest_of_tied" if fewest else "most_of_tied"
    replayed = evidence("tie_replayed", seats=rivals)
    return (*replayed, *evidence(most, seat=seat, points=points, tied=rivals))


def tie(table: Table, level: tuple[Seat, ...], why: Facts) -> Outcome | None:
    """The outcome if ``level`` are tied, by the house rule; None: they play another deal."""
    match table.option("final_tie"):
        case "replay":
            return None
        case "first_in_seat":
            alone = evidence("tie_first", seat=level[0])
            return Outcome("tie.1", level[:1], (*why, *alone))
        case _:
            return Outcome("tie.1", level, (*why, *evidence("tie_shared", seats=level)))


def decided_again(
    table: Table, ended: Outcome | None, decide: Callable[[Table], Outcome | None]
) -> Outcome | None:
    """The outcome of a match whose totals have been adjusted; ``ended``: the one before.

    ``decide`` gives it at a table with other house rules: no further deal breaks a tie now. A match
    that was not decided or that was stopped stays so.
    """
    if ended is None or stopped(ended):
        return ended
    replays = table.option("final_tie") == "replay"
    return decide(replace(table, chosen={**table.chosen, "final_tie": ""}) if replays else table)
