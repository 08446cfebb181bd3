"""Many unused circles: the rest of a large store in which one circle is measured.

Circle ``c7`` has the phone ``p7``, the people 71 to 80 and the matches ``c7m1`` to ``c7m10`` of one
evening, number 7. Their lines are never replayed.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.games import GAMES
from referee.store import Store

MATCHES, ENTRIES = 10, 12  # in each circle, in each match

FILLED = (
    "INSERT INTO phones SELECT 'p' || i, '' FROM {circles}",
    "INSERT INTO circles (id, name, since) SELECT 'c' || i, '', '' FROM {circles}",
    "INSERT INTO members SELECT 'c' || i, 'p' || i, '', '' FROM {circles}",
    "INSERT INTO sessions (id, circle, began) SELECT i, 'c' || i, {day} FROM {circles}",
    "INSERT INTO people (id, circle, name, played) SELECT 10 * i + j, 'c' || i, 'n' || j, {day}"
    " FROM {circles}, {matches}",
    "INSERT INTO matches (id, header, opened, circle, session)"
    " SELECT 'c' || i || 'm' || j, 'game: {game}', {day}, 'c' || i, i"
    " FROM {circles}, {matches}",
    "INSERT INTO players SELECT 'c' || i || 'm' || j, 's', 1, 10 * i + j FROM {circles}, {matches}",
    "INSERT INTO seatings SELECT 'c' || i || 'm' || j, 'p' || i, 'host', 1, '', ''"
    " FROM {circles}, {matches}",
    "INSERT INTO entries SELECT 'c' || i || 'm' || j, k, 'A lay 1', 'key' || k, 'legal', '', '',"
    " {day} FROM {circles}, {matches}, {entries}",
    "INSERT INTO digests SELECT 'c' || i || 'm' || j, 'c' || i, i, {day}, '{game}', 1, 12, 1, 1, 0,"
    " 0, 60000, 'points', 0, 0, 0, '1', 0 FROM {circles}, {matches}",
    "INSERT INTO results SELECT 'c' || i || 'm' || j, 1, 10 * i + j, {day}, '{game}', 1, 1, 5, 1,"
    " 1, 0, 12, 60000, 'points', 0, NULL, 0 FROM {circles}, {matches}",
    "INSERT INTO totals SELECT 10 * i + j, '{game}', 1, 'points', 1, 1, 0, 0, 5, 0, 12, 60000"
    " FROM {circles}, {matches}",
    "INSERT INTO tallies SELECT i, 10 * i + j, 1, 1, 0 FROM {circles}, {matches}",
    "INSERT INTO feats SELECT 'c' || i || 'm' || j, 1, 'trick', '', 5, 10 * i + j, '{game}'"
    " FROM {circles}, {matches}",
    "INSERT INTO ratings SELECT 'c' || i, {day}, 'c' || i || 'm' || j, 10 * i + j, 25, 8"
    " FROM {circles}, {matches}",
    "DELETE FROM outdated WHERE match LIKE 'c%m%'",
)


def fill(store: Store, circles: int, first: Sequence[str] = ()) -> int:
    """Write that many circles, in a transaction that begins with the statements ``first``; answers
    how many entries they have.
    """

    def upto(name: str, most: int) -> str:
        return (
            f"(WITH RECURSIVE n({name}) AS (SELECT 1 UNION ALL SELECT {name} + 1 FROM n"
            f" WHERE {name} < {most}) SELECT {name} FROM n) AS of_{name}"
        )

    tables = {
        "game": next(iter(GAMES)),
        "circles": upto("i", circles),
        "matches": upto("j", MATCHES),
        "entries": upto("k", ENTRIES),
        "day": "'2026-01-0' || (1 + i % 9) || 'T10:00:00.000+00:00'",
    }
    with store._transaction() as db:
        for statement in (*first, *FILLED):
            db.execute(statement.format(**tables))
    store.engine.renumber(("sessions", "people"))
    return circles * MATCHES * ENTRIES
