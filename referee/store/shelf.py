"""What a circle keeps beside its matches: its decks, and the words it has agreed on.

A circle without a name is "". A deck's content is never changed or deleted, because matches name
it; what changes is which content a name stands for. Agreed words are a log of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, TypeAlias

from referee.store import engine
from referee.store.engine import retried

Transaction: TypeAlias = Callable[[], AbstractContextManager[engine.Transaction]]
Rows: TypeAlias = Callable[[str, tuple[object, ...]], list[tuple[Any, ...]]]


class NameTaken(Exception):
    """Another deck of the circle bears this name."""


class ShelvedDeck(NamedTuple):
    """A registered deck; ``at``: when it got this name, UTC in ISO 8601."""

    id: str
    name: str
    csv: str
    at: str


class Agreed(NamedTuple):
    """What was said about a word: that it counts (True), that it does not, or None: nothing any
    more, as the dictionary has it. ``match``: where it was agreed, if at a table.
    """

    form: str
    counts: bool | None
    at: str
    match: str | None


class Shelf:
    """The decks and agreed words in the store's file."""

    def __init__(self, transaction: Transaction, rows: Rows, now: Callable[[], str]) -> None:
        self._transaction, self._rows, self._now = transaction, rows, now

    def deck(self, id_: str) -> str | None:
        """The CSV file of a deck, whether a name stands for it still or not."""
        rows = self._rows("SELECT csv FROM decks WHERE id = ?", (id_,))
        return str(rows[0][0]) if rows else None

    def decks(self, circle: str = "") -> list[ShelvedDeck]:
        """The registered decks, the newest first."""
        query = (
            "SELECT deck, name, csv, at FROM deck_names JOIN decks ON deck = id"
            " WHERE circle = ? ORDER BY at DESC, name"
        )
        return [ShelvedDeck(*row) for row in self._rows(query, (circle,))]

    @retried
    def keep_deck(self, id_: str, csv: str, name: str, circle: str = "", instead: str = "") -> None:
        """Register a deck under ``name``; ``instead``: the id that it takes the place of.

        The same cards twice are one deck: it gets the new name. Raises ``NameTaken``.
        """
        with self._transaction() as db:
            db.execute("INSERT INTO decks VALUES (?, ?) ON CONFLICT DO NOTHING", (id_, csv))
            db.execute(
                "DELETE FROM deck_names WHERE circle = ? AND deck IN (?, ?)", (circle, id_, instead)
            )
            taken = "SELECT 1 FROM deck_names WHERE circle = ? AND name = ?"
            if db.execute(taken, (circle, name)).fetchone():
                raise NameTaken(name)
            row = (circle, name, id_, self._now())
            db.execute("INSERT INTO deck_names VALUES (?, ?, ?, ?)", row)

    @retried
    def put_away(self, id_: str, circle: str = "") -> None:
        """Take a deck out of the list; matches that name it keep it."""
        with self._transaction() as db:
            db.execute("DELETE FROM deck_names WHERE circle = ? AND deck = ?", (circle, id_))

    @retried
    def agree(
        self, form: str, counts: bool | None, circle: str = "", match: str | None = None
    ) -> None:
        """Write down what was agreed about ``form``; it holds until something else is agreed."""
        row = (circle, form, None if counts is None else int(counts), self._now(), match)
        with self._transaction() as db:
            db.execute(
                "INSERT INTO agreed_words (circle, form, counts, at, match) VALUES (?, ?, ?, ?, ?)",
                row,
            )

    def agreed(self, circle: str = "") -> dict[str, Agreed]:
        """What holds now, the newest first; what was taken back is left out."""
        held: dict[str, Agreed] = {}
        for row in self.agreements(circle):
            held.setdefault(row.form, row)
        return {form: row for form, row in held.items() if row.counts is not None}

    def agreements(self, circle: str = "", form: str | None = None) -> list[Agreed]:
        """All that was ever agreed, or all about ``form``, the newest first."""
        query = (
            "SELECT form, counts, at, match FROM agreed_words"
            " WHERE circle = ?1 AND (CAST(?2 AS TEXT) IS NULL OR form = ?2) ORDER BY id DESC"
        )
        return [
            Agreed(row[0], None if row[1] is None else bool(row[1]), *row[2:])
            for row in self._rows(query, (circle, form))
        ]

    def learn(self, match: str, agreed: Mapping[str, bool], circle: str = "") -> None:
        """Take over what the table of ``match`` has agreed itself, as its log stands now.

        What it had agreed and has taken back since is again as it was before, unless something
        newer holds. Saying the same again changes nothing.
        """
        own: dict[str, Agreed] = {}
        before: dict[str, Agreed] = {}
        for row in self.agreements(circle):
            (own if row.match == match else before).setdefault(row.form, row)
        held = self.agreed(circle)
        for form, counts in agreed.items():
            last = own.get(form) or held.get(form)
            if last is None or last.counts is not counts:
                self.agree(form, counts, circle, match)
        for form in [form for form in own if form not in agreed]:
            restored = before[form].counts if form in before else None
            if form in held and held[form].match == match and held[form].counts is not restored:
                self.agree(form, restored, circle, match)
