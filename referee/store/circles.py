"""Circles (groups of people who share a history), their member phones, and their evenings.

The circle ``NOBODYS`` holds matches that no circle has adopted yet: those that were imported while
there was no circle or more than one.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.store.engine import retried
from referee.store.gathering import NOBODYS, new_id, now
from referee.store.log import Listed, StorePart

SESSION = (
    "id, circle, began, place, note, (SELECT count(*) FROM matches WHERE session = sessions.id"
    " AND NOT EXISTS (SELECT 1 FROM hidden WHERE match = matches.id))"
)
"""The columns of a ``Session``."""


class NoSuchCircle(LookupError):
    """There is no circle with this id, or it has no evening or person with the given id."""


class LastPhone(ValueError):
    """The last phone of a circle can't be removed: nobody could get in again."""


class Circle(NamedTuple):
    """A group; ``name`` is "" until somebody gives it one."""

    id: str
    name: str
    since: str


class Member(NamedTuple):
    """A phone of a circle; ``seat``: name of its last seat in this circle, "" if it had none."""

    phone: str
    since: str
    seat: str


class Session(NamedTuple):
    """One evening; ``matches``: their number without hidden ones, ``began`` in UTC (ISO 8601)."""

    id: int
    circle: str
    began: str
    place: str
    note: str
    matches: int


class Circles(StorePart):
    """The circles in ``store``."""

    @retried
    def create(self, phone: str) -> str:
        """Create a circle with one phone, which uses it from now on; returns the circle's id."""
        circle, at = new_id(), now()
        with self._transaction() as db:
            db.execute("INSERT INTO circles (id, name, since) VALUES (?, '', ?)", (circle, at))
            db.execute("INSERT INTO members VALUES (?, ?, ?, ?)", (circle, phone, at, at))
        return circle

    def of(self, phone: str) -> list[Circle]:
        """The circles of a phone; the first one is the one that it uses."""
        rows = self._rows(
            "SELECT id, name, circles.since FROM members JOIN circles ON id = circle"
            " WHERE phone = ? ORDER BY chosen DESC, members.since DESC, id",
            (phone,),
        )
        return [Circle(*row) for row in rows]

    def get(self, circle: str) -> Circle:
        """The circle with this id; raises ``NoSuchCircle``."""
        query = "SELECT id, name, since FROM circles WHERE id = ?"
        return Circle(*self._first(query, (circle,), NoSuchCircle(circle)))

    def all(self) -> list[Circle]:
        """All circles, oldest first. For the operator only: pages show one circle."""
        query = "SELECT id, name, since FROM circles WHERE id != ? ORDER BY since, id"
        return [Circle(*row) for row in self._rows(query, (NOBODYS,))]

    def only(self) -> str:
        """The circle of this installation if it has exactly one, otherwise ``NOBODYS``."""
        found = self.all()
        return found[0].id if len(found) == 1 else NOBODYS

    @retried
    def join(self, circle: str, phone: str) -> None:
        """Make a phone a member. If it uses another circle, it continues to use that one."""
        at = now()
        with self._transaction() as db:
            has = db.execute("SELECT 1 FROM members WHERE phone = ?", (phone,)).fetchone()
            db.execute(
                "INSERT INTO members VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (circle, phone, at, "" if has else at),
            )

    def choose(self, circle: str, phone: str) -> None:
        """Let a phone use this circle; raises ``NoSuchCircle`` if it is not a member."""
        query = "UPDATE members SET chosen = ? WHERE circle = ? AND phone = ?"
        if not self._write(query, (now(), circle, phone)):
            raise NoSuchCircle(circle)

    def members(self, circle: str) -> list[Member]:
        """The phones of a circle, in the order in which they joined."""
        rows = self._rows(
            "SELECT phone, since, coalesce((SELECT coalesce(name, players.seat) FROM seatings"
            " JOIN matches ON matches.id = match AND matches.circle = members.circle"
            " JOIN players USING (match, place) LEFT JOIN people ON people.id = person"
            " WHERE seatings.phone = members.phone ORDER BY seatings.since DESC LIMIT 1), '')"
            " FROM members WHERE circle = ? ORDER BY since, phone",
            (circle,),
        )
        return [Member(*row) for row in rows]

    @retried
    def dismiss(self, circle: str, phone: str) -> None:
        """Remove a phone from a circle and from all its tables.

        All invitations of the circle become invalid, because the phone may have kept links and
        codes. Raises ``LastPhone``. Does nothing if the phone is not a member.
        """
        with self._transaction() as db:
            members = db.execute("SELECT phone FROM members WHERE circle = ?", (circle,))
            phones = [row[0] for row in members.fetchall()]
            if phone not in phones:
                return
            if len(phones) == 1:
                raise LastPhone(circle)
            db.execute("DELETE FROM members WHERE circle = ? AND phone = ?", (circle, phone))
            db.execute(
                "DELETE FROM seatings WHERE phone = ?"
                " AND match IN (SELECT id FROM matches WHERE circle = ?)",
                (phone, circle),
            )
            db.execute("DELETE FROM invites WHERE circle = ?", (circle,))

    def zone(self, circle: str) -> str:
        """The time zone of a circle, "" for the server's; also for a circle that does not exist."""
        rows = self._rows("SELECT zone FROM circles WHERE id = ?", (circle,))
        return str(rows[0][0]) if rows else ""

    def zones(self) -> dict[str, str]:
        """The time zone of each match, that of its circle. For the operator only."""
        query = "SELECT matches.id, zone FROM matches JOIN circles ON circles.id = circle"
        return dict(self._rows(query))

    def set_zone(self, circle: str, zone: str) -> None:
        """Set the time zone of a circle. Nothing stored changes but how it is shown."""
        self._write("UPDATE circles SET zone = ? WHERE id = ?", (zone, circle))

    def take_zone(self, circle: str, zone: str) -> str:
        """Set the time zone of a circle that has none; returns the one that it has then."""
        self._write("UPDATE circles SET zone = ? WHERE id = ? AND zone = ''", (zone, circle))
        return self.zone(circle)

    def call(self, circle: str, name: str) -> None:
        """Set the name of a circle."""
        self._write("UPDATE circles SET name = ? WHERE id = ?", (name, circle))

    def unclaimed(self) -> bool:
        """Whether there are matches that no circle has adopted."""
        query = "SELECT 1 FROM matches WHERE circle = ? LIMIT 1"
        return bool(self._rows(query, (NOBODYS,)))

    @retried
    def adopt(self, circle: str) -> None:
        """Move everything from ``NOBODYS`` to ``circle``; people with equal names become one."""
        with self._transaction() as db:
            for table in ("players", "former_players"):
                same = (
                    "(SELECT mine.id FROM people AS mine JOIN people AS theirs USING (name)"
                    f" WHERE mine.circle = ? AND theirs.id = {table}.person)"
                )
                db.execute(
                    f"UPDATE {table} SET person = coalesce({same}, person) WHERE person IN"
                    " (SELECT id FROM people WHERE circle = ?)",
                    (circle, NOBODYS),
                )
            db.execute(
                "DELETE FROM people WHERE circle = ?"
                " AND name IN (SELECT name FROM people WHERE circle = ?)",
                (NOBODYS, circle),
            )
            for table in ("people", "sessions", "matches", "agreed_words"):
                db.execute(f"UPDATE {table} SET circle = ? WHERE circle = ?", (circle, NOBODYS))
            db.execute(
                "UPDATE deck_names SET circle = ?1 WHERE circle = ?2 AND NOT EXISTS (SELECT 1"
                " FROM deck_names AS mine WHERE mine.circle = ?1"
                " AND (mine.name = deck_names.name OR mine.deck = deck_names.deck))",
                (circle, NOBODYS),
            )
            for table, column in (("circle_decks", "deck"), ("circle_games", "hash")):
                db.execute(
                    f"UPDATE {table} SET circle = ?1 WHERE circle = ?2 AND {column} NOT IN"
                    f" (SELECT {column} FROM {table} WHERE circle = ?1)",
                    (circle, NOBODYS),
                )

    def matches(self, circle: str, most: int = -1) -> list[Listed]:
        """The matches of a circle without hidden ones, newest first; at most ``most`` (-1: all)."""
        query = (
            "SELECT id, header, opened FROM matches WHERE circle = ?"
            " AND NOT EXISTS (SELECT 1 FROM hidden WHERE match = id)"
            " ORDER BY opened DESC, id LIMIT ?"
        )
        return [Listed(*row) for row in self._rows(query, (circle, most))]

    def count(self, circle: str) -> int:
        """How many matches a circle has, hidden ones included."""
        query = "SELECT count(*) FROM matches WHERE circle = ?"
        return int(self._rows(query, (circle,))[0][0])

    def of_match(self, match: str) -> str:
        """The circle of a match; raises ``NoSuchCircle`` if there is no such match."""
        query = "SELECT circle FROM matches WHERE id = ?"
        return str(self._first(query, (match,), NoSuchCircle(match))[0])

    def sessions(self, circle: str, most: int = -1) -> list[Session]:
        """The evenings of a circle, latest first; at most ``most`` (-1: all)."""
        rows = self._rows(
            f"SELECT {SESSION} FROM sessions WHERE circle = ? ORDER BY began DESC, id DESC LIMIT ?",
            (circle, most),
        )
        return [Session(*row) for row in rows]

    def session(self, circle: str, session: int) -> Session:
        """One evening; raises ``NoSuchCircle`` if the circle does not have it."""
        query = f"SELECT {SESSION} FROM sessions WHERE circle = ? AND id = ?"
        return Session(*self._first(query, (circle, session), NoSuchCircle(session)))

    def held(self, session: int, most: int = -1, skip: int = 0) -> list[str]:
        """The matches of an evening without hidden ones, in the order of opening.

        At most ``most`` (-1: all), from the index ``skip`` on.
        """
        query = (
            "SELECT id FROM matches WHERE session = ?"
            " AND NOT EXISTS (SELECT 1 FROM hidden WHERE match = id) ORDER BY opened, id"
            f" LIMIT ? OFFSET {skip:d}"
        )
        return [match for (match,) in self._rows(query, (session, most))]

    def set_place(self, match: str, place: str) -> None:
        """Set the place of the evening of ``match``, if it has none."""
        self._write(
            "UPDATE sessions SET place = ? WHERE place = ''"
            " AND id = (SELECT session FROM matches WHERE id = ?)",
            (place, match),
        )

    def describe(self, circle: str, session: int, place: str, note: str) -> None:
        """Set place and note of an evening."""
        self._write(
            "UPDATE sessions SET place = ?, note = ? WHERE circle = ? AND id = ?",
            (place, note, circle, session),
        )
