"""The tables, as migrations: an installed database is brought up to date at every start."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

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
def m003_circles_and_phones(db: Database) -> None:
    """Whose matches they are, who played in them, and which phones may see them.

    Matches from before belong to the circle '' until a phone adopts them. Secrets are kept as
    their SHA-256 alone: a phone's ``id`` is that of its cookie.
    """
    for statement in (
        """
        CREATE TABLE circles (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            since TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "INSERT INTO circles VALUES ('', '', '')",
        "CREATE TABLE phones (id TEXT PRIMARY KEY, since TEXT NOT NULL) STRICT, WITHOUT ROWID",
        """
        CREATE TABLE members (
            circle TEXT NOT NULL REFERENCES circles(id),
            phone TEXT NOT NULL REFERENCES phones(id),
            since TEXT NOT NULL,
            chosen TEXT NOT NULL,
            PRIMARY KEY (circle, phone)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX members_phone ON members(phone)",
        """
        CREATE TABLE sessions (
            id INTEGER PRIMARY KEY,
            circle TEXT NOT NULL REFERENCES circles(id),
            began TEXT NOT NULL,
            place TEXT NOT NULL DEFAULT '',
            note TEXT NOT NULL DEFAULT ''
        ) STRICT
        """,
        "CREATE INDEX sessions_circle ON sessions(circle, began)",
        # without REFERENCES, which a column added later may only have if it can be NULL
        "ALTER TABLE matches ADD COLUMN circle TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE matches ADD COLUMN session INTEGER REFERENCES sessions(id)",
        "CREATE INDEX matches_circle ON matches(circle, opened)",
        """
        CREATE TABLE seatings (
            match TEXT NOT NULL REFERENCES matches(id),
            phone TEXT NOT NULL REFERENCES phones(id),
            role TEXT NOT NULL CHECK (role IN ('host', 'seated', 'watching', 'knocking')),
            place INTEGER NOT NULL DEFAULT 0,
            sign TEXT NOT NULL DEFAULT '',
            since TEXT NOT NULL,
            PRIMARY KEY (match, phone)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX seatings_phone ON seatings(phone)",
        "CREATE UNIQUE INDEX seatings_place ON seatings(match, place) WHERE place > 0",
        """
        CREATE TABLE invites (
            hash TEXT PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN ('table', 'code', 'circle', 'claim')),
            circle TEXT NOT NULL REFERENCES circles(id),
            match TEXT NOT NULL,
            nonce TEXT NOT NULL,
            until TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX invites_of ON invites(circle, match, kind)",
        "ALTER TABLE people RENAME TO people_before",
        """
        CREATE TABLE people (
            id INTEGER PRIMARY KEY,
            circle TEXT NOT NULL REFERENCES circles(id),
            name TEXT NOT NULL,
            played TEXT NOT NULL,
            retired INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1)),
            UNIQUE (circle, name)
        ) STRICT
        """,
        """
        CREATE TABLE players (
            match TEXT NOT NULL REFERENCES matches(id),
            seat TEXT NOT NULL,
            place INTEGER NOT NULL CHECK (place > 0),
            person INTEGER REFERENCES people(id),
            PRIMARY KEY (match, seat)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX players_person ON players(person)",
        "INSERT INTO people (circle, name, played) SELECT '', name, played FROM people_before"
        " ORDER BY played, rowid",
        "DROP TABLE people_before",
    ):
        db.execute(statement)
    _seat_and_gather(db)


def _seat_and_gather(db: Database) -> None:
    """Players and sessions of the matches from before."""
    session: int | None = None
    last = datetime.min.replace(tzinfo=UTC)
    rows = db.execute("SELECT id, header, opened FROM matches ORDER BY opened, id").fetchall()
    for match, header, opened in rows:
        [seats] = re.findall(r"^seats:(.*)$", header, re.MULTILINE)
        for place, written in enumerate(re.findall(r'"[^"]*"|\S+', seats), 1):
            name = written.strip('"')
            db.execute(
                "INSERT INTO people (circle, name, played) VALUES ('', ?, ?)"
                " ON CONFLICT DO UPDATE SET played = max(played, excluded.played)",
                (name, opened),
            )
            db.execute(
                "INSERT INTO players SELECT ?, name, ?, id FROM people WHERE name = ?",
                (match, place, name),
            )
        moment = datetime.fromisoformat(opened)
        if moment - last > timedelta(hours=6):
            session = db.execute(
                "INSERT INTO sessions (circle, began) VALUES ('', ?)", (opened,)
            ).lastrowid
        db.execute("UPDATE matches SET session = ? WHERE id = ?", (session, match))
        last = moment


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
    # what tables decided is looked for over all matches of a circle
    db.execute(
        "CREATE INDEX entries_decisions ON entries(at) WHERE substr(line, 1, 13) = 'table decide '"
    )
