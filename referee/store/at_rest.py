"""The database file beside its write-ahead log: which logs belong to it, and which are missing.

While a program has the file open, its newest changes are in a log beside it (``-wal``). A program
that stops takes the log into the file and leaves the write-ahead mode: the file is whole, alone.
SQLite itself believes every log that lies beside a file, even one of another file, and deletes one
that lies beside no file. So what a person may have copied is looked at first.
"""

from __future__ import annotations

import os
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # pysqlite3 where installed

from referee.store.engine import ForeignJournal

DatabaseError = sqlite3.DatabaseError
OPEN = 0x46554441
"""The ``application_id`` of a file that a program has open. It is written only when the log exists,
and taken back before the log goes: a file with it and without a log has been copied alone.
"""
CLOSED = 0
WRITE_AHEAD = 2  # in byte 18 of a file in write-ahead mode
LOOKS, BETWEEN_SECONDS = 5, 0.02

_kept_open: dict[tuple[int, int], int] = {}
"""Descriptors by device and inode. To close one would end the locks that SQLite holds on the same
file in this process.
"""


def journal(path: Path) -> Path:
    """The write-ahead log of a database file."""
    return path.with_name(path.name + "-wal")


def size(path: Path) -> int:
    """Bytes of a file; 0 if there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def require_own_journal(path: Path) -> None:
    """Raise ``ForeignJournal`` if there is a log that is not of this file, as after a copy by hand.

    A log is written in write-ahead mode alone, and is gone before a file leaves it. Looked at
    several times, because another program may open or close the file in between.
    """
    for look in range(LOOKS):
        if not size(journal(path)) or _mode(path) == WRITE_AHEAD or not size(journal(path)):
            return
        if look < LOOKS - 1:
            time.sleep(BETWEEN_SECONDS)
    raise ForeignJournal(str(journal(path)))


def lacks_journal(path: Path) -> bool:
    """Whether the file may have been copied without its log while a program had it open.

    Another program, such as ``sqlite3``, that took the log into the file leaves it looking so, too.
    """
    if not size(path) or journal(path).exists():
        return False
    try:
        with closing(looked_at(path)) as db:
            [mode], [mark] = (
                db.execute(f"PRAGMA {name}").fetchone()
                for name in ("journal_mode", "application_id")
            )
    except sqlite3.DatabaseError:
        return False  # damaged: ``examine`` says so
    return bool(mode == "wal" and mark == OPEN)


def has_tables(path: Path) -> bool:
    """Whether the file, with its log, is a database that contains any; True if it is unreadable."""
    try:
        return bool(size(path)) and has_rows(path, "sqlite_master")
    except sqlite3.DatabaseError:
        return True  # damaged, or locked: nobody can say that it is empty


def has_rows(path: Path, table: str) -> bool:
    with closing(looked_at(path)) as db:
        return bool(db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone())


def looked_at(path: Path, timeout: float = 0) -> Any:
    """A connection that reads; it leaves no new file behind.

    A read-only one would make a log for a file that has none, and leave it there.
    """
    mode = "ro" if journal(path).exists() else "rw"
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", timeout=timeout, uri=True)


def enter(db: Any) -> None:
    """Mark the file as open, once it has a log: ``lacks_journal`` then finds copies without it."""
    if not _write_ahead(db) or _mark(db) == OPEN:
        return
    db.execute(f"PRAGMA application_id = {OPEN}")
    db.execute("PRAGMA wal_checkpoint").fetchall()


def unmark(db: Any) -> None:
    """Take the mark back that a file still has which was closed; before it gets a log."""
    if not _write_ahead(db) and _mark(db) == OPEN:
        db.execute(f"PRAGMA application_id = {CLOSED}")


def leave(db: Any) -> None:
    """Take the log into the file, and delete it. Raises if another connection is open.

    Then the mark stays away: if the other one closes the file at the same time, SQLite deletes the
    log without asking, and the whole file would look as if it had been copied alone.
    """
    if _write_ahead(db):
        db.execute(f"PRAGMA application_id = {CLOSED}")
        db.execute("PRAGMA wal_checkpoint").fetchall()
        db.execute("PRAGMA journal_mode = DELETE").fetchall()


def _write_ahead(db: Any) -> bool:
    return bool(db.execute("PRAGMA journal_mode").fetchone()[0] == "wal")


def _mark(db: Any) -> int:
    return int(db.execute("PRAGMA application_id").fetchone()[0])


def _mode(path: Path) -> int:
    """Byte 18 of the file; 0 if it is shorter, or missing."""
    try:
        if os.name != "posix":
            with path.open("rb") as file:
                return _byte(file.read(19))
        found = path.stat()
        of_file = found.st_dev, found.st_ino
        if of_file not in _kept_open:
            _kept_open[of_file] = os.open(path, os.O_RDONLY)
        return _byte(os.pread(_kept_open[of_file], 19, 0))
    except OSError:
        return 0


def _byte(head: bytes) -> int:
    return head[18] if len(head) > 18 else 0
