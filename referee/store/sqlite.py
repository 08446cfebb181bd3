"""The log store on an embedded SQLite file.

One writing connection behind a lock: several writers on one file wait for each other badly, and
SQLite before 3.51.3 can lose a write-ahead log that several of them reset. ``append`` has
reached the disk when it returns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # pysqlite3 where installed

from referee.store.schema import migrations
from referee.store.shelf import Shelf


class NoSuchMatch(LookupError):
    """No match has this id."""


class Clash(Exception):
    """The log is not where the writer thought, or the key was used: read again, then decide."""


class Unavailable(Exception):
    """The file can't be read or written now: disk full, I/O error, locked. Nothing was stored."""


class Damaged(Unavailable):
    """The file is no database any more, or a broken one. It has been left as it was found."""


class NewEntry(NamedTuple):
    """A line to append, with the opinion given at the table: verdict, clause, rules version."""

    line: str
    key: str
    verdict: str
    clause: str
    rules: str


class Stored(NamedTuple):
    """A line as it stands in the log; ``seq`` 1-based, ``at`` UTC in ISO 8601."""

    seq: int
    line: str
    key: str
    verdict: str
    clause: str
    rules: str
    at: str


class Listed(NamedTuple):
    """A match in the list: its record header, and when it was opened (UTC, ISO 8601)."""

    id: str
    header: str
    opened: str


class Store:
    """Matches and people in the file ``path``, created and migrated when it is opened.

    Raises ``Damaged``, and ``Unavailable`` where there can be no file.
    """

    def __init__(self, path: Path) -> None:
        _examine(path)
        with _faults_told():
            self._writer, self._reader = _connect(path), _connect(path)
        self._writing, self._reading = Lock(), Lock()
        with self._writing:
            migrations.apply(self._writer)
        self.shelf = Shelf(self._transaction, self._rows, _now)

    def close(self) -> None:
        """Give the file back; the store can't be used afterwards."""
        self._writer.close()
        self._reader.close()

    def open(self, match: str, header: str, people: Sequence[str] = ()) -> None:
        """Begin a match; raises ``Clash`` if the id is taken."""
        with self._transaction() as db:
            self._open(db, match, header, people)

    def append(self, match: str, after: int, entries: Sequence[NewEntry]) -> None:
        """Write ``entries`` behind entry ``after`` (0: none), all or none, durably.

        Raises ``NoSuchMatch``, and ``Clash`` if the log has grown or a key has been used.
        """
        with self._transaction() as db:
            self._append(db, match, after, entries)

    def add(self, match: str, header: str, entries: Sequence[NewEntry]) -> None:
        """A whole match at once, or nothing; raises ``Clash`` if the id is taken."""
        with self._transaction() as db:
            self._open(db, match, header, ())
            self._append(db, match, 0, entries)

    def read(self, match: str, after: int = 0) -> list[Stored]:
        """The entries behind entry ``after``, in order."""
        return [
            Stored(*row)
            for row in self._rows(
                "SELECT seq, line, key, verdict, clause, rules, at FROM entries"
                " WHERE match = ? AND seq > ? ORDER BY seq",
                (match, after),
            )
        ]

    def find(self, match: str, key: str) -> int | None:
        """The number of the entry that was written with ``key``."""
        rows = self._rows("SELECT seq FROM entries WHERE match = ? AND key = ?", (match, key))
        return rows[0][0] if rows else None

    def tail(self, match: str) -> int:
        """How many entries the log has (0 for none)."""
        rows = self._rows(
            "SELECT seq FROM entries WHERE match = ? ORDER BY seq DESC LIMIT 1", (match,)
        )
        return rows[0][0] if rows else 0

    def tails(self, matches: Sequence[str]) -> dict[str, int]:
        """``tail`` of many matches at once; those without entries are left out."""
        rows = self._rows(
            "SELECT value, (SELECT max(seq) FROM entries WHERE match = value) FROM json_each(?)",
            (json.dumps(matches),),
        )
        return {match: seq for match, seq in rows if seq}

    def foreign_commits(self) -> int | None:
        """A number that changes when another process has written; None while this one writes.

        A few microseconds, without waiting: it may be asked for from an event loop.
        """
        if not self._writing.acquire(blocking=False):
            return None
        try:  # on the writing connection, because its own commits don't count there
            return int(self._writer.execute("PRAGMA data_version").fetchone()[0])
        finally:
            self._writing.release()

    def header(self, match: str) -> str:
        """The record header of a match; raises ``NoSuchMatch``."""
        rows = self._rows("SELECT header FROM matches WHERE id = ?", (match,))
        if not rows:
            raise NoSuchMatch(match)
        return str(rows[0][0])

    def matches(self, most: int = -1) -> list[Listed]:
        """The matches, those opened last first; ``most`` of them (-1: all)."""
        query = "SELECT id, header, opened FROM matches ORDER BY opened DESC, id LIMIT ?"
        return [Listed(*row) for row in self._rows(query, (most,))]

    def people(self, most: int = 30) -> list[str]:
        """Names, those who played last first."""
        query = "SELECT name FROM people ORDER BY played DESC, rowid LIMIT ?"
        return [row[0] for row in self._rows(query, (most,))]

    def _open(self, db: Database, match: str, header: str, people: Sequence[str]) -> None:
        now = _now()
        try:
            db.execute("INSERT INTO matches VALUES (?, ?, ?)", (match, header, now))
        except sqlite3.IntegrityError as fault:
            raise Clash(match) from fault
        for name in people:
            db.execute(
                "INSERT INTO people VALUES (?, ?) ON CONFLICT DO UPDATE SET played = ?",
                (name, now, now),
            )

    def _append(self, db: Database, match: str, after: int, entries: Sequence[NewEntry]) -> None:
        now = _now()
        tail = db.execute("SELECT max(seq) FROM entries WHERE match = ?", (match,)).fetchone()[0]
        if (tail or 0) != after:
            raise Clash(match)
        try:
            for seq, entry in enumerate(entries, after + 1):
                db.execute(
                    "INSERT INTO entries (match, seq, line, key, verdict, clause, rules, at)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (match, seq, *entry, now),
                )
        except sqlite3.IntegrityError as fault:
            if "FOREIGN KEY" in str(fault):
                raise NoSuchMatch(match) from fault
            raise Clash(match) from fault

    @contextmanager
    def _transaction(self) -> Iterator[Database]:
        # sqlite-utils begins deferred, and a read that then writes can fail as locked
        with self._writing, _faults_told():
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                self._writer.rollback()
                raise

    def _rows(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._reading, _faults_told():
            return list(self._reader.execute(query, values).fetchall())


def _examine(path: Path) -> None:
    """Before anything is written: what a damaged file still holds must not become less."""
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            found = [str(row[0]) for row in db.execute("PRAGMA quick_check(3)")]
    except sqlite3.DatabaseError as fault:
        found = [str(fault)]
    if found != ["ok"]:
        raise Damaged(f"{path}: {'; '.join(found)}")


@contextmanager
def _faults_told() -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as fault:
        raise Unavailable(str(fault)) from fault


def _connect(path: Path) -> Database:
    connection = sqlite3.connect(str(path), check_same_thread=False, isolation_level=None)
    db = Database(connection)
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        "busy_timeout = 5000",
    ):
        db.execute(f"PRAGMA {pragma}").fetchall()
    return db


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
