"""Faults of a game file and their places."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from referee.core.record.text import Unreadable

Path: TypeAlias = tuple[str | int, ...]


class FilePosition(NamedTuple):
    """Line and column in a file, both 1-based."""

    line: int
    column: int


class Wrong(Unreadable):
    """A fault of a game file: a fact of the common ruling book, as in a record, and a place.

    ``path`` is the key at fault, as the file writes it; "" if the text itself can't be read.
    """

    def __init__(self, fact: str, place: FilePosition, path: str = "", **values: object) -> None:
        super().__init__(fact, line=place.line, **values, path=path)
        self.column, self.path = place.column, path


def dotted(path: Path) -> str:
    """A key as the file writes it: ``score.made.points``; items of lists are counted from 1."""
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in path)
