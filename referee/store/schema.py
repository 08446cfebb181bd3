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
