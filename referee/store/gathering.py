"""The rows that opening a match stores besides its header: its players, and its evening.

Also the form of times and ids for all modules of the store.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from referee.store.engine import Transaction

NOBODYS = ""
"""The circle of matches that no circle has adopted."""
EVENING = timedelta(hours=6)
"""A longer pause than this begins another evening."""
SHARP = "00.000"
"""The seconds of a match of an earlier day, which counts as opened at noon sharp."""


def now() -> str:
    """The present time as it is stored: UTC in ISO 8601, with milliseconds."""
    return _iso(datetime.now(UTC))


def of_today(moment: str) -> str:
    """``moment`` as a match played now stores it: a millisecond later if ``of_earlier_day``."""
    return moment[:17] + "00.001" + moment[23:] if of_earlier_day(moment) else moment


def of_earlier_day(opened: str) -> bool:
    """Whether a match stored with this opening was played on a day that a person entered.

    The times of its entries say nothing about its duration.
    """
    return opened[17:23] == SHARP


def after_others(db: Transaction, circle: str, opened: str) -> str:
    """``opened``; for a match of an earlier day the first minute from then on that is free.

    All matches that are entered for a day begin at the same time. Without it, lists would show them
    in any order.
    """
    same = "SELECT 1 FROM matches WHERE circle = ? AND opened = ?"
    while of_earlier_day(opened) and db.execute(same, (circle, opened)).fetchone():
        opened = _iso(datetime.fromisoformat(opened) + timedelta(minutes=1))
    return opened


def new_id() -> str:
    """A random id of 128 bits for addresses: 22 characters of A–Z, a–z, 0–9, "-" and "_".

    It does not begin with "-": a command would read an option, a spreadsheet a formula.
    """
    text = secrets.token_urlsafe(16)
    return new_id() if text.startswith("-") else text


def enrol(
    db: Transaction,
    circle: str,
    match: str,
    seats: Sequence[str],
    opened: str,
    nobodys: Collection[str] = (),
) -> None:
    """Store the players of ``match`` by their names in turn order.

    A name that the circle does not have becomes a new person of it; the seats ``nobodys`` are those
    of no person.
    """
    for place, name in enumerate(seats, 1):
        if name in nobodys:
            db.execute("INSERT INTO players VALUES (?, ?, ?, NULL)", (match, name, place))
        else:
            seat_at(db, circle, match, place, name, opened)


def seat_at(db: Transaction, circle: str, match: str, place: int, name: str, opened: str) -> None:
    """Store that ``name`` has the seat at ``place``."""
    known_as(db, circle, name, opened)
    db.execute(
        "INSERT INTO players SELECT ?, name, ?, id FROM people WHERE circle = ? AND name = ?",
        (match, place, circle, name),
    )


class Newcomers(NamedTuple):
    """Who has joined a match, behind the first ``after`` places."""

    after: int
    names: Sequence[str]


def joined(db: Transaction, match: str, newcomers: Newcomers, circle: str, opened: str) -> None:
    """Store that ``newcomers`` are the players of ``match`` behind its first ones.

    Who has joined already keeps the person, and who has not any more loses the seat.
    """
    after, names = newcomers
    rows = db.execute("SELECT seat FROM players WHERE match = ? AND place > ?", (match, after))
    seated = {seat for (seat,) in rows.fetchall()}
    for name in seated - {*names}:
        db.execute("DELETE FROM players WHERE match = ? AND seat = ?", (match, name))
    for place, name in enumerate(names, after + 1):
        if name in seated:
            values = (place, match, name)
            db.execute("UPDATE players SET place = ? WHERE match = ? AND seat = ?", values)
        else:
            seat_at(db, circle, match, place, name, opened)


def known_as(db: Transaction, circle: str, name: str, played: str) -> None:
    """Make ``name`` a person of the circle who plays and has played at this time."""
    db.execute(
        "INSERT INTO people (circle, name, played) VALUES (?, ?, ?) ON CONFLICT (circle, name)"
        " DO UPDATE SET retired = 0, played = CASE WHEN people.played < excluded.played"
        " THEN excluded.played ELSE people.played END",
        (circle, name, played),
    )


def seat_was_of(
    db: Transaction, match: str, place: int, until: int, name: str | None, opened: str
) -> None:
    """Store who had the seat at ``place`` up to entry ``until``; None: someone who was removed."""
    [circle] = db.execute("SELECT circle FROM matches WHERE id = ?", (match,)).fetchone()
    if name is not None:
        known_as(db, circle, name, opened)
    db.execute(
        "INSERT INTO former_players VALUES (?, ?, ?,"
        " (SELECT id FROM people WHERE circle = ? AND name = ?))",
        (match, place, until, circle, name),
    )


def session_at(db: Transaction, circle: str, opened: str) -> int:
    """The id of the evening of a match that was opened at ``opened``; creates one if needed.

    An evening continues while the last opening or entry is less than ``EVENING`` ago. Entries of
    a match ``of_earlier_day`` were made on another day.
    """
    moment = datetime.fromisoformat(opened)
    day_ago, since, until = (_iso(moment + n * EVENING) for n in (-4, -1, 1))
    found = []
    for begin, end, order in ((day_ago, opened, "DESC"), (opened, until, "ASC")):
        nearest = db.execute(
            "SELECT opened, session FROM matches WHERE circle = ? AND session IS NOT NULL"
            " AND opened > ? AND opened <= ? AND (opened >= ? OR substr(opened, 18, 6) <> ?"
            " AND (SELECT max(at) FROM entries WHERE match = matches.id) >= ?)"
            f" ORDER BY opened {order} LIMIT 1",
            (circle, begin, end, since, SHARP, since),
        ).fetchone()
        if nearest:
            found.append((abs(datetime.fromisoformat(nearest[0]) - moment), nearest[1]))
    if found:
        session = min(found)[1]
        db.execute(
            "UPDATE sessions SET began = ? WHERE id = ? AND began > ?", (opened, session, opened)
        )
        return int(session)
    new = db.execute(
        "INSERT INTO sessions (circle, began) VALUES (?, ?) RETURNING id", (circle, opened)
    )
    [(session,)] = new.fetchall()
    return int(session)


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
