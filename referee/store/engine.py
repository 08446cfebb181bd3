"""The seam between the store and the database beneath it: what an ``Engine`` has to do.

Queries are written once, in SQL that SQLite and PostgreSQL both read; where PostgreSQL has another
word for something, ``postgres.DIALECT`` translates it. Placeholders are ``?`` or ``?1``.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar

ATTEMPTS = 10
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.002, 0.25

Does = ParamSpec("Does")
Gives = TypeVar("Gives")


class Unavailable(Exception):
    """The data can't be read or written now: disk full, locked, no server. Nothing was stored."""


class Damaged(Unavailable):
    """The file is no database any more, or a broken one. It has been left as it was found."""


class NewerData(Unavailable):
    """The database has a migration that this program does not know. It has been left as it is."""


class OlderData(Unavailable):
    """The database has too few migrations to be brought up to date. It has been left as it is."""


class Contended(Unavailable):
    """A transaction came between others, or lost its server before it was over: it did nothing."""


class Taken(Exception):
    """A row that may be there once is there already; the transaction did nothing."""


class Missing(Exception):
    """A row refers to one that is not there; the transaction did nothing."""


class Cursor(Protocol):
    """What a statement found; ``rowcount``: how many rows it changed."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class Transaction(Protocol):
    """What is done in it is done together, durably, or not at all."""

    def execute(self, query: str, values: Sequence[Any] = ..., /) -> Cursor: ...
    def executemany(self, query: str, rows: Iterable[Sequence[Any]], /) -> object: ...


class Engine(Protocol):
    """A database with the tables of the store, brought up to date when it was opened.

    Faults of the machine are ``Unavailable``; nobody sees an exception of a driver.
    """

    def rows(self, query: str, values: Sequence[Any] = ...) -> list[tuple[Any, ...]]:
        """What one query finds, with everything in it that any transaction has written before."""

    def transaction(self) -> AbstractContextManager[Transaction]:
        """A transaction in line with all others; raises ``Taken``, ``Missing``, ``Contended``."""

    def snapshot(self) -> AbstractContextManager[Transaction]:
        """All that is read in it stood at one moment; nothing is written in it.

        It waits for nobody who writes. ``rows`` must not be asked meanwhile in the same thread.
        """

    def generation(self) -> int:
        """A number that changes when the logs may be other ones: a backup was put in place."""

    def foreign_commits(self) -> int | None:
        """A number that changes when another process may have written; None: ask again.

        A few microseconds, without waiting: it may be asked for from an event loop.
        """

    def tell(self, match: str, seq: int) -> None:
        """Hint to other processes that ``match`` has grown to entry ``seq``; returns at once."""

    def hear(self, told: Callable[[str, int], object]) -> None:
        """Have ``told`` called with match and entry, in some thread, when others hint.

        Hints can get lost, and begin when ``foreign_commits`` is asked for. ``told`` must return at
        once and raise nothing.
        """

    def ready(self) -> None:
        """Raise ``Unavailable`` unless an entry could be read and written now; write nothing."""

    def renumber(self, tables: Sequence[str]) -> None:
        """Let the ids that these tables give out begin behind those that were brought along."""

    def analyse(self) -> None:
        """Look anew how much of what there is, after much has come at once."""

    def compact(self) -> None:
        """Let what has been deleted leave the disk, as far as that is in the engine's hands."""

    def close(self) -> None:
        """Give the database back; the engine can't be used afterwards."""


def retried(method: Callable[Does, Gives]) -> Callable[Does, Gives]:
    """``method``, run anew when its transaction was ``Contended``, some times.

    For every method with a transaction: it must change nothing outside of that.
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
