"""The history of a circle as a file, and back: nothing that is kept of a match gets lost.

The file is JSON, with one match to a line, gzipped where it is large. Facts only: a line of the
log with the verdict that was given for it and the time. What the numbers come to (``result``) is
written for those who read the file with other programs; it is not read back.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from referee.core.game import Find
from referee.core.naming import usable
from referee.core.record import Grammar, Unreadable, parse_header, print_header
from referee.games import GAMES
from referee.history.records import CALENDAR, room
from referee.jukugo.decks import read_deck
from referee.store import Stored
from referee.store.archive import (
    AgreedWord,
    Archive,
    ArchivedDeck,
    ArchivedEvening,
    ArchivedMatch,
    ArchivedPerson,
    batches,
)
from referee.store.past import Past, Played

FORMAT, VERSION = "referee-history", 1
BATCH = 50  # matches to a transaction: plays at the tables wait no longer than that
MOST_BYTES = 512 * 1024 * 1024  # unpacked
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""An escape by which half a character can come in: no page could show it."""
BEGINNING = re.compile(rf'\s*\{{[^[]{{0,999}}"format"\s*:\s*"{FORMAT}"')
"""Of a file that is worth being parsed, which takes many times its size."""
VERDICTS = ("legal", "illegal", "unprovable")


class Elsewhere(Exception):
    """The history is that of another circle on the same server."""


class Whole(NamedTuple):
    """What a file holds; everything in it can be read."""

    circle: str
    people: Sequence[ArchivedPerson]
    sessions: Sequence[ArchivedEvening]
    matches: Sequence[ArchivedMatch]
    decks: Sequence[ArchivedDeck] = ()
    words: Sequence[AgreedWord] = ()


def write(archive: Archive, past: Past, circle: str, session: int | None = None) -> Iterator[str]:
    """The history of a circle, or of one of its evenings, piece by piece."""
    contents = archive.contents(session)
    people, evenings = list(contents.people.values()), list(contents.evenings.values())
    decks, words = archive.decks(), archive.words()
    matches: Iterable[ArchivedMatch] = (archive.get(match, contents) for match in contents.matches)
    if session is not None:
        matches = some = list(matches)
        names = {person for match in some for person in match.seats.values()}
        people = [member for member in people if member.name in names]
        evenings = [e for e in evenings if e.began in {match.session for match in some}]
        decks = [deck for deck in decks if any(_names(match.header, deck.id) for match in some)]
        words = [word for word in words if word.match in contents.matches]
    yield f'{{"format": "{FORMAT}", "version": {VERSION}, "circle": {_json(circle)},\n'
    yield f'"people": {_json([member._asdict() for member in people])},\n'
    yield f'"sessions": {_json([evening._asdict() for evening in evenings])},\n'
    yield f'"decks": {_json([deck._asdict() for deck in decks])},\n'
    yield f'"words": {_json([word._asdict() for word in words])},\n"matches": ['
    for i, match in enumerate(matches):
        yield (",\n" if i else "\n") + _json(match_as_json(match, past.get(match.id)))
    yield "\n]}\n"


def match_as_json(match: ArchivedMatch, played: Played | None) -> dict[str, Any]:
    """A match as the file has it."""
    return {
        "id": match.id,
        "opened": match.opened,
        "session": match.session,
        "header": match.header.split("\n"),
        "seats": dict(match.seats),
        "entries": [[e.line, e.verdict, e.clause, e.rules, e.at] for e in match.entries],
        "result": played and result(played),
    }


def result(played: Played) -> dict[str, Any]:
    """What a match came to, for other programs."""
    return {
        "game": played.game,
        "over": bool(played.over),
        "minutes": played.millis and round(played.millis / 60_000, 1),
        "corrections": played.corrections,
        "rulings": played.rulings,
        "places": [
            {"name": p.name, "points": p.points, "rank": p.rank, "won": bool(p.won)}
            for p in played.placings
        ],
    }


def packed(pieces: Iterator[str]) -> Iterator[bytes]:
    """``pieces`` gzipped; the same history gives the same bytes."""
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as file:
        for piece in pieces:
            file.write(piece.encode())
            if buffer.tell() > 64 * 1024:
                yield buffer.getvalue()
                buffer.seek(0)
                buffer.truncate()
    yield buffer.getvalue()


def looks_like(source: bytes) -> bool:
    """Whether ``source`` is such a file and not a record."""
    return source[:2] == b"\x1f\x8b" or source.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"


def read(source: bytes) -> Whole:
    """Read a file; raises ``Unreadable`` with what is wrong, and in which line of a match."""
    try:
        text = _unpacked(source).decode()
        if not BEGINNING.match(text):
            raise ValueError("something else")
        found = json.loads(text)
        if HALF.search(text):
            json.dumps(found, ensure_ascii=False).encode()
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as fault:
        raise Unreadable("read_history") from fault
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise Unreadable("read_history")
    if found.get("version") != VERSION:
        raise Unreadable("read_history_version", version=str(found.get("version"))[:20])
    decks = [_deck(row) for row in _rows(found, "decks")] if "decks" in found else []
    known = {deck.id: deck.csv for deck in decks}
    whole = Whole(
        _text(found, "circle"),
        [
            ArchivedPerson(_name(row), _time(row, "played"), bool(row.get("retired")))
            for row in _rows(found, "people")
        ],
        [
            ArchivedEvening(_time(row, "began"), _text(row, "place"), _text(row, "note"))
            for row in _rows(found, "sessions")
        ],
        [_match(row, known.get) for row in _rows(found, "matches")],
        decks,
        [_word(row) for row in _rows(found, "words")] if "words" in found else [],
    )
    people, evenings = {m.name for m in whole.people}, {e.began for e in whole.sessions}
    for match in whole.matches:
        if match.session not in evenings or not set(match.seats.values()) <= {None, *people}:
            raise Unreadable("read_history_match", match=match.id, text="session, seats")
    return whole


def take_in(
    archive: Archive, whole: Whole, done: Callable[[int], object] = lambda count: None
) -> int:
    """Store what ``read`` gave; answers how many matches are new or have grown.

    A match that is there already is left alone, or goes on where it ends. Raises ``Clash`` for
    one that is there with another log. What was taken in before stays, so it can be repeated.
    Raises ``Elsewhere``, and takes nothing in, if matches belong to another circle here.
    """
    if archive.elsewhere([match.id for match in whole.matches]):
        raise Elsewhere
    archive.settle(whole.people, whole.sessions, whole.decks)
    fresh = 0
    for batch in batches(whole.matches, BATCH):
        fresh += archive.put(batch)
        done(len(batch))
    archive.agree(whole.words)
    return fresh


def _names(header: str, deck: str) -> bool:
    return f"deck: {deck}" in header.split("\n")


def _deck(row: dict[str, Any]) -> ArchivedDeck:
    deck = ArchivedDeck(_text(row, "id"), row.get("name"), _text(row, "csv"))
    if deck.name is not None:
        _text(row, "name")
    if read_deck(deck.csv).id != deck.id:
        raise Unreadable("read_history_part", text=deck.id[:80])
    return deck


def _word(row: dict[str, Any]) -> AgreedWord:
    counts, match = row.get("counts"), row.get("match")
    if counts not in (True, False, None) or not isinstance(match, str | None):
        raise Unreadable("read_history_part", text="words")
    return AgreedWord(_text(row, "form"), counts, _time(row, "at"), match)


def _match(row: dict[str, Any], find: Find) -> ArchivedMatch:
    match = _text(row, "id")
    if not ID.fullmatch(match):
        raise Unreadable("read_history_match", match=match[:80], text="id")
    lines = row.get("header")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise Unreadable("read_history_match", match=match, text="header")
    header = parse_header("\n".join(lines), GAMES, find)
    seats = row.get("seats")
    if not isinstance(seats, dict) or tuple(seats) != header.seats or not all(map(usable, seats)):
        raise Unreadable("read_history_match", match=match, text="seats")
    grammar = Grammar(GAMES[header.game], header.seats)
    entries = []
    for seq, entry in enumerate(_rows(row, "entries", list), 1):
        if len(entry) != 5 or not all(isinstance(part, str) for part in entry):
            raise Unreadable("read_history_match", match=match, text=f"entries {seq}")
        line, verdict, clause, rules, at = entry
        if verdict not in VERDICTS:
            raise Unreadable("read_history_match", match=match, text=f"entries {seq}")
        printed = grammar.print(grammar.parse(line))
        entries.append(
            Stored(seq, printed, f"import-{seq}", verdict, clause, rules, _time({"at": at}, "at"))
        )
    return ArchivedMatch(
        match,
        _time(row, "opened"),
        _time(row, "session"),
        "\n".join(print_header(header)),
        {seat: None if name is None else _text(seats, seat) for seat, name in seats.items()},
        entries,
    )


def _rows(found: dict[str, Any], key: str, kind: type = dict) -> list[Any]:
    rows = found.get(key)
    if not isinstance(rows, list) or not all(isinstance(row, kind) for row in rows):
        raise Unreadable("read_history_part", text=key)
    return rows


def _text(row: dict[str, Any], key: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or len(value) > 4000:
        raise Unreadable("read_history_part", text=key)
    return value


def _name(row: dict[str, Any]) -> str:
    name = _text(row, "name")
    if not usable(name):
        raise Unreadable("read_history_part", text="people")
    return name


def _time(row: dict[str, Any], key: str) -> str:
    """A time in the form in which it is stored, by which matches are put in order."""
    try:
        moment = datetime.fromisoformat(_text(row, key)).astimezone(UTC)
    except (ValueError, OverflowError) as fault:
        raise Unreadable("read_history_part", text=key) from fault
    if not CALENDAR[0] <= moment.date() <= CALENDAR[1]:
        raise Unreadable("read_history_part", text=key)
    return moment.isoformat(timespec="milliseconds")


def _unpacked(source: bytes) -> bytes:
    if source[:2] != b"\x1f\x8b":
        return source.removeprefix(b"\xef\xbb\xbf")
    most = room(source, MOST_BYTES)
    with gzip.open(io.BytesIO(source)) as file:
        text = file.read(most + 1)
    if len(text) > most:
        raise ValueError("too large")
    return text


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
