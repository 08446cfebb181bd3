"""Tonight's desks of the groups: a log of entries for each, and who its numbers are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from referee.store.engine import Taken, Transaction, marks, retried
from referee.store.gathering import EVENING, known_as, now
from referee.store.log import Clash, StorePart

LAST = (
    "SELECT id, coalesce((SELECT max(at) FROM desk_entries WHERE desk = id), opened)"
    " FROM desks WHERE circle = ? ORDER BY id DESC LIMIT 1"
)
"""SQL: the last desk of a group, and when its last entry was made."""


class NoSuchDesk(LookupError):
    """No desk has this number."""


class DeskLine(NamedTuple):
    """An entry of a desk; ``phone``: who made it ("": the program), ``at`` UTC in ISO 8601."""

    seq: int
    line: str
    phone: str
    at: str


class Desks(StorePart):
    """The desks in ``store``."""

    def current(self, circle: str) -> int | None:
        """The desk of this evening: the last one, if its last entry is not long ago."""
        return _recent(self._rows(LAST, (circle,)))

    @retried
    def open(self, circle: str) -> int:
        """A desk for this evening, the one that is there or a new one."""
        with self._transaction() as db:
            found = _recent(db.execute(LAST, (circle,)).fetchall())
            if found is not None:
                return found
            db.execute("INSERT INTO desks (circle, opened) VALUES (?, ?)", (circle, now()))
            [desk] = db.execute("SELECT max(id) FROM desks WHERE circle = ?", (circle,)).fetchone()
            return int(desk)

    def earlier(self, circle: str, most: int) -> list[tuple[int, str]]:
        """The desks of a group that have entries and are not of this evening, the latest first:
        number, and when each was opened.
        """
        rows = self._rows(
            "SELECT id, opened FROM desks WHERE circle = ?"
            " AND EXISTS (SELECT 1 FROM desk_entries WHERE desk = id) ORDER BY id DESC LIMIT ?",
            (circle, most + 1),
        )
        now = self.current(circle)
        return [(int(desk), opened) for desk, opened in rows if desk != now][:most]

    def circle(self, desk: int) -> str:
        """The group of a desk; raises ``NoSuchDesk``."""
        query = "SELECT circle FROM desks WHERE id = ?"
        return str(self._first(query, (desk,), NoSuchDesk(desk))[0])

    def opened(self, desk: int) -> str:
        """When a desk was opened; raises ``NoSuchDesk``."""
        query = "SELECT opened FROM desks WHERE id = ?"
        return str(self._first(query, (desk,), NoSuchDesk(desk))[0])

    def read(self, desk: int, after: int = 0) -> list[DeskLine]:
        """The entries after entry ``after``."""
        rows = self._rows(
            "SELECT seq, line, phone, at FROM desk_entries WHERE desk = ? AND seq > ? ORDER BY seq",
            (desk, after),
        )
        return [DeskLine(*row) for row in rows]

    def tails(self, desks: Sequence[int]) -> dict[int, int]:
        """How many entries each of these desks has; those without entries are left out."""
        rows = self._rows(
            f"SELECT desk, max(seq) FROM desk_entries WHERE desk IN ({marks(desks)}) GROUP BY desk",
            tuple(desks),
        )
        return dict(rows)

    def has(self, desk: int, key: str) -> bool:
        """Whether an entry was made with this key."""
        query = "SELECT 1 FROM desk_entries WHERE desk = ? AND key = ?"
        return bool(self._rows(query, (desk, key)))

    @retried
    def append(self, desk: int, after: int, lines: Sequence[str], key: str, phone: str) -> None:
        """Append entries after entry ``after``, all or none.

        Raises ``Clash`` if there are newer ones, or the key has been used.
        """
        at = now()
        try:
            with self._transaction() as db:
                if _tail(db, desk) != after:
                    raise Clash(desk)
                for place, line in enumerate(lines):
                    used = f"{key}+{place}" if place else key
                    db.execute(
                        "INSERT INTO desk_entries VALUES (?, ?, ?, ?, ?, ?)",
                        (desk, after + 1 + place, line, used, phone, at),
                    )
        except Taken as fault:
            raise Clash(desk) from fault
        self._store.engine.notify(topic(desk), after + len(lines))

    @retried
    def number(self, desk: int, name: str) -> int:
        """The number of the person with this name at a desk; a new one becomes one of the group."""
        circle = self.circle(desk)
        with self._transaction() as db:
            query = "SELECT id, played FROM people WHERE circle = ? AND name = ?"
            found = db.execute(query, (circle, name)).fetchone()
            # who is here has not played yet: the order of the list stays
            known_as(db, circle, name, found[1] if found else now())
            person = (found or db.execute(query, (circle, name)).fetchone())[0]
            query = "SELECT min(number) FROM desk_people WHERE desk = ? AND person = ?"
            [known] = db.execute(query, (desk, person)).fetchone()
            if known is not None:
                return int(known)
            query = "SELECT count(*) FROM desk_people WHERE desk = ?"
            [number] = db.execute(query, (desk,)).fetchone()
            db.execute("INSERT INTO desk_people VALUES (?, ?, ?)", (desk, number, person))
            return int(number)

    def people(self, desk: int) -> list[tuple[int | None, str | None]]:
        """The people of a desk by number: id and present name; None: deleted on request."""
        return self._rows(
            "SELECT people.id, name FROM desk_people LEFT JOIN people ON people.id = person"
            " WHERE desk = ? ORDER BY number",
            (desk,),
        )

    def season(self, desk: int, since: str) -> dict[tuple[int, int], int]:
        """How often every two people of a desk played in one match that began after ``since``."""
        rows = self._rows(
            "SELECT one.number, other.number, count(DISTINCT a.match) FROM desk_people AS one"
            " JOIN desk_people AS other ON other.desk = one.desk AND one.number < other.number"
            " JOIN players AS a ON a.person = one.person"
            " JOIN players AS b ON b.person = other.person AND b.match = a.match"
            " JOIN matches ON matches.id = a.match"
            " WHERE one.desk = ? AND matches.opened >= ? GROUP BY one.number, other.number",
            (desk, since),
        )
        return {(one, other): count for one, other, count in rows}

    def sitting(self, match: str, desk: int) -> dict[int, int]:
        """The people of a desk at a match: place in turn order (1-based) → number."""
        rows = self._rows(
            "SELECT place, min(number) FROM players JOIN desk_people USING (person)"
            " WHERE match = ? AND desk = ? GROUP BY place",
            (match, desk),
        )
        return dict(rows)


def topic(desk: int) -> str:
    """The name under which a desk is announced; no match has such an id."""
    return f"desk-{desk}"


def desk_of(name: str) -> int | None:
    """The desk that is announced under this name; None for a match."""
    kind, _, number = name.partition("-")
    return int(number) if kind == "desk" and number.isdecimal() else None


def _recent(rows: Sequence[tuple[int, str]]) -> int | None:
    """The desk in ``rows``, if something was done there not long ago."""
    since = datetime.now(UTC) - EVENING
    return next((desk for desk, at in rows if datetime.fromisoformat(at) > since), None)


def _tail(db: Transaction, desk: int) -> int:
    [tail] = db.execute("SELECT max(seq) FROM desk_entries WHERE desk = ?", (desk,)).fetchone()
    return tail or 0
