"""Where a group's own texts still mention a deleted name: places, notes, the name of the group.

The records lose a deleted name by themselves; these texts people wrote, and they decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

from referee.core.naming import unnamed
from referee.core.record import print_header
from referee.headers import read_header
from referee.store import Circles, Store
from referee.store.engine import retried

Where: TypeAlias = Literal["group", "place", "note", "game"]


class Mention(NamedTuple):
    """A text with the name; ``id`` of the group, evening or game; ``at`` in UTC (ISO 8601)."""

    where: Where
    id: str
    at: str
    text: str


class Mentions:
    """The texts of a circle that contain ``name``."""

    def __init__(self, store: Store, circle: str, name: str) -> None:
        self._store, self._circle, self._name = store, circle, name

    def all(self) -> list[Mention]:
        """The name of the group first, then evenings and games, latest first."""
        return [*self._of_group(), *self._of_evenings(), *self._of_games()]

    @retried
    def clean(self, instead: str) -> None:
        """Put ``instead`` in place of the name in all of them, and leave no bytes of it behind."""
        found = self.all()
        with self._store.engine.transaction() as db:
            for where, id_, _at, text in found:
                new = unnamed(text, [self._name], instead)
                match where:
                    case "group":
                        db.execute("UPDATE circles SET name = ? WHERE id = ?", (new, id_))
                    case "place" | "note":
                        query = f"UPDATE sessions SET {where} = ? WHERE id = ?"
                        db.execute(query, (new, int(id_)))
                    case "game":
                        header = self._header(id_, instead)
                        db.execute(
                            "UPDATE matches SET header = ?, named = named + 1 WHERE id = ?",
                            (header, id_),
                        )
        self._store.engine.compact()

    def _named(self, text: str) -> bool:
        return unnamed(text, [self._name], "") != text

    def _of_group(self) -> Iterator[Mention]:
        name = Circles(self._store).get(self._circle).name
        if self._named(name):
            yield Mention("group", self._circle, "", name)

    def _of_evenings(self) -> Iterator[Mention]:
        for evening in Circles(self._store).sessions(self._circle):
            if self._named(evening.place):
                yield Mention("place", str(evening.id), evening.began, evening.place)
            if self._named(evening.note):
                yield Mention("note", str(evening.id), evening.began, evening.note)

    def _of_games(self) -> Iterator[Mention]:
        """One for each text in the header of a game."""
        rows = self._store.engine.rows(
            "SELECT id, header, opened FROM matches WHERE circle = ? ORDER BY opened DESC, id",
            (self._circle,),
        )
        for match, header, opened in rows:
            if self._name in header:
                for text in read_header(self._store, header).texts.values():
                    if self._named(text):
                        yield Mention("game", match, opened, text)

    def _header(self, match: str, instead: str) -> str:
        header = read_header(self._store, self._store.header(match))
        texts = {
            key: text if key == "date" else unnamed(text, [self._name], instead)
            for key, text in header.texts.items()
        }
        return "\n".join(print_header(replace(header, texts=texts)))
