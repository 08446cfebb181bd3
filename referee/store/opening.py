"""The engine for an address: a file for SQLite, or a PostgreSQL server."""

from __future__ import annotations

from pathlib import Path

from referee.store.engine import Engine, Unavailable
from referee.store.sqlite import Sqlite

POSTGRES = ("postgresql://", "postgres://")


def opened(place: Path | str) -> Engine:
    """The engine for a file, or for an address that begins with ``postgresql://``.

    Raises ``Unavailable`` if the address is neither, or its driver is not installed.
    """
    if isinstance(place, Path):
        return Sqlite(place)
    if place.startswith(POSTGRES):
        try:  # the driver is an optional dependency
            from referee.store.postgres import Postgres
        except ImportError as fault:
            raise Unavailable(f"{fault}: pip install 'referee[postgres]'") from fault
        return Postgres(place)
    # the address itself is not shown: it may hold a password
    raise Unavailable("the address of the database is neither sqlite:PATH nor postgresql://…")
