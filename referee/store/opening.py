"""The engine for an address: a file for SQLite, or a PostgreSQL server."""

from __future__ import annotations

from pathlib import Path

from referee.store import sqlite
from referee.store.engine import Engine, Unavailable

POSTGRES = ("postgresql://", "postgres://")


def opened(place: Path | str) -> Engine:
    """The engine for a file, or for an address that begins with ``postgresql://``.

    Raises ``Unavailable`` if the address is neither, or its driver is not installed.
    """
    if isinstance(place, Path):
        return sqlite.Sqlite(place)
    _require_driver(place)
    from referee.store.postgres import Postgres

    return Postgres(place)


def examine(place: Path | str) -> None:
    """Raise what ``opened`` would raise about the data that lies there; write nothing."""
    if isinstance(place, Path):
        sqlite.examine(place)
        return
    _require_driver(place)
    from referee.store.postgres import examined

    examined(place)


def _require_driver(address: str) -> None:
    if not address.startswith(POSTGRES):
        # the address itself is not shown: it may hold a password
        raise Unavailable("the address of the database is neither sqlite:PATH nor postgresql://…")
    try:  # the driver is an optional dependency
        import referee.store.postgres  # noqa: F401
    except ImportError as fault:
        raise Unavailable(f"{fault}: pip install 'referee[postgres]'") from fault
