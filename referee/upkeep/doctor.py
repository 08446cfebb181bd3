"""`referee doctor`: what this installation runs on, and whether its data are intact."""

import os
import platform
import shutil
import stat
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

# the same module as the store: pysqlite3 if it is installed
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]

from referee.jukugo import library
from referee.kept import lacks_key, require_kept
from referee.paths import KEY, database
from referee.store import ForeignJournal, LostData, NewerData, OlderData, Unavailable, WrongAddress
from referee.store.at_rest import lacks_journal, looked_at
from referee.store.opening import require_driver
from referee.store.schema import due
from referee.store.sqlite import recorded, settle, size_on_disk
from referee.upkeep.commands import INCOMPLETE, KEY_MISSING
from referee.upkeep.language import columns, in_one

PACKAGES = ("referee", "flask", "htmx-flask", "sqlite-utils", "uvicorn")
NEWER = (
    "{}：新しいバージョンで書かれています。そのバージョンを入れるか、前のバックアップを復元してください",
    "{}: written by a newer version; install that version, or restore an earlier backup",
)
OLDER = (
    "{}：最初のリリースより前に書かれています。そのときのプログラムの referee export --history で"
    "書き出し、referee import で読み込んでください",
    "{}: written before the first release; write it into a file with the program of that time"
    " (referee export --history), and read that with referee import",
)
FOREIGN_JOURNAL = (
    "{0}：隣のデータベースのものではないジャーナルです。"
    "隣のファイルを使うなら、これを別の場所に移してください",
    "{0} does not belong to the database beside it; to use that one, move {0} elsewhere",
)
NETWORK_DRIVE = (
    "。フォルダーがネットワークドライブ（NFS、SMB）にあれば、このパソコンのディスクに移してください",
    "; if the folder is on a network drive (NFS, SMB), move it to a disk of this computer",
)
LOW_DISK = 200 * 1024 * 1024


class Check(NamedTuple):
    """One line of the report; `fine` is false if something has to be done."""

    subject: str
    result: str
    fine: bool = True


def report(folder: Path) -> list[Check]:
    """Look at the installation and at the data folder, in the language of the locale.

    Creates nothing, and changes nothing, except that the journal of a program that was killed is
    taken into the database.
    """
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
    """The report as aligned lines, with a mark before those that are not fine."""
    width = max(columns(check.subject) for check in checks)
    return "\n".join(
        f"{'ok' if check.fine else '!!'}  {check.subject}"
        f"{' ' * (width - columns(check.subject))}  {check.result}"
        for check in checks
    )


def exit_status(checks: list[Check]) -> int:
    """0 when all is fine, else 1."""
    return 0 if all(check.fine for check in checks) else 1


def _package(name: str) -> Check:
    try:
        return Check(name, version(name))
    except PackageNotFoundError:
        # a checkout can run without being installed, but no library can be missing
        return Check(name, in_one("入っていません", "not installed"), fine=name == "referee")


def _words(edition: str) -> Check:
    subject = in_one("辞書", "words")
    if library.is_intact(edition):
        return Check(subject, edition)
    changed = in_one(
        f"{edition}：単語表が、このバージョンのものではありません",
        f"{edition}: the word list is not the one of this version",
    )
    return Check(subject, changed, fine=False)


def _sqlite(module: str, number: str) -> Check:
    found = f"{number} ({module})"
    if (3, 7, 0) <= tuple(map(int, number.split("."))) < (3, 51, 3):
        # no fault of the installation: only a command that writes while the server runs is a risk
        found += in_one(
            "。バージョン3.7.0から3.51.2は、複数の接続が WAL のデータベースに書くと、"
            "データを壊すことがあります（3.51.3で修正）。書くのがサーバーだけなら問題ありません。"
            "`import`、`rebuild`、`restore` の前にサーバーを止めてください。",
            "; versions 3.7.0 to 3.51.2 can corrupt a WAL database that several connections write"
            " (fixed in 3.51.3). Harmless while only the server writes: stop it before `import`,"
            " `rebuild` or `restore`.",
        )
    return Check("sqlite", found)


def _folder(folder: Path) -> Iterator[Check]:
    subject = in_one("データフォルダー", "data folder")
    if not folder.exists():
        later = in_one(
            f"{folder}（まだありません。`referee serve` が作ります）",
            f"{folder} (not there yet; `referee serve` makes it)",
        )
        yield Check(subject, later)
    elif not folder.is_dir():
        file = in_one(f"{folder} はフォルダーではありません", f"{folder} is not a folder")
        yield Check(subject, file, fine=False)
    elif not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        closed = in_one(
            f"{folder} に、このアカウントでは書けません",
            f"{folder} cannot be written by this account",
        )
        yield Check(subject, closed, fine=False)
    else:
        yield Check(subject, str(folder))
        if os.name == "posix":
            yield _permissions(folder)


def _permissions(folder: Path) -> Check:
    subject = in_one("権限", "permissions")
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & 0o022:
        writable = in_one(
            f"{mode:04o}：ほかのアカウントが書き込めます。chmod 700 {folder} を実行してください",
            f"{mode:04o}; other accounts can write here: chmod 700 {folder}",
        )
        return Check(subject, writable, fine=False)
    if mode & 0o055:
        file = database(folder)
        if isinstance(file, Path) and file.exists() and file.stat().st_mode & 0o044:
            readable = in_one(
                f"{mode:04o}：ほかのアカウントが {file.name} を読めます。"
                f"chmod 700 {folder} を実行してください",
                f"{mode:04o}; other accounts of this computer can look in and read {file.name}:"
                f" chmod 700 {folder}",
            )
            return Check(subject, readable, fine=False)
        open_folder = in_one(
            f"{mode:04o}：ほかのアカウントがフォルダーの中を見られます",
            f"{mode:04o}; other accounts of this computer can look in",
        )
        return Check(subject, open_folder)
    return Check(subject, f"{mode:04o}")


def _key(path: Path) -> Iterator[Check]:
    subject = in_one("鍵", "key")
    if lacks_key(path, database(path.parent)):
        yield Check(subject, in_one(*KEY_MISSING), fine=False)
    if os.name != "posix" or not path.exists():
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        readable = in_one(
            f"{mode:04o}：ほかのアカウントが読め、招待を作れます。"
            f"chmod 600 {path} を実行してください",
            f"{mode:04o}; other accounts can read it and make invitations: chmod 600 {path}",
        )
        yield Check(subject, readable, fine=False)
    else:
        yield Check(subject, f"{path.name}, {mode:04o}")


def _where(place: Path | str) -> Check:
    try:
        return _file(place) if isinstance(place, Path) else _server(place)
    except NewerData as fault:
        return _database(NEWER[0].format(fault), NEWER[1].format(fault), fine=False)
    except OlderData as fault:
        return _database(OLDER[0].format(fault), OLDER[1].format(fault), fine=False)


def _database(ja: str, en: str, fine: bool = True) -> Check:
    return Check(in_one("データベース", "database"), in_one(ja, en), fine)


def _server(address: str) -> Check:
    """The state of a PostgreSQL server; its tables are not read, and none are created."""
    try:
        require_driver(address)
        from referee.store.postgres import examined

        found = examined(address)
        return _database(found, found)
    except (NewerData, OlderData):
        raise
    except WrongAddress as fault:
        return _database(
            f"{fault}。REFEREE_DATABASE には sqlite:PATH か postgresql://USER@HOST/NAME と書きます",
            f"{fault}; REFEREE_DATABASE takes sqlite:PATH or postgresql://USER@HOST/NAME",
            fine=False,
        )
    except Unavailable as fault:
        return _database(
            f"サーバーを使えません：{fault}", f"the server cannot be used: {fault}", fine=False
        )


def _file(path: Path) -> Check:
    try:
        require_kept(path)
    except LostData as fault:
        return _lost(path, fault.args[1])
    except ForeignJournal as fault:
        ja, en = FOREIGN_JOURNAL
        return _database(ja.format(fault), en.format(fault), fine=False)
    if not path.exists():
        return _database(f"{path.name}（まだありません）", f"{path.name} (not there yet)")
    if lacks_journal(path):
        ja, en = INCOMPLETE
        return _database(ja.format(path), en.format(path), fine=False)
    return _examined(path)


def _lost(path: Path, backup: Path | str) -> Check:
    if not backup:
        return _database(
            f"{path.name} に記録がありません。`referee restore` でバックアップを戻してください",
            f"{path.name} contains no records; put back a backup with `referee restore`",
            fine=False,
        )
    return _database(
        f"{path.name} に記録がありません。最後のバックアップを戻すには：`referee restore {backup}`",
        f"{path.name} contains no records; `referee restore {backup}` puts back the latest backup",
        fine=False,
    )


def _examined(path: Path) -> Check:
    """The state of a file that lies beside its own journal, or beside none."""
    try:
        # opened to read, so that the check never waits for a writer
        with closing(looked_at(path)) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(5)")]
            if found == ["ok"]:
                due(recorded(connection), "sqlite", path.name)
    except sqlite3.Error as error:
        advice = NETWORK_DRIVE if "lock" in str(error) else ("", "")
        return _database(
            f"{path.name} を読めません：{error}{advice[0]}",
            f"{path.name} cannot be read: {error}{advice[1]}",
            fine=False,
        )
    if found == ["ok"]:
        settle(path)
        size = f"{size_on_disk(path):,}"
        return _database(
            f"{path.name}、{size}バイト、壊れていません", f"{path.name}, {size} bytes, intact"
        )
    faults = "; ".join(found)
    return _database(
        f"{path.name} が壊れています：{faults}", f"{path.name} is damaged: {faults}", fine=False
    )


def _disk(folder: Path) -> Check:
    there = next(place for place in (folder, *folder.parents) if place.exists())
    free = shutil.disk_usage(there).free
    subject = in_one("ディスクの空き", "free disk")
    return Check(subject, f"{free // 1024**2:,} MB", fine=free >= LOW_DISK)
