"""The event log: matches with their append-only entries, and house rules, on any engine."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from referee.store.engine import Taken, Transaction, retried, write
from referee.store.folding import pattern
from referee.store.game_files import GameFiles, hash_in
from referee.store.gathering import (
    NOBODYS,
    Newcomers,
    after_others,
    enrol,
    joined,
    now,
    of_today,
    seat_was_of,
    session_at,
)
from referee.store.opening import opened
from referee.store.shelf import Shelf

EXTENT = "(SELECT max(seq) FROM entries WHERE match = id), named, reviewed"
"""``Extent`` as columns of a query of matches; the first is null if there is no entry."""
EXTENT_OF = f"SELECT {EXTENT} FROM matches WHERE id = ?"


class NoSuchMatch(LookupError):
    """No match has this id."""


class Clash(Exception):
    """The store is not as the writer assumes.

    The log has grown since it was read, names have changed, or an id or an idempotency key is taken
    already.
    """


class NewEntry(NamedTuple):
    """A line to append, with the verdict given at the table, its clause and the rules version.

    ``key`` is the idempotency key: a match has one entry with it.
    """

    line: str
    key: str
    verdict: str
    clause: str
    rules: str


class Stored(NamedTuple):
    """An entry of the log; ``seq`` 1-based, ``at`` UTC in ISO 8601."""

    seq: int
    line: str
    key: str
    verdict: str
    clause: str
    rules: str
    at: str


class DecisionEntry(NamedTuple):
    """An entry with a decision of a table; ``at`` UTC in ISO 8601."""

    match: str
    seq: int
    line: str
    at: str


class HouseRule(NamedTuple):
    """A rule that a table decided on with entry ``seq`` of ``match``."""

    match: str
    seq: int
    game: str
    text: str


class Extent(NamedTuple):
    """Number of the last entry (0: none), and how often names in the match were changed.

    ``reviewed``: the first entry of the last deal that a review has shown; 0: none was opened.
    """

    tail: int
    names_version: int
    reviewed: int = 0

    @property
    def position(self) -> int:
        """Grows with every entry and every change of the seats: what phones are sent."""
        return self.tail + self.names_version


class Listed(NamedTuple):
    """A match without its log; ``opened`` UTC in ISO 8601."""

    id: str
    header: str
    opened: str


class Store:
    """Matches in a file, or (``postgresql://…``) in a database that several servers share.

    What a method has written is durable when it returns, and every later query sees it. The
    constructor raises ``Damaged``, ``NewerData``, ``OlderData``, and ``Unavailable`` if the file
    can't be created or no server answers.
    """

    def __init__(self, place: Path | str) -> None:
        self.engine = opened(place)
        self._rows, self._transaction = self.engine.rows, self.engine.transaction
        self._write = partial(write, self.engine)
        self.generation = self.engine.generation
        self.foreign_commits, self.subscribe = self.engine.foreign_commits, self.engine.subscribe
        self.ready, self.close = self.engine.ready, self.engine.close
        self.shelf = Shelf(self.engine)
        self.game_files = GameFiles(self.engine)

    def file(self, name: str) -> str | None:
        """The text of the deck or the game file that a header names, None if it is not here."""
        return self.game_files.text(name) if name.endswith(".toml") else self.shelf.deck(name)

    def reads(self, name: str, circle: str, phone: str) -> bool:
        """Whether a phone may read the deck or the game file that a header names.

        ``circle``, the one that the phone uses, has registered it or played with it, or the phone
        is at a table that plays with it.
        """
        if begins := hash_in(name):
            id_, line = begins, f"kit: {begins}"
            registered = "circle_games WHERE substr(hash, 1, 12)"
        else:
            id_, line = name, f"deck: {name}\n"
            registered = "circle_decks WHERE deck"
        plays_with = "header || '\n' LIKE '%\n' || ?4 || '%'"
        query = (
            f"SELECT 1 FROM {registered} = ?1 AND circle = ?2 AND ?2 != ''"
            " UNION ALL SELECT 1 FROM matches JOIN seatings ON match = matches.id"
            f" WHERE phone = ?3 AND role != 'knocking' AND {plays_with}"
            f" UNION ALL SELECT 1 FROM matches WHERE circle = ?2 AND ?2 != '' AND {plays_with}"
            " LIMIT 1"
        )
        return bool(self._rows(query, (id_, circle, phone, line)))

    @retried
    def open(
        self,
        match: str,
        header: str,
        seats: Sequence[str] = (),
        circle: str = NOBODYS,
        opened: str = "",
    ) -> None:
        """Begin a match of ``circle``; raises ``Clash`` if the id is taken.

        ``opened``: when it was played (UTC, ISO 8601), "": now.
        """
        try:
            with self._transaction() as db:
                open_in(db, match, header, seats, circle, opened or of_today(now()))
        except Taken as fault:
            raise Clash(match) from fault

    @retried
    def append(
        self,
        match: str,
        after: int,
        entries: Sequence[NewEntry],
        names_version: int | None = None,
        newcomers: Newcomers | None = None,
    ) -> None:
        """Append ``entries`` after entry ``after`` (0: the first ones), all or none, durably.

        ``newcomers``: who then has joined the match, None if nobody can have changed that.

        ``names_version``: the one of ``Extent`` whose names they use, None for the names of the
        header. Raises ``NoSuchMatch``, and ``Clash`` if the log has grown, names have changed, or
        a key has been used.
        """
        try:
            with self._transaction() as db:
                found = db.execute(EXTENT_OF, (match,)).fetchone()
                if found is None:
                    raise NoSuchMatch(match)
                tail, named, _ = found
                if (tail or 0) != after or names_version not in (None, named):
                    raise Clash(match)
                append_in(db, match, after, entries)
                if newcomers is not None:
                    circle, opened = db.execute(
                        "SELECT circle, opened FROM matches WHERE id = ?", (match,)
                    ).fetchone()
                    joined(db, match, newcomers, circle, opened)
        except Taken as fault:
            raise Clash(match) from fault
        self.engine.notify(match, after + len(entries))

    @retried
    def add(
        self,
        match: str,
        header: str,
        entries: Sequence[NewEntry],
        seats: Sequence[str] = (),
        circle: str = NOBODYS,
        opened: str = "",
        former: Sequence[tuple[int, int, str | None]] = (),
    ) -> None:
        """Store a whole match in one transaction; raises ``Clash`` if the id is taken.

        ``opened``: when it was played (UTC, ISO 8601 with milliseconds); "" for now. ``former``:
        who had a seat before, as (place from 1, last entry, name).
        """
        opened = opened or of_today(now())
        try:
            with self._transaction() as db:
                open_in(db, match, header, seats, circle, opened)
                append_in(db, match, 0, entries)
                for place, until, name in former:
                    seat_was_of(db, match, place, until, name, opened)
        except Taken as fault:
            raise Clash(match) from fault

    def read(self, match: str, after: int = 0, most: int = -1) -> list[Stored]:
        """The entries after entry ``after``, in order; at most ``most`` (-1: all)."""
        return [
            Stored(*row)
            for row in self._rows(
                "SELECT seq, line, key, verdict, clause, rules, at FROM entries"
                " WHERE match = ? AND seq > ? ORDER BY seq LIMIT ?",
                (match, after, most),
            )
        ]

    def find(self, match: str, key: str) -> int | None:
        """The number of the entry that was acknowledged for this key; None if there is none."""
        rows = self._rows(
            "SELECT seq FROM entries WHERE match = ?1 AND key = ?2"
            " UNION ALL SELECT seq FROM repeats WHERE match = ?1 AND key = ?2",
            (match, key),
        )
        return rows[0][0] if rows else None

    @retried
    def repeat(self, match: str, key: str, seq: int) -> None:
        """Store that entry ``seq``, which came with another key, is acknowledged for this one."""
        with self._transaction() as db:
            db.execute(
                "INSERT INTO repeats VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (match, key, seq)
            )

    def extent(self, match: str) -> Extent | None:
        """The extent of a match; None if there is no such match."""
        rows = self._rows(EXTENT_OF, (match,))
        return Extent(rows[0][0] or 0, *rows[0][1:]) if rows else None

    def touched(self, matches: Sequence[str]) -> dict[str, str]:
        """When the last entry of each of ``matches`` was made (UTC, ISO 8601); none: left out."""
        rows = self._rows(
            "SELECT id, (SELECT at FROM entries WHERE match = id ORDER BY seq DESC LIMIT 1)"
            " FROM matches WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(matches),),
        )
        return {match: at for match, at in rows if at}

    def opened_review(self, match: str, first: int) -> None:
        """Store that a review has shown the deal that begins with entry ``first``."""
        self._write(
            "UPDATE matches SET reviewed = ?1 WHERE id = ?2 AND reviewed < ?1", (first, match)
        )

    def extents(self, matches: Sequence[str]) -> dict[str, Extent]:
        """``extent`` of many matches in one query; unknown matches are left out."""
        rows = self._rows(
            f"SELECT {EXTENT}, id FROM matches WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(matches),),
        )
        return {match: Extent(tail or 0, *rest) for tail, *rest, match in rows}

    def tails(self, matches: Sequence[str]) -> dict[str, int]:
        """How many entries each of these matches has; those without entries are left out."""
        rows = self._rows(
            "SELECT value, (SELECT max(seq) FROM entries WHERE match = value) FROM json_each(?)",
            (json.dumps(matches),),
        )
        return {match: seq for match, seq in rows if seq}

    def header(self, match: str) -> str:
        """The record header of a match; raises ``NoSuchMatch``."""
        rows = self._rows("SELECT header FROM matches WHERE id = ?", (match,))
        if not rows:
            raise NoSuchMatch(match)
        return str(rows[0][0])

    def opened_at(self, match: str) -> str:
        """When a match was opened (UTC, ISO 8601); raises ``NoSuchMatch``."""
        rows = self._rows("SELECT opened FROM matches WHERE id = ?", (match,))
        if not rows:
            raise NoSuchMatch(match)
        return str(rows[0][0])

    def matches(self, most: int = -1) -> list[Listed]:
        """The matches of all circles, newest first; at most ``most`` (-1: all)."""
        query = "SELECT id, header, opened FROM matches ORDER BY opened DESC, id LIMIT ?"
        return [Listed(*row) for row in self._rows(query, (most,))]

    def decisions(
        self, circle: str, most: int = 200, skip: int = 0, word: str = ""
    ) -> list[DecisionEntry]:
        """The entries with decisions of tables of ``circle`` and ``word`` in them, newest first.

        At most ``most``, from the index ``skip`` on.
        """
        query = (
            "SELECT match, seq, line, at FROM entries JOIN matches ON matches.id = entries.match"
            " WHERE substr(line, 1, 13) = 'table decide ' AND matches.circle || '' = ?"
            " AND folded(line) LIKE ? ESCAPE '\\' ORDER BY at DESC, seq DESC"
            f" LIMIT ? OFFSET {skip:d}"
        )
        return [DecisionEntry(*row) for row in self._rows(query, (circle, pattern(word), most))]

    def house_rules(self, circle: str, game: str | None = None) -> list[HouseRule]:
        """The house rules of a circle for ``game`` (None: all games), by match and entry."""
        query = (
            "SELECT match, seq, game, text FROM house_rules JOIN matches ON matches.id = match"
            " WHERE circle = ? AND (game = ? OR CAST(? AS TEXT) IS NULL) ORDER BY match, seq"
        )
        return [HouseRule(*row) for row in self._rows(query, (circle, game, game))]

    def keep_house_rule(self, game: str, text: str, match: str, seq: int) -> None:
        """Store a house rule; does nothing if it is stored already."""
        self._write(
            "INSERT INTO house_rules VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (match, seq, game, text),
        )

    def drop_house_rule(self, match: str, seq: int) -> None:
        """Delete a house rule; the decision stays in the log of its match."""
        self._write("DELETE FROM house_rules WHERE match = ? AND seq = ?", (match, seq))


class StorePart:
    """What the store knows of one matter: a base for the classes that ask it and write it."""

    def __init__(self, store: Store) -> None:
        self._store, self._rows = store, store._rows
        self._write, self._transaction = store._write, store._transaction

    def _first(self, query: str, values: Sequence[object], missing: Exception) -> tuple[Any, ...]:
        """The first row of a query; raises ``missing`` if there is none."""
        rows = self._rows(query, values)
        if not rows:
            raise missing
        return rows[0]


def open_in(
    db: Transaction,
    match: str,
    header: str,
    seats: Sequence[str],
    circle: str,
    opened: str,
    nobodys: Collection[str] = (),
) -> None:
    """``Store.open`` within a transaction; ``nobodys``: the seats of no person."""
    opened = after_others(db, circle, opened)
    session = session_at(db, circle, opened)
    db.execute(
        "INSERT INTO matches (id, header, opened, circle, session) VALUES (?, ?, ?, ?, ?)",
        (match, header, opened, circle, session),
    )
    enrol(db, circle, match, seats, opened, nobodys)


def append_in(db: Transaction, match: str, after: int, entries: Sequence[NewEntry]) -> None:
    """Store ``entries`` after entry ``after`` of a match, within a transaction."""
    at = now()
    for seq, entry in enumerate(entries, after + 1):
        db.execute(
            "INSERT INTO entries (match, seq, line, key, verdict, clause, rules, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (match, seq, *entry, at),
        )


def tail_in(db: Transaction, match: str) -> int:
    """The number of the last entry of a match, within a transaction; 0 without entries."""
    [tail] = db.execute("SELECT max(seq) FROM entries WHERE match = ?", (match,)).fetchone()
    return tail or 0
