"""The engine on an embedded SQLite file: the default.

There is one writing connection, behind a lock: several writers on one file wait badly for each
other, and SQLite before 3.51.3 can corrupt a write-ahead log that several of them reset. A
committed transaction has reached the disk.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from shutil import disk_usage
from threading import Lock
from typing import Any

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # pysqlite3 where installed

from referee.store import at_rest, schema
from referee.store.engine import Damaged, Missing, Taken, Transaction, Unavailable
from referee.store.folding import folded

MEMORY = Path(":memory:")
BUSY_SECONDS = 5
"""How long a connection waits for another one that has the file locked."""
PATIENCE_SECONDS = 0.5
"""How long closing waits for a query under way before it interrupts it."""
LEAST_FREE = 16 * 1024 * 1024
"""Bytes on the disk below which a store is not ``ready``: some thousand evenings."""


class Sqlite:
    """The file ``path``, created and migrated when it is opened; ``:memory:`` uses no file.

    Raises ``Damaged``, ``NewerData``, ``OlderData``, and ``Unavailable`` if the file can't be
    created.
    """

    def __init__(self, path: Path) -> None:
        examine(path)
        self._path = path
        create(path)
        with _translated:
            self.writer = _connect(path)
            self.reader = self.writer if path == MEMORY else _connect(path)
        self._writing = Lock()
        self._reading = self._writing if path == MEMORY else Lock()
        try:
            self._bring_up_to_date()
            with self._writing, _translated:
                at_rest.enter(self.writer)
        except BaseException:
            self.close()
            raise

    def _bring_up_to_date(self) -> None:
        with self._writing, _translated:
            # an up-to-date file is not locked, so there is no wait for another process that writes
            if self._due():
                with _immediately(self.writer):
                    for statement in self._due():
                        self.writer.execute(statement)

    def close(self) -> None:
        """Close the file; the last one that has it open leaves all data in it, and no log.

        Data is whole without that, too: the next opening takes the log into the file.
        """
        if self.reader is not self.writer:
            with _to_itself(self._reading, self.reader):
                self.reader.close()
        with _to_itself(self._writing, self.writer):
            with suppress(sqlite3.Error):  # another program is using it, the disk is full
                at_rest.leave(self.writer)
            self.writer.close()

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._reading, _translated:
            return list(self.reader.execute(query, values).fetchall())

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        with self._writing, _translated, _immediately(self.writer):
            # nothing is written to tables that another program has changed
            schema.require_current(recorded(self.writer), "sqlite", str(self._path))
            yield self.writer

    @contextmanager
    def snapshot(self) -> Iterator[Transaction]:
        with self._reading, _translated:
            self.reader.execute("BEGIN")
            try:
                yield self.reader
            finally:
                self.reader.execute("COMMIT")

    def generation(self) -> int:
        """Changed by ``backup.restore``."""
        return int(self.rows("PRAGMA user_version")[0][0])

    def foreign_commits(self) -> int | None:
        """SQLite's ``data_version``; None while this process writes."""
        if not self._writing.acquire(blocking=False):
            return None
        try:  # on the writing connection, because its own commits don't count there
            with _translated:
                return int(self.writer.execute("PRAGMA data_version").fetchone()[0])
        finally:
            self._writing.release()

    def notify(self, match: str, seq: int) -> None:
        """Does nothing: ``foreign_commits`` is exact here."""

    def subscribe(self, listener: Callable[[str, int], object]) -> None:
        """Does nothing: there are no notifications."""

    def ready(self) -> None:
        self.rows("SELECT 1 FROM matches LIMIT 1")
        with self.transaction():
            pass  # the file has been locked for writing, as far as its disk and owner allow
        free = disk_usage(self._path.parent).free
        if free < LEAST_FREE:
            raise Unavailable(f"{free} bytes are free on the disk, less than {LEAST_FREE}")

    def renumber(self, tables: Sequence[str]) -> None:
        """Does nothing: SQLite's next id is always the one after the highest."""

    def analyse(self) -> None:
        """Does nothing: SQLite's planner uses the indexes without statistics."""

    def compact(self) -> None:
        """Rewrite the file and empty its journal, unless another process is reading."""
        with self._writing, suppress(sqlite3.OperationalError):
            self.writer.execute("VACUUM")
            self.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _due(self) -> list[str]:
        return schema.due(recorded(self.writer), "sqlite", str(self._path))


def create(path: Path) -> None:
    """Create an empty file with mode 600 if there is none; its journals inherit the mode."""
    if path != MEMORY and not path.exists():
        with suppress(OSError):  # SQLite opens it next and reports what is wrong
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def size_on_disk(path: Path) -> int:
    """Bytes of a database and of its journal, which can contain most of a new one."""
    return at_rest.size(path) + at_rest.size(at_rest.journal(path))


def _write_ahead(connection: Any) -> None:
    """Keep a write-ahead log beside the file.

    SQLite refuses this at once, without waiting, while another connection writes or does the same.
    """
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as fault:
            if "locked" not in str(fault) or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def examine(path: Path) -> None:
    """Raise ``Damaged``, ``NewerData`` or ``OlderData`` if the file can't be used.

    Raises ``Unavailable`` if another program keeps it locked, and ``ForeignJournal`` (``Damaged``,
    too) if the log beside it is of another file: SQLite would mix the two, or delete the log.

    Writes nothing, except to recover a file that a killed program left half changed.
    Called before the file is opened for writing: that could destroy more of a damaged file.
    """
    at_rest.require_own_journal(path)
    if not path.exists():
        return
    try:
        try:
            found = _faults(path, at_rest.looked_at(path, BUSY_SECONDS))
        except sqlite3.OperationalError as fault:
            if "readonly" not in str(fault):
                raise
            # A program was killed while it changed the file. SQLite undoes that, or finishes it,
            # before anything is read: the file cannot be looked at without writing to it.
            address = f"{path.absolute().as_uri()}?mode=rw"
            found = _faults(path, sqlite3.connect(address, timeout=BUSY_SECONDS, uri=True))
    except sqlite3.DatabaseError as fault:
        if "locked" in str(fault):
            raise Unavailable(str(fault)) from fault
        found = [str(fault)]
    if found != ["ok"]:
        raise Damaged(f"{path}: {'; '.join(found)}")


def _faults(path: Path, opened: Any) -> list[str]:
    """What SQLite finds wrong with an ``opened`` file, which is closed; "ok" alone if nothing."""
    with closing(opened) as db:
        found = [str(row[0]) for row in db.execute("PRAGMA quick_check(3)")]
        if found == ["ok"]:
            schema.due(recorded(db), "sqlite", str(path))
    return found


def settle(path: Path) -> None:
    """Take the log of a file into it, unless another program has it open.

    For connections that only read: the last one to close a file would leave the log beside it.
    """
    if at_rest.journal(path).exists():
        with suppress(Unavailable, sqlite3.Error):
            in_use(path)


def in_use(path: Path) -> bool:
    """Whether another program has the file open.

    Only the sole user of a file can leave the write-ahead log mode; the next opening restores it.
    """
    if not path.exists():
        return False
    with closing(sqlite3.connect(str(path), isolation_level=None)) as db:
        try:
            db.execute("PRAGMA journal_mode = DELETE").fetchall()
        except sqlite3.OperationalError as fault:
            if "locked" in str(fault):
                return True
            raise Unavailable(str(fault)) from fault
    return False


def recorded(db: Any) -> list[str]:
    """The names of the migrations that an SQLite connection finds recorded, [] for none."""
    for query in (
        "SELECT name FROM migrations",
        "SELECT name FROM _sqlite_migrations",  # long before the first release
    ):
        try:
            return [name for (name,) in db.execute(query)]
        except sqlite3.OperationalError as fault:
            if not str(fault).startswith("no such table"):
                raise
    return []


@contextmanager
def _immediately(db: Any) -> Iterator[None]:
    """A transaction that locks at once: one that reads before it writes can fail as locked."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        db.rollback()
        raise


@contextmanager
def _to_itself(lock: Lock, db: Any) -> Iterator[None]:
    """Hold the lock of a connection that is to be closed.

    To close it while another thread is executing a query would crash, or wait for ever. A long
    query is interrupted: a server stops within seconds.
    """
    if not lock.acquire(timeout=PATIENCE_SECONDS):
        while not lock.acquire(timeout=PATIENCE_SECONDS / 10):
            db.interrupt()
    try:
        yield
    finally:
        lock.release()


class _Translated:
    """A context that raises SQLite's errors as those of ``engine``."""

    def __enter__(self) -> None:
        """Does nothing."""

    def __exit__(self, _kind: object, fault: object, _trace: object) -> None:
        if isinstance(fault, sqlite3.DatabaseError):
            violated = ""
            if isinstance(fault, sqlite3.IntegrityError):
                violated = str(fault).partition(" ")[0]
            kinds: dict[str, type[Exception]] = {"UNIQUE": Taken, "FOREIGN": Missing}
            raise kinds.get(violated, Unavailable)(str(fault)) from fault


_translated = _Translated()


def _connect(path: Path) -> Any:
    connection = sqlite3.connect(
        str(path), timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None
    )
    connection.create_function("folded", 1, folded, deterministic=True)
    at_rest.unmark(connection)
    _write_ahead(connection)
    for pragma in (
        "synchronous = FULL",
        "foreign_keys = ON",
        "secure_delete = ON",  # a name that is removed on request is not left on the disk
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    return connection
