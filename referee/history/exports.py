"""Results for other programs: spreadsheets (CSV), datasette (SQLite)."""

from __future__ import annotations

import csv
import io
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from referee import zones
from referee.core.record import parse_header
from referee.core.written import as_json
from referee.games import GAMES, game_of
from referee.headers import spelled
from referee.kit.beside import loaded
from referee.kit.shipped import beside
from referee.rulings import book_of
from referee.store.archive import Archive, ArchivedMatch
from referee.store.past import Past
from referee.store.played import PlayedMatch

OPENED = ("opened_utc", "date", "time", "utc_offset")
TEXTS = ("match", *OPENED, "game", "name", "unit")  # columns without numbers
PIECE = 16 * 1024  # characters per piece
COLUMNS = [
    *("match", *OPENED, "game", "players", "place", "name", "points", "rank", "won", "over"),
    *("minutes", "corrections", "rulings", "stopped", "sheets", "unit", "adjusted", "kept"),
]


def rows(matches: Iterable[PlayedMatch], zone: str) -> Iterable[dict[str, str | float | None]]:
    """A row for each match and seat. Date and time are those of ``zone``, as everywhere else.

    ``place``: the place of the seat in turn order, 1-based.

    ``stopped``: the match ended before it was decided; ``sheets``: some deal was entered as its
    sheet. ``unit``: what the score counts: points, points of which fewer are
    better (fewest), wins or flags. ``adjusted``: the points that the table has given by agreement,
    None without any. ``kept``: the result is that of earlier rules.
    """
    for match in matches:
        opened = zones.local(match.opened, zone)
        for placing in sorted(match.placings, key=lambda placing: placing.place):
            yield {
                "match": match.match,
                "opened_utc": match.opened,
                "date": opened.date().isoformat(),
                "time": f"{opened:%H:%M}",
                "utc_offset": zones.offset(opened),
                "game": match.game,
                "players": len(match.placings),
                "place": placing.place,
                "name": placing.name,
                "points": as_json(placing.points),
                "rank": placing.rank,
                "won": int(placing.won),
                "over": int(match.over),
                "minutes": match.millis and round(match.millis / 60_000, 1),
                "corrections": match.corrections,
                "rulings": match.rulings,
                "stopped": int(match.stopped),
                "sheets": int(match.by_sheet),
                "unit": match.unit,
                "adjusted": None if placing.adjusted is None else as_json(placing.adjusted),
                "kept": int(match.kept),
            }


def csv_pieces(matches: Iterable[PlayedMatch], zone: str) -> Iterator[str]:
    """``rows`` as CSV (RFC 4180), in pieces.

    It begins with a byte order mark, without which Excel guesses the encoding.
    """
    text = io.StringIO()
    text.write("\ufeff")
    table = csv.DictWriter(text, COLUMNS)
    table.writeheader()
    for row in rows(matches, zone):
        table.writerow(row | {"name": _plain(str(row["name"]))})
        if text.tell() > PIECE:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


def as_csv(matches: Iterable[PlayedMatch], zone: str) -> str:
    """``csv_pieces`` in one piece."""
    return "".join(csv_pieces(matches, zone))


def _plain(name: str) -> str:
    """``name`` as plain text: a spreadsheet would run what looks like a formula."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@", "\t", "\r") else name


def as_database(path: Path, archive: Archive, past: Past) -> Generator[None, None, None]:
    """Write the history of the group as a SQLite file with foreign keys, for datasette.

    The file is complete when the generator is exhausted. It yields after each match, so that other
    work takes its turn; closing it gives the file up.
    """
    with closing(Database(path)) as db:
        # it is only a copy: if a power cut damages it, it can be exported again
        db.execute("PRAGMA synchronous = OFF")
        with db.atomic():
            _create_tables(db)
            yield from _fill(db, archive, past)
        db.create_view(
            "standings",
            "SELECT name, game, players, unit, count(*) AS matches, sum(won) AS won,"
            " avg(points) AS average, max(points) AS best FROM results WHERE over = 1"
            " GROUP BY name, game, players, unit",
        )


def _create_tables(db: Database) -> None:
    db.table("sessions").create({"began": str, "place": str, "note": str}, pk="began")
    db.table("people").create({"name": str, "played": str, "retired": int}, pk="name")
    db.table("games").create({"id": str, "name": str, "title": str}, pk="id")
    db.table("matches").create(
        {"id": str, "opened": str, "session": str, "game": str, "seats": str, "record": str}
        | {"hidden": int},
        pk="id",
        foreign_keys=[("session", "sessions", "began"), ("game", "games", "id")],
    )
    db.table("entries").create(
        {"match": str, "seq": int, "line": str, "verdict": str, "clause": str, "at": str},
        pk=("match", "seq"),
        foreign_keys=[("match", "matches", "id")],
    )
    db.table("results").create(
        {name: str if name in TEXTS else int for name in COLUMNS} | {"minutes": float},
        pk=("match", "place"),
        foreign_keys=[("match", "matches", "id"), ("game", "games", "id")],
    )
    db.table("results").create_index(["name", "game"])


def _fill(db: Database, archive: Archive, past: Past) -> Iterator[None]:
    contents = archive.contents()
    db.table("sessions").insert_all(e._asdict() for e in contents.evenings.values())
    db.table("people").insert_all(m._asdict() for m in contents.people.values())
    db.table("games").insert_all(
        {"id": game.NAME, "name": book_of(game).title.en, "title": book_of(game).title.ja}
        for game in (*GAMES.values(), *(loaded(row.text) for row in archive.games()))
    )
    yield
    # The other tables can have millions of rows, for which insert_all takes three times as long.
    for match in archive.each(contents):
        db.conn.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?)", _head(match, archive))
        db.conn.executemany(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
            [
                (match.id, seq, line, verdict, clause, at)
                for seq, line, _key, verdict, clause, _rules, at in match.entries
            ],
        )
        yield
    fields = ", ".join(f":{name}" for name in COLUMNS)
    known = {of for (of,) in db.conn.execute("SELECT id FROM games")}
    for row in rows(past.each(), archive.zone()):
        game = str(row["game"])
        if game not in known:  # what the people call a game of theirs
            known.add(game)
            name = spelled(game, past.latest_header(game))
            db.conn.execute("INSERT INTO games VALUES (?, ?, ?)", (game, name, name))
        db.conn.execute(f"INSERT INTO results VALUES ({fields})", row)
        yield


def _head(match: ArchivedMatch, archive: Archive) -> tuple[str | int | None, ...]:
    game = game_of(parse_header(match.header, GAMES, archive.file, beside)).NAME
    seats = ", ".join(name or seat for seat, name in match.seats.items())
    head = (match.id, match.opened, match.session, game, seats, match.header)
    return (*head, int(match.hidden))
