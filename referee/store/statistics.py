"""Writes the derived tables of the statistics: summaries of matches, results, ratings, counts.

They contain nothing that can't be computed from the log. Triggers mark a match as outdated in the
transaction that changes it; its rows are computed when the history is requested next, so that a
play does not wait for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple, TypeAlias

from referee.store.engine import Transaction, retried
from referee.store.log import Store, tail_in

DERIVED = ("ratings", "unrated", "duels", "leads", "feats", "results", "digests", "outdated")
LED = ("led", "formation")
"""Kinds of feats that are kept as totals of a person, too: cards led to tricks, formations
completed. A game counts one of them.
"""
DECLARED, WORD = "declared", "word"
COUNTED = (*LED, DECLARED)
"""Kinds of feats that add up over a person's matches. Of every other kind the highest value of a
match is kept, and of words every one that was made.
"""


class Outdated(NamedTuple):
    """A match whose derived rows are outdated; ``replay``: because its log has grown."""

    match: str
    replay: bool


class Counted(NamedTuple):
    """The derived rows of one match: for ``digests`` (from ``game`` on), ``results``, ``feats``.

    ``results`` rows are (place, points, rank, won, revokes, plays, millis), ``feats`` rows
    (place, kind, label, value). ``unit``: what the points of the results count.
    """

    game: str
    entries: int
    over: bool
    deals: int
    corrections: int
    rulings: int
    millis: int | None
    results: Sequence[tuple[Any, ...]]
    feats: Sequence[tuple[Any, ...]]
    unit: str = "points"


class Placed(NamedTuple):
    """A finished match for the rating; ``ranks``: person → rank, without unknown people."""

    match: str
    opened: str
    ranks: dict[int, int]


class Unrated(NamedTuple):
    """A circle whose ratings are outdated from the time ``since`` on.

    ``before``: person → rating (mu, sigma) before that time; ``placed``: the finished matches from
    then on, oldest first.
    """

    circle: str
    since: str
    before: Mapping[int, tuple[float, float]]
    placed: Sequence[Placed]


class Digests:
    """The derived tables of ``store``."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def outdated(self, most: int = -1) -> list[Outdated]:
        """Matches whose derived rows are outdated, oldest first; at most ``most`` (-1: all)."""
        rows = self._store._rows(
            "SELECT match, log FROM outdated LEFT JOIN matches ON id = match"
            " ORDER BY opened, id LIMIT ?",
            (most,),
        )
        return [Outdated(match, bool(log)) for match, log in rows]

    def pending(self) -> int:
        """The number of outdated matches."""
        return int(self._store._rows("SELECT count(*) FROM outdated", ())[0][0])

    @retried
    def forget(self) -> int:
        """Delete all derived rows and mark all matches as outdated; returns their number."""
        with self._store._transaction() as db:
            for table in DERIVED:
                db.execute(f"DELETE FROM {table}")
            db.execute("INSERT INTO outdated SELECT id, 1 FROM matches")
        return self.pending()

    @retried
    def write(self, counted: Mapping[str, Counted | None]) -> None:
        """Replace the derived rows of matches, all or none; None: only people or circle changed.

        A match that is out of sight (``Hidden``) has none.
        A match that has grown since ``counted`` was computed is skipped and stays outdated.
        Ratings that this changes are marked in ``unrated``.
        """
        with self._store._transaction() as db:
            for match, fresh in counted.items():
                if fresh and fresh.entries != tail_in(db, match):
                    continue
                circle, session, opened = db.execute(
                    "SELECT circle, session, opened FROM matches WHERE id = ?", (match,)
                ).fetchone()
                before = _rated(db, match)
                _lead(db, match, -1)
                if fresh:
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
                db.execute(
                    "DELETE FROM outdated WHERE match = ? AND (? = 1 OR log = 0)",
                    (match, int(fresh is not None)),
                )
                after = _rated(db, match)
                if before != after:
                    _meet(db, before, -1)
                    _meet(db, after, 1)
                    _upset(db, opened, before, after)

    def unrated(self) -> list[Unrated]:
        """The circles whose ratings are outdated."""
        return [
            _unrated(self._store._rows, circle, since)
            for circle, since in self._store._rows("SELECT circle, since FROM unrated", ())
        ]

    @retried
    def rate(self, unrated: Unrated, rows: Sequence[tuple[Any, ...]]) -> None:
        """Replace the ratings from ``since`` on by rows (opened, match, person, mu, sigma).

        Writes nothing if ``unrated`` is no longer what is stored: another process has rated, or
        has changed a match and marked it.
        """
        circle, since = unrated.circle, unrated.since
        with self._store._transaction() as db:
            # first, so that whoever rates this circle or marks it meanwhile waits
            db.execute("UPDATE unrated SET since = since WHERE circle = ?", (circle,))
            if _unrated(db.execute, circle, since) != unrated:
                return
            db.execute("DELETE FROM ratings WHERE circle = ? AND opened >= ?", (circle, since))
            db.execute("DELETE FROM unrated WHERE circle = ? AND since >= ?", (circle, since))
            db.executemany(
                "INSERT INTO ratings VALUES (?, ?, ?, ?, ?, ?)", [(circle, *row) for row in rows]
            )


Ask: TypeAlias = Callable[[str, Sequence[Any]], Iterable[Any]]


def _unrated(ask: Ask, circle: str, since: str) -> Unrated:
    before = ask(
        "SELECT person, mu, sigma FROM (SELECT person, mu, sigma, row_number() OVER"
        " (PARTITION BY person ORDER BY opened DESC, match DESC) AS back FROM ratings"
        " WHERE circle = ? AND opened < ?) AS earlier WHERE back = 1",
        (circle, since),
    )
    known = {person: (mu, sigma) for person, mu, sigma in before}
    placed: dict[str, Placed] = {}
    for match, opened, person, rank in ask(
        "SELECT results.match, results.opened, person, rank FROM digests"
        " JOIN results USING (match) WHERE circle = ? AND digests.opened >= ?"
        " AND digests.over = 1 AND person IS NOT NULL"
        " ORDER BY digests.opened, digests.match, results.place",
        (circle, since),
    ):
        placed.setdefault(match, Placed(match, opened, {})).ranks[person] = rank
    return Unrated(circle, since, known, list(placed.values()))


def _remove(db: Transaction, match: str) -> None:
    for table in ("feats", "results", "digests"):
        db.execute(f"DELETE FROM {table} WHERE match = ?", (match,))


def _add(
    db: Transaction, match: str, circle: str, session: int | None, opened: str, fresh: Counted
) -> None:
    db.execute(
        "INSERT INTO digests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (match, circle, session, opened, fresh.game, len(fresh.results), *fresh[1:7], fresh.unit),
    )
    db.executemany(
        "INSERT INTO results VALUES (?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (match, place, opened, fresh.game, len(fresh.results), fresh.over, *rest, fresh.unit)
            for place, *rest in fresh.results
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
    """Add (``times`` 1) or subtract (-1) what is counted in a match."""
    kinds = ", ".join(f"'{kind}'" for kind in LED)
    db.execute(
        "INSERT INTO leads SELECT person, game, label, ? * value FROM feats"
        f" WHERE match = ? AND kind IN ({kinds}) AND person IS NOT NULL"
        " ON CONFLICT (person, game, card)"
        " DO UPDATE SET times = leads.times + excluded.times",
        (times, match),
    )


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
