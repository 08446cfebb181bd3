"""Which entries of a score pad are legal; this module alone decides it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from referee.core.verdict import Facts, Illegal, Legal, Seat, Term, Verdict, evidence
from referee.core.written import Points, plain
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
from referee.games.score_pad.state import MOST_SEATS, State, reached

STANDS = ("round.2", "places.2")
"""The clauses of illegal entries that the table can let stand."""


def judge(state: State, play: Play) -> Verdict:
    if state.ended:
        return Illegal("end.1", evidence("match_over"))
    match play:
        case Round():
            return _judge_round(state, play)
        case Ranked():
            return _judge_places(state, play)
        case AllWon() | AllLost():
            if state.rules.wins != "together":
                return Illegal("together.2", _otherwise(state))
            return Legal("together.1", evidence("result_given"))
        case End():
            return _judge_end(state)
        case Join():
            return _judge_join(state, play)
        case SitOut() | Return():
            return _judge_seat(state, play)
        case SetEnd():
            return _judge_limits(state, play)
        case _:
            assert_never(play)


def _otherwise(state: State) -> Facts:
    """The fact that this table decides the win in another way."""
    return evidence("decided_by", wins=Term(f"wins_{state.rules.wins}"))


def _judge_round(state: State, play: Round) -> Verdict:
    if not state.rules.by_points:
        return Illegal("round.3", _otherwise(state))
    if fault := wrong_seats(state, [seat for seat, _ in play.points]):
        return Illegal("round.1", fault)
    due = state.rules.sum
    if due is not None:
        total = plain(sum(points for _, points in play.points))
        if total != due:
            return Illegal("round.2", evidence("adds_up_to", points=total, sum=due))
    return Legal("round.1", evidence("round_scored", number=state.deal + 1))


def wrong_seats(state: State, named: Sequence[Seat]) -> Facts:
    """Why these are not exactly the sides that are in, each by one seat; () if they are."""
    if not state.rules.teams and len(named) == len(state.present) and state.present == (*named,):
        return ()
    away = tuple(seat for seat in named if seat not in state.present)
    if away:
        return evidence("not_in", seats=away)
    sides = [state.side(seat) for seat in named]
    again = tuple(seat for i, seat in enumerate(named) if sides[i] in sides[:i])
    if again:
        return evidence("team_twice", seats=again)
    missing = tuple(seat for seat in state.sides if seat not in sides)
    return evidence("seats_missing", seats=missing) if missing else ()


def _judge_places(state: State, play: Ranked) -> Verdict:
    if state.rules.wins != "places":
        return Illegal("places.3", _otherwise(state))
    if fault := wrong_seats(state, [seat for seat, _ in play.places]):
        return Illegal("places.1", fault)
    places = [place for _, place in play.places]
    for seat, place in play.places:
        better = sum(other < place for other in places)
        if place != better + 1:
            fact = evidence("no_ranking", seat=seat, place=place, better=better, due=better + 1)
            return Illegal("places.2", fact)
    return Legal("places.1", evidence("result_given"))


def _judge_end(state: State) -> Verdict:
    if not state.rules.by_points:
        return Illegal("end.2", _otherwise(state))
    if not state.deal:
        return Illegal("end.2", evidence("no_round"))
    return Legal("end.2", evidence("table_ends"))


def _judge_join(state: State, play: Join) -> Verdict:
    if not state.rules.joinable:
        return Illegal("seat.3", evidence("plays_in_teams"))
    if play.named in state.seats:
        return Illegal("join.1", evidence("has_a_seat", seat=play.named))
    if len(state.seats) >= MOST_SEATS:
        return Illegal("join.2", evidence("no_more_seats", most=MOST_SEATS))
    if play.points is not None and not state.rules.by_points:
        return Illegal("join.3", _otherwise(state))
    if not state.rules.by_points:
        return Legal("join.1", evidence("joins", seat=play.named))
    return Legal("join.1", evidence("joins_with", seat=play.named, points=opening(state, play)))


def opening(state: State, play: Join) -> Points:
    """The total with which a new seat begins."""
    return state.rules.start if play.points is None else play.points


def _judge_seat(state: State, play: SitOut | Return) -> Verdict:
    seat = play.named
    if not state.rules.joinable:
        return Illegal("seat.3", evidence("plays_in_teams"))
    if seat not in state.seats:
        return Illegal("seat.1", evidence("no_seat_now", seat=seat))
    leaves, inside = isinstance(play, SitOut), seat in state.present
    if leaves != inside:
        return Illegal("seat.1", evidence("in_already" if inside else "out_already", seat=seat))
    if leaves and state.present == (seat,):
        return Illegal("seat.2", evidence("nobody_left", seat=seat))
    return Legal("seat.1", evidence("sits_out" if leaves else "in_again", seat=seat))


def _judge_limits(state: State, play: SetEnd) -> Verdict:
    if not state.rules.by_points:
        return Illegal("set.3", _otherwise(state))
    faults = (_no_limit(state, key, limit) for key, limit in play.limits if limit is not None)
    fault = next(filter(None, faults), ())
    if fault:
        return Illegal("set.2", fault)
    return Legal("set.1", tuple(fact for limit in play.limits for fact in _told(*limit)))


def _no_limit(state: State, key: str, limit: Points) -> Facts:
    """Why the match can't go on with this new end; () if it can."""
    if key == "rounds":
        done = evidence("rounds_played", rounds=limit, number=state.deal)
        return done if state.deal >= limit else ()
    if limit == state.rules.start:
        return evidence("target_is_start", target=limit)
    there = tuple(
        seat for seat in state.present if reached(state, state.totals[state.side(seat)], limit)
    )
    return evidence("reached_already", seats=there, target=limit) if there else ()


def _told(key: str, limit: Points | None) -> Facts:
    """The fact that the match has a new end."""
    if limit is None:
        return evidence(f"no_{key}")
    return evidence(f"new_{key}", limit=limit)


def candidates(state: State) -> Iterator[Play]:
    """A round of the usual sum, a ranking without ties, and every entry that has no numbers."""
    sides = state.sides
    rest = tuple((seat, 0) for seat in sides[1:])
    yield Round(((sides[0], state.rules.sum or 0), *rest))
    yield Ranked(tuple((seat, place) for place, seat in enumerate(sides, 1)))
    yield from (AllWon(), AllLost(), End())
    yield from (SitOut(seat) for seat in state.seats)
    yield from (Return(seat) for seat in state.seats)
