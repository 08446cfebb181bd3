"""Registered decks of a circle, and its agreements about which words count.

The content of a deck is never changed or deleted, because matches refer to it by its id; only the
circle's names for decks change. Agreements are append-only: the latest one about a word is valid.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.store.engine import Engine, retried, write
from referee.store.gathering import now

REGISTERED = "INSERT INTO circle_decks VALUES (?, ?) ON CONFLICT DO NOTHING"
"""Stores that a circle has registered a deck; the row stays after the deck is put away."""


class NameTaken(Exception):
    """Another deck of the circle has this name."""


class ShelvedDeck(NamedTuple):
    """A registered deck as a CSV file; ``at``: when it got its name (UTC, ISO 8601)."""

    id: str
    name: str
    csv: str
    at: str


class WordAgreement(NamedTuple):
    """An agreement about a word: it counts, does not, or (None) the dictionary decides again.

    ``match``: the match in which it was made, None if outside of one.
    """

    form: str
    counts: bool | None
    at: str
    match: str | None


class Shelf:
    """The decks and agreements in a store; ``circle`` "" stands for ``NOBODYS``."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def deck(self, id_: str) -> str | None:
        """The CSV file of a deck, also of one without a name; None if there is no such deck."""
        rows = self._engine.rows("SELECT csv FROM decks WHERE id = ?", (id_,))
        return str(rows[0][0]) if rows else None

    def decks(self, circle: str = "") -> list[ShelvedDeck]:
        """The registered decks of a circle, newest first."""
        query = (
            "SELECT deck, name, csv, at FROM deck_names JOIN decks ON deck = id"
            " WHERE circle = ? ORDER BY at DESC, name"
        )
        return [ShelvedDeck(*row) for row in self._engine.rows(query, (circle,))]

    @retried
    def keep_deck(self, id_: str, csv: str, name: str, circle: str = "", instead: str = "") -> None:
        """Register a deck under ``name``; ``instead``: id of a deck that loses its name.

        A deck that is registered already gets the new name. Raises ``NameTaken``.
        """
        with self._engine.transaction() as db:
            db.execute("INSERT INTO decks VALUES (?, ?) ON CONFLICT DO NOTHING", (id_, csv))
            db.execute(
                "DELETE FROM deck_names WHERE circle = ? AND deck IN (?, ?)", (circle, id_, instead)
            )
            taken = "SELECT 1 FROM deck_names WHERE circle = ? AND name = ?"
            if db.execute(taken, (circle, name)).fetchone():
                raise NameTaken(name)
            row = (circle, name, id_, now())
            db.execute("INSERT INTO deck_names VALUES (?, ?, ?, ?)", row)
            db.execute(REGISTERED, (circle, id_))

    def put_away(self, id_: str, circle: str = "") -> None:
        """Remove the name of a deck; matches that refer to the deck keep it."""
        query = "DELETE FROM deck_names WHERE circle = ? AND deck = ?"
        write(self._engine, query, (circle, id_))

    def agree(
        self, form: str, counts: bool | None, circle: str = "", match: str | None = None
    ) -> None:
        """Append an agreement about the word ``form``; it replaces earlier ones."""
        query = "INSERT INTO agreed_words (circle, form, counts, at, match) VALUES (?, ?, ?, ?, ?)"
        row = (circle, form, None if counts is None else int(counts), now(), match)
        write(self._engine, query, row)

    def agreed(self, circle: str = "") -> dict[str, WordAgreement]:
        """The valid agreement about each word, newest first; revoked ones are left out."""
        held: dict[str, WordAgreement] = {}
        for row in self.agreements(circle):
            held.setdefault(row.form, row)
        return {form: row for form, row in held.items() if row.counts is not None}

    def agreements(self, circle: str = "", form: str | None = None) -> list[WordAgreement]:
        """All agreements that were ever made, or those about ``form``, newest first."""
        query = (
            "SELECT form, counts, at, match FROM agreed_words"
            " WHERE circle = ?1 AND (CAST(?2 AS TEXT) IS NULL OR form = ?2) ORDER BY id DESC"
        )
        return [
            WordAgreement(row[0], None if row[1] is None else bool(row[1]), *row[2:])
            for row in self._engine.rows(query, (circle, form))
        ]

    def learn(self, match: str, agreed: Mapping[str, bool], circle: str = "") -> None:
        """Update the circle's agreements to those that the log of ``match`` contains now.

        If the match made an agreement and its log no longer contains it, the agreement of before
        is restored, unless a newer one is valid. Repeating the call changes nothing.
        """
        own: dict[str, WordAgreement] = {}
        before: dict[str, WordAgreement] = {}
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
