"""Seats of a match: their present and former players, corrected names, another order.

The record of a match keeps the names that were entered when it was opened. ``players`` has the
present person of each seat, ``former_players`` the earlier ones, up to which entry.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from referee.store.engine import Transaction, retried
from referee.store.gathering import known_as, now
from referee.store.hidden import recount
from referee.store.log import Clash, StorePart, tail_in
from referee.store.people import NameInUse

PLACED = ("players", "former_players", "revised_results")
"""Tables with a row for each seat, whose place must be positive."""


class Former(NamedTuple):
    """The player who had the seat at ``place`` (1-based) up to entry ``until``.

    ``name``: None if the person was deleted on request.
    """

    match: str
    place: int
    until: int
    name: str | None


class Seats(StorePart):
    """The seats of the matches in ``store``."""

    def former(self, matches: Sequence[str]) -> list[Former]:
        """The former players of these matches, by match, place, and entry at which they left."""
        rows = self._rows(
            "SELECT former.match, former.place, until, people.name,"
            " CASE WHEN former.person = players.person THEN 1 ELSE 0 END"
            " FROM former_players AS former"
            " JOIN players USING (match, place)"
            " LEFT JOIN people ON people.id = former.person"
            " WHERE former.match IN (SELECT value FROM json_each(?))"
            " ORDER BY former.match, former.place, until",
            (json.dumps(matches),),
        )
        found: list[Former] = []
        for _, seat in groupby(rows, key=lambda row: row[:2]):
            *parts, last = [[*part] for _, part in groupby(seat, key=lambda row: row[4])]
            # of two people who became one, the earlier has not left; a player can come back, though
            found += [Former(*row[:4]) for part in parts for row in part]
            found += [Former(*row[:4]) for row in last if not row[4]]
        return found

    @retried
    def replace(self, match: str, place: int, until: int, name: str) -> None:
        """Give the seat at ``place`` to ``name`` after entry ``until``.

        Its phone loses the seat. Does nothing if ``name`` has the seat. Raises ``NameInUse`` if
        another seat of the match has this name, and ``Clash`` if the log is not that long, or the
        seat passed on later.
        """
        with self._transaction() as db:
            holders = _holders(db, match)
            if holders[place] == name:
                return
            _require_free(holders, place, name)
            latest, former = db.execute(
                "SELECT max(until), max(players.person) FROM players"
                " LEFT JOIN former_players USING (match, place)"
                " WHERE players.match = ? AND players.place = ?",
                (match, place),
            ).fetchone()
            if until > tail_in(db, match) or until < (latest or 0):
                raise Clash(match)
            # otherwise the present player has entered nothing and is simply replaced
            if until and until != latest:
                db.execute(
                    "INSERT INTO former_players VALUES (?, ?, ?, ?)", (match, place, until, former)
                )
            _sit(db, match, {place: name})
            db.execute(
                "DELETE FROM former_players WHERE match = ?1 AND place = ?2 AND until = ?3"
                " AND person = (SELECT person FROM players WHERE match = ?1 AND place = ?2)",
                (match, place, until),
            )
            db.execute(
                "UPDATE seatings SET place = 0, role ="
                " CASE role WHEN 'seated' THEN 'watching' ELSE role END"
                " WHERE match = ? AND place = ?",
                (match, place),
            )

    @retried
    def call(self, match: str, names: Mapping[int, str]) -> None:
        """Give seats to other people from the beginning on: place (1-based) → name.

        A name that another seat has goes to both in exchange if ``names`` has both places. People
        who now have no match at all are removed. Raises ``NameInUse``.
        """
        with self._transaction() as db:
            holders = {**_holders(db, match), **names}
            for place in names:
                _require_free(holders, place, holders[place])
            _sit(db, match, names)

    @retried
    def reorder(self, match: str, order: Sequence[int], header: str, tail: int) -> None:
        """Put the seats in another order: ``order`` has the present place of each new place.

        ``header``: the header with this order. Phones stay with their people. Raises ``Clash`` if
        the log has grown since entry ``tail``.
        """
        with self._transaction() as db:
            if tail_in(db, match) != tail:
                raise Clash(match)
            db.execute("UPDATE matches SET header = ? WHERE id = ?", (header, match))
            for table, moved in (("seatings", "-"), *((other, "") for other in PLACED)):
                # places must differ and be positive at every moment, so they are moved out of the
                # way first
                away = len(order) if not moved else 0
                for new, old in enumerate(order, 1):
                    db.execute(
                        f"UPDATE {table} SET place = {moved}? WHERE match = ? AND place = ?",
                        (new + away, match, old),
                    )
                back = "-place" if moved else f"place - {away}"
                beyond = "place < 0" if moved else f"place > {away}"
                db.execute(
                    f"UPDATE {table} SET place = {back} WHERE match = ? AND {beyond}", (match,)
                )
            _renamed(db, match)


def _holders(db: Transaction, match: str) -> dict[int, str]:
    """The names at a table by place, as they are shown."""
    rows = db.execute(
        "SELECT place, coalesce(name, seat) FROM players LEFT JOIN people ON people.id = person"
        " WHERE match = ?",
        (match,),
    )
    return dict(rows.fetchall())


def _require_free(holders: Mapping[int, str], place: int, name: str) -> None:
    if any(other != place and held == name for other, held in holders.items()):
        raise NameInUse(name)


def _sit(db: Transaction, match: str, names: Mapping[int, str]) -> None:
    """Give the seats at these places to the people with these names, new ones included.

    People who then have no match at all are deleted.
    """
    [circle] = db.execute("SELECT circle FROM matches WHERE id = ?", (match,)).fetchone()
    before = db.execute("SELECT person FROM players WHERE match = ?", (match,)).fetchall()
    at = now()
    for place, name in names.items():
        known_as(db, circle, name, at)
        db.execute(
            "UPDATE players SET person = (SELECT id FROM people WHERE circle = ? AND name = ?)"
            " WHERE match = ? AND place = ?",
            (circle, name, match, place),
        )
    for (person,) in before:
        db.execute(
            "DELETE FROM people WHERE id = ?1"
            " AND NOT EXISTS (SELECT 1 FROM players WHERE person = ?1)"
            " AND NOT EXISTS (SELECT 1 FROM former_players WHERE person = ?1)"
            " AND NOT EXISTS (SELECT 1 FROM desk_people WHERE person = ?1)",
            (person,),
        )
    _renamed(db, match)


def _renamed(db: Transaction, match: str) -> None:
    """Let every server read the match again, and the statistics count it again."""
    db.execute("UPDATE matches SET named = named + 1 WHERE id = ?", (match,))
    recount(db, match)
