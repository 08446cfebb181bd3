"""Matches that a circle has hidden from its lists.

Lists leave them out and statistics do not count them; their logs, and the phones at them, stay.
"""

from __future__ import annotations

from referee.store.engine import Transaction, retried
from referee.store.gathering import now
from referee.store.log import Listed, StorePart


class Hidden(StorePart):
    """The hidden matches in ``store``."""

    def has(self, match: str) -> bool:
        """Whether the match is hidden."""
        return bool(self._rows("SELECT 1 FROM hidden WHERE match = ?", (match,)))

    def count(self, circle: str) -> int:
        """How many matches of the circle are hidden."""
        query = "SELECT count(*) FROM hidden JOIN matches ON id = match WHERE circle = ?"
        return int(self._rows(query, (circle,))[0][0])

    def of(self, circle: str) -> list[Listed]:
        """The hidden matches of the circle, the last hidden first."""
        rows = self._rows(
            "SELECT id, header, opened FROM matches JOIN hidden ON match = id WHERE circle = ?"
            " ORDER BY at DESC, id",
            (circle,),
        )
        return [Listed(*row) for row in rows]

    @retried
    def put_away(self, match: str) -> None:
        """Hide the match; does nothing if it is hidden."""
        with self._transaction() as db:
            hide(db, match)

    @retried
    def bring_back(self, match: str) -> None:
        """List the match again and count it."""
        with self._transaction() as db:
            db.execute("DELETE FROM hidden WHERE match = ?", (match,))
            recount(db, match)


def hide(db: Transaction, match: str) -> None:
    """``Hidden.put_away`` within a transaction."""
    db.execute("INSERT INTO hidden VALUES (?, ?) ON CONFLICT DO NOTHING", (match, now()))
    recount(db, match)


def recount(db: Transaction, match: str) -> None:
    """Mark the derived rows of a match as outdated, as if its log had grown."""
    db.execute(
        "INSERT INTO outdated VALUES (?, 1) ON CONFLICT (match) DO UPDATE SET log = 1", (match,)
    )
