"""Backup and restore of the live database with SQLite's online backup, while the server runs."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime, timedelta
from errno import ENOSPC
from pathlib import Path
from shutil import disk_usage
from threading import Event, Thread
from typing import Any

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # pysqlite3 where installed

from referee.kept import BACKUPS
from referee.store import Damaged, Store, Unavailable
from referee.store.at_rest import journal, looked_at, require_own_journal
from referee.store.schema import due
from referee.store.sqlite import LEAST_FREE, create, recorded, settle, size_on_disk

PAGES = 512  # copied at a time; between two copies the tables can write
FOLDER = BACKUPS
KEPT = 14
AGAIN_SECONDS = 3600.0  # pause after a failed backup
END_SECONDS = 1.0  # for a backup to stop; the check of a large copy takes longer and is cut off
LOG = logging.getLogger("referee.upkeep.backup")
Progress = Callable[[int, int], object]  # called with the number of copied pages, and of all pages


class _Stopped(Exception):
    """The server ends while a backup is copied."""


class NotABackup(Exception):
    """The file is no database of this program, or a damaged one; ``args``: file and why."""


def back_up(
    database: Path,
    to: Path,
    progress: Progress = lambda done, total: None,
    *,
    any_version: bool = False,
) -> None:
    """Copy the live ``database`` to the file ``to``, which appears only when it is complete.

    Raises ``Damaged`` if the copy would be damaged, and then leaves an earlier file ``to``; also if
    the log beside the database is of another file. Raises
    ``NewerData`` and ``OlderData`` unless ``any_version``: scheduled copies of such data would
    displace backups that this version can restore.
    """
    to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    require_own_journal(database)
    part = to.with_name(to.name + ".part")
    part.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(str(part))) as target:
            part.chmod(0o600)  # it contains people's names and cards
            with closing(looked_at(database, 5)) as source:
                # raises if the file is no database
                source.execute("SELECT count(*) FROM sqlite_master").fetchone()
                if not any_version:
                    due(recorded(source), "sqlite", str(database))
                _copy(source, target, progress)
            settle(database)
            target.execute("PRAGMA journal_mode = DELETE")  # one file, without a journal beside it
            [found] = target.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise Damaged(f"{database}: {found}")
        part.replace(to)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as fault:
        raise Damaged(f"{database}: {fault}") from fault
    finally:
        part.unlink(missing_ok=True)


def restore(backup: Path, database: Path, progress: Progress = lambda done, total: None) -> Path:
    """Replace the live ``database`` by ``backup``; returns the file with the replaced data.

    Raises what ``check`` raises, and then changes nothing. A damaged database is moved aside as it
    is; one that a newer program has written is replaced, too.
    """
    check(backup)
    before = database.parent / FOLDER / f"before-restore-{_stamp()}.db"
    if database.exists() or journal(database).exists():
        try:
            back_up(database, before, any_version=True)
        except Damaged:
            _put_aside(database, before)
    create(database)
    with closing(looked_at(backup, 5)) as source, closing(sqlite3.connect(str(database))) as target:
        target.execute("PRAGMA busy_timeout = 10000")
        _copy(source, target, progress)
        # processes with matches in memory read them again (see Engine.generation)
        target.execute(f"PRAGMA user_version = {1 + secrets.randbelow(2**31 - 2)}")
    Store(database).close()  # brings an older backup up to date
    return before


def _put_aside(database: Path, to: Path) -> None:
    """Move a database and its journals to ``to`` and files beside it."""
    for ending in ("", "-wal", "-shm"):
        file = database.with_name(database.name + ending)
        if file.exists():
            file.replace(to.with_name(to.name + ending))


def check(backup: Path) -> None:
    """Raise ``NotABackup`` unless the file is a whole database of this program.

    Raise ``NewerData`` or ``OlderData`` if it is one that this version can't use.
    """
    try:
        with closing(looked_at(backup, 5)) as db:
            [found] = db.execute("PRAGMA integrity_check(1)").fetchone()
            if found != "ok":
                raise NotABackup(backup, found)
            db.execute("SELECT id, header, opened FROM matches LIMIT 1").fetchall()
            db.execute("SELECT match, seq, line, at FROM entries LIMIT 1").fetchall()
            due(recorded(db), "sqlite", str(backup))
    except sqlite3.Error as fault:
        raise NotABackup(backup, str(fault)) from fault


@contextmanager
def scheduled(database: Path, folder: Path, hours: float, kept: int = KEPT) -> Iterator[None]:
    """While this lasts, back up ``database`` to ``folder`` every ``hours`` hours (0: never).

    A backup that is being copied at the end is given up, and leaves no file.
    """
    stop = Event()

    def go_on(done: int, total: int) -> None:
        if stop.is_set():
            raise _Stopped

    def work() -> None:
        while not stop.wait(_wait(folder, hours)):
            if not database.exists():  # the first start, on a slow machine
                continue
            try:
                _make_sure_of_room(database, folder)
                back_up(database, folder / f"referee-{_stamp()}.db", go_on)
                tidy(folder, kept)
            except _Stopped:
                settle(database)
                return
            except Damaged as fault:
                LOG.error("no backup was made, the data is damaged: %s", fault)
                stop.wait(timedelta(hours=hours).total_seconds())
            # the server continues without a backup
            except (OSError, sqlite3.Error, Unavailable) as fault:
                LOG.error("no backup was made: %s", fault)
                stop.wait(min(AGAIN_SECONDS, timedelta(hours=hours).total_seconds()))

    thread = Thread(target=work, name="backup", daemon=True)
    if hours:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        if hours:
            thread.join(END_SECONDS)


def tidy(folder: Path, kept: int) -> None:
    """Keep the newest ``kept`` scheduled backups; those made by hand are left alone."""
    for old in scheduled_backups(folder)[:-kept]:
        old.unlink(missing_ok=True)


def scheduled_backups(folder: Path) -> list[Path]:
    """The backups that ``scheduled`` made, the oldest first."""
    return sorted(folder.glob("referee-*.db"))


def _wait(folder: Path, hours: float) -> float:
    """Seconds until the next backup is due, at least 5, so that no backup slows the start down."""
    last = 0.0
    for path in scheduled_backups(folder):
        with suppress(OSError):  # deleted in the meantime
            last = max(last, path.stat().st_mtime)
    due = last + timedelta(hours=hours).total_seconds()
    return max(5.0, due - datetime.now().timestamp())


def _make_sure_of_room(database: Path, folder: Path) -> None:
    """Raise ``OSError`` if a copy would leave too little space on the disk for new entries."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    size = size_on_disk(database)
    free = disk_usage(folder).free
    if free < size + LEAST_FREE:
        raise OSError(ENOSPC, f"{free:,} bytes are free, a backup needs {size + LEAST_FREE:,}")


def _copy(source: Any, target: Any, progress: Progress) -> None:
    source.backup(
        target, pages=PAGES, progress=lambda status, left, total: progress(total - left, total)
    )


def _stamp() -> str:
    return datetime.now().strftime("%Y%m%d-%H%M%S-%f")
