"""What the history asks of the digests: evenings, people, rivals, ratings. Reads only.

Every question is about one circle. A person who was deleted on request has no name any more and
is in no statistics; the seat is still shown as the match tells it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from referee.store.log import Store
from referee.store.statistics import COUNTED


class Wish(NamedTuple):
    """Which matches to show; ``since`` and ``until`` as stored times, the latter excluded.

    A match has to fit every word: a name, its header, its evening's place or note, or one of the
    games in ``titled`` for that word.
    """

    game: str = ""
    person: int | None = None
    since: str = ""
    until: str = ""
    words: tuple[str, ...] = ()
    titled: tuple[tuple[str, ...], ...] = ()


ALL = Wish()


class Placing(NamedTuple):
    """A seat of a match; ``person`` None: nobody who is known. ``place`` in turn order.

    ``lost``: nobody has won, and this seat has lost.
    """

    place: int
    person: int | None
    name: str
    points: int
    rank: int
    won: bool
    lost: bool = False


class Played(NamedTuple):
    """A match; ``placings`` winners first. ``millis``: how long it took, if a clock ran."""

    match: str
    session: int
    opened: str
    game: str
    over: bool
    entries: int
    corrections: int
    rulings: int
    millis: int | None
    placings: tuple[Placing, ...]


class Evening(NamedTuple):
    """A session with the matches that were wished for, the latest first."""

    id: int
    began: str
    place: str
    note: str
    matches: tuple[Played, ...]


class Line(NamedTuple):
    """Finished matches of a person in a game at so many seats; ``millis`` over ``plays``: the
    time that plays took where a clock ran (0 plays: nowhere). ``lost``: see ``Placing``.
    """

    game: str
    seats: int
    matches: int
    won: int
    points: int
    best: int
    revokes: int
    plays: int
    millis: int
    lost: int


class Duel(NamedTuple):
    """How often two people met in finished matches, and who came out above."""

    person: int
    other: int
    matches: int
    above: int
    below: int


class Rated(NamedTuple):
    """A rating after the ``nth`` rated match of a person; ``late``: one of the last."""

    match: str
    opened: str
    mu: float
    sigma: float
    nth: int
    late: bool


class Standing(NamedTuple):
    """Somebody in the table of all: finished matches, wins, rating now (None: not yet).

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


# What a row of ``results`` says of a finished match, 1 or 0. ``core.ranking`` gives all seats the
# first place where nobody has won and nobody has lost, so a lower place without a winner is a loss.
UNWON = (
    "(CASE WHEN won = 0 AND NOT EXISTS (SELECT 1 FROM results AS best"
    " WHERE best.match = results.match AND best.won = 1) THEN 1 ELSE 0 END)"
)
LOST = f"(CASE WHEN rank > 1 AND {UNWON} = 1 THEN 1 ELSE 0 END)"


class Past:
    """The past of one circle in ``store``; a ``person`` is one of this circle."""

    def __init__(self, store: Store, circle: str) -> None:
        self._rows, self._circle = store._rows, circle

    def sessions(self, wish: Wish = ALL) -> list[tuple[int, int]]:
        """Evenings with a match that fits and how many of them, the latest first."""
        where, values = self._where(wish)
        return self._rows(
            f"SELECT session, count(*) FROM digests WHERE {where} GROUP BY session"
            " ORDER BY max(opened) DESC",
            values,
        )

    def evenings(self, sessions: Sequence[int], wish: Wish = ALL) -> list[Evening]:
        """These evenings, in this order, each with its matches that fit."""
        if not sessions:
            return []
        where, values = self._where(wish)
        marks = ", ".join("?" * len(sessions))
        held: dict[int, list[Played]] = {}
        for match in self._played(f"session IN ({marks}) AND {where}", (*sessions, *values)):
            held.setdefault(match.session, []).append(match)
        about = self._rows(
            f"SELECT id, began, place, note FROM sessions WHERE id IN ({marks})", tuple(sessions)
        )
        said = {row[0]: row for row in about}
        return [Evening._make((*said[session], tuple(held[session]))) for session in sessions]

    def matches(self) -> list[Played]:
        """All matches, those opened last first."""
        return self._played("circle = ?", (self._circle,))

    def evening(self, session: int) -> Evening:
        """One evening with all its matches; raises ``IndexError`` for one of another circle."""
        about = self._rows(
            "SELECT id, began, place, note FROM sessions WHERE id = ? AND circle = ?",
            (session, self._circle),
        )[0]
        held = self._played("circle = ? AND session = ?", (self._circle, session))
        return Evening._make((*about, tuple(held)))

    def last(self, most: int) -> list[Played]:
        """The matches that ended, those opened last first."""
        return self._played("circle = ? AND over = 1", (self._circle,), most)

    def some(self, matches: Sequence[str]) -> list[Played]:
        """These matches, those opened last first."""
        return self._played(
            "circle = ? AND match IN (SELECT value FROM json_each(?))",
            (self._circle, json.dumps(list(matches))),
        )

    def get(self, match: str) -> Played | None:
        """One match."""
        found = self.some([match])
        return found[0] if found else None

    def lines(self, person: int) -> list[Line]:
        """The finished matches of a person, by game and number of seats."""
        rows = self._rows(
            "SELECT game, seats, count(*), sum(won), sum(points), max(points), sum(revokes),"
            " coalesce(sum(CASE WHEN millis IS NULL THEN 0 ELSE plays END), 0),"
            f" coalesce(sum(millis), 0), sum({LOST})"
            " FROM results WHERE person = ? AND over = 1 GROUP BY game, seats",
            (person,),
        )
        return [Line(*row) for row in rows]

    def wins(self, person: int) -> str:
        """A 1 for each finished match that was won, a 0 for each that another has won, in order."""
        rows = self._rows(
            "SELECT group_concat(won, '') FROM (SELECT won FROM results"
            f" WHERE person = ? AND over = 1 AND {UNWON} = 0 ORDER BY opened, match) AS finished",
            (person,),
        )
        return rows[0][0] or ""

    def days(self, person: int) -> list[tuple[str, int, int]]:
        """Days (local, ISO 8601) with finished matches: (day, matches, wins), the first first."""
        return self._rows(
            "SELECT date(opened, 'localtime'), count(*), sum(won) FROM results"
            " WHERE person = ? AND over = 1 GROUP BY 1 ORDER BY 1",
            (person,),
        )

    def duels(self, person: int | None = None) -> list[Duel]:
        """Who met whom; of one person, or of all, both ways round."""
        rows = self._rows(
            "SELECT person, other, matches, above, below FROM duels WHERE circle = ?"
            " AND person = coalesce(?, person) AND matches > 0",
            (self._circle, person),
        )
        return [Duel(*row) for row in rows]

    def ratings(self, person: int, most: int, last: int) -> list[Rated]:
        """Ratings of a person, in order: about ``most``, evenly, and the ``last`` ones."""
        rows = self._rows(
            "SELECT match, opened, mu, sigma, nth, nth > total - ? FROM (SELECT match, opened,"
            " mu, sigma, row_number() OVER (ORDER BY opened, match) AS nth, count(*) OVER ()"
            " AS total FROM ratings WHERE person = ?) AS counted"
            " WHERE nth % (1 + total / ?) = 0 OR nth > total - ? ORDER BY nth",
            (last, person, most, last),
        )
        return [Rated(*row) for row in rows]

    def feats(self, person: int) -> list[tuple[str, str, str, int, str]]:
        """The best of each kind in each game: (game, kind, label, value, match)."""
        best = " AND ".join(f"kind != '{kind}'" for kind in COUNTED)
        return self._rows(
            "SELECT game, kind, label, value, match FROM (SELECT game, kind, label, value, match,"
            " row_number() OVER (PARTITION BY game, kind ORDER BY value DESC, match, label) AS nth"
            f" FROM feats WHERE person = ? AND {best}) AS ranked"
            " WHERE nth = 1 ORDER BY game, kind",
            (person,),
        )

    def led(self, person: int) -> list[tuple[str, str, int]]:
        """What is counted of a person: (game, label, how often); see ``statistics.COUNTED``."""
        return self._rows(
            "SELECT game, card, times FROM leads WHERE person = ? AND times > 0", (person,)
        )

    def standings(self) -> list[Standing]:
        """Everybody who has finished a match, the best rating first."""
        rows = self._rows(
            f"SELECT people.id, name, count(*), sum(won), count(*) - sum({UNWON}), sum({LOST}),"
            " (SELECT mu FROM ratings WHERE person = people.id"
            " ORDER BY opened DESC, match DESC LIMIT 1) AS mu,"
            " (SELECT sigma FROM ratings WHERE person = people.id"
            " ORDER BY opened DESC, match DESC LIMIT 1)"
            " FROM people JOIN results ON person = people.id"
            " WHERE people.circle = ? AND over = 1 GROUP BY people.id"
            " ORDER BY mu DESC NULLS LAST, count(*) DESC, name",
            (self._circle,),
        )
        return [Standing(*row) for row in rows]

    def _played(self, where: str, values: Sequence[Any], most: int = -1) -> list[Played]:
        """Matches that fit ``where``, the latest first, with their seats."""
        heads = self._rows(
            "SELECT match, session, opened, game, over, entries, corrections, rulings, millis"
            f" FROM digests WHERE {where} ORDER BY opened DESC, match DESC LIMIT ?",
            (*values, most),
        )
        seats: dict[str, list[Placing]] = {}
        for match, *row in self._rows(
            "SELECT results.match, results.place, results.person, coalesce(name, seat),"
            " points, rank, won FROM results JOIN players USING (match, place)"
            " LEFT JOIN people ON people.id = results.person"
            " WHERE results.match IN (SELECT value FROM json_each(?)) ORDER BY rank, place",
            (json.dumps([head[0] for head in heads]),),
        ):
            seats.setdefault(match, []).append(Placing(*row))
        over = {head[0] for head in heads if head[4]}
        for match in over & seats.keys():
            seats[match] = _with_losers(seats[match])
        return [Played._make((*head, tuple(seats.get(head[0], ())))) for head in heads]

    def _where(self, wish: Wish) -> tuple[str, tuple[Any, ...]]:
        """The condition on ``digests`` for a wish, with its values."""
        parts: list[tuple[str, tuple[Any, ...]]] = [("circle = ?", (self._circle,))]
        if wish.game:
            parts.append(("game = ?", (wish.game,)))
        if wish.person is not None:
            person = "match IN (SELECT match FROM results WHERE person = ?)"
            parts.append((person, (wish.person,)))
        if wish.since:
            parts.append(("opened >= ?", (wish.since,)))
        if wish.until:
            parts.append(("opened < ?", (wish.until,)))
        for word, games in zip(wish.words, wish.titled, strict=True):
            parts.append(_says(self._circle, word, games))
        where = " AND ".join(part for part, _ in parts)
        return where, tuple(value for _, values in parts for value in values)


def _with_losers(placings: list[Placing]) -> list[Placing]:
    """The seats of a finished match; where nobody has won, whoever is not first has lost."""
    if any(placing.won for placing in placings):
        return placings
    return [placing._replace(lost=placing.rank > 1) for placing in placings]


def _says(circle: str, word: str, games: Sequence[str]) -> tuple[str, tuple[Any, ...]]:
    """The condition that a match says ``word``, or is one of ``games``."""
    like = "%" + word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    marks = ", ".join("?" * len(games)) or "NULL"
    return (
        f"(game IN ({marks})"
        " OR match IN (SELECT id FROM matches WHERE circle = ? AND header LIKE ? ESCAPE '\\')"
        " OR match IN (SELECT match FROM results WHERE person IN"
        " (SELECT id FROM people WHERE circle = ? AND name LIKE ? ESCAPE '\\'))"
        " OR session IN (SELECT id FROM sessions WHERE circle = ?"
        " AND (place LIKE ? ESCAPE '\\' OR note LIKE ? ESCAPE '\\')))",
        (*games, circle, like, circle, like, circle, like, like),
    )
