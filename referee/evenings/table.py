"""How matches count for the people who played them; exact, and computed from the matches alone.

Three rules: ``beaten`` (for each other player that a seat stands before one point, for each that it
is level with a half), ``wins``, and ``points``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from referee.core.log import Log
from referee.core.ranking import ranking
from referee.core.sheets import stopped
from referee.core.verdict import Seat

By: TypeAlias = Literal["beaten", "wins", "points"]
HALF = Fraction(1, 2)


class CountableMatch(NamedTuple):
    """A match as it counts: ``seats`` are all that it has, ``ranked`` those that have a place.

    ``why``: why it does not count, whatever the rule: "open", "stopped", "alone" (fewer than two
    are ranked), or "". ``together``: all win or nobody does. ``kind``: matches of one kind are of
    the same game, and points that are best in the same way; "" if points can't be added up.
    ``partners``: the seats of each one's team, itself included.
    """

    seats: tuple[Seat, ...]
    ranked: tuple[Seat, ...]
    places: Mapping[Seat, int]
    points: Mapping[Seat, Fraction]
    winners: frozenset[Seat]
    partners: Mapping[Seat, frozenset[Seat]]
    why: str
    together: bool
    fewest: bool
    kind: str


class Counted(NamedTuple):
    """A match under a rule: why it does not count or "", and the points of the ranked seats."""

    why: str
    places: Mapping[Seat, int]
    points: Mapping[Seat, Fraction]


class TableRow(NamedTuple):
    """A person in the table; ``games``: those that count and in which the person has a place."""

    place: int
    name: str
    points: Fraction
    wins: int
    games: int


class Differing(Exception):
    """The matches are not of one game whose points can be added up."""


def result(log: Log) -> CountableMatch:
    """The match of ``log`` as it counts."""
    game, state = log.game, log.state
    outcome, sheet, ranked = game.outcome(state), game.score(state), log.present_at(state)
    why = "alone" if len(ranked) < 2 else ""
    if outcome is None:
        why = "open"
    elif stopped(outcome):
        why = "stopped"
    hooks = game.HOOKS
    teams = {seat: frozenset(team) for team in hooks.teams(state) for seat in team}
    kind = f"{game.NAME}:{hooks.kind(log.table)}:{'least' if sheet.fewest else 'most'}"
    return CountableMatch(
        seats=log.seats_at(state),
        ranked=ranked,
        places={rank.seat: rank.place for rank in ranking(ranked, sheet, outcome)},
        points={seat: Fraction(points) for seat, points in sheet.totals.items()},
        winners=frozenset(outcome.winners if outcome else ()),
        partners={seat: teams.get(seat, frozenset((seat,))) for seat in ranked},
        why=why,
        together=hooks.cooperative(log.table),
        fewest=sheet.fewest,
        kind=kind if hooks.summed(log.table) else "",
    )


def counted(found: CountableMatch, by: By) -> Counted:
    """How a match counts under a rule."""
    why = found.why or ("together" if by == "beaten" and found.together else "")
    if why:
        return Counted(why, {}, {})
    rule: Callable[[CountableMatch, Seat], Fraction] = {"beaten": _beaten, "wins": _won}.get(
        by, _points
    )
    return Counted(
        "",
        {seat: found.places[seat] for seat in found.ranked},
        {seat: rule(found, seat) for seat in found.ranked},
    )


def _beaten(found: CountableMatch, seat: Seat) -> Fraction:
    own = found.places[seat]
    others = [other for other in found.ranked if other not in found.partners[seat]]
    behind = sum(own < found.places[other] for other in others)
    return behind + HALF * sum(own == found.places[other] for other in others)


def _won(found: CountableMatch, seat: Seat) -> Fraction:
    return Fraction(seat in found.winners)


def _points(found: CountableMatch, seat: Seat) -> Fraction:
    return found.points[seat]


def can_add_points(results: Sequence[CountableMatch]) -> bool:
    """Whether ``points`` can be chosen for these matches."""
    return all(found.kind and found.kind == results[0].kind for found in results)


def table(results: Sequence[CountableMatch], by: By) -> list[TableRow]:
    """Everybody who has a seat in any of the matches, the best first.

    Raises ``Differing`` if points of different games would be added up.
    """
    if by == "points" and not can_add_points(results):
        raise Differing
    names = dict.fromkeys(seat for found in results for seat in found.seats)
    points, wins, games = (dict.fromkeys(names, Fraction(0)) for _ in range(3))
    for found in results:
        for seat, worth in counted(found, by).points.items():
            points[seat] += worth
            wins[seat] += seat in found.winners
            games[seat] += 1
    fewest = by == "points" and any(found.fewest for found in results)

    def standing(name: str) -> tuple[Fraction, ...]:
        """The greater, the better."""
        if fewest:
            return games[name], -points[name], wins[name]
        return points[name], wins[name]

    order = sorted(names, key=standing, reverse=True)  # stable: who appears first stays first
    return [
        TableRow(
            1 + sum(standing(other) > standing(name) for other in names),
            name,
            points[name],
            int(wins[name]),
            int(games[name]),
        )
        for name in order
    ]
