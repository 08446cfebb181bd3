"""The state of a score pad between two entries, and what it shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from referee.core.cards import Deck
from referee.core.game import Table
from referee.core.persistent import PersistentList
from referee.core.verdict import Outcome, Seat
from referee.core.written import Points
from referee.games.score_pad.options import number

NO_CARDS = Deck((), ())
MOST_SEATS = 20


class PadRules(NamedTuple):
    """What the table has chosen. ``first``: each seat → the first seat of its team, which has the
    points of the team; without teams the seat itself.
    """

    table: Table
    wins: str
    fewest: bool
    start: Points
    sum: Points | None
    teams: tuple[tuple[Seat, ...], ...]
    first: Mapping[Seat, Seat]

    @property
    def by_points(self) -> bool:
        """Whether rounds are scored, and their points decide."""
        return self.wins in ("most", "least")

    @property
    def joinable(self) -> bool:
        """Whether people can join, leave and return."""
        return not self.teams


class Scored(NamedTuple):
    """A round in force: its points by seat, and the position of its entry."""

    points: tuple[tuple[Seat, Points], ...]
    at: int


class Joined(NamedTuple):
    """Somebody who has joined with ``points`` after ``deal`` rounds, by the entry at ``at``."""

    seat: Seat
    points: Points
    deal: int
    at: int


class State(NamedTuple):
    """The state between two entries.

    ``present``: the seats that are in, in turn order. ``deal``: the rounds in force. ``totals``: of
    every seat, with teams of the first seat of each. ``tied``: the seats (of each team the first)
    that were tied for the win when a replay began. ``places``: those that the table has named.
    ``points``: those that all have reached together. ``at``: how many entries took effect.
    """

    rules: PadRules
    seats: tuple[Seat, ...]
    present: tuple[Seat, ...]
    deal: int
    totals: Mapping[Seat, Points]
    scored: PersistentList[Scored]
    joined: tuple[Joined, ...]
    target: Points | None
    rounds: int | None
    tied: tuple[Seat, ...] = ()
    places: tuple[tuple[Seat, int], ...] = ()
    points: Points | None = None
    ended: Outcome | None = None
    ended_at: int = 0
    at: int = 0

    @property
    def deck(self) -> Deck:
        """A pad has no cards."""
        return NO_CARDS

    @property
    def sides(self) -> tuple[Seat, ...]:
        """Who is in and has points: the seats, with teams the first seat of each."""
        teams = self.rules.teams
        return tuple(team[0] for team in teams) if teams else self.present

    @property
    def rivals(self) -> tuple[Seat, ...]:
        """Who of the tied is still in; if nobody is, all who are in."""
        return tuple(seat for seat in self.tied if seat in self.present) or self.sides

    def seats_of(self, sides: Iterable[Seat]) -> tuple[Seat, ...]:
        """The seats of these sides, in turn order."""
        kept = set(sides)
        return tuple(seat for seat in self.seats if self.side(seat) in kept)

    def side(self, seat: Seat) -> Seat:
        """The seat under which the points of ``seat`` are kept."""
        return self.rules.first.get(seat, seat)


def setup(table: Table) -> State:
    """The state before the first entry."""
    teams = teams_of(table.seats, table.option("teams"))
    first, start = first_of(teams), number(table.option("start")) or 0
    wins, rounds = table.option("wins"), number(table.option("rounds"))
    fewest = wins in ("least", "places")
    sides = [team[0] for team in teams] or table.seats
    rules = PadRules(table, wins, fewest, start, number(table.option("sum")), teams, first)
    return State(
        rules,
        seats=table.seats,
        present=table.seats,
        deal=0,
        totals=dict.fromkeys(sides, start),
        scored=PersistentList(),
        joined=(),
        target=number(table.option("target")),
        rounds=None if rounds is None else int(rounds),
    )


def first_of(teams: Iterable[tuple[Seat, ...]]) -> dict[Seat, Seat]:
    """Each seat of a team → the first seat of the team."""
    return {seat: team[0] for team in teams for seat in team}


def teams_of(seats: tuple[Seat, ...], chosen: str) -> tuple[tuple[Seat, ...], ...]:
    """The seats of each team, the teams in the order of their first seats."""
    half = len(seats) // 2
    match chosen:
        case "opposite":
            return tuple(zip(seats[:half], seats[half:], strict=True))
        case "alternate":
            return (seats[::2], seats[1::2])
        case _:
            return ()


def reached(state: State, points: Points, target: Points) -> bool:
    """Whether ``points`` have reached ``target``, from the total at which every seat began."""
    return points >= target if target > state.rules.start else points <= target
