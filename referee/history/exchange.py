"""Exports and imports the history of a group as a file, without loss.

The file is JSON with one match per line, gzipped if it is large. It holds facts: each line of the
log, the verdict that was given for it, and its time. ``result`` is written for other programs and
not read back.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple, TypeVar

from referee import zones
from referee.core.game import Find
from referee.core.record import FILE_KEY, Unreadable
from referee.core.written import as_json
from referee.history import exchange_rows
from referee.history.exchange_rows import HeadRow, MatchRow, VersionRow, WholeRow
from referee.history.parts import MOST_AT_ONCE, Misfit, NotJson, decode
from referee.history.records import room
from referee.store.archive import (
    AgreedWord,
    Archive,
    ArchivedDeck,
    ArchivedEvening,
    ArchivedGame,
    ArchivedMatch,
    ArchivedPerson,
    Contents,
    batches,
)
from referee.store.past import Past
from referee.store.played import PlayedMatch
from referee.store.revisions import KeptResult

FORMAT, VERSION = "referee-history", 1
BATCH = 50  # matches per transaction, so that plays at the tables wait no longer than that
SOME = 20  # matches whose results are read together
LEVEL, PACKED = 3, 16 * 1024
"""The gzip level, which takes a quarter of the time of the highest; bytes per piece."""
MOST_BYTES = 1024 * 1024 * 1024  # unpacked
MOST_MATCHES = 200_000
BEGINNING = re.compile(rb'\s*\{[^[]{0,999}"format"\s*:\s*"' + FORMAT.encode() + b'"')
"""Matches the beginning of a file that is worth parsing."""
_GLANCE = 4096  # bytes in which the beginning must match


class Elsewhere(Exception):
    """The history belongs to another group on the same server."""


class Whole(NamedTuple):
    """The content of a file. ``matches`` from ``scan`` are read again on every iteration."""

    circle: str
    people: Sequence[ArchivedPerson]
    sessions: Sequence[ArchivedEvening]
    matches: Iterable[ArchivedMatch]
    decks: Sequence[ArchivedDeck] = ()
    words: Sequence[AgreedWord] = ()
    games: Sequence[ArchivedGame] = ()


def write(
    archive: Archive,
    past: Past | None,
    circle: str,
    session: int | None = None,
    match: str | None = None,
) -> Iterator[str]:
    """The history of a group, or of one of its sessions or matches, in pieces of text.

    Without ``past`` it has no results, which are not read back anyway.
    """
    contents, zone = archive.contents(session, match), archive.zone()
    yield f'{{"format": "{FORMAT}", "version": {VERSION}, "circle": {_json(circle)},\n'
    decks, words, games = archive.decks(), archive.words(), archive.games()
    if (session, match) != (None, None):
        some = list(archive.each(contents, logs=False))
        contents = _narrowed(contents, some)
        decks = [deck for deck in decks if any(_names_deck(one.header, deck.id) for one in some)]
        games = [game for game in games if any(_names_game(one.header, game) for one in some)]
        words = [word for word in words if word.match in contents.matches]
    evenings = contents.evenings.values()
    people = (_written(member, "played", zone) for member in contents.people.values())
    yield f'"people": {_json(list(people))},\n'
    yield f'"sessions": {_json([_written(each, "began", zone) for each in evenings])},\n'
    yield f'"decks": {_json([deck._asdict() for deck in decks])},\n'
    texts = [
        {
            "text": game.text,
            "registered": game.registered and zones.written(game.registered, zone),
        }
        for game in games
    ]
    yield f'"games": {_json(texts)},\n' if texts else ""
    yield f'"words": {_json([_written(word, "at", zone) for word in words])},\n"matches": ['
    between = "\n"
    for batch in batches(archive.each(contents), SOME):
        counted = past.some([each.id for each in batch]) if past else []
        results = {played.match: played for played in counted}
        for each in batch:
            yield between + _json(match_as_json(each, results.get(each.id), zone))
            between = ",\n"
    yield "\n]}\n"


def _written(
    row: ArchivedPerson | ArchivedEvening | AgreedWord, key: str, zone: str
) -> dict[str, object]:
    """``row`` as the file has it, with the time under ``key`` in ``zone``."""
    values: dict[str, object] = row._asdict()
    return values | {key: zones.written(str(values[key]), zone)}


def _narrowed(contents: Contents, some: Sequence[ArchivedMatch]) -> Contents:
    """``contents``, with the people and evenings of the matches ``some`` alone."""
    names = {person for one in some for person in one.people()}
    began = {one.session for one in some}
    return contents._replace(
        people={id_: one for id_, one in contents.people.items() if one.name in names},
        evenings={id_: one for id_, one in contents.evenings.items() if one.began in began},
    )


def match_as_json(match: ArchivedMatch, played: PlayedMatch | None, zone: str) -> dict[str, object]:
    """A match as the file has it; its times are those of ``zone``, with the offset."""
    return {
        "id": match.id,
        "opened": zones.written(match.opened, zone),
        "session": match.session and zones.written(match.session, zone),
        "header": match.header.split("\n"),
        "seats": dict(match.seats),
        "entries": [
            [e.line, e.verdict, e.clause, e.rules, zones.written(e.at, zone)] for e in match.entries
        ],
        "result": played and result(played),
        **({"hidden": True} if match.hidden else {}),
        **({"former": [list(row) for row in match.former]} if match.former else {}),
        **({"kept": _kept_as_json(match.kept, zone)} if match.kept else {}),
        **({"foreign": list(match.foreign)} if match.foreign else {}),
    }


def _kept_as_json(kept: KeptResult, zone: str) -> dict[str, object]:
    found = kept.result
    return {
        "at": zones.written(kept.at, zone),
        "over": found.over,
        "stopped": found.stopped,
        "places": [[place.points, place.rank, place.won] for place in found.places],
    }


def result(played: PlayedMatch) -> dict[str, object]:
    """The result of a match, for other programs."""
    return {
        "game": played.game,
        "over": bool(played.over),
        "minutes": played.millis and round(played.millis / 60_000, 1),
        "corrections": played.corrections,
        "rulings": played.rulings,
        "places": [
            {"name": p.name, "points": as_json(p.points), "rank": p.rank, "won": bool(p.won)}
            for p in played.placings
        ],
        **({"kept": True} if played.kept else {}),
    }


def packed(pieces: Iterator[str]) -> Iterator[bytes]:
    """``pieces``, gzipped; equal input gives equal bytes."""
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0, compresslevel=LEVEL) as file:
        for piece in pieces:
            file.write(piece.encode())
            if buffer.tell() > PACKED:
                yield buffer.getvalue()
                buffer.seek(0)
                buffer.truncate()
    yield buffer.getvalue()


def looks_like(source: bytes) -> bool:
    """Whether ``source`` is a history file and not a record."""
    return source[:2] == b"\x1f\x8b" or source.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"


def read(source: bytes, zone: str = zones.SERVERS) -> Whole:
    """Read a whole file (see ``scan``).

    Raises ``Unreadable`` with the fault and, for a match, its line.
    """
    whole = scan(io.BytesIO(source), zone)
    return whole._replace(matches=list(whole.matches))


def scan(file: BinaryIO, zone: str = zones.SERVERS) -> Whole:
    """Read a file without its matches, in little memory; ``zone``: that of times without an offset.

    Raises ``Unreadable``, as iterating over its matches does; ``file`` must stay open for that. A
    file with one match per line, as ``write`` makes it, may have up to ``MOST_BYTES``; any other
    file must be small.
    """
    head = bytearray()
    for line in _lines(file):
        known = len(head) >= _GLANCE
        head += line
        if len(head) > MOST_AT_ONCE:
            raise Unreadable("read_sent_size" if known else "read_history")
        if not known and len(head) >= _GLANCE and not BEGINNING.match(head[:_GLANCE]):
            raise Unreadable("read_history")
        if line.rstrip() == b'"matches": [':
            break
    else:
        everything = _decoded(WholeRow, bytes(head))
        return _whole(everything, everything.matches, zone)
    return _whole(_decoded(HeadRow, bytes(head) + b"]}"), _InLines(file, len(head)), zone)


class _InLines:
    """The matches of ``file``, one per line, after a head of ``skip`` bytes."""

    def __init__(self, file: BinaryIO, skip: int) -> None:
        self._file, self._skip = file, skip

    def __iter__(self) -> Iterator[MatchRow]:
        skipped, over = 0, False
        for line in _lines(self._file):
            if skipped < self._skip:
                skipped += len(line)
                continue
            text = line.strip()
            if over and text:
                raise Unreadable("read_history")
            if text == b"]}":
                over = True
            elif text:
                yield _decoded(MatchRow, text.removesuffix(b","))
        if not over:
            raise Unreadable("read_history")


class _Matches:
    """The matches of ``rows``, checked on every iteration."""

    def __init__(
        self,
        rows: Iterable[MatchRow],
        people: set[str],
        evenings: set[str],
        find: Find,
        zone: str,
    ) -> None:
        self._rows, self._people, self._evenings = rows, {None, *people}, evenings
        self._find, self._zone = find, zone

    def __iter__(self) -> Iterator[ArchivedMatch]:
        for number, row in enumerate(self._rows):
            match = exchange_rows.match(row, self._find, self._zone)
            if match.session not in self._evenings or not match.people() <= self._people:
                raise Unreadable("read_history_match", match=match.id, text="session, seats")
            if number >= MOST_MATCHES:
                raise Unreadable("read_sent_size")
            yield match


def _whole(found: HeadRow, rows: Iterable[MatchRow], zone: str) -> Whole:
    """The content of a file, checked; its matches are checked when they are read."""
    decks = [exchange_rows.deck(row) for row in found.decks]
    people = [exchange_rows.person(row, zone) for row in found.people]
    evenings = [exchange_rows.evening(row, zone) for row in found.sessions]
    games = [exchange_rows.game(row, zone) for row in found.games]
    known = {deck.id: deck.csv for deck in decks}
    known |= {f"{game.key}-{game.hash[:12]}.toml": game.text for game in games}
    matches = _Matches(rows, {m.name for m in people}, {e.began for e in evenings}, known.get, zone)
    words = [exchange_rows.word(row, zone) for row in found.words]
    return Whole(
        exchange_rows.short(found.circle, "circle"), people, evenings, matches, decks, words, games
    )


Kind = TypeVar("Kind")


def _decoded(kind: type[Kind], text: bytes) -> Kind:
    """``text`` decoded as ``kind``; fields that it does not name are dropped."""
    try:
        if kind is not MatchRow:
            if not BEGINNING.match(text[:_GLANCE]):
                raise Unreadable("read_history")
            version = decode(VersionRow, text).version
            if version != VERSION:
                raise Unreadable("read_history_version", version=str(version)[:20])
        return decode(kind, text)
    except Misfit as fault:
        raise _misfit(str(fault), text) from fault
    except NotJson as fault:
        raise Unreadable("read_history") from fault


def _misfit(said: str, text: bytes) -> Unreadable:
    """The error for a value of the wrong kind, as ``decode`` reported it."""
    where = said.partition("at `$")[2].removesuffix("`")
    path = re.sub(r"^(?:\.matches\[[\d.]+\])?\.?", "", where)
    lacks = re.search(r"field `(\w+)`", said)
    part = lacks[1] if lacks else path.partition("[")[0]
    inside = "[" in path or part in ("header", "seats")
    if part in ("header", "seats", "entries") and inside:
        found = re.search(rb'"id"\s*:\s*"([A-Za-z0-9_-]{1,64})"', text)
        return Unreadable("read_history_match", match=found[1].decode() if found else "", text=part)
    return Unreadable("read_history_part", text=part)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, unpacked; raises ``Unreadable`` for a decompression bomb or an endless
    line.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    most, count = room(size, MOST_BYTES) if packed else MOST_BYTES, 0
    source = gzip.GzipFile(fileobj=file, mode="rb") if packed else file
    try:
        for line in iter(lambda: source.readline(MOST_AT_ONCE), b""):
            first, count = not count, count + len(line)
            if count > most or len(line) == MOST_AT_ONCE:
                raise Unreadable("read_sent_size")
            yield line.removeprefix(b"\xef\xbb\xbf") if first else line
    except (OSError, EOFError, zlib.error) as fault:
        raise Unreadable("read_history") from fault


def take_in(
    archive: Archive, whole: Whole, done: Callable[[int], object] = lambda count: None
) -> int:
    """Store what ``read`` or ``scan`` returned; returns how many matches are new or have grown.

    A match that exists already is left alone, or extended if the file has more of it. Raises
    ``Clash`` for a match that exists with another log; what was imported before stays, so the
    import can be repeated. Raises ``Elsewhere``, and imports nothing, if matches belong to another
    group here.
    """
    if archive.elsewhere([match.id for match in whole.matches]):
        raise Elsewhere
    archive.settle(whole.people, whole.sessions, whole.decks, whole.games)
    fresh = 0
    for batch in batches(whole.matches, BATCH):
        fresh += archive.put(batch)
        done(len(batch))
    archive.agree(whole.words)
    return fresh


def _names_deck(header: str, deck: str) -> bool:
    return f"deck: {deck}" in header.split("\n")


def _names_game(header: str, game: ArchivedGame) -> bool:
    return f"\n{FILE_KEY}: {game.hash[:12]}" in header


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
