"""Matches that came from other programs' files, each of them once, and who their people are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.store.engine import retried
from referee.store.log import NewEntry, Store, append_in, open_in


class ForeignMatch(NamedTuple):
    """A match from a file: ``keys`` is what the file calls it, ``nobodys`` the seats of nobody.

    ``opened``: when it was played (UTC, ISO 8601 with milliseconds).
    """

    id: str
    keys: tuple[str, ...]
    header: str
    seats: tuple[str, ...]
    nobodys: frozenset[str]
    entries: Sequence[NewEntry]
    opened: str


class ForeignPlays:
    """What the group ``circle`` in ``store`` has from other programs' files."""

    def __init__(self, store: Store, circle: str) -> None:
        self._store, self._circle = store, circle

    def taken(self, keys: Sequence[str]) -> set[str]:
        """Those of ``keys`` that came in before, or are the ids of matches here."""
        rows = self._store._rows(
            "SELECT key FROM foreign_plays JOIN matches ON id = match"
            " WHERE circle = ? AND key IN (SELECT value FROM json_each(?))"
            " UNION SELECT id FROM matches"
            " WHERE circle = ? AND id IN (SELECT value FROM json_each(?))",
            (self._circle, json.dumps(keys)) * 2,
        )
        return {key for (key,) in rows}

    def people(self, keys: Sequence[str]) -> dict[str, str]:
        """The names of those whom the group chose last time for these people of a file."""
        rows = self._store._rows(
            "SELECT key, name FROM foreign_people JOIN people ON id = person"
            " WHERE circle = ? AND key IN (SELECT value FROM json_each(?))",
            (self._circle, json.dumps(keys)),
        )
        return dict(rows)

    @retried
    def add(self, matches: Sequence[ForeignMatch], people: Mapping[str, str]) -> int:
        """Store those of ``matches`` that are not here, all or none; returns how many.

        ``people``: the name here of each person of the file, which is remembered.
        """
        with self._store._transaction() as db:
            fresh = 0
            for match in matches:
                known = db.execute(
                    "SELECT 1 FROM foreign_plays JOIN matches ON id = match"
                    " WHERE circle = ? AND key IN (SELECT value FROM json_each(?)) LIMIT 1",
                    (self._circle, json.dumps(match.keys)),
                ).fetchone()
                if known:
                    continue
                open_in(
                    db,
                    match.id,
                    match.header,
                    match.seats,
                    self._circle,
                    match.opened,
                    match.nobodys,
                )
                append_in(db, match.id, 0, match.entries)
                for key in match.keys:
                    db.execute("INSERT INTO foreign_plays VALUES (?, ?)", (key, match.id))
                fresh += 1
            for key, name in people.items():
                db.execute(
                    "DELETE FROM foreign_people WHERE key = ?"
                    " AND person IN (SELECT id FROM people WHERE circle = ?)",
                    (key, self._circle),
                )
                db.execute(
                    "INSERT INTO foreign_people"
                    " SELECT ?, id FROM people WHERE circle = ? AND name = ?",
                    (key, self._circle, name),
                )
        return fresh
