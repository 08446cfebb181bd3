"""Imports and exports matches as record files."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import date, datetime, time
from functools import partial
from hashlib import sha256
from lzma import LZMAError
from pathlib import Path, PurePath
from typing import BinaryIO, NamedTuple
from zipfile import BadZipFile, ZipFile, ZipInfo

from referee import zones
from referee.core.game import Find
from referee.core.naming import Script, restored, usable
from referee.core.record import (
    FILE_KEY,
    UNTIL,
    FormerPlayer,
    Grammar,
    Record,
    Unreadable,
    newcomers,
    normal,
    nothing,
    print_header,
    read,
    text_of,
    write,
)
from referee.core.verdict import Seat, word_of
from referee.games import GAMES, game_of
from referee.headers import header_of
from referee.jukugo.decks import KanjiDeck, write_deck
from referee.jukugo.library import OPEN, open_deck
from referee.kit.beside import file_name as game_file_name
from referee.kit.game import KitGame
from referee.kit.shipped import beside
from referee.rulings.report import replay, report
from referee.store import NOBODYS, Circles, NewEntry, People, Seats, Store, new_id
from referee.store.archive import Archive

DAMAGED = (BadZipFile, zlib.error, LZMAError, OSError, EOFError, RuntimeError, ValueError)
MOST_BYTES = 256 * 1024 * 1024  # of records, unpacked
MOST_FILES = 20_000
MOST_RECORD = 4 * 1024 * 1024  # bytes: the longest known match has a tenth of it
# how many times its size an archive may unpack to, and how many bytes more; a history is compressed
# to about a tenth
MOST_TIMES, SOME_BYTES = 100, 1024 * 1024
CALENDAR = date(1900, 1, 1), date(2999, 12, 31)  # other days count as typing errors


class RecordFault(NamedTuple):
    """Why a file was refused: its line (1-based) and a sentence."""

    line: int
    text: str


class NotARecord(Exception):
    """A file that can't be imported, with all its faults."""

    def __init__(self, faults: Sequence[RecordFault]) -> None:
        super().__init__(faults)
        self.faults = faults


def export(store: Store, match: str) -> str:
    """The record of a match, with the present names; raises ``NoSuchMatch``."""
    stored = header_of(store, match)
    names = People(store).names(match)
    lines = [entry.line for entry in store.read(match)]
    seats = tuple(names.get(seat, seat) for seat in stored.seats)
    header = replace(stored, seats=seats, former=former_players(store, match, seats))
    if not names:
        return write(header, lines)
    game = game_of(stored)
    script, grammar = Script(game, stored.seats, names), Grammar(game, header.seats)
    return write(header, (grammar.print(restored(script, line)) for line in lines))


def former_players(store: Store, match: str, seats: Sequence[Seat]) -> tuple[FormerPlayer, ...]:
    """Who had these ``seats`` of a match before, as its record says it."""
    rows = Seats(store).former([match])
    return tuple(FormerPlayer(seats[row.place - 1], row.until, row.name) for row in rows)


def room(size: int, most: int) -> int:
    """The number of bytes that a file of ``size`` may unpack to: at most ``most``, and no bomb."""
    return min(most, MOST_TIMES * size + SOME_BYTES)


class Budget:
    """Limits what archives that are sent together may unpack to; ``size``: their own bytes."""

    def __init__(self, size: int) -> None:
        self._bytes, self._files = room(size, MOST_BYTES), MOST_FILES

    def spend(self, sizes: Sequence[int]) -> None:
        """Count files of these sizes; raises ``Unreadable`` if they are too many or too large."""
        self._bytes -= sum(sizes)
        self._files -= len(sizes)
        if min(self._bytes, self._files) < 0 or max(sizes, default=0) > MOST_RECORD:
            raise Unreadable("read_archive_size")


class Files(NamedTuple):
    """Record files by path, as functions that read them.

    ``decks``: the deck and game files beside them, by name.
    """

    records: dict[str, Callable[[], bytes]]
    decks: dict[str, bytes]

    def find(self, elsewhere: Find) -> Find:
        """A function that looks for a file among these files, then in ``elsewhere``."""

        def find(name: str) -> str | None:
            return text_of(self.decks[name], name) if name in self.decks else elsewhere(name)

        return find


def unpacked(name: str, file: BinaryIO, budget: Budget) -> Files:
    """The records in an archive, in its order, by path below ``name``; any other file is returned
    as it is.

    ``file`` must stay open while they are read. Raises ``Unreadable`` if the archive is damaged or
    exceeds ``budget``, as reading the records does.
    """
    beginning = file.read(2)
    if beginning != b"PK":
        rest = file.read(MOST_RECORD)
        if len(rest) == MOST_RECORD:
            raise Unreadable("read_sent_size")
        return Files({name: lambda: beginning + rest}, {})
    with _damage_reported():
        archive = ZipFile(file)
        files = archive.infolist()
        records = [info for info in files if info.filename.endswith(".txt")]
        decks = [info for info in files if info.filename.endswith((".csv", ".toml"))]
        if not records:
            raise Unreadable("read_archive")
        budget.spend([info.file_size for info in (*records, *decks)])

        def read(info: ZipInfo) -> bytes:
            with _damage_reported():
                return archive.read(info)

        return Files(
            {f"{name}/{info.filename}": partial(read, info) for info in records},
            {PurePath(info.filename).name: archive.read(info) for info in decks},
        )


@contextmanager
def _damage_reported() -> Iterator[None]:
    try:
        yield
    except DAMAGED as fault:
        raise Unreadable("read_archive") from fault


def load(source: bytes, lang: str, find: Find = nothing, *, keep_illegal: bool = False) -> Record:
    """A record that replays; raises ``Unreadable``, and ``NotARecord`` if it does not replay.

    ``find`` returns the texts of files that the record names, except for a word list, which must be
    one of the package. ``keep_illegal`` keeps entries that the referee calls illegal; they have no
    effect.
    """
    record = read(source, GAMES, find, beside)
    words = record.header.named.get("words")
    if words and find(words) is not None:
        try:
            record = read(source, GAMES, lambda name: None if name == words else find(name), beside)
        except Unreadable as fault:
            raise Unreadable("read_words_import", line=fault.line, name=words) from None
    if not isinstance(record, Record):
        raise Unreadable("read_tally_import", line=2)
    for seat in record.header.seats:
        if not usable(seat):  # an exported history could not contain this name either
            raise Unreadable("read_seat_name", line=_line_of(source, "seats"), name=seat)
    for written in record.entries:
        for seat in newcomers(written.entry):
            if not usable(seat):
                raise Unreadable("read_seat_name", line=written.line, name=seat)
    for one in record.header.former:
        if one.name is not None and not usable(one.name):
            raise Unreadable("read_seat_name", line=_line_of(source, UNTIL), name=one.name)
    if not keep_illegal:
        rows = report(record, lang)["entries"]
        faults = [
            RecordFault(written.line, f"{row['text']}: {row['says']} ({row['clause']})")
            for written, row in zip(record.entries, rows, strict=True)
            if row["verdict"] == "illegal" and "ruled" not in row
        ]
        if faults:
            raise NotARecord(faults)
    return record


def _line_of(source: bytes, key: str) -> int:
    """The number of the header line with ``key``."""
    lines = enumerate(source.decode().split("\n"), 1)
    return next(number for number, line in lines if normal(line).strip().startswith(f"{key}:"))


class Ready(NamedTuple):
    """A record in the form in which a store keeps it.

    ``text``: the record itself; ``deck``: its own deck as (id, CSV), or None; ``game``: its game
    file as (hash, key, text), or None; ``opened``: when it was played (UTC, ISO 8601), "" if
    unknown.
    """

    header: str
    seats: tuple[str, ...]
    former: tuple[FormerPlayer, ...]
    entries: list[NewEntry]
    date: str
    deck: tuple[str, str] | None
    game: tuple[str, str, str] | None
    text: str


def ready(record: Record) -> Ready:
    """Judge each entry of a record that ``load`` returned, and prepare it for a store."""
    log = replay(record)
    grammar = Grammar(log.game, record.header.seats)
    entries = [
        NewEntry(
            grammar.print(written.entry),
            f"import-{seq}",
            word_of(log.moments[seq].verdict),
            log.moments[seq].verdict.clause,
            log.game.VERSION,
        )
        for seq, written in enumerate(record.entries, 1)
    ]
    header, own = record.header, None
    deck = getattr(header.kit, "deck", None)
    ours = header.named.get("deck", OPEN) == OPEN and deck == open_deck()
    if isinstance(deck, KanjiDeck) and not ours:  # the store identifies a deck by its id
        header = replace(header, named={**header.named, "deck": deck.id})
        own = deck.id, write_deck(deck)
    file = None
    if isinstance(log.game, KitGame):
        file = log.game.hash, log.game.KEY, log.game.text
        header = replace(header, named={**header.named, FILE_KEY: log.game.hash})
    return Ready(
        "\n".join(print_header(replace(header, former=()))),
        log.seats_at(log.state),
        header.former,
        entries,
        record.header.texts.get("date", ""),
        own,
        file,
        write(header, [entry.line for entry in entries]),
    )


def add(store: Store, record: Record, circle: str = NOBODYS) -> str:
    """Store a record as a new match of the group ``circle``; returns its id.

    It is stored completely or not at all.
    """
    return _add(store, ready(record), circle)


def _add(store: Store, record: Ready, circle: str) -> str:
    if record.deck and store.shelf.deck(record.deck[0]) is None:
        id_, csv = record.deck
        store.shelf.keep_deck(id_, csv, id_)
        store.shelf.put_away(id_)  # the group did not ask for this deck, so lists leave it out
    if record.game:
        store.game_files.keep(record.game)
    match, opened = new_id(), noon_of(record.date, Circles(store).zone(circle))
    seats = record.seats
    former = [(seats.index(one.seat) + 1, one.until, one.name) for one in record.former]
    store.add(match, record.header, record.entries, seats, circle, opened, former)
    return match


class Known:
    """The matches of a group, to find the one that equals a record, entry by entry.

    Each match is exported at most once, and only if a record has the same length.
    """

    def __init__(self, store: Store, circle: str) -> None:
        self._store, self._circle = store, circle
        self._unread: dict[int, list[str]] = {}
        self._texts: dict[bytes, str] = {}
        matches = Archive(store, circle).ids()
        lengths = dict.fromkeys(matches, 0) | store.tails(matches)
        for match, length in lengths.items():
            self._unread.setdefault(length, []).append(match)

    def find(self, record: Ready) -> str | None:
        """The oldest match with the same entries under the same header; None if there is none."""
        for match in self._unread.pop(len(record.entries), ()):
            self._texts.setdefault(_hash(export(self._store, match)), match)
        return self._texts.get(_hash(record.text))

    def take_in(self, record: Ready) -> tuple[str, bool]:
        """The id of the match that equals a record, and whether it is new: then it was added."""
        found = self.find(record)
        if found:
            return found, False
        match = _add(self._store, record, self._circle)
        self._texts[_hash(record.text)] = match
        return match, True


def _hash(text: str) -> bytes:
    return sha256(text.encode()).digest()


def noon_of(text: str, zone: str) -> str:
    """Noon of a day in ISO 8601 in a time zone, as UTC; "" for a text that is no day."""
    with suppress(ValueError):
        day = date.fromisoformat(text)
        if CALENDAR[0] <= day <= CALENDAR[1]:
            noon = zones.instant(datetime.combine(day, time(12)), zone)
            return zones.stored(noon.replace(second=0))  # a century ago some zones had seconds
    return ""


def file_name(opened: datetime, header: str, match: str) -> str:
    """A name for an exported file: the day of its opening, the game, the beginning of the id."""
    game = header.partition("game: ")[2].partition("\n")[0]
    return f"{opened:%Y-%m-%d}-{game}-{match[:8]}.txt"


def files_beside(store: Store, match: str) -> dict[str, str]:
    """The files that the record of a match names, by name: its own deck, its game."""
    header = header_of(store, match)
    deck = header.named.get("deck", OPEN)
    csv = store.shelf.deck(deck)
    files = {} if csv is None else {deck: csv}
    if isinstance(header.own, KitGame):
        files[game_file_name(header.own)] = header.own.text
    return files


def export_all(store: Store, folder: Path) -> list[Path]:
    """Write every match to a file in ``folder``, with the files that they name.

    Returns the paths of the records, the newest match first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths, of_match = [], Circles(store).zones()
    for listed in store.matches():
        for name, text in files_beside(store, listed.id).items():
            (folder / name).write_text(text, encoding="utf-8")
        opened = zones.local(listed.opened, of_match[listed.id])
        path = folder / file_name(opened, listed.header, listed.id)
        path.write_text(export(store, listed.id), encoding="utf-8")
        paths.append(path)
    return paths
