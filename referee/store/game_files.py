"""The files of games that matches are played by, and which of them a circle has registered.

The text of a file is never changed or deleted, because matches refer to it by its hash; only the
circle's list changes.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from referee.store.engine import Engine, retried, write
from referee.store.gathering import now

KEEP = "INSERT INTO game_files VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
LIST = "INSERT INTO circle_games VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
"""Keeps a file, and puts it on the list of a circle; both change nothing the second time."""
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

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def text(self, name: str) -> str | None:
        """The file with this name (see ``hash_in``), or None."""
        if not (begins := hash_in(name)):
            return None
        rows = self._engine.rows(
            "SELECT text FROM game_files WHERE hash >= ? AND hash < ?", (begins, f"{begins}g")
        )
        return str(rows[0][0]) if rows else None

    def of(self, circle: str) -> list[GameFile]:
        """The files that a circle has registered, newest first."""
        query = (
            "SELECT hash, key, text, at FROM circle_games JOIN game_files USING (hash)"
            " WHERE circle = ? ORDER BY at DESC, hash"
        )
        return [GameFile(*row) for row in self._engine.rows(query, (circle,))]

    def keep(self, file: tuple[str, str, str]) -> None:
        """Keep a file that a match refers to: its hash, key and text."""
        write(self._engine, KEEP, file)

    @retried
    def register(self, file: tuple[str, str, str], circle: str) -> None:
        """Keep a file (hash, key, text), and list it for ``circle``."""
        with self._engine.transaction() as db:
            db.execute(KEEP, file)
            db.execute(LIST, (circle, file[0], now()))

    def put_away(self, hash_: str, circle: str) -> None:
        """Take a file out of the circle's list; matches that refer to it keep it."""
        query = "DELETE FROM circle_games WHERE circle = ? AND hash = ?"
        write(self._engine, query, (circle, hash_))
