"""Matches in and out of the store as record files."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, time
from io import BytesIO
from lzma import LZMAError
from pathlib import Path, PurePath
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile

from referee.core.game import Find
from referee.core.naming import Script, usable
from referee.core.record import (
    Grammar,
    Header,
    Record,
    Unreadable,
    normal,
    nothing,
    print_header,
    read,
    text_of,
    write,
)
from referee.games import GAMES
from referee.headers import header_of
from referee.jukugo.decks import Deck, write_deck
from referee.jukugo.library import OPEN, open_deck
from referee.rulings.report import replay, report
from referee.rulings.sentences import word
from referee.store import NOBODYS, NewEntry, People, Store, new_id
from referee.store.archive import Archive

DAMAGED = (BadZipFile, zlib.error, LZMAError, OSError, EOFError, RuntimeError, ValueError)
MOST_BYTES = 256 * 1024 * 1024  # of an archive's records
MOST_TIMES, SOME_BYTES = 100, 1024 * 1024  # real histories are packed to a tenth
CALENDAR = date(1900, 1, 1), date(2999, 12, 31)  # other days are taken for slips of the pen


class Fault(NamedTuple):
    """Why a file was not taken: its line (1-based) and a sentence."""

    line: int
    text: str


class NotARecord(Exception):
    """A file that can't be imported, with everything that stands against it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults)
        self.faults = faults


def export(store: Store, match: str) -> str:
    """The record of a match, under the names of today; raises ``NoSuchMatch``."""
    told = header_of(store, match)
    names = People(store).names(match)
    lines = [entry.line for entry in store.read(match)]
    if not names:
        return write(told, lines)
    header = replace(told, seats=tuple(names.get(seat, seat) for seat in told.seats))
    game = GAMES[told.game]
    script, grammar = Script(game, told.seats, names), Grammar(game, header.seats)
    return write(header, (grammar.print(script.parse(line)) for line in lines))


def room(source: bytes, most: int) -> int:
    """How many bytes ``source`` may unpack to: not more than ``most``, and no bomb."""
    return min(most, MOST_TIMES * len(source) + SOME_BYTES)


class Files(NamedTuple):
    """Record files by their paths, and the decks beside them by their names."""

    records: dict[str, bytes]
    decks: dict[str, bytes]

    def find(self, elsewhere: Find) -> Find:
        """Looks for a deck among these files, then ``elsewhere``."""

        def find(name: str) -> str | None:
            return text_of(self.decks[name], name) if name in self.decks else elsewhere(name)

        return find


def unpacked(name: str, source: bytes) -> Files:
    """The records in an archive, in its order, by paths below ``name``; any other file is itself.

    Raises ``Unreadable`` if it is damaged, or larger than any history.
    """
    if source[:2] != b"PK":
        return Files({name: source}, {})
    try:
        with ZipFile(BytesIO(source)) as archive:
            files = archive.infolist()
            records = [info for info in files if info.filename.endswith(".txt")]
            decks = [info for info in files if info.filename.endswith(".csv")]
            if not records:
                raise Unreadable("read_archive")
            if sum(info.file_size for info in (*records, *decks)) > room(source, MOST_BYTES):
                raise Unreadable("read_archive_size")
            return Files(
                {f"{name}/{info.filename}": archive.read(info) for info in records},
                {PurePath(info.filename).name: archive.read(info) for info in decks},
            )
    except DAMAGED as fault:
        raise Unreadable("read_archive") from fault


def load(source: bytes, lang: str, find: Find = nothing, *, keep_illegal: bool = False) -> Record:
    """A record that replays; raises ``Unreadable``, and ``NotARecord`` for what does not replay.

    ``find`` looks for the deck that it names; its words must be a list that is installed.
    ``keep_illegal`` takes entries that the referee calls illegal as they are; they change nothing.
    """
    record = read(source, GAMES, find)
    words = record.header.named.get("words")
    if words and find(words) is not None:
        try:
            record = read(source, GAMES, lambda name: None if name == words else find(name))
        except Unreadable as fault:
            raise Unreadable("read_words_import", line=fault.line, name=words) from None
    if not isinstance(record, Record):
        raise Unreadable("read_tally_import", line=2)
    for seat in record.header.seats:
        if not usable(seat):  # nor could a history take it along
            raise Unreadable("read_seat_name", line=_line_of(source, "seats"), name=seat)
    if not keep_illegal:
        rows = report(record, lang)["entries"]
        faults = [
            Fault(written.line, f"{row['text']}: {row['says']} ({row['clause']})")
            for written, row in zip(record.entries, rows, strict=True)
            if row["verdict"] == "illegal" and "ruled" not in row
        ]
        if faults:
            raise NotARecord(faults)
    return record


def _line_of(source: bytes, key: str) -> int:
    """The line of the header that has ``key``."""
    lines = enumerate(source.decode().split("\n"), 1)
    return next(number for number, line in lines if normal(line).strip().startswith(f"{key}:"))


def add(store: Store, record: Record, circle: str = NOBODYS) -> str:
    """Store a record as a new match of ``circle``, whole or not at all; returns the match's id."""
    log, match = replay(record), new_id()
    grammar = Grammar(log.game, record.header.seats)
    entries = [
        NewEntry(
            grammar.print(written.entry),
            f"import-{seq}",
            word(log.moments[seq].verdict),
            log.moments[seq].verdict.clause,
            log.game.VERSION,
        )
        for seq, written in enumerate(record.entries, 1)
    ]
    header = "\n".join(print_header(_shelved(store, record.header)))
    store.add(match, header, entries, record.header.seats, circle, played_at(record))
    return match


def lengths(store: Store, circle: str) -> dict[str, int]:
    """The matches of a circle, the oldest first, with the number of their entries."""
    matches = Archive(store, circle).ids()
    return dict.fromkeys(matches, 0) | store.tails(matches)


def take_in(store: Store, record: Record, lengths: dict[str, int], circle: str) -> tuple[str, bool]:
    """The match of a record, and whether it is new: it is added, and noted in ``lengths``, unless
    one of the matches there has the same entries under the same header.
    """
    found = _known(store, record, lengths)
    if found:
        return found, False
    match = add(store, record, circle)
    lengths[match] = len(record.entries)
    return match, True


def _known(store: Store, record: Record, lengths: Mapping[str, int]) -> str | None:
    """The first match of ``lengths`` of which ``record`` is the record, entry by entry."""
    grammar = Grammar(GAMES[record.header.game], record.header.seats)
    lines = [grammar.print(written.entry) for written in record.entries]
    text = write(_shelved(store, record.header), lines)
    as_long = (match for match, length in lengths.items() if length == len(lines))
    return next((match for match in as_long if export(store, match) == text), None)


def _shelved(store: Store, header: Header) -> Header:
    """``header``, naming its own deck by the id under which the store has it from now on."""
    deck = getattr(header.kit, "deck", None)
    ours = header.named.get("deck", OPEN) == OPEN and deck == open_deck()
    if not isinstance(deck, Deck) or ours:
        return header
    if store.shelf.deck(deck.id) is None:
        store.shelf.keep_deck(deck.id, write_deck(deck), deck.id)
        store.shelf.put_away(deck.id)  # the circle did not ask for it in its list
    return replace(header, named={**header.named, "deck": deck.id})


def played_at(record: Record) -> str:
    """Noon of the day on which the record says it was played (UTC, ISO 8601); "" if it doesn't."""
    with suppress(ValueError):
        day = date.fromisoformat(record.header.texts.get("date", ""))
        if CALENDAR[0] <= day <= CALENDAR[1]:
            noon = datetime.combine(day, time(12)).astimezone(UTC)
            return noon.isoformat(timespec="milliseconds")
    return ""


def file_name(opened: str, header: str, match: str) -> str:
    """A name for the exported file: the day it was opened, the game, the head of the id."""
    game = header.partition("game: ")[2].partition("\n")[0]
    return f"{opened[:10]}-{game}-{match[:8]}.txt"


def deck_file(store: Store, match: str) -> dict[str, str]:
    """The CSV file, by its name, of the deck that the record of a match names, if it is own."""
    deck = header_of(store, match).named.get("deck", OPEN)
    csv = store.shelf.deck(deck)
    return {} if csv is None else {deck: csv}


def export_all(store: Store, folder: Path) -> list[Path]:
    """Every match as a file in ``folder``, those opened last first, and the decks they name."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for listed in store.matches():
        for deck, csv in deck_file(store, listed.id).items():
            (folder / deck).write_text(csv, encoding="utf-8")
        path = folder / file_name(listed.opened, listed.header, listed.id)
        path.write_text(export(store, listed.id), encoding="utf-8")
        paths.append(path)
    return paths
