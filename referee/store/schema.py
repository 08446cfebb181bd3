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


@migrations()
def m005_digests(db: Database) -> None:
    """What matches come to, kept beside the log that it is derived from (see ``statistics``).

    Whatever can change a number leaves a mark in ``outdated``, in the same transaction: an entry
    (``log`` = 1: the match is to be read again), or a person or circle (0: only who it was).
    """
    for statement in (
        """
        CREATE TABLE digests (
            match TEXT PRIMARY KEY REFERENCES matches(id),
            circle TEXT NOT NULL,
            session INTEGER REFERENCES sessions(id),
            opened TEXT NOT NULL,
            game TEXT NOT NULL,
            seats INTEGER NOT NULL,
            entries INTEGER NOT NULL,
            over INTEGER NOT NULL CHECK (over IN (0, 1)),
            deals INTEGER NOT NULL,
            corrections INTEGER NOT NULL,
            rulings INTEGER NOT NULL,
            millis INTEGER
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX digests_opened ON digests(circle, opened)",
        "CREATE INDEX digests_session ON digests(circle, session, opened, game)",
        """
        CREATE TABLE results (
            match TEXT NOT NULL REFERENCES matches(id),
            place INTEGER NOT NULL CHECK (place > 0),
            person INTEGER,
            opened TEXT NOT NULL,
            game TEXT NOT NULL,
            seats INTEGER NOT NULL,
            over INTEGER NOT NULL CHECK (over IN (0, 1)),
            points INTEGER NOT NULL,
            rank INTEGER NOT NULL CHECK (rank > 0),
            won INTEGER NOT NULL CHECK (won IN (0, 1)),
            revokes INTEGER NOT NULL,
            plays INTEGER NOT NULL,
            millis INTEGER,
            PRIMARY KEY (match, place)
        ) STRICT, WITHOUT ROWID
        """,
        # with every column: a person's page reads thousands of rows, and from this alone
        "CREATE INDEX results_person ON results(person, over, opened, match, game, seats, points,"
        " rank, won, revokes, plays, millis)",
        """
        CREATE TABLE feats (
            match TEXT NOT NULL REFERENCES matches(id),
            place INTEGER NOT NULL CHECK (place > 0),
            kind TEXT NOT NULL,
            label TEXT NOT NULL,
            value INTEGER NOT NULL,
            person INTEGER,
            game TEXT NOT NULL,
            PRIMARY KEY (match, place, kind, label)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX feats_best ON feats(person, game, kind, value) WHERE kind != 'led'",
        """
        CREATE TABLE leads (
            person INTEGER NOT NULL,
            game TEXT NOT NULL,
            card TEXT NOT NULL,
            times INTEGER NOT NULL,
            PRIMARY KEY (person, game, card)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE ratings (
            circle TEXT NOT NULL,
            opened TEXT NOT NULL,
            match TEXT NOT NULL REFERENCES matches(id),
            person INTEGER NOT NULL,
            mu REAL NOT NULL,
            sigma REAL NOT NULL,
            PRIMARY KEY (circle, opened, match, person)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX ratings_person ON ratings(person, opened, match, mu, sigma)",
        """
        CREATE TABLE outdated (
            match TEXT PRIMARY KEY REFERENCES matches(id),
            log INTEGER NOT NULL CHECK (log IN (0, 1))
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE duels (
            circle TEXT NOT NULL,
            person INTEGER NOT NULL,
            other INTEGER NOT NULL,
            matches INTEGER NOT NULL,
            above INTEGER NOT NULL,
            below INTEGER NOT NULL,
            PRIMARY KEY (circle, person, other)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE TABLE unrated (circle TEXT PRIMARY KEY, since TEXT NOT NULL) STRICT, WITHOUT ROWID",
        "INSERT INTO outdated SELECT id, 1 FROM matches",
        """
        CREATE TRIGGER match_opened AFTER INSERT ON matches BEGIN
            INSERT INTO outdated VALUES (new.id, 1);
        END
        """,
        """
        CREATE TRIGGER match_grown AFTER INSERT ON entries BEGIN
            INSERT INTO outdated VALUES (new.match, 1) ON CONFLICT DO UPDATE SET log = 1
                WHERE log = 0;
        END
        """,
        """
        CREATE TRIGGER match_adopted AFTER UPDATE OF circle ON matches BEGIN
            INSERT INTO outdated VALUES (new.id, 0) ON CONFLICT DO NOTHING;
        END
        """,
        """
        CREATE TRIGGER player_told_apart AFTER UPDATE OF person ON players BEGIN
            INSERT INTO outdated VALUES (new.match, 0) ON CONFLICT DO NOTHING;
        END
        """,
    ):
        db.execute(statement)


@migrations()
def m030_guessed_codes(db: Database) -> None:
    """Codes that were typed lately, and by whom; as many rows as there may be guesses."""
    db.execute(
        """
        CREATE TABLE guesses (
            place INTEGER PRIMARY KEY,
            who TEXT NOT NULL,
            at TEXT NOT NULL
        ) STRICT
        """
    )


@migrations()
def m031_names_of_today(db: Database) -> None:
    """How often names in a match have changed, for servers that have it in memory."""
    db.execute("ALTER TABLE matches ADD COLUMN named INTEGER NOT NULL DEFAULT 0")
