"""Phones: where they sit, and the invitations that let them in.

A phone is known by the SHA-256 of its cookie, an invitation by that of its secret.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.store.engine import Taken, retried
from referee.store.gathering import now
from referee.store.log import Listed, Store


class SeatTaken(ValueError):
    """Another phone has this seat."""


class Seating(NamedTuple):
    """A phone at a table. ``role``: "host" (opened it), "seated", "watching" or "knocking".

    ``place`` is that of its seat, 1-based in turn order, 0 for none. ``sign`` is what a knocking
    phone shows, so that the table knows which one it lets in.
    """

    match: str
    phone: str
    role: str
    place: int
    sign: str
    since: str


class Invite(NamedTuple):
    """What an invitation opens. ``kind``: "table", "code" (typed), "circle" or "claim"."""

    kind: str
    circle: str
    match: str
    nonce: str
    until: str


class Doors:
    """The phones and invitations in ``store``."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @retried
    def greet(self, phone: str) -> None:
        """Note a phone that has just been given its cookie."""
        with self._store._transaction() as db:
            db.execute("INSERT INTO phones VALUES (?, ?)", (phone, now()))

    def knows(self, phone: str) -> bool:
        """Whether a phone was greeted here."""
        return bool(self._store._rows("SELECT 1 FROM phones WHERE id = ?", (phone,)))

    def at(self, match: str) -> list[Seating]:
        """The phones at a table, those that came first first."""
        query = "SELECT * FROM seatings WHERE match = ? ORDER BY since, phone"
        return [Seating(*row) for row in self._store._rows(query, (match,))]

    def standing(self, match: str, phone: str) -> tuple[str, bool, str, list[Seating]] | None:
        """The circle of a match, whether the phone is a member of it, until when a code of the
        table can be typed ("" if none was given out), and the phones there.

        None if there is no such match. All in one query: every request asks it.
        """
        rows = self._store._rows(
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
        """Put a phone at a table, or somewhere else at it; raises ``SeatTaken``."""
        try:
            with self._store._transaction() as db:
                db.execute(
                    "INSERT INTO seatings VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (match, phone)"
                    " DO UPDATE SET role = excluded.role, place = excluded.place,"
                    " sign = excluded.sign",
                    (match, phone, role, place, sign, now()),
                )
        except Taken as fault:
            raise SeatTaken(place) from fault

    @retried
    def bring_along(self, match: str) -> None:
        """Seat the phones that sat with the same people earlier in the same evening."""
        with self._store._transaction() as db:
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
            for phone, place in earlier:  # where two contend, the one that sat down last sits
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

    @retried
    def leave(self, match: str, phone: str) -> None:
        """Take a phone away from one table."""
        with self._store._transaction() as db:
            db.execute("DELETE FROM seatings WHERE match = ? AND phone = ?", (match, phone))

    @retried
    def expel(self, match: str, phone: str) -> None:
        """Take a phone away from all tables of the circle that ``match`` belongs to.

        It may have kept links and codes: those of all these tables are worthless from now on.
        """
        with self._store._transaction() as db:
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
        """The matches at which a phone is, those opened last first."""
        rows = self._store._rows(
            "SELECT id, header, opened FROM matches JOIN seatings ON match = id"
            " WHERE phone = ? AND role != 'knocking' ORDER BY opened DESC, id LIMIT ?",
            (phone, most),
        )
        return [Listed(*row) for row in rows]

    @retried
    def invite(self, secret: str, invite: Invite) -> None:
        """Let ``secret`` (its SHA-256) open what ``invite`` says, and forget what has run out."""
        with self._store._transaction() as db:
            db.execute("DELETE FROM invites WHERE until < ?", (now(),))
            db.execute("INSERT INTO invites VALUES (?, ?, ?, ?, ?, ?)", (secret, *invite))

    def invitation(self, secret: str) -> Invite | None:
        """What a secret (its SHA-256) opens now."""
        rows = self._store._rows(
            "SELECT kind, circle, match, nonce, until FROM invites WHERE hash = ? AND until >= ?",
            (secret, now()),
        )
        return Invite(*rows[0]) if rows else None

    def standing_invite(self, kind: str, circle: str, match: str) -> Invite | None:
        """The invitation of a kind that holds longest."""
        rows = self._store._rows(
            "SELECT kind, circle, match, nonce, until FROM invites"
            " WHERE kind = ? AND circle = ? AND match = ? AND until >= ?"
            " ORDER BY until DESC LIMIT 1",
            (kind, circle, match, now()),
        )
        return Invite(*rows[0]) if rows else None

    @retried
    def withdraw(self, circle: str, match: str, *kinds: str) -> None:
        """Make the invitations of these kinds worthless at once."""
        with self._store._transaction() as db:
            for kind in kinds:
                db.execute(
                    "DELETE FROM invites WHERE circle = ? AND match = ? AND kind = ?",
                    (circle, match, kind),
                )

    def guesses(self, since: str) -> list[str]:
        """Who has typed a code since then, once for each code."""
        return [
            row[0] for row in self._store._rows("SELECT who FROM guesses WHERE at >= ?", (since,))
        ]

    @retried
    def guess(self, who: str, at: str, since: str, own: int, most: int) -> int | None:
        """Count a code; None if there have been ``own`` of ``who`` since then, or ``most`` in all.

        A count is one of ``most`` numbered places, so that writers who do not see each other
        can't take more.
        """
        with self._store._transaction() as db:
            db.execute("DELETE FROM guesses WHERE at < ?", (since,))
            taken = {row[0] for row in db.execute("SELECT place FROM guesses").fetchall()}
            for place in range(most):
                if place not in taken:
                    wrote = db.execute(
                        "INSERT INTO guesses (place, who, at) SELECT CAST(?1 AS INTEGER),"
                        " CAST(?2 AS TEXT), CAST(?3 AS TEXT) WHERE"
                        " (SELECT count(*) FROM guesses WHERE who = ?2) < ?4"
                        " ON CONFLICT (place) DO NOTHING",
                        (place, who, at, own),
                    )
                    if wrote.rowcount:
                        return place
        return None

    @retried
    def forget_guess(self, place: int) -> None:
        """Give a place back."""
        with self._store._transaction() as db:
            db.execute("DELETE FROM guesses WHERE place = ?", (place,))
