"""The tables, as migrations: an installed database is brought up to date at every start."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("referee")


@migrations()
def m001_matches_and_entries(db: Database) -> None:
    """A match is its record header; an entry is its line, as the record format writes it."""
    db.execute(
        """
        CREATE TABLE matches (
            id TEXT PRIMARY KEY,
            header TEXT NOT NULL,
            opened TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """
    )
    db.execute(
        """
        CREATE TABLE entries (
            match TEXT NOT NULL REFERENCES matches(id),
            seq INTEGER NOT NULL CHECK (seq > 0),
            line TEXT NOT NULL,
            key TEXT NOT NULL,
            verdict TEXT NOT NULL,
            clause TEXT NOT NULL,
            rules TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (match, seq),
            UNIQUE (match, key)
        ) STRICT, WITHOUT ROWID
        """
    )
    db.execute("CREATE TABLE people (name TEXT PRIMARY KEY, played TEXT NOT NULL) STRICT")
    db.execute("CREATE INDEX matches_opened ON matches(opened)")


@migrations()
def m002_decks_and_agreed_words(db: Database) -> None:
    """Contents of decks stay for ever; a circle's names stand for one each. "" is no circle."""
    db.execute("CREATE TABLE decks (id TEXT PRIMARY KEY, csv TEXT NOT NULL) STRICT, WITHOUT ROWID")
    db.execute(
        """
        CREATE TABLE deck_names (
            circle TEXT NOT NULL DEFAULT '',
            name TEXT NOT NULL,
            deck TEXT NOT NULL REFERENCES decks(id),
            at TEXT NOT NULL,
            PRIMARY KEY (circle, name),
            UNIQUE (circle, deck)
        ) STRICT, WITHOUT ROWID
        """
    )
    db.execute(
        """
        CREATE TABLE agreed_words (
            id INTEGER PRIMARY KEY,
            circle TEXT NOT NULL DEFAULT '',
            form TEXT NOT NULL,
            counts INTEGER CHECK (counts IN (0, 1)),
            at TEXT NOT NULL,
            match TEXT REFERENCES matches(id)
        ) STRICT
        """
    )
    db.execute("CREATE INDEX agreed_words_form ON agreed_words(circle, form)")


@migrations()
def m004_house_rules(db: Database) -> None:
    """What a table decided once and wants to play by: the words of a decision."""
    db.execute(
        """
        CREATE TABLE house_rules (
            match TEXT NOT NULL REFERENCES matches(id),
            seq INTEGER NOT NULL,
            game TEXT NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (match, seq)
        ) STRICT, WITHOUT ROWID
        """
    )
