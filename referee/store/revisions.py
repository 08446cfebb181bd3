"""Results of finished matches that a version of the program with other rules counted differently.

A version that counts such a match again, and gets another result from the same entries, stores the
earlier one here. The group may keep it: statistics and exports then use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from referee.store.engine import Transaction, marks, retried
from referee.store.gathering import now
from referee.store.hidden import recount
from referee.store.log import StorePart


class SeatResult(NamedTuple):
    """The result of the seat at ``place`` (1-based, in turn order)."""

    place: int
    points: int
    rank: int
    won: bool


class MatchResult(NamedTuple):
    """The result of a match; ``stopped``: see ``PlayedMatch``. ``places``: by place."""

    over: bool
    stopped: bool
    places: tuple[SeatResult, ...]


class Revision(NamedTuple):
    """A match with two results: the ``earlier`` one, and the one by the ``present`` rules.

    ``at``: when the difference was found (UTC, ISO 8601). ``kept``: the earlier one counts.
    ``seen``: the group knows.
    """

    match: str
    at: str
    kept: bool
    seen: bool
    earlier: MatchResult
    present: MatchResult


class KeptResult(NamedTuple):
    """A result that the group keeps although the present rules make another of the entries.

    ``at``: when the difference was found (UTC, ISO 8601).
    """

    at: str
    result: MatchResult


class Changed(NamedTuple):
    """How many matches of a group have two results, and of how many of them it does not know.

    ``since``: when the first of these was found (UTC, ISO 8601), "" if there are none.
    """

    matches: int
    unseen: int
    since: str


LISTED = "NOT EXISTS (SELECT 1 FROM hidden WHERE hidden.match = revisions.match)"
OF_CIRCLE = f"JOIN matches ON id = match WHERE circle = ? AND {LISTED}"
COLUMNS = (
    "revisions.match, at, kept, seen, over, stopped, now_over, now_stopped, place, points, rank,"
    " won, now_points, now_rank, now_won"
)


class Revisions(StorePart):
    """The matches in ``store`` that have two results, without hidden ones."""

    def count(self, circle: str) -> Changed:
        """The numbers of a circle."""
        [(matches, unseen, since)] = self._rows(
            "SELECT count(*), coalesce(sum(1 - seen), 0), min(CASE seen WHEN 0 THEN at END)"
            f" FROM revisions {OF_CIRCLE}",
            (circle,),
        )
        return Changed(int(matches), int(unseen), since or "")

    def of(self, circle: str, most: int, skip: int = 0) -> list[Revision]:
        """``most`` matches of a circle from the index ``skip`` on, first those not seen."""
        rows = self._rows(
            f"SELECT {COLUMNS} FROM revisions JOIN revised_results USING (match)"
            f" WHERE revisions.match IN (SELECT match FROM revisions {OF_CIRCLE}"
            f" ORDER BY seen, opened DESC, match LIMIT ? OFFSET {skip:d})"
            " ORDER BY seen, (SELECT opened FROM matches WHERE id = revisions.match) DESC,"
            " revisions.match, place",
            (circle, most),
        )
        return [_revision(list(seats)) for _match, seats in groupby(rows, key=lambda row: row[0])]

    def get(self, match: str) -> Revision | None:
        """The two results of a match; None if it has one."""
        rows = self._rows(
            f"SELECT {COLUMNS} FROM revisions JOIN revised_results USING (match)"
            " WHERE revisions.match = ? ORDER BY place",
            (match,),
        )
        return _revision(rows) if rows else None

    @retried
    def keep(self, match: str, kept: bool) -> None:
        """Let the earlier result of a match count, or the present one; the group knows it then."""
        with self._transaction() as db:
            db.execute(
                "UPDATE revisions SET kept = ?, seen = 1 WHERE match = ?", (int(kept), match)
            )
            recount(db, match)

    def see(self, circle: str) -> None:
        """Store that a circle knows of all of its matches with two results."""
        self._write(
            "UPDATE revisions SET seen = 1 WHERE seen = 0"
            " AND match IN (SELECT id FROM matches WHERE circle = ?)",
            (circle,),
        )


def settle(
    db: Transaction, match: str, entries: int, rules: str, present: MatchResult
) -> MatchResult | None:
    """The earlier result of a match if the group keeps it.

    ``present``: what ``rules`` make of its ``entries``. If its statistics are those of other rules
    and have another result of the same entries, both are stored.
    """
    row = db.execute(
        "SELECT entries, kept, seen, at FROM revisions WHERE match = ?", (match,)
    ).fetchone()
    if row and row[0] != entries:  # the table has gone on: both results are of the past
        _remove(db, match)
        row = None
    kept, seen = (bool(row[1]), bool(row[2])) if row else (False, False)
    undecided = row is not None and not seen
    earlier = _noted(db, match) if kept or undecided else _counted(db, match, entries, rules)
    if earlier is None or (earlier == present and not kept):
        if undecided:
            _remove(db, match)
        return None
    known = kept and seen
    _write(
        db, match, entries, row[3] if kept or undecided else now(), (kept, known), earlier, present
    )
    return earlier if kept else None


def kept_of(db: Transaction, matches: Sequence[str]) -> dict[str, KeptResult]:
    """What groups keep of these matches, by match."""
    rows = db.execute(
        f"SELECT {COLUMNS} FROM revisions JOIN revised_results USING (match) WHERE kept = 1"
        f" AND revisions.match IN ({marks(matches)}) ORDER BY revisions.match, place",
        tuple(matches),
    )
    found = (_revision(list(seats)) for _match, seats in groupby(rows, key=lambda row: row[0]))
    return {one.match: KeptResult(one.at, one.earlier) for one in found}


def keep(db: Transaction, match: str, entries: int, kept: KeptResult) -> None:
    """Store what a group keeps of an imported match; counting adds the present result."""
    _write(db, match, entries, kept.at, (True, True), kept.result, kept.result)


def _revision(rows: Sequence[tuple[Any, ...]]) -> Revision:
    match, at, kept, seen, over, stopped, now_over, now_stopped = rows[0][:8]
    seats = [row[8:] for row in rows]
    return Revision(
        match,
        at,
        bool(kept),
        bool(seen),
        _result(over, stopped, [seat[:4] for seat in seats]),
        _result(now_over, now_stopped, [(seat[0], *seat[4:]) for seat in seats]),
    )


def _result(over: int, stopped: int, rows: Sequence[tuple[Any, ...]]) -> MatchResult:
    places = (SeatResult(place, points, rank, bool(won)) for place, points, rank, won in rows)
    return MatchResult(bool(over), bool(stopped), tuple(places))


def _noted(db: Transaction, match: str) -> MatchResult:
    over, stopped = db.execute(
        "SELECT over, stopped FROM revisions WHERE match = ?", (match,)
    ).fetchone()
    rows = db.execute(
        "SELECT place, points, rank, won FROM revised_results WHERE match = ? ORDER BY place",
        (match,),
    ).fetchall()
    return _result(over, stopped, rows)


def _counted(db: Transaction, match: str, entries: int, rules: str) -> MatchResult | None:
    """The result that other rules have counted of these entries, if the match has ended in it."""
    row = db.execute(
        "SELECT over, stopped FROM digests WHERE match = ? AND entries = ? AND rules != ?"
        " AND (over = 1 OR stopped = 1)",
        (match, entries, rules),
    ).fetchone()
    if row is None:
        return None
    rows = db.execute(
        "SELECT place, points, rank, won FROM results WHERE match = ? ORDER BY place", (match,)
    ).fetchall()
    return _result(row[0], row[1], rows)


def _write(
    db: Transaction,
    match: str,
    entries: int,
    at: str,
    kept_and_seen: tuple[bool, bool],
    earlier: MatchResult,
    present: MatchResult,
) -> None:
    _remove(db, match)
    db.execute(
        "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(match, entries, at, *map(int, kept_and_seen)),
            *map(int, (earlier.over, earlier.stopped, present.over, present.stopped)),
        ),
    )
    db.executemany(
        "INSERT INTO revised_results VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (match, *map(int, (*before, *after[1:])))
            for before, after in zip(earlier.places, present.places, strict=True)
        ],
    )


def _remove(db: Transaction, match: str) -> None:
    for table in ("revised_results", "revisions"):
        db.execute(f"DELETE FROM {table} WHERE match = ?", (match,))
