"""The interface between the store and its database: ``Engine``, ``Transaction``, their errors.

Queries are written once, as SQLite reads them; ``postgres.DIALECT`` replaces what PostgreSQL
writes differently. Placeholders are ``?`` or ``?1``.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar

ATTEMPTS = 20
"""Calls of a method whose transaction conflicts with others: when a dozen phones took seats at the
same moment, ten were not enough on a busy server.
"""
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.002, 0.25

Does = ParamSpec("Does")
Gives = TypeVar("Gives")


def marks(values: Sized) -> str:
    """Placeholders for ``values`` in ``column IN (…)``; for none NULL, which no column equals."""
    return ", ".join("?" * len(values)) or "NULL"


class Unavailable(Exception):
    """The data can't be read or written: disk full, locked, no server. Nothing was stored."""


class WrongAddress(Unavailable):
    """The address names no kind of database that can be used here."""


class Damaged(Unavailable):
    """The file is not a database, or a damaged one. It has not been changed."""


class ForeignJournal(Damaged):
    """The log beside the file belongs to another one: one of the two was copied by hand."""


class LostData(Damaged):
    """The file is missing or empty, although it had tables before; ``args``: file, backup or ""."""


class NewerData(Unavailable):
    """The database has a migration that this program does not know. It has not been changed."""


class OlderData(Unavailable):
    """The database is of before the first release. It has not been changed."""


class NoRights(Unavailable):
    """The account may not make or change the tables. Nothing was changed."""


class Contended(Unavailable):
    """A transaction conflicted with others, or lost its server, and was rolled back."""


class Taken(Exception):
    """A row that has to be unique exists already; the transaction was rolled back."""


class Missing(Exception):
    """A row refers to one that does not exist; the transaction was rolled back."""


class Cursor(Protocol):
    """The result of a statement; ``rowcount``: the number of rows that it changed."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class Transaction(Protocol):
    """Executes statements that are committed durably together, or not at all."""

    def execute(self, query: str, values: Sequence[Any] = ..., /) -> Cursor: ...
    def executemany(self, query: str, rows: Iterable[Sequence[Any]], /) -> object: ...


class Engine(Protocol):
    """A database with the tables of the store, brought up to date when it was opened.

    Errors of the machine are raised as ``Unavailable``, never as an exception of a driver.
    """

    def rows(self, query: str, values: Sequence[Any] = ...) -> list[tuple[Any, ...]]:
        """The rows of one query, which sees every transaction that was committed before."""

    def transaction(self) -> AbstractContextManager[Transaction]:
        """A serializable transaction.

        Raises ``Taken``, ``Missing``, ``Contended``, and ``NewerData`` or ``OlderData`` if another
        program has changed the tables since the engine was opened.
        """

    def snapshot(self) -> AbstractContextManager[Transaction]:
        """A read-only transaction that sees the state of one moment, and waits for no writer.

        The same thread must not call ``rows`` within it.
        """

    def generation(self) -> int:
        """A number that changes when logs may have been replaced, for example by a backup."""

    def foreign_commits(self) -> int | None:
        """A number that changes when another process may have written; None: unknown, ask again.

        Takes microseconds and never waits, so that an event loop may call it.
        """

    def notify(self, match: str, seq: int) -> None:
        """Notify other processes that ``match`` has grown to entry ``seq``; returns at once."""

    def subscribe(self, listener: Callable[[str, int], object]) -> None:
        """Register a callback for notifications of other processes: match and entry, any thread.

        They can get lost, and arrive only after the first call of ``foreign_commits``. ``listener``
        must return at once and raise nothing.
        """

    def ready(self) -> None:
        """Raise ``Unavailable`` unless an entry could be read and written now; writes nothing."""

    def renumber(self, tables: Sequence[str]) -> None:
        """Let generated ids of these tables begin after the highest one that they contain."""

    def analyse(self) -> None:
        """Update the query planner's statistics after many rows were written."""

    def compact(self) -> None:
        """Remove the bytes of deleted rows from the disk, as far as the engine can."""

    def close(self) -> None:
        """Close all connections; the engine can't be used afterwards."""


def retried(method: Callable[Does, Gives]) -> Callable[Does, Gives]:
    """Decorator that repeats a method that raises ``Contended``: ``ATTEMPTS`` calls in all.

    For every method with a transaction; it must not change anything outside of it.
    """

    @wraps(method)
    def run(*args: Does.args, **values: Does.kwargs) -> Gives:
        for attempt in range(ATTEMPTS - 1):
            try:
                return method(*args, **values)
            except Contended:
                pause = min(FIRST_PAUSE_SECONDS * 2**attempt, LONGEST_PAUSE_SECONDS)
                time.sleep(random.uniform(0, pause))  # so that two don't meet again
        return method(*args, **values)

    return run


@retried
def write(engine: Engine, query: str, values: Sequence[object]) -> int:
    """Execute one statement as a transaction; returns the number of rows that it changed."""
    with engine.transaction() as db:
        return db.execute(query, values).rowcount
