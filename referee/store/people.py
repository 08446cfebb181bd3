"""The people of each circle, with their present names, and the seats in which they played.

Header and lines of a match keep the names that were entered; the table ``players`` maps each seat
to a person. Renaming and merging change only this mapping and what is displayed. Deleting a person
also removes the name from header and lines: see ``Ledger.forget``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from referee.store.circles import NoSuchCircle
from referee.store.engine import Taken, marks, retried
from referee.store.gathering import NOBODYS
from referee.store.log import Clash, StorePart, tail_in

# SQL: the number of a person's matches without hidden ones
MATCHES = (
    "(SELECT count(*) FROM players WHERE person = people.id"
    " AND NOT EXISTS (SELECT 1 FROM hidden WHERE hidden.match = players.match))"
)
# SQL: the matches in which a person's name may stand, with each seat concerned, and 1 if the seat
# is the person's or has the name (0: the person had it for a while)
NAMED = (
    "SELECT players.match, seat, max(CASE WHEN players.person = person.id OR seat = name"
    " THEN 1 ELSE 0 END) FROM people AS person JOIN matches ON matches.circle = person.circle"
    " JOIN players ON players.match = matches.id"
    " LEFT JOIN former_players AS former ON former.match = players.match"
    " AND former.place = players.place AND former.person = person.id"
    " WHERE person.id = ?"
    " AND (players.person = person.id OR seat = name OR former.person = person.id)"
    " GROUP BY players.match, seat ORDER BY players.match, seat"
)
# SQL: lets every server read the person's matches again
RENAMED = (
    "UPDATE matches SET named = named + 1 WHERE id IN (SELECT match FROM players WHERE person = ?)"
)
MANY = 1000  # matches counted for each person in a list, at most


class NameInUse(ValueError):
    """Another person of the circle has this name."""


class SatTogether(ValueError):
    """Two people who played in the same match can't be merged."""


class Person(NamedTuple):
    """A person; ``played``: time of the last match (UTC, ISO 8601).

    ``matches``: their number, without hidden ones.
    """

    id: int
    name: str
    played: str
    retired: bool
    matches: int


class Rewritten(NamedTuple):
    """A match without the name of a deleted person: new header, new seat names, changed lines.

    ``seats``: name in the record → new name. ``lines`` are by entry number. ``unnamed`` removes
    the name from free text. ``tail``: number of the last entry that was read for it.
    """

    match: str
    header: str
    seats: Mapping[str, str]
    lines: Mapping[int, str]
    unnamed: Callable[[str], str]
    tail: int


class People(StorePart):
    """The people in ``store``."""

    def of(self, circle: str = NOBODYS, most: int = -1, skip: int = 0) -> list[Person]:
        """The people of a circle, at most ``most`` (-1: all) from the index ``skip`` on.

        The latest players come first, the retired at the end. More than ``MANY`` matches of a
        person are not counted.
        """
        counted = (
            "SELECT 1 FROM players WHERE person = shown.id AND NOT EXISTS"
            f" (SELECT 1 FROM hidden WHERE hidden.match = players.match) LIMIT {MANY}"
        )
        rows = self._rows(
            f"SELECT id, name, played, retired, (SELECT count(*) FROM ({counted}) AS counted)"
            " FROM (SELECT id, name, played, retired FROM people WHERE circle = ?"
            f" ORDER BY retired, played DESC, id LIMIT ? OFFSET {skip:d}) AS shown"
            " ORDER BY retired, played DESC, id",
            (circle, most),
        )
        return [_person(row) for row in rows]

    def playing(self, circle: str, most: int) -> list[str]:
        """The names of the ``most`` people who played last, without the retired."""
        rows = self._rows(
            "SELECT name FROM people WHERE circle = ? AND retired = 0"
            " ORDER BY played DESC, id LIMIT ?",
            (circle, most),
        )
        return [name for (name,) in rows]

    def called(self, circle: str, people: Collection[int]) -> dict[int, str]:
        """The names of these people of a circle, by their ids."""
        rows = self._rows(
            f"SELECT id, name FROM people WHERE circle = ? AND id IN ({marks(people)})",
            (circle, *people),
        )
        return dict(rows)

    def names_of(self, circle: str, most: int) -> dict[int, str]:
        """The ``most`` people of a circle who played last: id → name. The retired come last."""
        rows = self._rows(
            "SELECT id, name FROM people WHERE circle = ?"
            " ORDER BY retired, played DESC, id LIMIT ?",
            (circle, most),
        )
        return dict(rows)

    def count(self, circle: str) -> int:
        """How many people a circle has."""
        query = "SELECT count(*) FROM people WHERE circle = ?"
        return int(self._rows(query, (circle,))[0][0])

    def get(self, circle: str, person: int) -> Person:
        """One person; raises ``NoSuchCircle`` if the circle doesn't have this person."""
        query = (
            f"SELECT id, name, played, retired, {MATCHES} FROM people WHERE circle = ? AND id = ?"
        )
        return _person(self._first(query, (circle, person), NoSuchCircle(person)))

    def names(self, match: str) -> dict[str, str]:
        """The changed names of a match: name in the record → present name of the person."""
        rows = self._rows(
            "SELECT seat, name FROM players JOIN people ON people.id = person"
            " WHERE match = ? AND seat != name",
            (match,),
        )
        return dict(rows)

    def seated(self, match: str) -> dict[int, int]:
        """Who has the seats of a match: place in turn order, 1-based, → person."""
        rows = self._rows(
            "SELECT place, person FROM players WHERE match = ? AND person IS NOT NULL", (match,)
        )
        return dict(rows)

    def deleted(self, matches: Sequence[str]) -> set[tuple[str, str]]:
        """The seats of deleted people in these matches, as (match, seat)."""
        rows = self._rows(
            "SELECT match, seat FROM players WHERE person IS NULL"
            " AND match IN (SELECT value FROM json_each(?))",
            (json.dumps(matches),),
        )
        return {(match, seat) for match, seat in rows}

    def matches(self, person: int) -> list[tuple[str, str]]:
        """The matches of a person, latest first: (match, name in its record)."""
        return [
            (row[0], row[1])
            for row in self._rows(
                "SELECT match, seat FROM players JOIN matches ON matches.id = match"
                " WHERE person = ? ORDER BY opened DESC, match",
                (person,),
            )
        ]

    def named(self, person: int) -> dict[str, list[str]]:
        """The matches in which the name of a person may stand → the seats to rename in each.

        These have the name in the record, or are the person's now. The list is empty if the person
        only had a seat for a while.
        """
        found: dict[str, list[str]] = {}
        for match, seat, own in self._rows(NAMED, (person,)):
            found.setdefault(match, []).extend([seat] * own)
        return found

    @retried
    def rename(self, circle: str, person: int, name: str) -> None:
        """Change the displayed name, in old matches, too; raises ``NameInUse``."""
        try:
            with self._transaction() as db:
                # a deleted person's seat keeps the name that the record now has
                shadow = db.execute(
                    "SELECT 1 FROM players AS mine JOIN players AS other USING (match)"
                    " WHERE mine.person = ? AND other.person IS NULL AND other.seat = ?",
                    (person, name),
                ).fetchone()
                if shadow:
                    raise NameInUse(name)
                db.execute(
                    "UPDATE people SET name = ? WHERE circle = ? AND id = ?",
                    (name, circle, person),
                )
                db.execute(RENAMED, (person,))
        except Taken as fault:
            raise NameInUse(name) from fault

    @retried
    def merge(self, circle: str, person: int, into: int) -> None:
        """Give all matches of ``person`` to ``into``, and delete ``person``.

        Raises ``SatTogether``, and ``NoSuchCircle`` if one of them does not exist.
        """
        if person == into:
            return
        with self._transaction() as db:
            found = db.execute(
                "SELECT id, name, played, retired FROM people WHERE circle = ? AND id IN (?, ?)",
                (circle, person, into),
            )
            known = {row[0]: row[1:] for row in found.fetchall()}
            if len(known) < 2:  # one of them was deleted meanwhile
                raise NoSuchCircle(person)
            name, played, retired = known[person]
            sat = "SELECT match, place, person FROM players UNION"
            sat += " SELECT match, place, person FROM former_players"
            together = db.execute(
                f"SELECT 1 FROM ({sat}) AS a JOIN ({sat}) AS b USING (match)"
                " WHERE a.person = ? AND b.person = ? AND a.place != b.place",
                (person, into),
            ).fetchone()
            if together:
                raise SatTogether(name, known[into][0])
            db.execute(RENAMED, (person,))
            for table in ("players", "former_players", "desk_people"):
                db.execute(f"UPDATE {table} SET person = ? WHERE person = ?", (into, person))
            db.execute("DELETE FROM people WHERE id = ?", (person,))
            db.execute(
                "UPDATE people SET played = CASE WHEN played < ?1 THEN ?1 ELSE played END,"
                " retired = CASE WHEN retired < ?2 THEN retired ELSE ?2 END WHERE id = ?3",
                (played, retired, into),
            )

    def retire(self, circle: str, person: int, retired: bool) -> None:
        """Set whether a person is left out when new tables are opened; history is unchanged."""
        self._write(
            "UPDATE people SET retired = ? WHERE circle = ? AND id = ?",
            (int(retired), circle, person),
        )

    @retried
    def remove(self, circle: str, person: int, rewritten: list[Rewritten]) -> None:
        """Delete a person and store the rewritten matches, in one transaction.

        After that no row contains the name; for its bytes on the disk see ``Engine.compact``.
        Raises ``Clash`` if a match has grown since it was read, or the person has another match.
        """
        known = self.get(circle, person)
        with self._transaction() as db:
            sat = db.execute(NAMED, (person,)).fetchall()
            if {row[0] for row in sat} != {each.match for each in rewritten}:
                raise Clash(known.name)
            for match, header, seats, lines, unnamed, tail in rewritten:
                if tail_in(db, match) != tail:
                    raise Clash(match)
                query = "SELECT text, seq FROM house_rules WHERE match = ?"
                for text, seq in db.execute(query, (match,)).fetchall():
                    db.execute(
                        "UPDATE house_rules SET text = ? WHERE match = ? AND seq = ?",
                        (unnamed(text), match, seq),
                    )
                db.execute("UPDATE matches SET header = ? WHERE id = ?", (header, match))
                for recorded, seat in seats.items():
                    db.execute(
                        "UPDATE players SET seat = ?1,"
                        " person = CASE person WHEN ?2 THEN NULL ELSE person END"
                        " WHERE match = ?3 AND seat = ?4",
                        (seat, person, match, recorded),
                    )
                db.execute("UPDATE matches SET named = named + 1 WHERE id = ?", (match,))
                db.execute("DELETE FROM result_pictures WHERE match = ?", (match,))
                for seq, line in lines.items():
                    db.execute(
                        "UPDATE entries SET line = ? WHERE match = ? AND seq = ?",
                        (line, match, seq),
                    )
            for table in ("players", "former_players", "desk_people"):
                db.execute(f"UPDATE {table} SET person = NULL WHERE person = ?", (person,))
            db.execute("DELETE FROM people WHERE circle = ? AND id = ?", (circle, person))
        self._store.engine.compact()


def _person(row: tuple[int, str, str, int, int]) -> Person:
    return Person(row[0], row[1], row[2], bool(row[3]), row[4])
