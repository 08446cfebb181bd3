"""A table that keeps score at random, for tests of the pad."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from random import Random

from referee.core.ending import best
from referee.core.game import Game
from referee.core.written import Points, plain
from referee.games import score_pad
from referee.games.players import Choose, Playable
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
from referee.games.score_pad.state import MOST_SEATS, State

RULES: Game[State, Play] = score_pad
ENOUGH = 6  # rounds after which the table likes to end the match
OTHERWISE = 0.3  # the chance that something else than a round is entered


def entries(
    log: Playable[State, Play],
    rng: Random,
    lies: float,
    shows: float,
    choose: Choose | None = None,
) -> Iterator[Play]:
    """The entries of a match; without hands nobody lies, shows or chooses."""
    while not log.state.ended:
        state = log.state
        if rng.random() < OTHERWISE and (other := list(_others(state, rng))):
            yield rng.choice(other)
        elif state.rules.wins == "places":
            yield _ranking(state, rng)
        elif state.rules.wins == "together":
            yield rng.choice((AllWon, AllLost))(rng.choice((None, _points(rng))))
        elif state.deal >= ENOUGH and rng.random() < 0.5 and not _undecided(state):
            yield End()
        else:
            yield _round(state, rng)


def _points(rng: Random) -> Points:
    return plain(Decimal(rng.randint(-1000, 3000)) / rng.choice((1, 10, 100)))


def _round(state: State, rng: Random) -> Round:
    """The points of a round; the last side gets what is missing to the sum."""
    given = {side: _points(rng) for side in state.sides}
    if state.rules.sum is not None:
        *others, last = given
        given[last] = plain(state.rules.sum - sum(given[side] for side in others))
    return Round(tuple(given.items()))


def _ranking(state: State, rng: Random) -> Ranked:
    order = rng.sample(state.sides, len(state.sides))
    levels = {
        side: rng.randrange(1, 4) if rng.random() < 0.3 else 4 + i for i, side in enumerate(order)
    }
    return Ranked(
        tuple(
            (side, 1 + sum(other < levels[side] for other in levels.values()))
            for side in state.sides
        )
    )


def _others(state: State, rng: Random) -> Iterator[Play]:
    """What people do between rounds: they join, leave, return, and choose another end."""
    if state.rules.joinable:
        if len(state.seats) < MOST_SEATS:
            with_points = state.rules.by_points and rng.random() < 0.5
            yield Join(f"J{len(state.seats)}", _points(rng) if with_points else None)
        if len(state.present) > 1:
            yield SitOut(rng.choice(state.present))
        yield from (Return(seat) for seat in state.seats if seat not in state.present)
    if state.rules.by_points:
        target = max(state.rules.start, *state.totals.values()) + 7
        yield SetEnd((("target", target), ("rounds", state.deal + 3)))


def _undecided(state: State) -> bool:
    """Whether ending now would share a win that the house rule has replayed."""
    first = best(state.totals, state.rivals, fewest=state.rules.fewest)
    return len(first) > 1 and state.rules.table.option("final_tie") == "replay"
