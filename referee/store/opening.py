"""The engine for an address: a file for SQLite, or a PostgreSQL server."""

from __future__ import annotations

from pathlib import Path

from referee.store import sqlite
from referee.store.engine import Engine, WrongAddress

POSTGRES = ("postgresql://", "postgres://")


def opened(place: Path | str) -> Engine:
    """The engine for a file, or for an address that begins with ``postgresql://``.

    Raises ``WrongAddress`` if the address is neither, or its driver is not installed.
    """
    if isinstance(place, Path):
        return sqlite.Sqlite(place)
    require_driver(place)
    from referee.store.postgres import Postgres

    return Postgres(place)


def examine(place: Path | str) -> None:
    """Raise what ``opened`` would raise about the address or its data; write nothing."""
    if isinstance(place, Path):
        sqlite.examine(place)
        return
    require_driver(place)
    from referee.store.postgres import examined

    examined(place)


def in_use(place: Path | str) -> bool:
    """Whether another program has the data open; call ``examine`` before.

    False for a PostgreSQL behind a pooler in transaction mode, where that can't be known.
    """
    if isinstance(place, Path):
        return sqlite.in_use(place)
    from referee.store.postgres import in_use

    return in_use(place)


def require_driver(address: str) -> None:
    """Raise ``WrongAddress`` unless the address is of PostgreSQL and its driver is installed.

    The error's text is no sentence but the kind of the address, or the command that installs the
    driver.
    """
    if not address.startswith(POSTGRES):
        kind, scheme, _rest = address.partition("://")  # the rest may hold a password
        raise WrongAddress(f"{kind if scheme else ''}{scheme}…")
    try:  # the driver is an optional dependency
        import referee.store.postgres  # noqa: F401
    except ImportError as fault:
        raise WrongAddress("pip install 'psycopg[binary]' psycopg-pool tzlocal") from fault
