"""Statistics of simulated matches: shares with intervals, lengths, what never came up.

The standard library suffices: Wilson's interval for a share, Student's test and margin for points,
Bonferroni's correction for several seats.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import atan, cos, erfc, pi, sin, sqrt
from statistics import fmean, quantiles, stdev
from typing import NotRequired, TypedDict

from referee.core.game import COMMON_OPTIONS
from referee.insight.playing import Batch, Plan, Result
from referee.rulings import book_of

Z95 = 1.959963984540054  # 95% of a normal distribution are within this many standard deviations
FOUND = 0.01  # p-values below it count as a difference
FEW = 30  # matches: with fewer, points are too far from a normal distribution to test them
NAMED = 10  # matches that were cut short, at most, are listed to be played again
MANY = 200  # degrees of freedom: above it, Student's distribution is as good as normal


class PlaceInOrder(TypedDict):
    """A place in the first playing order, from 1; shares from 0 to 1, intervals and margins 95%."""

    place: int
    wins: float
    wins_from_to: list[float]
    lost: float
    lost_from_to: list[float]
    points: float
    points_margin: float
    above_average: float
    above_average_margin: float


class PlayerShare(TypedDict):
    """What a seat of one kind of player won, lost and scored on average."""

    player: str
    wins: float
    lost: float
    points: float


class Unused(TypedDict):
    """How often each clause decided something, and the clauses and house rules that never did."""

    clauses: dict[str, int]
    clauses_never: list[str]
    options_never: list[str]


class Report(Unused):
    """Statistics of simulated matches; spreads are empty without values.

    ``minutes`` is there only if a pace was given, ``given`` only with bonus points.
    """

    game: str
    seats: int
    players: list[str]
    options: dict[str, str]
    seed: int
    games: int
    cut_short: int
    endless: list[int]
    longest_allowed: int
    version: str
    places: list[PlaceInOrder]
    p: float | None
    by_player: list[PlayerShare]
    length: dict[str, float]
    difference: dict[str, float]
    lead_changes: dict[str, float]
    forced: float
    nobody_won: float
    shared_win: float
    given: NotRequired[list[int]]
    minutes: NotRequired[dict[str, float]]


def described(plan: Plan, batch: Batch, pace: float | None = None) -> Report:
    """The report as JSON data. ``pace``: seconds a play, for the length in minutes."""
    results = batch.results
    over = [result for result in results if result.over]
    plays = [result.plays for result in over]
    unused = _unused(plan, batch)
    answer: Report = {
        "game": plan.game,
        "seats": plan.seats,
        "players": list(plan.players),
        "options": dict(plan.options),
        "seed": plan.seed,
        "games": len(results),
        "cut_short": len(results) - len(over),
        "endless": [result.number for result in results if not result.over][:NAMED],
        "longest_allowed": plan.longest,
        "version": plan.rules.VERSION,
        "places": [_place(over, i) for i in range(plan.seats)] if over else [],
        "p": significance(over, plan.seats),
        "by_player": _by_player(plan, over),
        "length": _spread(plays),
        "difference": _spread([max(r.points) - min(r.points) for r in over]),
        "lead_changes": _lead_changes([r.leads for r in over if r.leads is not None]),
        "forced": sum(r.forced for r in results) / max(1, sum(r.chances for r in results)),
        "nobody_won": _share(over, lambda r: not any(r.wins)),
        "shared_win": _share(over, lambda r: r.shared),
        "clauses": unused["clauses"],
        "clauses_never": unused["clauses_never"],
        "options_never": unused["options_never"],
    }
    if given := plan.given:
        answer["given"] = list(given)
    if pace:
        answer["minutes"] = {key: value * pace / 60 for key, value in answer["length"].items()}
    return answer


def _place(over: Sequence[Result], i: int) -> PlaceInOrder:
    """Wins, losses and points of a place in the first playing order, 0-based."""
    n = len(over)
    wins, lost = sum(r.wins[i] for r in over), sum(r.lost[i] for r in over)
    points, margin = mean_with_margin([r.points[i] for r in over])
    beyond, beyond_margin = mean_with_margin([above(r, i) for r in over])
    return {
        "place": i + 1,
        "wins": wins / n,
        "wins_from_to": list(wilson(wins, n)),
        "lost": lost / n,
        "lost_from_to": list(wilson(lost, n)),
        "points": points,
        "points_margin": margin,
        "above_average": beyond,
        "above_average_margin": beyond_margin,
    }


def _by_player(plan: Plan, over: Sequence[Result]) -> list[PlayerShare]:
    """Where players differ: what a seat of each kind won and scored."""
    kinds = list(dict.fromkeys(plan.players)) if over else []
    answer = list[PlayerShare]()
    for kind in kinds if len(kinds) > 1 else ():
        seats = [seat for seat, name in enumerate(plan.players) if name == kind]
        found = [(r, (seat - r.first) % plan.seats) for r in over for seat in seats]
        n = len(found)
        wins, lost = sum(r.wins[i] for r, i in found), sum(r.lost[i] for r, i in found)
        points = fmean(r.points[i] for r, i in found)
        answer.append({"player": kind, "wins": wins / n, "lost": lost / n, "points": points})
    return answer


def above(result: Result, i: int) -> float:
    """Points of a place over the average of its match."""
    return result.points[i] - fmean(result.points)


def significance(over: Sequence[Result], seats: int) -> float | None:
    """The probability of a difference between places as large as this one if there is none.

    The smallest p-value of the places times their number, at most 1. None for fewer matches than
    ``FEW``, so that a small group does not make a place look unfair by chance, and for a single
    seat.
    """
    if len(over) < FEW or seats < 2:
        return None
    return min(1.0, seats * min(_chance([above(r, i) for r in over]) for i in range(seats)))


def _chance(values: Sequence[float]) -> float:
    """The p-value of these values if their true mean is 0."""
    spread = stdev(values)
    if not spread:
        return 0.0 if fmean(values) else 1.0
    return beyond(fmean(values) / (spread / sqrt(len(values))), len(values) - 1)


def beyond(t: float, free: int) -> float:
    """The two-sided p-value of Student's ``t`` with ``free`` degrees of freedom.

    Abramowitz and Stegun, 26.7.3 and 26.7.4.
    """
    normal = erfc(abs(t) / sqrt(2))
    if free > MANY:
        return normal
    angle, odd = atan(abs(t) / sqrt(free)), free % 2
    part, term = 0.0, cos(angle) if odd else 1.0
    for k in range(2 + odd, free + 1, 2):
        part += term
        term *= (k - 1) / k * cos(angle) ** 2
    within = 2 / pi * (angle + sin(angle) * part) if odd else sin(angle) * part
    # too small for a float's difference from 1: use the normal value
    return max(1 - within, normal)


@lru_cache(maxsize=256)
def _t95(free: int) -> float:
    """The 95% quantile of the absolute value of Student's statistic, to three digits."""
    if free > MANY:
        return Z95
    return bisect_left(range(13_000), -0.05, key=lambda t: -beyond(t / 1000, free)) / 1000


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95% interval of a share (Wilson 1927)."""
    share, z2 = wins / games, Z95 * Z95
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = Z95 * sqrt(share * (1 - share) / games + z2 / (4 * games**2)) / (1 + z2 / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_with_margin(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and its margin of error on either side at 95%."""
    n = len(values)
    margin = _t95(n - 1) * stdev(values) / sqrt(n) if n > 1 else 0.0
    return fmean(values), margin


def _spread(values: Sequence[float]) -> dict[str, float]:
    """Least, most, mean and quantiles of ``values``; empty without any."""
    if not values:
        return {}
    cuts = quantiles(values, n=10, method="inclusive") if len(values) > 1 else [values[0]] * 9
    return {
        "least": min(values),
        "p10": cuts[0],
        "median": cuts[4],
        "p90": cuts[8],
        "most": max(values),
        "mean": fmean(values),
    }


def _lead_changes(leads: list[int]) -> dict[str, float]:
    return {**_spread(leads), "none": leads.count(0) / len(leads)} if leads else {}


def _share(over: Sequence[Result], holds: Callable[[Result], bool]) -> float:
    """The share of these matches for which ``holds`` is true; 0 without any."""
    return sum(map(bool, map(holds, over))) / max(1, len(over))


def _unused(plan: Plan, batch: Batch) -> Unused:
    """How often clauses were the reason of something; clauses and house rules that never were.

    Clauses that only make plays illegal are among them: honest players make no illegal play. A game
    file's own house rules are left out: they change the file before the match, so it is not known
    which are read.
    """
    own = [clause.id for clause in book_of(plan.rules).clauses]
    options = {*COMMON_OPTIONS, *(() if plan.file else plan.rules.OPTIONS)}
    return {
        "clauses": {key: batch.clauses[key] for key in sorted(batch.clauses)},
        "clauses_never": [key for key in own if not batch.clauses[key]],
        "options_never": sorted(options - batch.asked),
    }
