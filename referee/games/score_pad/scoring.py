"""The totals with their arithmetic, and what a pad shows to everybody."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.game import Line, ScoreSheet
from referee.core.ranking import ranking
from referee.core.verdict import Evidence, Outcome, Seat, evidence
from referee.core.written import Points, as_json, plain
from referee.games.score_pad.state import State


def score(state: State) -> ScoreSheet:
    return _standing(state)._replace(lines=tuple(line for line in _lines(state) if line.points))


def _standing(state: State) -> ScoreSheet:
    """The totals without their arithmetic."""
    totals = {seat: _total(state, seat) for seat in state.seats}
    return ScoreSheet((), totals, state.rules.fewest)


def _total(state: State, seat: Seat) -> Points:
    """The total of a seat; its place or the common points, where no rounds are scored."""
    if state.rules.wins == "places":
        return dict(state.places).get(_named(state, seat), 0)
    if state.rules.wins == "together":
        return plain(state.points or 0)
    return plain(state.totals[state.side(seat)])


def _named(state: State, seat: Seat) -> Seat:
    """The seat by which the places that the table has named stand for ``seat``."""
    side = state.side(seat)
    return next((one for one, _ in state.places if state.side(one) == side), seat)


def _lines(state: State) -> Iterator[Line]:
    if not state.rules.by_points:
        clause = f"{state.rules.wins}.1"
        for seat in state.seats:
            fact = Evidence("named_at_end", {"seat": seat}, state.ended_at or None)
            yield Line(seat, _total(state, seat), clause, (fact,), 1, None)
        return
    joined = {one.seat: one for one in state.joined}
    for seat in state.seats:
        if seat not in joined:
            begins = evidence("begins_with", seat=seat)
            yield Line(seat, state.rules.start, "start.1", begins, 1, None)
    for one in state.joined:
        fact = Evidence("joins", {"seat": one.seat}, one.at)
        yield Line(one.seat, plain(one.points), "join.1", (fact,), one.deal + 1, None)
    for number, scored in enumerate(state.scored, 1):
        given = {state.side(seat): points for seat, points in scored.points}
        for seat in state.seats:
            points = given.get(state.side(seat))
            if points is not None:
                fact = Evidence("scores_in_round", {"seat": seat, "number": number}, scored.at)
                yield Line(seat, plain(points), "round.1", (fact,), number, None)


def outcome(state: State) -> Outcome | None:
    return state.ended


def places(state: State) -> dict[Seat, int]:
    """The place of every seat that is in; with teams each seat has that of its team."""
    if not state.rules.by_points and not state.places:
        return dict.fromkeys(state.present, 1)
    rules = state.rules
    ranks = ranking(state.present, _standing(state), state.ended, rules.teams)
    return {seat: rank.place for rank in ranks for seat in rank.names}


def public(state: State) -> dict[str, object]:
    rules = state.rules
    ranked = places(state)
    totals = _standing(state).totals
    return {
        "called": rules.table.kit or "",
        "wins": rules.wins,
        "round": state.deal,
        "start": as_json(rules.start),
        "target": None if state.target is None else as_json(state.target),
        "rounds": state.rounds,
        "sum": None if rules.sum is None else as_json(rules.sum),
        "in": list(state.present),
        "out": [seat for seat in state.seats if seat not in state.present],
        "totals": {seat: as_json(points) for seat, points in totals.items()},
        "places": {seat: ranked.get(seat) for seat in state.seats},
        "tied": list(state.seats_of(state.rivals)) if state.tied and not state.ended else [],
    }
