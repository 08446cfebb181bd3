"""The log store on an embedded SQLite file.

One writing connection behind a lock: several writers on one file wait for each other badly, and
SQLite before 3.51.3 can lose a write-ahead log that several of them reset. ``append`` has
reached the disk when it returns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import disk_usage
from threading import Lock
from typing import Any, NamedTuple

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # pysqlite3 where installed

from referee.store.gathering import NOBODYS, enrol, now, session_at
from referee.store.schema import migrations
from referee.store.shelf import Shelf

LEAST_FREE = 16 * 1024 * 1024
"""Bytes on the disk below which a store is not ``ready``: some thousand evenings."""


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


class Line(NamedTuple):
    """An entry found by its first words; ``at`` UTC in ISO 8601."""

    match: str
    seq: int
    line: str
    at: str


class HouseRule(NamedTuple):
    """What a table plays by since its decision that is entry ``seq`` of ``match``."""

    match: str
    seq: int
    game: str
    text: str


class Listed(NamedTuple):
    """A match in the list: its record header, and when it was opened (UTC, ISO 8601)."""

    id: str
    header: str
    opened: str


class Store:
    """Matches in the file ``path``, created and migrated when it is opened.

    Raises ``Damaged``, and ``Unavailable`` where there can be no file.
    """

    def __init__(self, path: Path) -> None:
        _examine(path)
        self._path = path
        with _faults_told():
            self._writer, self._reader = _connect(path), _connect(path)
        self._writing, self._reading = Lock(), Lock()
        with self._writing:
            migrations.apply(self._writer)
        self.shelf = Shelf(self._transaction, self._rows, now)

    def close(self) -> None:
        """Give the file back; the store can't be used afterwards."""
        self._writer.close()
        self._reader.close()

    def open(
        self, match: str, header: str, seats: Sequence[str] = (), circle: str = NOBODYS
    ) -> None:
        """Begin a match of ``circle``; raises ``Clash`` if the id is taken."""
        with self._transaction() as db:
            self._open(db, match, header, seats, circle, now())

    def append(self, match: str, after: int, entries: Sequence[NewEntry]) -> None:
        """Write ``entries`` behind entry ``after`` (0: none), all or none, durably.

        Raises ``NoSuchMatch``, and ``Clash`` if the log has grown or a key has been used.
        """
        with self._transaction() as db:
            self._append(db, match, after, entries)

    def add(
        self,
        match: str,
        header: str,
        entries: Sequence[NewEntry],
        seats: Sequence[str] = (),
        circle: str = NOBODYS,
        opened: str = "",
    ) -> None:
        """A whole match at once, or nothing; raises ``Clash`` if the id is taken.

        ``opened``: when it was played (UTC, ISO 8601 with milliseconds); "" for now.
        """
        with self._transaction() as db:
            self._open(db, match, header, seats, circle, opened or now())
            self._append(db, match, 0, entries)

    def read(self, match: str, after: int = 0, most: int = -1) -> list[Stored]:
        """The entries behind entry ``after``, in order; ``most`` of them (-1: all)."""
        return [
            Stored(*row)
            for row in self._rows(
                "SELECT seq, line, key, verdict, clause, rules, at FROM entries"
                " WHERE match = ? AND seq > ? ORDER BY seq LIMIT ?",
                (match, after, most),
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

    def generation(self) -> int:
        """A number that changes when a backup is put in the place of this file."""
        return int(self._rows("PRAGMA user_version", ())[0][0])

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
        """The matches of all circles, those opened last first; ``most`` of them (-1: all)."""
        query = "SELECT id, header, opened FROM matches ORDER BY opened DESC, id LIMIT ?"
        return [Listed(*row) for row in self._rows(query, (most,))]

    def decisions(self, circle: str, most: int = 200) -> list[Line]:
        """The entries by which tables of ``circle`` decided something, told last first."""
        query = (
            "SELECT match, seq, line, at FROM entries JOIN matches ON matches.id = entries.match"
            " WHERE substr(line, 1, 13) = 'table decide ' AND matches.circle = ?"
            " ORDER BY at DESC, seq DESC LIMIT ?"
        )
        return [Line(*row) for row in self._rows(query, (circle, most))]

    def house_rules(self, circle: str, game: str | None = None) -> list[HouseRule]:
        """The rules of the house, of ``game`` or of all games, by match and entry."""
        query = (
            "SELECT match, seq, game, text FROM house_rules JOIN matches ON matches.id = match"
            " WHERE circle = ? AND (game = ? OR ? IS NULL)"
        )
        return [HouseRule(*row) for row in self._rows(query, (circle, game, game))]

    def keep_house_rule(self, game: str, text: str, match: str, seq: int) -> None:
        """Remember a rule; once is enough."""
        with self._transaction() as db:
            db.execute(
                "INSERT OR IGNORE INTO house_rules VALUES (?, ?, ?, ?)", (match, seq, game, text)
            )

    def drop_house_rule(self, match: str, seq: int) -> None:
        """Forget a rule; the decision stays in its match."""
        with self._transaction() as db:
            db.execute("DELETE FROM house_rules WHERE match = ? AND seq = ?", (match, seq))

    def ready(self) -> None:
        """Raise ``Unavailable`` unless an entry could be read and written now; write nothing."""
        self._rows("SELECT 1 FROM matches LIMIT 1", ())
        with self._transaction():
            pass  # the file has been locked for writing, as far as its disk and owner allow
        free = disk_usage(self._path.parent).free
        if free < LEAST_FREE:
            raise Unavailable(f"{free} bytes are free on the disk, less than {LEAST_FREE}")

    def _open(
        self,
        db: Database,
        match: str,
        header: str,
        seats: Sequence[str],
        circle: str,
        opened: str,
    ) -> None:
        session = session_at(db, circle, opened)
        try:
            db.execute(
                "INSERT INTO matches (id, header, opened, circle, session) VALUES (?, ?, ?, ?, ?)",
                (match, header, opened, circle, session),
            )
        except sqlite3.IntegrityError as fault:
            raise Clash(match) from fault
        enrol(db, circle, match, seats, opened)

    def _append(self, db: Database, match: str, after: int, entries: Sequence[NewEntry]) -> None:
        at = now()
        tail = db.execute("SELECT max(seq) FROM entries WHERE match = ?", (match,)).fetchone()[0]
        if (tail or 0) != after:
            raise Clash(match)
        try:
            for seq, entry in enumerate(entries, after + 1):
                db.execute(
                    "INSERT INTO entries (match, seq, line, key, verdict, clause, rules, at)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (match, seq, *entry, at),
                )
        except sqlite3.IntegrityError as fault:
            if "FOREIGN KEY" in str(fault):
                raise NoSuchMatch(match) from fault
            raise Clash(match) from fault

    def compact(self) -> None:
        """Write the file anew, without anything that has been deleted, and empty its journal."""
        with self._writing:
            self._writer.execute("VACUUM")
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

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
        "secure_delete = ON",  # a name that is removed on request is not left on the disk
        "busy_timeout = 5000",
    ):
        db.execute(f"PRAGMA {pragma}").fetchall()
    return db
