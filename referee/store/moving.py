"""All that a store holds, into an empty one on another engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from referee.store.engine import retried
from referee.store.gathering import NOBODYS
from referee.store.log import Store

KEYS: Mapping[str, tuple[str, ...]] = {
    "circles": ("id",),
    "phones": ("id",),
    "members": ("circle", "phone"),
    "sessions": ("id",),
    "matches": ("id",),
    "entries": ("match", "seq"),
    "people": ("id",),
    "players": ("match", "seat"),
    "seatings": ("match", "phone"),
    "invites": ("hash",),
    "decks": ("id",),
    "deck_names": ("circle", "name"),
    "agreed_words": ("id",),
    "house_rules": ("match", "seq"),
    "guesses": ("place",),
}
"""The tables of facts with their keys, each behind those that it refers to.

The others are derived (``statistics.DERIVED``) and are counted anew.
"""
NUMBERED = ("sessions", "people", "agreed_words")
"""Tables that give out their ids themselves."""
PAGE = 1000  # rows in memory at a time


def is_empty(store: Store) -> bool:
    """Whether nobody has been here: no match, no person, no phone."""
    return not any(
        store._rows(f"SELECT 1 FROM {table} LIMIT 1") for table in KEYS if table != "circles"
    )


def count(store: Store) -> int:
    """How many rows there are to copy."""
    return sum(int(store._rows(f"SELECT count(*) FROM {table}")[0][0]) for table in KEYS)


@retried
def copy(source: Store, target: Store, done: Callable[[int], object]) -> None:
    """Write everything into the empty ``target``, all or nothing; ``done`` is told of rows."""
    with target._transaction() as db:
        db.execute("DELETE FROM circles WHERE id = ?", (NOBODYS,))  # the one that everybody has
        for table in KEYS:
            for page in _pages(source, table):
                marks = ", ".join("?" * len(page[0]))
                db.executemany(f"INSERT INTO {table} VALUES ({marks})", page)
                done(len(page))
    target.engine.renumber(NUMBERED)


def fingerprint(store: Store, table: str) -> str:
    """SHA-256 of all rows of a table, in the order of its key."""
    found = sha256()
    for page in _pages(store, table):
        for row in page:
            found.update(repr(row).encode())
    return found.hexdigest()


def _pages(store: Store, table: str) -> Iterator[list[tuple[Any, ...]]]:
    key = ", ".join(KEYS[table])
    marks = ", ".join("?" * len(KEYS[table]))
    page = store._rows(f"SELECT {key}, * FROM {table} ORDER BY {key} LIMIT ?", (PAGE,))
    while page:
        width = len(KEYS[table])
        yield [row[width:] for row in page]
        page = store._rows(
            f"SELECT {key}, * FROM {table} WHERE ({key}) > ({marks}) ORDER BY {key} LIMIT ?",
            (*page[-1][:width], PAGE),
        )
