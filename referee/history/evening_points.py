"""The table of an evening and of a season: what counted matches are worth for their people.

The rules are those of ``referee.evenings``; here they are asked of what the store has counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

from referee.evenings.table import By
from referee.store.played import Placing, PlayedMatch, SessionShare

RULES: tuple[By, ...] = ("beaten", "wins", "points")


class EveningCell(NamedTuple):
    """A person in a match: the place, what it is worth by the rule; both None while it goes on, or
    where it does not count.
    """

    place: int | None
    worth: Fraction | None
    won: bool


class EveningRow(NamedTuple):
    """A person in the table of an evening; ``cells``: in each match, None: was not there."""

    place: int
    person: int | None
    name: str
    cells: tuple[EveningCell | None, ...]
    points: Fraction
    wins: int
    games: int


class SeasonRow(NamedTuple):
    """A person in a season. ``each``: the average a match in each session, None: was not there."""

    place: int
    person: int
    name: str
    each: tuple[Fraction | None, ...]
    points: Fraction
    wins: int
    games: int

    @property
    def average(self) -> Fraction:
        """Points a match."""
        return self.points / self.games if self.games else Fraction(0)


def counts(match: PlayedMatch, by: By) -> bool:
    """Whether a match counts by this rule."""
    if not match.over or len(match.placings) < 2:
        return False
    return by != "beaten" or all(one.beaten is not None for one in match.placings)


def can_add_points(matches: Sequence[PlayedMatch]) -> bool:
    """Whether the points of these matches can be added up: all are of one game, won alike."""
    kinds = {(match.game, match.unit) for match in matches}
    return len(kinds) == 1 and next(iter(kinds))[1] in ("points", "fewest")


def evening_table(matches: Sequence[PlayedMatch], by: By) -> list[EveningRow]:
    """Everybody who had a seat in ``matches``, oldest first; the best stands first."""
    people: dict[tuple[int | None, str], list[EveningCell | None]] = {}
    for at, match in enumerate(matches):
        for one in match.placings:
            cells = people.setdefault((one.person, one.name), [None] * len(matches))
            worth = _worth(one, by) if counts(match, by) else None
            cells[at] = EveningCell(one.rank if match.over else None, worth, one.won)
    fewest = by == "points" and any(match.unit == "fewest" for match in matches)
    rows = []
    for (person, name), cells in people.items():
        counted = [cell for cell in cells if cell and cell.worth is not None]
        points = sum((cell.worth for cell in counted if cell.worth), Fraction(0))
        wins = sum(cell.won for cell in counted)
        rows.append(EveningRow(0, person, name, tuple(cells), points, wins, len(counted)))
    return _ranked(rows, fewest)


def season_table(shares: Sequence[SessionShare], by: By) -> tuple[list[int], list[SeasonRow]]:
    """The sessions of a season, oldest first, and everybody in them; the best stands first."""
    sessions = list(dict.fromkeys(share.session for share in shares))
    people: dict[int, list[SessionShare]] = {}
    for share in shares:
        people.setdefault(share.person, []).append(share)
    rows = []
    for person, own in people.items():
        worth = {share.session: _share(share, by) for share in own}
        games = {share.session: share.beaten_in if by == "beaten" else share.games for share in own}
        each = [
            worth[session] / games[session] if games.get(session) else None for session in sessions
        ]
        total = sum(worth.values(), Fraction(0))
        wins = sum(share.wins for share in own)
        rows.append(
            SeasonRow(0, person, own[-1].name, tuple(each), total, wins, sum(games.values()))
        )
    return sessions, _ranked(rows, fewest=False)


def _worth(one: Placing, by: By) -> Fraction:
    if by == "beaten":
        return Fraction(one.beaten or 0, 2)
    return Fraction(one.won) if by == "wins" else Fraction(one.points)


def _share(share: SessionShare, by: By) -> Fraction:
    return Fraction(share.beaten, 2) if by == "beaten" else Fraction(share.wins)


Row = TypeVar("Row", EveningRow, SeasonRow)


def _ranked(rows: Sequence[Row], fewest: bool) -> list[Row]:
    """``rows`` with their places, the best first; equals stay in their order."""
    standing: Callable[[Row], tuple[Fraction | int, ...]] = _fewest_first if fewest else _most_first
    order = sorted(rows, key=standing, reverse=True)
    return [
        row._replace(place=1 + sum(standing(other) > standing(row) for other in rows))
        for row in order
    ]


def _most_first(row: EveningRow | SeasonRow) -> tuple[Fraction | int, ...]:
    return row.points, row.wins


def _fewest_first(row: EveningRow | SeasonRow) -> tuple[Fraction | int, ...]:
    return row.games, -row.points, row.wins
