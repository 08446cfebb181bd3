"""Who has won a match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.core.game import Table
from referee.core.verdict import Evidence, Outcome, Seat
from referee.games.families.must_not_follow.state import State


def outcome(state: State) -> Outcome | None:
    return state.ended


def decided(table: Table, totals: Mapping[Seat, int], tied: tuple[Seat, ...]) -> Outcome | None:
    """Who has won; None if the rule asks for another deal. ``tied`` were level before this one."""
    first = best(totals, tied or table.seats)
    points = totals[first[0]]
    if len(first) == 1:
        facts = [Evidence("most_points", {"points": points})]
        if tied:
            facts.append(Evidence("tie_replayed", {"seats": tied}))
        return Outcome("outcome.1", first, tuple(facts))
    level = Evidence("tied", {"seats": first, "points": points})
    match table.option("final_tie"):
        case "replay":
            return None
        case "first_in_seat":
            return Outcome("tie.1", first[:1], (level, Evidence("tie_first", {"seat": first[0]})))
        case _:
            return Outcome("tie.1", first, (level, Evidence("tie_shared", {"seats": first})))


def best(totals: Mapping[Seat, int], among: Iterable[Seat]) -> tuple[Seat, ...]:
    """Those ``among`` the seats who have most points, in the order given."""
    among = tuple(among)
    most = max(totals[seat] for seat in among)
    return tuple(seat for seat in among if totals[seat] == most)
