"""Export and import of a circle: matches with their people, evenings, decks and agreed words.

Reads and writes the tables that other modules own; ``history.exchange`` makes files of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from referee.store.circles import Circles
from referee.store.engine import Transaction, marks, retried
from referee.store.game_files import KEEP, LIST
from referee.store.gathering import now
from referee.store.hidden import hide
from referee.store.log import Clash, Store, Stored
from referee.store.revisions import KeptResult, keep, kept_of
from referee.store.shelf import REGISTERED

SOME = 20  # matches that are exported with one query
ENTRIES = 500
"""Entries that are imported in a transaction: plays at the tables wait no longer than that."""


class ArchivedEvening(NamedTuple):
    """An evening without its matches; ``began`` (UTC, ISO 8601) identifies it in its circle."""

    began: str
    place: str
    note: str


class ArchivedPerson(NamedTuple):
    """A person of a circle; ``played``: time of the last match (UTC, ISO 8601)."""

    name: str
    played: str
    retired: bool


class ArchivedDeck(NamedTuple):
    """A deck as a CSV file; ``name`` is the circle's name for it, None if it has none."""

    id: str
    name: str | None
    csv: str


class ArchivedGame(NamedTuple):
    """A game file with its hash; ``registered``: when the circle put it on its list, or None."""

    hash: str
    key: str
    text: str
    registered: str | None


class AgreedWord(NamedTuple):
    """An agreement about a word: it counts, does not, or (None) an earlier agreement is revoked.

    ``match``: the match in which it was made, None if outside of one.
    """

    form: str
    counts: bool | None
    at: str
    match: str | None


class ArchivedMatch(NamedTuple):
    """A match with its log. ``seats``: name in the record → name of the person, None if unknown.

    ``session`` is the time at which its evening began, None without an evening. ``hidden``: lists
    leave it out. ``former``: (name in the record, last entry, person) of each former player of a
    seat; the person is None if unknown. ``kept``: the result that the group keeps. ``foreign``:
    what another program calls the match, if it came from a file of it.
    """

    id: str
    opened: str
    session: str | None
    header: str
    seats: Mapping[str, str | None]
    entries: Sequence[Stored]
    hidden: bool = False
    former: Sequence[tuple[str, int, str | None]] = ()
    kept: KeptResult | None = None
    foreign: Sequence[str] = ()

    def people(self) -> set[str | None]:
        """The names of all who have or had a seat."""
        return {*self.seats.values(), *(name for _seat, _until, name in self.former)}


class Contents(NamedTuple):
    """What a circle contains, read at one moment.

    ``matches``: id → id of the evening, in the order of opening. ``people`` and ``evenings`` by
    their ids, which stay the same when a person is renamed.
    """

    matches: Mapping[str, int | None]
    people: Mapping[int, ArchivedPerson]
    evenings: Mapping[int, ArchivedEvening]


class Archive:
    """Reads and writes whole matches of one circle in ``store``."""

    def __init__(self, store: Store, circle: str) -> None:
        self._store, self._circle = store, circle

    def zone(self) -> str:
        """The time zone of the circle, "" for the server's."""
        return Circles(self._store).zone(self._circle)

    def ids(self, session: int | None = None) -> list[str]:
        """The ids of all matches, or of those of one evening, in the order of opening."""
        return [row[0] for row in self._store._rows(*self._matches(session))]

    @retried
    def contents(self, session: int | None = None, match: str | None = None) -> Contents:
        """People, evenings and matches; only the matches of one evening, or one, if given."""
        with self._store.engine.snapshot() as db:  # no match without its evening and its people
            matches = db.execute(*self._matches(session, match)).fetchall()
            people = db.execute(
                "SELECT id, name, played, retired FROM people WHERE circle = ? ORDER BY name",
                (self._circle,),
            ).fetchall()
            evenings = db.execute(
                "SELECT id, began, place, note FROM sessions WHERE circle = ? ORDER BY began, id",
                (self._circle,),
            ).fetchall()
        return Contents(
            dict(matches),
            {
                id_: ArchivedPerson(name, played, bool(retired))
                for id_, name, played, retired in people
            },
            {id_: ArchivedEvening(*about) for id_, *about in evenings},
        )

    def _matches(
        self, session: int | None, match: str | None = None
    ) -> tuple[str, tuple[object, ...]]:
        """The query for matches with their evenings, in the order of opening, and its values."""
        query = "SELECT id, session FROM matches WHERE circle = ?"
        values: list[object] = [self._circle]
        for column, value in (("session", session), ("id", match)):
            if value is not None:
                query += f" AND {column} = ?"
                values.append(value)
        return f"{query} ORDER BY opened, id", tuple(values)

    def get(self, match: str, contents: Contents) -> ArchivedMatch:
        """One match; names of people and the evening are those of ``contents``.

        Raises ``IndexError`` if ``contents`` does not have the match.
        """
        if match not in contents.matches:
            raise IndexError(match)
        return self.some([match], contents)[0]

    def each(self, contents: Contents, *, logs: bool = True) -> Iterator[ArchivedMatch]:
        """The matches of ``contents``, in its order, a few of them in memory at a time.

        Without ``logs`` they have no entries, and take a fraction of the time.
        """
        ids = list(contents.matches)
        for start in range(0, len(ids), SOME):
            yield from self.some(ids[start : start + SOME], contents, logs=logs)

    @retried
    def some(
        self, matches: Sequence[str], contents: Contents, *, logs: bool = True
    ) -> list[ArchivedMatch]:
        """These matches of ``contents``, in this order; those deleted meanwhile are left out.

        Without ``logs`` they have no entries.
        """
        which = f"IN ({marks(matches)})"
        seats: dict[str, list[tuple[str, int | None]]] = {match: [] for match in matches}
        entries: dict[str, list[Stored]] = {match: [] for match in matches}
        with self._store.engine.snapshot() as db:  # deleting a person changes all of this at once
            heads = {
                match: (opened, header, bool(hidden))
                for match, opened, header, hidden in db.execute(
                    "SELECT id, opened, header,"
                    " (SELECT count(*) FROM hidden WHERE hidden.match = id)"
                    f" FROM matches WHERE id {which}",
                    tuple(matches),
                )
            }
            for match, seat, person in db.execute(
                f"SELECT match, seat, person FROM players WHERE match {which} ORDER BY place",
                tuple(matches),
            ):
                seats[match].append((seat, person))
            kept = kept_of(db, matches)
            foreign = db.execute(
                f"SELECT match, key FROM foreign_plays WHERE match {which} ORDER BY match, key",
                tuple(matches),
            ).fetchall()
            former = db.execute(
                "SELECT former.match, seat, until, name FROM former_players AS former"
                " JOIN players USING (match, place) LEFT JOIN people ON people.id = former.person"
                f" WHERE former.match {which} ORDER BY former.match, former.place, until",
                tuple(matches),
            ).fetchall()
            query = "SELECT match, seq, line, key, verdict, clause, rules, at FROM entries"
            for match, *entry in (
                db.execute(f"{query} WHERE match {which} ORDER BY match, seq", tuple(matches))
                if logs
                else ()
            ):
                entries[match].append(Stored(*entry))
        found, known = [], contents.people
        for match in matches:
            evening = contents.evenings.get(contents.matches[match] or 0)
            if match in heads:
                there = ((seat, known.get(person or 0)) for seat, person in seats[match])
                names = {seat: person and person.name for seat, person in there}
                opened, header, hidden = heads[match]
                began = evening and evening.began
                left = [row[1:] for row in former if row[0] == match]
                keys = [key for of, key in foreign if of == match]
                rest = (names, entries[match], hidden, left, kept.get(match), keys)
                found.append(ArchivedMatch(match, opened, began, header, *rest))
        return found

    def decks(self) -> list[ArchivedDeck]:
        """The decks that the circle has registered or used in a match."""
        rows = self._store._rows(
            "SELECT decks.id, name, csv FROM decks"
            " LEFT JOIN deck_names ON deck = decks.id AND circle = ?1 WHERE name IS NOT NULL"
            " OR EXISTS (SELECT 1 FROM matches WHERE circle = ?1"
            " AND header || '\n' LIKE '%\ndeck: ' || decks.id || '\n%') ORDER BY decks.id",
            (self._circle,),
        )
        return [ArchivedDeck(*row) for row in rows]

    def file(self, name: str) -> str | None:
        """The text of a deck or a game file that a header names, None if it is not here."""
        return self._store.file(name)

    def games(self) -> list[ArchivedGame]:
        """The game files that the circle has registered or used in a match."""
        rows = self._store._rows(
            "SELECT game_files.hash, key, text, circle_games.at FROM game_files"
            " LEFT JOIN circle_games ON circle_games.hash = game_files.hash AND circle = ?1"
            " WHERE circle_games.at IS NOT NULL OR EXISTS (SELECT 1 FROM matches WHERE circle = ?1"
            " AND header || '\n' LIKE '%\nkit: ' || substr(game_files.hash, 1, 12) || '%')"
            " ORDER BY game_files.hash",
            (self._circle,),
        )
        return [ArchivedGame(*row) for row in rows]

    def words(self) -> list[AgreedWord]:
        """All agreements about words that the circle ever made, oldest first."""
        return [AgreedWord(*row) for row in reversed(self._store.shelf.agreements(self._circle))]

    @retried
    def agree(self, words: Sequence[AgreedWord]) -> None:
        """Add imported agreements as the newest ones; those that are here already are skipped."""
        with self._store._transaction() as db:
            for form, counts, at, match in words:
                db.execute(
                    "INSERT INTO agreed_words (circle, form, counts, at, match) SELECT ?1, ?2,"
                    " CAST(?3 AS INTEGER), ?4,"
                    " (SELECT id FROM matches WHERE id = ?5 AND circle = ?1) WHERE NOT EXISTS"
                    " (SELECT 1 FROM agreed_words WHERE circle = ?1 AND form = ?2 AND at = ?4)",
                    (self._circle, form, counts, at, match),
                )

    def elsewhere(self, matches: Sequence[str]) -> bool:
        """Whether one of these matches belongs to another circle here."""
        query = (
            "SELECT 1 FROM matches WHERE circle != ? AND id IN (SELECT value FROM json_each(?))"
            " LIMIT 1"
        )
        return bool(self._store._rows(query, (self._circle, json.dumps(matches))))

    @retried
    def settle(
        self,
        people: Sequence[ArchivedPerson],
        evenings: Sequence[ArchivedEvening],
        decks: Sequence[ArchivedDeck] = (),
        games: Sequence[ArchivedGame] = (),
    ) -> None:
        """Add the people, evenings, decks and game files that are missing here.

        Those that are here are not changed, with two exceptions: a person's ``played`` becomes the
        later of both times, and an empty place or note of an evening is filled in.
        """
        with self._store._transaction() as db:
            for person in people:
                self._settle_person(db, person)
            for evening in evenings:
                self._settle_evening(db, evening)
            for deck in decks:
                self._settle_deck(db, deck)
            for game in games:
                self._settle_game(db, game)

    def _settle_person(self, db: Transaction, person: ArchivedPerson) -> None:
        db.execute(
            "INSERT INTO people (circle, name, played, retired) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (circle, name) DO UPDATE SET played = excluded.played"
            " WHERE people.played < excluded.played",
            (self._circle, person.name, person.played, int(person.retired)),
        )

    def _settle_evening(self, db: Transaction, evening: ArchivedEvening) -> None:
        began, place, note = evening
        known = db.execute(
            "UPDATE sessions SET place = CASE place WHEN '' THEN ? ELSE place END,"
            " note = CASE note WHEN '' THEN ? ELSE note END WHERE circle = ? AND began = ?",
            (place, note, self._circle, began),
        )
        if not known.rowcount:
            db.execute(
                "INSERT INTO sessions (circle, began, place, note) VALUES (?, ?, ?, ?)",
                (self._circle, began, place, note),
            )

    def _settle_deck(self, db: Transaction, deck: ArchivedDeck) -> None:
        """Add a deck, under its name unless the circle uses this name or has one for the deck."""
        db.execute("INSERT INTO decks VALUES (?, ?) ON CONFLICT DO NOTHING", (deck.id, deck.csv))
        row = (self._circle, deck.name, deck.id)
        taken = "SELECT 1 FROM deck_names WHERE circle = ? AND (name = ? OR deck = ?)"
        if deck.name is not None and not db.execute(taken, row).fetchone():
            db.execute("INSERT INTO deck_names VALUES (?, ?, ?, ?)", (*row, now()))
            db.execute(REGISTERED, (self._circle, deck.id))

    def _settle_game(self, db: Transaction, game: ArchivedGame) -> None:
        db.execute(KEEP, (game.hash, game.key, game.text))
        if game.registered is not None:
            db.execute(LIST, (self._circle, game.hash, game.registered))

    @retried
    def put(self, matches: Sequence[ArchivedMatch]) -> int:
        """Import matches, all or none; returns the number of those that were new or have grown.

        Call ``settle`` before with their people and evenings. Raises ``Clash`` with the id of a
        match whose stored log differs, or that belongs to another circle.
        """
        with self._store._transaction() as db:
            return sum(self._put(db, match) for match in matches)

    def _put(self, db: Transaction, match: ArchivedMatch) -> bool:
        known = self._known(db, match)
        if known is None:
            self._open(db, match)
            known = []
        theirs = [entry.line for entry in match.entries]
        if known[: len(theirs)] != theirs[: len(known)]:
            raise Clash(match.id)
        db.executemany(
            "INSERT INTO entries (match, seq, line, key, verdict, clause, rules, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [(match.id, *entry) for entry in match.entries[len(known) :]],
        )
        db.executemany(
            "INSERT INTO foreign_plays VALUES (?, ?) ON CONFLICT DO NOTHING",
            [(key, match.id) for key in match.foreign],
        )
        return not known or len(theirs) > len(known)

    def _known(self, db: Transaction, match: ArchivedMatch) -> list[str] | None:
        """The stored lines of the match, None if it is not stored; raises ``Clash`` as ``put``."""
        row = db.execute("SELECT circle, header FROM matches WHERE id = ?", (match.id,)).fetchone()
        if row is None:
            return None
        if row != (self._circle, match.header):
            raise Clash(match.id)
        lines = db.execute("SELECT line FROM entries WHERE match = ? ORDER BY seq", (match.id,))
        return [line for (line,) in lines]

    def _open(self, db: Transaction, match: ArchivedMatch) -> None:
        db.execute(
            "INSERT INTO matches (id, header, opened, circle, session) VALUES (?, ?, ?, ?,"
            " (SELECT id FROM sessions WHERE circle = ? AND began = ?))",
            (match.id, match.header, match.opened, self._circle, self._circle, match.session),
        )
        db.executemany(
            "INSERT INTO players VALUES (?, ?, ?,"
            " (SELECT id FROM people WHERE circle = ? AND name = ?))",
            [
                (match.id, seat, place, self._circle, person)
                for place, (seat, person) in enumerate(match.seats.items(), 1)
            ],
        )
        places = {seat: place for place, seat in enumerate(match.seats, 1)}
        db.executemany(
            "INSERT INTO former_players VALUES (?, ?, ?,"
            " (SELECT id FROM people WHERE circle = ? AND name = ?)) ON CONFLICT DO NOTHING",
            [
                (match.id, places[seat], until, self._circle, name)
                for seat, until, name in match.former
            ],
        )
        if match.hidden:
            hide(db, match.id)
        if match.kept:
            keep(db, match.id, len(match.entries), match.kept)


def batches(matches: Iterable[ArchivedMatch], size: int) -> Iterator[Sequence[ArchivedMatch]]:
    """``matches`` in lists of at most ``size``; a list ends once it has ``ENTRIES`` entries."""
    batch: list[ArchivedMatch] = []
    entries = 0
    for match in matches:
        batch.append(match)
        entries += len(match.entries)
        if len(batch) >= size or entries >= ENTRIES:
            yield batch
            batch, entries = [], 0
    if batch:
        yield batch
