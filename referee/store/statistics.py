"""Writes the derived tables of the statistics: summaries of matches, results, ratings, counts.

They contain nothing that can't be computed from the log. Triggers mark a match as outdated in the
transaction that changes it; its rows are computed when the history is requested next, so that a
play does not wait for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import permutations
from typing import Any, NamedTuple, TypeAlias

from referee.store.engine import Transaction, marks, retried
from referee.store.log import StorePart, tail_in
from referee.store.revisions import MatchResult, SeatResult, settle

DERIVED = (
    "ratings",
    "unrated",
    "duels",
    "totals",
    "tallies",
    "leads",
    "feats",
    "results",
    "digests",
    "outdated",
)
LED = ("led", "formation", "event")
"""Kinds of feats that are kept as totals of a person, too: cards led to tricks, formations
completed, places of deals and what plays have brought about. A game counts one of them.
"""
DECLARED, WORD, LUCK = "declared", "word", "luck"
COUNTED = (*LED, DECLARED, LUCK)
"""Kinds of feats that add up over a person's matches. Of every other kind the highest value of a
match is kept, and of words every one that was made.
"""

TALLIED = ("matches", "won", "lost")
TOTALS = (*TALLIED, "unwon", "points", "revokes", "timed", "millis")
RATED = 200  # matches that are rated in one transaction


class Outdated(NamedTuple):
    """A match whose derived rows are outdated; ``replay``: because its log has grown."""

    match: str
    replay: bool


HUNDREDTHS = "/100"
"""The end of a unit in which points are stored as hundredths, since they can have decimals."""


def exact(points: int, unit: str) -> int | Decimal:
    """Stored ``points`` of ``unit`` as they are."""
    if not unit.endswith(HUNDREDTHS):
        return points
    return points // 100 if points % 100 == 0 else Decimal(points) / 100


class ResultRow(NamedTuple):
    """A match in numbers for one seat.

    ``place``: in turn order, ``rank``: in the result, both 1-based. ``millis``: time for its
    ``plays``, None if no times were recorded. ``adjusted``: the points among ``points`` that the
    table has given by agreement, None without any. ``beaten``: twice how many others, outside the
    team, the seat stands before, those who are level with it for one half each; None where that
    does not count (``referee.evenings``).
    """

    place: int
    points: int
    rank: int
    won: bool
    revokes: int = 0
    plays: int = 0
    millis: int | None = None
    adjusted: int | None = None
    beaten: int | None = None


class FeatRow(NamedTuple):
    """A ``Feat`` of the seat at ``place``."""

    place: int
    kind: str
    label: str
    value: int


class DerivedRows(NamedTuple):
    """The derived rows of one match: for ``digests`` (from ``game`` on), ``results``, ``feats``.

    A ``stopped`` match is not ``over``: its points are kept, nobody has won; there are no feats
    until it is over. ``millis``: its duration, None without a clock. ``unit``: what the points of
    the results count. ``by_sheet``, ``team`` and ``kept``: see ``PlayedMatch``. ``rules``: the
    edition of the rules that counted it.
    """

    game: str
    entries: int
    over: bool
    deals: int
    corrections: int
    rulings: int
    millis: int | None
    results: Sequence[ResultRow]
    feats: Sequence[FeatRow]
    unit: str = "points"
    stopped: bool = False
    by_sheet: bool = False
    team: bool = False
    rules: str = ""
    kept: bool = False


class Placed(NamedTuple):
    """A finished match for the rating; ``ranks``: person → rank, without unknown people."""

    match: str
    opened: str
    ranks: dict[int, int]


class Unrated(NamedTuple):
    """The next matches to rate in a circle whose ratings are outdated from ``since`` on.

    ``until``: the time before which these matches were opened, "" if no later ones follow.
    ``placed``: the matches, oldest first; ``before``: person → rating (mu, sigma) before the first
    of them, without people who had none.
    """

    circle: str
    since: str
    until: str
    before: Mapping[int, tuple[float, float]]
    placed: Sequence[Placed]


class Digests(StorePart):
    """The derived tables of ``store``."""

    def outdated(self, most: int = -1, match: str | None = None) -> list[Outdated]:
        """Matches whose derived rows are outdated, at most ``most`` (-1: all), or ``match`` alone.

        In the order of their ids: a page must not sort a hundred thousand to get a few.
        """
        which, values = ("WHERE match = ?", (match,)) if match else ("", ())
        rows = self._rows(
            f"SELECT match, log FROM outdated {which} ORDER BY match LIMIT ?", (*values, most)
        )
        return [Outdated(match, bool(log)) for match, log in rows]

    def by_other_rules(self, rules: str, most: int) -> list[str]:
        """Matches that other rules than the edition ``rules`` have counted, at most ``most``."""
        # not "!=", for which no index is used
        query = "SELECT match FROM digests WHERE rules < ? OR rules > ? LIMIT ?"
        return [match for (match,) in self._rows(query, (rules, rules, most))]

    def pending(self) -> int:
        """The number of matches that are to be counted or rated again."""
        query = (
            "SELECT count(*) FROM outdated UNION ALL SELECT (SELECT count(*) FROM digests"
            " WHERE circle = unrated.circle AND opened >= since) FROM unrated"
        )
        return sum(int(count) for (count,) in self._rows(query, ()))

    @retried
    def forget(self) -> int:
        """Delete all derived rows and mark all matches as outdated; returns their number."""
        with self._transaction() as db:
            for table in DERIVED:
                db.execute(f"DELETE FROM {table}")
            db.execute("INSERT INTO outdated SELECT id, 1 FROM matches")
        return self.pending()

    @retried
    def write(self, counted: Mapping[str, DerivedRows | None]) -> None:
        """Replace the derived rows of matches, all or none; None: only people or circle changed.

        A hidden match gets none. A match that has grown since ``counted`` was computed is skipped
        and stays outdated. Ratings that this changes are marked in ``unrated``.
        """
        with self._transaction() as db:
            for match, fresh in counted.items():
                if fresh and fresh.entries != tail_in(db, match):
                    continue
                circle, session, opened = db.execute(
                    "SELECT circle, session, opened FROM matches WHERE id = ?", (match,)
                ).fetchone()
                before = _rated(db, match)
                _lead(db, match, -1)
                _total(db, match, -1)
                if fresh:
                    fresh = _as_kept(db, match, fresh)
                    _remove(db, match)
                    if not db.execute("SELECT 1 FROM hidden WHERE match = ?", (match,)).fetchone():
                        _add(db, match, circle, session, opened, fresh)
                db.execute("UPDATE digests SET circle = ? WHERE match = ?", (circle, match))
                for table in ("results", "feats"):
                    db.execute(
                        f"UPDATE {table} SET person = (SELECT person FROM players"
                        f" WHERE players.match = {table}.match AND players.place = {table}.place)"
                        " WHERE match = ?",
                        (match,),
                    )
                _lead(db, match, 1)
                _total(db, match, 1)
                db.execute(
                    "DELETE FROM outdated WHERE match = ? AND (? = 1 OR log = 0)",
                    (match, int(fresh is not None)),
                )
                after = _rated(db, match)
                if before != after:
                    _meet(db, before, -1)
                    _meet(db, after, 1)
                    _upset(db, opened, before, after)

    def unrated(self, most: int = RATED) -> list[Unrated]:
        """The circles whose ratings are outdated, with the next ``most`` matches or so of each."""
        return [
            _unrated(self._store._rows, circle, since, most)
            for circle, since in self._rows("SELECT circle, since FROM unrated", ())
        ]

    @retried
    def rate(self, unrated: Unrated, rows: Sequence[tuple[Any, ...]], most: int = RATED) -> None:
        """Replace the ratings of the matches in ``unrated`` by (opened, match, person, mu, sigma).

        Those of later matches stay outdated. Writes nothing if ``unrated`` no longer agrees with
        the store: another process has rated these matches, or has changed one.
        """
        circle, since, until = unrated[:3]
        with self._transaction() as db:
            # first, so that other processes that rate this circle, or mark it as unrated, wait here
            mine = db.execute(
                "UPDATE unrated SET since = since WHERE circle = ? AND since = ?", (circle, since)
            )
            if not mine.rowcount or _unrated(db.execute, circle, since, most) != unrated:
                return
            within, values = "circle = ? AND opened >= ?", [circle, since]
            if until:
                within, values = f"{within} AND opened < ?", [*values, until]
                db.execute("UPDATE unrated SET since = ? WHERE circle = ?", (until, circle))
            else:
                db.execute("DELETE FROM unrated WHERE circle = ?", (circle,))
            db.execute(f"DELETE FROM ratings WHERE {within}", values)
            db.executemany(
                "INSERT INTO ratings VALUES (?, ?, ?, ?, ?, ?)", [(circle, *row) for row in rows]
            )


Ask: TypeAlias = Callable[[str, Sequence[Any]], Iterable[Any]]


def _unrated(ask: Ask, circle: str, since: str, most: int) -> Unrated:
    until, placed = _until(ask, circle, since, most), dict[str, Placed]()
    query = (
        "SELECT results.match, results.opened, person, rank FROM digests"
        " JOIN results USING (match) WHERE circle = ? AND digests.opened >= ?"
        " AND digests.over = 1 AND person IS NOT NULL"
    )
    values = [circle, since]
    if until:
        query, values = f"{query} AND digests.opened < ?", [*values, until]
    query += " ORDER BY digests.opened, digests.match, results.place"
    for match, opened, person, rank in ask(query, values):
        placed.setdefault(match, Placed(match, opened, {})).ranks[person] = rank
    # the last one of each person with the index: a circle may have a hundred thousand ratings
    rated = "FROM ratings WHERE person = people.id AND circle = ? AND opened < ?"
    last = f"{rated} ORDER BY opened DESC, match DESC LIMIT 1"
    people = sorted({person for match in placed.values() for person in match.ranks})
    before = ask(
        f"SELECT id, (SELECT mu {last}), (SELECT sigma {last}) FROM people"
        f" WHERE id IN ({marks(people)})",
        (circle, since, circle, since, *people),
    )
    known = {person: (mu, sigma) for person, mu, sigma in before if mu is not None}
    return Unrated(circle, since, until, known, list(placed.values()))


def _until(ask: Ask, circle: str, since: str, most: int) -> str:
    """The moment before which about ``most`` matches of the circle were opened, "" for the end."""
    later = "SELECT opened FROM digests WHERE circle = ? AND opened {} ? ORDER BY opened LIMIT {}"
    rows = list(ask(later.format(">=", f"1 OFFSET {most}"), (circle, since)))
    if rows and rows[0][0] == since:  # more than ``most`` matches were opened at this moment
        rows = list(ask(later.format(">", "1"), (circle, since)))
    return str(rows[0][0]) if rows else ""


def _as_kept(db: Transaction, match: str, fresh: DerivedRows) -> DerivedRows:
    """``fresh`` with the earlier result in place of its own if the group keeps that."""
    places = sorted(SeatResult(row.place, row.points, row.rank, row.won) for row in fresh.results)
    present = MatchResult(fresh.over, fresh.stopped, tuple(places))
    kept = settle(db, match, fresh.entries, fresh.rules, present)
    if kept is None:
        return fresh
    rows = {row.place: row for row in fresh.results}
    results: list[ResultRow] = []
    for place in kept.places:
        row = rows[place.place]._replace(points=place.points, rank=place.rank, won=place.won)
        if row.beaten is not None and not fresh.team:  # who is whose partner is not known here
            row = row._replace(beaten=_beaten(place.rank, kept.places))
        results.append(row)
    return fresh._replace(over=kept.over, stopped=kept.stopped, results=results, kept=True)


def _beaten(rank: int, places: Sequence[SeatResult]) -> int:
    """Twice how many of ``places`` a seat of this rank stands before, its own among the level."""
    return sum(2 * (rank < one.rank) + (rank == one.rank) for one in places) - 1


def _remove(db: Transaction, match: str) -> None:
    for table in ("feats", "results", "digests"):
        db.execute(f"DELETE FROM {table} WHERE match = ?", (match,))


def _add(
    db: Transaction, match: str, circle: str, session: int | None, opened: str, fresh: DerivedRows
) -> None:
    db.execute(
        "INSERT INTO digests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(match, circle, session, opened, fresh.game, len(fresh.results)),
            *(*fresh[1:7], fresh.unit, fresh.stopped, fresh.by_sheet, fresh.team),
            *(fresh.rules, int(fresh.kept)),
        ),
    )
    unwon = int(fresh.over and not any(row.won for row in fresh.results))
    db.executemany(
        "INSERT INTO results VALUES (?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                *(match, place, opened, fresh.game, len(fresh.results), fresh.over),
                *(*counted, fresh.unit, unwon, adjusted, beaten),
            )
            for place, *counted, adjusted, beaten in fresh.results
        ],
    )
    db.executemany(
        "INSERT INTO feats VALUES (?, ?, ?, ?, ?, NULL, ?)",
        [(match, *feat, fresh.game) for feat in fresh.feats],
    )


Ranks: TypeAlias = tuple[str, tuple[tuple[int, int], ...]] | None


def _rated(db: Transaction, match: str) -> Ranks:
    """Circle and ranks (person, rank) of a finished match; None if it is not finished."""
    over = db.execute(
        "SELECT circle FROM digests WHERE match = ? AND over = 1", (match,)
    ).fetchone()
    rows = db.execute(
        "SELECT person, rank FROM results WHERE match = ? AND person IS NOT NULL ORDER BY place",
        (match,),
    ).fetchall()
    return (over[0], tuple(rows)) if over else None


def _lead(db: Transaction, match: str, times: int) -> None:
    """Add (``times`` 1) or subtract (-1) the ``LED`` feats of a match in the totals of people."""
    kinds = ", ".join(f"'{kind}'" for kind in LED)
    db.execute(
        "INSERT INTO leads SELECT person, game, label, ? * value FROM feats"
        f" WHERE match = ? AND kind IN ({kinds}) AND person IS NOT NULL"
        " ON CONFLICT (person, game, card)"
        " DO UPDATE SET times = leads.times + excluded.times",
        (times, match),
    )


def _total(db: Transaction, match: str, times: int) -> None:
    """Add (``times`` 1) or subtract (-1) a finished match in the sums of people and evening."""
    lost = "?1 * CASE WHEN rank > 1 THEN unwon ELSE 0 END"
    finished = "results.match = ?2 AND results.over = 1 AND person IS NOT NULL"
    db.execute(
        f"INSERT INTO totals SELECT person, game, seats, unit, ?1, ?1 * won, ?1 * unwon, {lost},"
        " ?1 * points, ?1 * revokes, ?1 * CASE WHEN millis IS NULL THEN 0 ELSE plays END,"
        f" ?1 * coalesce(millis, 0) FROM results WHERE {finished}"
        " ON CONFLICT (person, game, seats, unit) DO UPDATE SET " + _added("totals", *TOTALS),
        (times, match),
    )
    db.execute(
        f"INSERT INTO tallies SELECT session, person, ?1, ?1 * won, {lost}"
        f" FROM results JOIN digests USING (match) WHERE {finished} AND session IS NOT NULL"
        f" ON CONFLICT (session, person) DO UPDATE SET {_added('tallies', *TALLIED)}",
        (times, match),
    )


def _added(table: str, *columns: str) -> str:
    """The assignments of an upsert that adds to ``columns``."""
    return ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in columns)


def _meet(db: Transaction, rated: Ranks, times: int) -> None:
    """Add (``times`` 1) or subtract (-1) a match in the head-to-head counts."""
    circle, rows = rated or ("", ())
    db.executemany(
        "INSERT INTO duels VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (circle, person, other)"
        " DO UPDATE SET matches = duels.matches + excluded.matches,"
        " above = duels.above + excluded.above, below = duels.below + excluded.below",
        [
            (circle, person, other, times, times * (rank < theirs), times * (rank > theirs))
            for (person, rank), (other, theirs) in permutations(rows, 2)
        ],
    )


def _upset(db: Transaction, opened: str, *rated: Ranks) -> None:
    """Mark the ratings of these circles as outdated from ``opened`` on."""
    for circle in {found[0] for found in rated if found}:
        db.execute(
            "INSERT INTO unrated VALUES (?, ?) ON CONFLICT (circle) DO UPDATE"
            " SET since = excluded.since WHERE excluded.since < unrated.since",
            (circle, opened),
        )
