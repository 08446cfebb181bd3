"""What the queries of the history pages answer: matches with their results, totals, ratings."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple


class MatchFilter(NamedTuple):
    """A filter for matches; ``since`` (inclusive) and ``until`` (exclusive) are stored times.

    Every one of ``words`` has to occur in a name, in the header, or in place or note of the
    evening, or the game has to be in ``titled`` at the index of that word.
    """

    game: str = ""
    person: int | None = None
    since: str = ""
    until: str = ""
    words: tuple[str, ...] = ()
    titled: tuple[tuple[str, ...], ...] = ()


ALL = MatchFilter()
ESTABLISHED = 5  # finished matches from which a rating counts as established


class Placing(NamedTuple):
    """The result of a seat; ``place`` 1-based in turn order, ``person`` None if unknown.

    ``lost``: nobody has won, and this seat has lost. ``before``: the names of those who had the
    seat before, in order; "" for a deleted one. ``adjusted``: the points among ``points`` that the
    table has given by agreement, None without any. ``beaten``: twice how many others the seat
    stands before; None where that does not count.
    """

    place: int
    person: int | None
    name: str
    points: int | Decimal
    rank: int
    won: bool
    adjusted: int | Decimal | None = None
    beaten: int | None = None
    lost: bool = False
    before: tuple[str, ...] = ()


class PlayedMatch(NamedTuple):
    """A match; ``placings`` by rank. ``millis``: its duration, None without a clock.

    ``stopped``: an entry in force ended it before it was decided; ``by_sheet``: some deal of it
    was entered by its sheet. ``unit``: what the points of the placings count. ``team``: the winners
    are a team. ``kept``: the result is that of earlier rules, which the group keeps.
    """

    match: str
    session: int
    opened: str
    game: str
    over: bool
    entries: int
    corrections: int
    rulings: int
    millis: int | None
    unit: str
    stopped: bool
    by_sheet: bool
    team: bool
    kept: bool
    placings: tuple[Placing, ...]


class Evening(NamedTuple):
    """An evening with the latest of its matches that pass the filter, latest first.

    ``passing``: how many of its matches pass it.
    """

    id: int
    began: str
    place: str
    note: str
    passing: int
    matches: tuple[PlayedMatch, ...]


class SessionShare(NamedTuple):
    """What a person has of one evening: matches that count, won ones, and players beaten.

    ``beaten``: twice their number, over the ``beaten_in`` matches that count so.
    """

    session: int
    person: int
    name: str
    games: int
    wins: int
    beaten: int
    beaten_in: int


class EveningTally(NamedTuple):
    """Finished matches of a person in one evening; ``lost``: see ``Placing``."""

    person: int
    name: str
    matches: int
    won: int
    lost: int


class Totals(NamedTuple):
    """Totals of a person over finished matches of one game with one number of seats, in one unit.

    ``millis`` is the time of the ``plays`` that a clock measured; both are 0 if there are none.
    ``lost``: see ``Placing``.
    """

    game: str
    seats: int
    matches: int
    won: int
    points: int | Decimal
    best: int | Decimal
    revokes: int
    plays: int
    millis: int
    lost: int
    unit: str = "points"


class Edition(NamedTuple):
    """Averages over the matches of a game, such as one version of a game file.

    ``over`` of them are finished; of these, ``points``: the average of a seat, ``best``: the
    highest score of a seat, ``minutes``: the average duration of those with a clock.
    """

    matches: int
    over: int
    points: float
    best: int
    minutes: int


class Duel(NamedTuple):
    """Number of finished matches of two people; how often ``person`` ranked above or below."""

    person: int
    other: int
    matches: int
    above: int
    below: int


class Rated(NamedTuple):
    """The rating of a person after the ``nth`` rated match, 1-based; ``late``: a recent one."""

    match: str
    opened: str
    mu: float
    sigma: float
    nth: int
    late: bool


class RankedPerson(NamedTuple):
    """A person in the ranking: finished matches, wins, and present rating (None: not rated).

    ``winnable``: the matches that somebody has won; ``lost``: see ``Placing``.
    """

    person: int
    name: str
    matches: int
    won: int
    winnable: int
    lost: int
    mu: float | None
    sigma: float | None

    @property
    def provisional(self) -> bool:
        """Whether there are too few matches for a rating that says much."""
        return self.matches < ESTABLISHED


def with_losers(placings: list[Placing]) -> list[Placing]:
    """The seats of a finished match; where nobody has won, those with a rank above 1 have lost."""
    if any(placing.won for placing in placings):
        return placings
    return [placing._replace(lost=placing.rank > 1) for placing in placings]
