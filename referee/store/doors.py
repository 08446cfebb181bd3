"""Phones, their roles and seats at tables, invitations, and counts of typed codes.

A phone is identified by the SHA-256 of its cookie, an invitation by the SHA-256 of its secret.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.store.engine import Taken, retried
from referee.store.gathering import now
from referee.store.log import Listed, StorePart


class SeatTaken(ValueError):
    """Another phone occupies this seat."""


class Seating(NamedTuple):
    """A phone at a table.

    ``role``: "host" (opened the table), "seated", "watching" or "knocking" (asks to be let in).
    ``place``: its seat, 1-based in turn order, 0 for none. ``sign``: what a knocking phone
    displays, so that people at the table recognise it.
    """

    match: str
    phone: str
    role: str
    place: int
    sign: str
    since: str


class Invite(NamedTuple):
    """What an invitation admits to. ``kind``: "table", "code" (typed), "circle" or "claim".

    ``until``: when it expires (UTC, ISO 8601). ``nonce``: its secret is computed from this and
    the key of the installation.
    """

    kind: str
    circle: str
    match: str
    nonce: str
    until: str


class Doors(StorePart):
    """The phones and invitations in ``store``."""

    def greet(self, phone: str) -> None:
        """Store a phone that has just received its cookie."""
        self._write("INSERT INTO phones VALUES (?, ?)", (phone, now()))

    def knows(self, phone: str) -> bool:
        """Whether the phone is stored."""
        return bool(self._rows("SELECT 1 FROM phones WHERE id = ?", (phone,)))

    def at(self, match: str) -> list[Seating]:
        """The phones at a table, in the order in which they came."""
        query = "SELECT * FROM seatings WHERE match = ? ORDER BY since, phone"
        return [Seating(*row) for row in self._rows(query, (match,))]

    def standing(self, match: str, phone: str) -> tuple[str, bool, str, list[Seating]] | None:
        """All that decides what a phone may do at a match, in one query; None without the match.

        Returns the circle of the match, whether the phone is a member of it, until when a code of
        the table is valid ("" if there is none), and the phones at the table.
        """
        rows = self._rows(
            "SELECT matches.circle, EXISTS (SELECT 1 FROM members"
            " WHERE members.circle = matches.circle AND members.phone = ?),"
            " (SELECT max(until) FROM invites WHERE invites.kind = 'code'"
            " AND invites.circle = matches.circle AND invites.match = matches.id),"
            " seatings.* FROM matches LEFT JOIN seatings ON seatings.match = matches.id"
            " WHERE matches.id = ? ORDER BY seatings.since, seatings.phone",
            (phone, match),
        )
        if not rows:
            return None
        circle, member, until = rows[0][:3]
        there = [Seating(*row[3:]) for row in rows if row[3] is not None]
        return circle, bool(member), until or "", there

    @retried
    def seat(self, match: str, phone: str, role: str, place: int = 0, sign: str = "") -> None:
        """Set role and seat of a phone at a table; raises ``SeatTaken``."""
        try:
            with self._transaction() as db:
                db.execute(
                    "INSERT INTO seatings VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (match, phone)"
                    " DO UPDATE SET role = excluded.role, place = excluded.place,"
                    " sign = excluded.sign",
                    (match, phone, role, place, sign, now()),
                )
        except Taken as fault:
            raise SeatTaken(place) from fault

    def let_in(self, phone: str, sign: str) -> str | None:
        """The match at which the phone that displayed ``sign`` was let in; None before that."""
        rows = self._rows(
            "SELECT match FROM seatings WHERE phone = ? AND sign = ? AND role != 'knocking'"
            " ORDER BY since DESC LIMIT 1",
            (phone, sign),
        )
        return str(rows[0][0]) if rows else None

    @retried
    def bring_along(self, match: str) -> None:
        """Give phones the seats of the people for whom they played earlier this evening."""
        with self._transaction() as db:
            earlier = db.execute(
                "SELECT phone, new.place FROM seatings"
                " JOIN players AS old USING (match, place)"
                " JOIN players AS new ON new.person = old.person AND new.match = ?"
                " JOIN matches ON matches.id = seatings.match"
                " WHERE role IN ('host', 'seated') AND seatings.match != ?"
                " AND session = (SELECT session FROM matches WHERE id = ?)"
                " ORDER BY seatings.since DESC",
                (match, match, match),
            ).fetchall()
            at = now()
            for phone, place in earlier:  # of two phones for a seat, the one seated last gets it
                db.execute(
                    "UPDATE seatings SET place = ?1 WHERE match = ?2 AND phone = ?3 AND place = 0"
                    " AND NOT EXISTS (SELECT 1 FROM seatings AS other"
                    " WHERE other.match = ?2 AND other.place = ?1)",
                    (place, match, phone),
                )
                db.execute(
                    "INSERT INTO seatings VALUES (?, ?, 'seated', ?, '', ?) ON CONFLICT DO NOTHING",
                    (match, phone, place, at),
                )

    def leave(self, match: str, phone: str) -> None:
        """Remove a phone from one table."""
        self._write("DELETE FROM seatings WHERE match = ? AND phone = ?", (match, phone))

    @retried
    def expel(self, match: str, phone: str) -> None:
        """Remove a phone from all tables of the circle that ``match`` belongs to.

        Links and codes of all these tables become invalid, because the phone may have kept some.
        """
        with self._transaction() as db:
            db.execute(
                "DELETE FROM seatings WHERE phone = ? AND match IN (SELECT id FROM matches"
                " WHERE circle = (SELECT circle FROM matches WHERE id = ?))",
                (phone, match),
            )
            db.execute(
                "DELETE FROM invites WHERE kind IN ('table', 'code')"
                " AND circle = (SELECT circle FROM matches WHERE id = ?)",
                (match,),
            )

    def tables(self, phone: str, most: int = -1) -> list[Listed]:
        """The matches at which a phone is, newest first, without hidden ones.

        At most ``most`` (-1: all); a phone that only knocks is not there yet.
        """
        rows = self._rows(
            "SELECT id, header, opened FROM matches JOIN seatings ON seatings.match = id"
            " WHERE phone = ? AND role != 'knocking'"
            " AND NOT EXISTS (SELECT 1 FROM hidden WHERE hidden.match = id)"
            " ORDER BY opened DESC, id LIMIT ?",
            (phone, most),
        )
        return [Listed(*row) for row in rows]

    def onward(self, match: str, phone: str) -> str | None:
        """The newest match of the same evening after ``match`` at which ``phone`` is; or None."""
        rows = self._rows(
            "SELECT later.id FROM matches AS earlier"
            " JOIN matches AS later ON later.session = earlier.session"
            " AND later.opened > earlier.opened"
            " JOIN seatings ON seatings.match = later.id"
            " WHERE earlier.id = ? AND phone = ? AND role != 'knocking'"
            " AND NOT EXISTS (SELECT 1 FROM hidden WHERE hidden.match = later.id)"
            " ORDER BY later.opened DESC LIMIT 1",
            (match, phone),
        )
        return next((found for (found,) in rows), None)

    @retried
    def invite(self, secret: str, invite: Invite) -> None:
        """Store an invitation under the SHA-256 of its secret; delete those that have expired."""
        with self._transaction() as db:
            db.execute("DELETE FROM invites WHERE until < ?", (now(),))
            db.execute("INSERT INTO invites VALUES (?, ?, ?, ?, ?, ?)", (secret, *invite))

    def invitation(self, secret: str) -> Invite | None:
        """The invitation with this SHA-256 of its secret; None if there is none or it expired."""
        rows = self._rows(
            "SELECT kind, circle, match, nonce, until FROM invites WHERE hash = ? AND until >= ?",
            (secret, now()),
        )
        return Invite(*rows[0]) if rows else None

    def standing_invite(self, kind: str, circle: str, match: str) -> Invite | None:
        """The valid invitation of this kind that expires last; None if there is none.

        ``match`` is "" for one to a circle.
        """
        rows = self._rows(
            "SELECT kind, circle, match, nonce, until FROM invites"
            " WHERE kind = ? AND circle = ? AND match = ? AND until >= ?"
            " ORDER BY until DESC LIMIT 1",
            (kind, circle, match, now()),
        )
        return Invite(*rows[0]) if rows else None

    @retried
    def withdraw(self, circle: str, match: str, *kinds: str) -> None:
        """Delete the invitations of these kinds to a match (``match`` "": to the circle)."""
        with self._transaction() as db:
            for kind in kinds:
                db.execute(
                    "DELETE FROM invites WHERE circle = ? AND match = ? AND kind = ?",
                    (circle, match, kind),
                )

    def guesses(self, since: str, until: str) -> list[str]:
        """The guessers who typed codes between two times: an item for each code."""
        query = "SELECT who FROM guesses WHERE at BETWEEN ? AND ?"
        return [row[0] for row in self._rows(query, (since, until))]

    @retried
    def guess(
        self, guesser: str, at: str, since: str, until: str, own: int, most: int
    ) -> int | None:
        """Count a typed code, and return the number of its place for ``forget_guess``.

        None if ``guesser`` has typed ``own`` codes between ``since`` and ``until``, or all guessers
        together ``most``. Counts from other times are deleted: those after ``until`` come from a
        clock that was wrong. Each count occupies one of ``most`` numbered places, so that
        concurrent transactions can't count more.
        """
        with self._transaction() as db:
            db.execute("DELETE FROM guesses WHERE at NOT BETWEEN ? AND ?", (since, until))
            taken = {row[0] for row in db.execute("SELECT place FROM guesses").fetchall()}
            for place in range(most):
                if place not in taken:
                    wrote = db.execute(
                        "INSERT INTO guesses (place, who, at) SELECT CAST(?1 AS INTEGER),"
                        " CAST(?2 AS TEXT), CAST(?3 AS TEXT) WHERE"
                        " (SELECT count(*) FROM guesses WHERE who = ?2) < ?4"
                        " ON CONFLICT (place) DO NOTHING",
                        (place, guesser, at, own),
                    )
                    if wrote.rowcount:
                        return place
        return None

    def forget_guess(self, place: int) -> None:
        """Delete the count that occupies this place."""
        self._write("DELETE FROM guesses WHERE place = ?", (place,))
