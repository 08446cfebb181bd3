"""What the opening of a match says of people and evenings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlite_utils import Database

NOBODYS = ""
EVENING = timedelta(hours=6)
"""A longer pause than this begins another session."""


def now() -> str:
    """The time as it is stored: UTC in ISO 8601, to the millisecond."""
    return _iso(datetime.now(UTC))


def enrol(db: Database, circle: str, match: str, seats: Sequence[str], opened: str) -> None:
    """Note who sits where in ``match``; whom the circle does not know becomes one of its people."""
    for place, name in enumerate(seats, 1):
        db.execute(
            "INSERT INTO people (circle, name, played) VALUES (?, ?, ?) ON CONFLICT"
            " DO UPDATE SET played = max(played, excluded.played), retired = 0",
            (circle, name, opened),
        )
        db.execute(
            "INSERT INTO players SELECT ?, name, ?, id FROM people WHERE circle = ? AND name = ?",
            (match, place, circle, name),
        )


def session_at(db: Database, circle: str, opened: str) -> int:
    """The evening to which a match opened at ``opened`` belongs; a new one where there is none.

    An evening goes on while a match was opened or played on less than ``EVENING`` ago.
    """
    moment = datetime.fromisoformat(opened)
    since, until = _iso(moment - EVENING), _iso(moment + EVENING)
    found = db.execute(
        "SELECT session FROM matches WHERE circle = ? AND session IS NOT NULL AND opened <= ?"
        " AND (opened >= ? OR (SELECT max(at) FROM entries WHERE match = matches.id"
        " AND opened > ?) >= ?)"
        " ORDER BY abs(julianday(opened) - julianday(?)) LIMIT 1",
        (circle, until, since, _iso(moment - 4 * EVENING), since, opened),
    ).fetchone()
    if found:
        session = int(found[0])
        db.execute("UPDATE sessions SET began = min(began, ?) WHERE id = ?", (opened, session))
        return session
    new = db.execute("INSERT INTO sessions (circle, began) VALUES (?, ?)", (circle, opened))
    return int(new.lastrowid or 0)


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
