"""Random histories of the score pad with corrections: every total is a sum computed anew.

`PYTHONPATH=tests/games/score_pad python -m pad_histories 100000` checks so many; a second number is
the first seed.
"""

from __future__ import annotations

import sys
from decimal import Decimal
from fractions import Fraction
from random import Random
from time import perf_counter

from referee.core.adjusting import Adjust
from referee.core.corrections import Amend, Insert, Rewind, Rule, Strike, Together, Void
from referee.core.game import COMMON_OPTIONS, Table
from referee.core.generic import Entry
from referee.core.log import Log
from referee.core.record import Grammar
from referee.core.steps import steps
from referee.core.verdict import Seat
from referee.core.written import Points, as_json, plain
from referee.games import score_pad
from referee.games.score_pad import (
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
    State,
)


def counted_again(log: Log[State, Play]) -> dict[Seat, Fraction]:
    """The totals as a plain sum over the plays in force, in order."""
    rules = log.state.rules
    start = Fraction(rules.start)
    totals = dict.fromkeys(log.table.seats, start)
    partners = {seat: team for team in rules.teams for seat in team}
    for step in log.steps():
        if not step.took_effect:
            continue
        match step.play:
            case Join(named=seat, points=points):
                totals[seat] = start if points is None else Fraction(points)
            case Round(points=given) | Adjust(points=given):
                for seat, number in given:
                    for one in partners.get(seat, (seat,)):
                        totals[one] += Fraction(number)
            case Ranked(places=places):
                totals |= {
                    one: Fraction(place)
                    for seat, place in places
                    for one in partners.get(seat, (seat,))
                }
            case AllWon(points=common) | AllLost(points=common):
                totals = dict.fromkeys(totals, Fraction(common or 0))
    return totals


def some_points(rng: Random) -> Points:
    return (
        plain(Decimal(rng.randrange(-2000, 4000)) / 100)
        if rng.random() < 0.3
        else rng.randrange(-20, 40)
    )


def some_play(log: Log[State, Play], rng: Random) -> Play:
    state, known = log.state, Grammar(score_pad, log.table.seats)
    for entry in log.entries:
        known.hear(entry)
    seats = known.order
    named = state.sides if rng.random() < 0.9 else seats
    match rng.randrange(12):
        case 0:
            return Join(rng.choice((*seats, "P", "Q")), rng.choice((None, 35, -7)))
        case 1:
            return SitOut(rng.choice(seats))
        case 2:
            return Return(rng.choice(seats))
        case 3:
            return SetEnd((("target", rng.randrange(-50, 400)),))
        case 4 if rng.random() < 0.3:
            return SetEnd((("rounds", rng.randrange(1, 30)),))
        case 5 if rng.random() < 0.1:
            return End()
        case 6 if rng.random() < 0.5:
            return rng.choice((AllWon, AllLost))(rng.choice((None, some_points(rng))))
        case 7 if rng.random() < 0.5:
            last = 1 if rng.random() < 0.5 else len(named)
            return Ranked(tuple((seat, rng.randint(1, last)) for seat in named))
        case _:
            points = {seat: some_points(rng) for seat in named}
            if state.rules.sum is not None and rng.random() < 0.8:
                points[named[-1]] = plain(
                    state.rules.sum - sum(points.values()) + points[named[-1]]
                )
            return Round(tuple(points.items()))


def some_entry(log: Log[State, Play], rng: Random) -> Entry:
    """A play, an adjustment, or a correction of any kind."""
    number, play = rng.randint(1, len(log) + 1), some_play(log, rng)
    other = rng.randint(1, len(log) + 1)
    match rng.randrange(24):
        case 0:
            return Amend(number, play)
        case 1:
            return Strike(number)
        case 2:
            return Insert(number, play)
        case 3:
            return Void(number)
        case 4:
            return Rule(number)
        case 5:
            return Rewind(rng.randrange(len(log) + 1))
        case 6:
            return Together((Strike(number), Amend(other, play)))
        case 7:
            return Adjust(((rng.choice(log.table.seats), rng.choice((-10, 5))),), "late")
        case _:
            return play


def some_options(rng: Random) -> dict[str, str]:
    chosen = {"final_tie": rng.choice(("shared", "replay"))}
    kind = rng.random()
    if kind < 0.1:
        return chosen | {"wins": "together"}
    if rng.random() < 0.2:
        chosen["teams"] = rng.choice(("opposite", "alternate"))
    if kind < 0.2:
        return chosen | {"wins": "places"}
    chosen |= {"wins": "least"} if rng.random() < 0.3 else {}
    chosen |= {"start": rng.choice(("501", "-2.5"))} if rng.random() < 0.3 else {}
    chosen |= {"sum": "10"} if rng.random() < 0.2 else {}
    chosen |= {"rounds": "9"} if rng.random() < 0.1 else {}
    return chosen | ({"target": "150"} if rng.random() < 0.3 else {})


def random_history(seed: int, most: int = 25) -> Log[State, Play]:
    rng = Random(seed)
    chosen = some_options(rng)
    seats = ("A", "B", "C", "D") if "teams" in chosen or rng.random() < 0.3 else ("A", "B", "C")
    table = Table(seats, chosen, {**COMMON_OPTIONS, **score_pad.OPTIONS}, "UNO")
    log: Log[State, Play] = Log(score_pad, table)
    for _ in range(rng.randint(5, most)):
        log.push(some_entry(log, rng))
    return log


def check_history(seed: int) -> None:
    log = random_history(seed)
    state, again = log.state, counted_again(log)
    totals = score_pad.score(state).totals
    assert totals == {seat: again[seat] for seat in state.seats}, seed
    rounds = sum(isinstance(step.play, Round) and step.took_effect for step in log.steps())
    assert not state.rules.by_points or state.deal == rounds, seed
    public = score_pad.public(state)
    assert public["totals"] == {seat: as_json(points) for seat, points in totals.items()}
    anew: Log[State, Play] = Log(score_pad, log.table)
    head = None
    for step in reversed([*steps(log.now.step)]):
        head = anew.judged(head, step.seq, step.play, step.ruled)
        assert type(head.verdict) is type(step.verdict), seed
        assert head.state == step.state, seed


def main(count: int, first: int = 0) -> None:
    began = perf_counter()
    for seed in range(first, first + count):
        check_history(seed)
    print(f"{count} histories, {count / (perf_counter() - began):.0f} a second")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
