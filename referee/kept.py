"""Data that was there before and is gone: no program begins anew in its place without a word."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from referee.paths import KEY
from referee.store import LostData
from referee.store.at_rest import (
    DatabaseError,
    has_rows,
    has_tables,
    require_own_journal,
    size,
)

BACKUPS = "backups"


def require_kept(file: Path | str) -> None:
    """Raise ``LostData`` if ``file`` has no tables, but what lies beside it shows that it had some.

    That is a backup, or the key of an empty file: the key is made after the tables. A missing file
    beside a key alone is not lost: its data may be on a server, or come as an export.
    """
    if not isinstance(file, Path):
        return
    require_own_journal(file)
    if has_tables(file):
        return
    backup = newest_backup(file.parent / BACKUPS)
    if backup or (file.exists() and file.with_name(KEY).exists()):
        raise LostData(file, backup or "")


def lacks_key(key: Path, file: Path | str) -> bool:
    """Whether phones have used the data in ``file``, but the key that a server makes is gone."""
    if not isinstance(file, Path) or key.exists() or os.environ.get("REFEREE_KEY"):
        return False
    with suppress(DatabaseError):  # none, damaged or locked: the opening says so
        return bool(size(file)) and has_rows(file, "phones")
    return False


def newest_backup(folder: Path) -> Path | None:
    """The newest backup in ``folder`` that has tables, None without any."""
    found = sorted(folder.glob("*.db"), key=lambda path: path.stat().st_mtime, reverse=True)
    return next((path for path in found if has_tables(path)), None)
