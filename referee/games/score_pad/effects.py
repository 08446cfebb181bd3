"""What an entry of a score pad changes, and when the match ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from referee.core.ending import best, most_points, tie
from referee.core.sheets import stopped as ended_early
from referee.core.verdict import Facts, Illegal, Outcome, Seat, evidence
from referee.core.written import Points, plain
from referee.games.score_pad.judging import STANDS, judge, opening
from referee.games.score_pad.plays import (
    AllLost,
    AllWon,
    End,
    Join,
    Play,
    Ranked,
    Return,
    Round,
    SetEnd,
    SitOut,
)
from referee.games.score_pad.state import Joined, Scored, State, reached


def apply(state: State, play: Play) -> State:
    at = state.at + 1
    match play:
        case Round():
            return _after_round(state, play, at)
        case Ranked():
            return _ranked(state, play, at)
        case AllWon() | AllLost():
            return _together(state, play, at)
        case End():
            ended = _decided(state, state.rivals, evidence("table_ends"), final=True)
            return state._replace(ended=ended, ended_at=at, at=at)
        case Join(named=seat):
            return _after_join(state, seat, opening(state, play), at)
        case SitOut(named=seat):
            left = tuple(other for other in state.present if other != seat)
            return state._replace(present=left, at=at)
        case Return(named=seat):
            inside = (*state.present, seat)
            back = tuple(other for other in state.seats if other in inside)
            return state._replace(present=back, at=at)
        case SetEnd():
            return _after_set(state, play, at)
        case _:
            assert_never(play)


def let_stand(state: State, play: Play) -> State | None:
    """A round that does not add up, and places that are no ranking, can stand."""
    verdict = judge(state, play)
    stands = isinstance(verdict, Illegal) and verdict.clause in STANDS
    return apply(state, play) if stands else None


def stopped(state: State, outcome: Outcome) -> State:
    return state._replace(ended=outcome, at=state.at + 1)


def adjusted(state: State, points: Mapping[Seat, Points]) -> State:
    """``state`` with ``points`` in the totals; a match that was decided is decided again."""
    totals = {side: plain(total + points.get(side, 0)) for side, total in state.totals.items()}
    after = state._replace(totals=totals, at=state.at + 1)
    if state.ended is None or ended_early(state.ended):
        return after
    return after._replace(ended=_decided(after, after.rivals, (), final=True))


def _after_join(state: State, seat: Seat, points: Points, at: int) -> State:
    return state._replace(
        seats=(*state.seats, seat),
        present=(*state.present, seat),
        totals={**state.totals, seat: points},
        joined=(*state.joined, Joined(seat, points, state.deal, at)),
        at=at,
    )


def _after_set(state: State, play: SetEnd, at: int) -> State:
    limits = dict(play.limits)
    rounds = limits.get("rounds", state.rounds)
    return state._replace(
        target=limits.get("target", state.target),
        rounds=None if rounds is None else int(rounds),
        at=at,
    )


def _ranked(state: State, play: Ranked, at: int) -> State:
    best_place = min(place for _, place in play.places)
    first = [state.side(seat) for seat, place in play.places if place == best_place]
    winners = state.seats_of(first)
    said = evidence("ranked_first", seats=winners)
    ended = Outcome("places.1", winners, said, team=_one_team(state, first))
    return state._replace(places=play.places, ended=ended, ended_at=at, at=at)


def _together(state: State, play: AllWon | AllLost, at: int) -> State:
    if isinstance(play, AllWon):
        ended = Outcome("together.1", state.present, evidence("all_won"))
    else:
        ended = Outcome("together.1", (), evidence("all_lost"), state.present)
    return state._replace(points=play.points, ended=ended, ended_at=at, at=at)


def _after_round(state: State, play: Round, at: int) -> State:
    totals = dict(state.totals)
    for seat, points in play.points:
        totals[state.side(seat)] += points
    after = state._replace(
        totals=totals,
        deal=state.deal + 1,
        scored=state.scored.with_items((Scored(play.points, at),)),
        at=at,
    )
    if state.tied:
        return _end_looked_for(after, after.rivals, ())
    why = _reached(after)
    return _end_looked_for(after, after.sides, why) if why else after


def _reached(state: State) -> Facts:
    """Why the match ends after a round; () if it goes on."""
    target = state.target
    if target is not None:
        there = [side for side in state.sides if reached(state, state.totals[side], target)]
        if there:
            return evidence("target_reached", seats=state.seats_of(there), target=target)
    if state.rounds is not None and state.deal >= state.rounds:
        return evidence("rounds_over", rounds=state.rounds)
    return ()


def _end_looked_for(state: State, rivals: tuple[Seat, ...], why: Facts) -> State:
    """The state after a round with which the match ends, or a replay begins or goes on."""
    ended = _decided(state, rivals, why, final=False)
    if ended is None:
        return state._replace(tied=best(state.totals, rivals, fewest=state.rules.fewest))
    return state._replace(ended=ended, ended_at=state.at)


def _decided(state: State, rivals: tuple[Seat, ...], why: Facts, *, final: bool) -> Outcome | None:
    """The outcome if the points of ``rivals`` decide now; None if the tied play another round.

    ``final``: no further round is played.
    """
    rules = state.rules
    first = best(state.totals, rivals, fewest=rules.fewest)
    points = state.totals[first[0]]
    winners = state.seats_of(first)
    if len(first) > 1:
        why = (*why, *evidence("tied", seats=winners, points=points))
        if final and rules.table.option("final_tie") == "replay":
            return Outcome("tie.1", winners, (*why, *evidence("tie_shared", seats=winners)))
        ended = tie(rules.table, first, why)
        if ended is None:
            return None
        team = _one_team(state, ended.winners)
        return ended._replace(winners=state.seats_of(ended.winners), team=team)
    if rules.teams:
        said = evidence("team_leads", seats=winners, points=points)
    else:
        tied = rivals if state.tied else ()
        said = most_points(first[0], points, tied, fewest=rules.fewest)
    return Outcome("outcome.1", winners, (*why, *said), team=_one_team(state, first))


def _one_team(state: State, sides: tuple[Seat, ...] | list[Seat]) -> bool:
    return bool(state.rules.teams) and len(sides) == 1
