"""The files of games that matches are played by, and which of them a circle has registered.

The text of a file is never changed or deleted, because matches refer to it by its hash; only the
circle's list changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from referee.store.engine import retried
from referee.store.shelf import Rows, Transaction

_NAME = re.compile(r"[a-z0-9_]+-([0-9a-f]{12})\.toml")


def hash_in(name: str) -> str:
    """The 12 digits of the hash in ``KEY-HASH.toml``; "" if this is no such name."""
    found = _NAME.fullmatch(name)
    return found[1] if found else ""


class GameFile(NamedTuple):
    """A registered file; ``key``: the game's own name; ``at``: when it was registered (UTC)."""

    hash: str
    key: str
    text: str
    at: str


class GameFiles:
    """The game files in a store; ``circle`` "" stands for ``NOBODYS``."""

    def __init__(self, transaction: Transaction, rows: Rows, now: Callable[[], str]) -> None:
        self._transaction, self._rows, self._now = transaction, rows, now

    def text(self, name: str) -> str | None:
        """The file with this name (see ``hash_in``), or None."""
        if not (begins := hash_in(name)):
            return None
        rows = self._rows(
            "SELECT text FROM game_files WHERE hash >= ? AND hash < ?", (begins, f"{begins}g")
        )
        return str(rows[0][0]) if rows else None

    def of(self, circle: str) -> list[GameFile]:
        """The files that a circle has registered, newest first."""
        query = (
            "SELECT hash, key, text, at FROM circle_games JOIN game_files USING (hash)"
            " WHERE circle = ? ORDER BY at DESC, hash"
        )
        return [GameFile(*row) for row in self._rows(query, (circle,))]

    @retried
    def keep(self, file: tuple[str, str, str]) -> None:
        """Keep a file that a match refers to: its hash, key and text."""
        with self._transaction() as db:
            db.execute("INSERT INTO game_files VALUES (?, ?, ?) ON CONFLICT DO NOTHING", file)

    @retried
    def register(self, file: tuple[str, str, str], circle: str) -> None:
        """Keep a file (hash, key, text), and list it for ``circle``."""
        with self._transaction() as db:
            db.execute("INSERT INTO game_files VALUES (?, ?, ?) ON CONFLICT DO NOTHING", file)
            row = (circle, file[0], self._now())
            db.execute("INSERT INTO circle_games VALUES (?, ?, ?) ON CONFLICT DO NOTHING", row)

    @retried
    def put_away(self, hash_: str, circle: str) -> None:
        """Take a file out of the circle's list; matches that refer to it keep it."""
        with self._transaction() as db:
            db.execute("DELETE FROM circle_games WHERE circle = ? AND hash = ?", (circle, hash_))
