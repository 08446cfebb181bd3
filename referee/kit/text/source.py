"""The values of a game file at a table, each with its place in the text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.kit.text.faults import FilePosition, Path, Wrong, dotted
from referee.kit.text.form import seats_key
from referee.kit.text.formula import FormulaText
from referee.kit.text.toml import Document, Value


class RulesSource(NamedTuple):
    """The values of a file with a choice of house rules, and the place of each.

    ``origin``: for the path of each value that a house rule sets, its path in the file.
    """

    values: Mapping[str, Value]
    document: Document
    origin: Mapping[Path, Path]

    def at(self, *path: str | int) -> Value | None:
        """The value at ``path``; None if there is none."""
        here: Value | None = dict(self.values)
        for key in path:
            if isinstance(here, dict):
                here = here.get(str(key))
            elif isinstance(here, list) and isinstance(key, int) and key < len(here):
                here = here[key]
            else:
                return None
        return here

    def word(self, *path: str, default: str) -> str:
        return str(self.at(*path) or default)

    def place(self, path: Path) -> FilePosition:
        """Where the value at ``path``, or the nearest key around it, begins."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.origin:
                path = (*self.origin[path[:end]], *path[end:])
                break
        return self.document.begins.get(path) or self.document.place(path)

    def text(self, kind: str, *path: str | int, value: Value | None = None) -> FormulaText | None:
        """The sum, condition or card set at ``path``; None if there is none.

        ``value``: used in place of the value in the file.
        """
        found = self.at(*path) if value is None else value
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, str | int):
            raise Wrong("kit_sum", self.place(path), dotted(path))
        return self.document.formula(found, self.place(path), path, kind)

    def of_these_seats(self, path: Path, n: int) -> tuple[Value | None, Path]:
        """The value at ``path`` for ``n`` seats, and its own path; raises ``Wrong``."""
        value = self.at(*path)
        if isinstance(value, dict):
            key = seats_key(value, n)
            if key not in value:
                raise Wrong("kit_no_seats", self.place(path), dotted(path), n=n)
            value, path = value[key], (*path, key)
        return value, path
