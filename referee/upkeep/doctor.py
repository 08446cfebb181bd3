"""`referee doctor`: what this installation runs on, and whether its data is well."""

import os
import platform
import shutil
import stat
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

# The module that the store uses, too: pysqlite3 where it is installed.
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]

from referee.jukugo import library
from referee.paths import KEY, database
from referee.store import NewerData, OlderData, Unavailable, WrongAddress
from referee.store.opening import require_driver
from referee.store.schema import due
from referee.store.sqlite import recorded

PACKAGES = ("referee", "flask", "htmx-flask", "sqlite-utils", "uvicorn")
NEWER = "{}: written by a newer version; install that version, or restore an earlier backup"
OLDER = "{}: written by a version that is too old; run revision b1bb07e on it once"
LOW_DISK = 200 * 1024 * 1024


class Check(NamedTuple):
    """One line of the report; `fine` is false where somebody has to act."""

    subject: str
    result: str
    fine: bool = True


def report(folder: Path) -> list[Check]:
    """Look at the installation and at the data folder; changes nothing, and creates nothing."""
    return [
        Check("python", platform.python_version()),
        *(_package(name) for name in PACKAGES),
        _sqlite(sqlite3.__name__, sqlite3.sqlite_version),
        *(_words(edition) for edition in library.EDITIONS),
        *_folder(folder),
        *_key(folder / KEY),
        _where(database(folder)),
        _disk(folder),
    ]


def as_text(checks: list[Check]) -> str:
    """The report as aligned lines, with a mark before what is not fine."""
    width = max(len(check.subject) for check in checks)
    return "\n".join(
        f"{'ok' if check.fine else '!!'}  {check.subject:<{width}}  {check.result}"
        for check in checks
    )


def exit_status(checks: list[Check]) -> int:
    """0 when all is fine, else 1."""
    return 0 if all(check.fine for check in checks) else 1


def _package(name: str) -> Check:
    try:
        return Check(name, version(name))
    except PackageNotFoundError:
        # A checkout can run without being installed; a library cannot be missing.
        return Check(name, "not installed", fine=name == "referee")


def _words(edition: str) -> Check:
    if library.is_intact(edition):
        return Check("words", edition)
    return Check("words", f"{edition}: the word list is not the one of this edition", fine=False)


def _sqlite(module: str, number: str) -> Check:
    found = f"{number} ({module})"
    if (3, 7, 0) <= tuple(map(int, number.split("."))) < (3, 51, 3):
        # Not a fault of the installation: it takes a command that writes beside the server.
        found += (
            "; versions 3.7.0 to 3.51.2 can corrupt a WAL database that several connections write"
            " (fixed in 3.51.3). Harmless while only the server writes: stop it before `import`,"
            " `rebuild` or `restore`."
        )
    return Check("sqlite", found)


def _folder(folder: Path) -> Iterator[Check]:
    if not folder.exists():
        yield Check("data folder", f"{folder} (not there yet; `referee serve` makes it)")
    elif not folder.is_dir():
        yield Check("data folder", f"{folder} is not a folder", fine=False)
    elif not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield Check("data folder", f"{folder} cannot be written by this account", fine=False)
    else:
        yield Check("data folder", str(folder))
        if os.name == "posix":
            yield _permissions(folder)


def _permissions(folder: Path) -> Check:
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & 0o022:
        advice = f"other accounts can write here: chmod 700 {folder}"
        return Check("permissions", f"{mode:04o}; {advice}", fine=False)
    if mode & 0o055:
        found = f"{mode:04o}; other accounts of this computer can look in"
        file = database(folder)
        if isinstance(file, Path) and file.exists() and file.stat().st_mode & 0o044:
            return Check("permissions", f"{found} and read {file.name}: chmod 700 {folder}", False)
        return Check("permissions", found)
    return Check("permissions", f"{mode:04o}")


def _key(path: Path) -> Iterator[Check]:
    if os.name != "posix" or not path.exists():
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        advice = f"other accounts can read it and make invitations: chmod 600 {path}"
        yield Check("key", f"{mode:04o}; {advice}", fine=False)
    else:
        yield Check("key", f"{path.name}, {mode:04o}")


def _where(place: Path | str) -> Check:
    try:
        return _file(place) if isinstance(place, Path) else _server(place)
    except NewerData as fault:
        return Check("database", NEWER.format(fault), fine=False)
    except OlderData as fault:
        return Check("database", OLDER.format(fault), fine=False)


def _server(address: str) -> Check:
    """Ask a PostgreSQL server; its tables are not looked at, and none are made."""
    try:
        require_driver(address)
        from referee.store.postgres import examined

        return Check("database", examined(address))
    except (NewerData, OlderData):
        raise
    except WrongAddress as fault:
        advice = "REFEREE_DATABASE takes sqlite:PATH or postgresql://USER@HOST/NAME"
        return Check("database", f"{fault}; {advice}", fine=False)
    except Unavailable as fault:
        return Check("database", f"the server cannot be used: {fault}", fine=False)


def _file(path: Path) -> Check:
    if not path.exists():
        return Check("database", f"{path.name} (not there yet)")
    try:
        # Read-only, so that a doctor's visit leaves no trace and never waits for the writer.
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(5)")]
            if found == ["ok"]:
                due(recorded(connection), "sqlite", path.name)
    except sqlite3.Error as error:
        return Check("database", f"{path.name} cannot be read: {error}", fine=False)
    if found == ["ok"]:
        return Check("database", f"{path.name}, {path.stat().st_size:,} bytes, intact")
    return Check("database", f"{path.name} is damaged: {'; '.join(found)}", fine=False)


def _disk(folder: Path) -> Check:
    there = next(place for place in (folder, *folder.parents) if place.exists())
    free = shutil.disk_usage(there).free
    return Check("free disk", f"{free // 1024**2:,} MB", fine=free >= LOW_DISK)
