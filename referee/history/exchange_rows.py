"""The rows of a history file: what they look like, and each checked as what the store keeps.

A row with a fault raises ``Unreadable``; ``zone`` is that of times without an offset.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from referee import zones
from referee.core.game import Find
from referee.core.naming import usable
from referee.core.record import Grammar, Unreadable, parse_header, print_header
from referee.games import GAMES, game_of
from referee.history.records import CALENDAR
from referee.jukugo.decks import read_deck
from referee.kit.beside import loaded
from referee.kit.load import Misread
from referee.kit.shipped import beside
from referee.store import Stored
from referee.store.archive import (
    AgreedWord,
    ArchivedDeck,
    ArchivedEvening,
    ArchivedGame,
    ArchivedMatch,
    ArchivedPerson,
)
from referee.store.revisions import KeptResult, MatchResult, SeatResult

MOST_POINTS = 10**12  # a database holds no number that is much larger
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
VERDICTS = ("legal", "illegal", "unprovable")


@dataclass
class PersonRow:
    name: str
    played: str
    retired: bool | int | None = None


@dataclass
class SessionRow:
    began: str
    place: str
    note: str


@dataclass
class DeckRow:
    id: str
    csv: str
    name: str | None = None


@dataclass
class GameRow:
    text: str
    registered: str | None = None


@dataclass
class WordRow:
    form: str
    at: str
    counts: bool | None = None
    match: str | None = None


@dataclass
class KeptRow:
    at: str
    over: bool
    stopped: bool
    places: list[tuple[int, int, bool]]


@dataclass
class MatchRow:
    id: str
    opened: str
    session: str
    header: list[str]
    seats: dict[str, str | None]
    entries: list[tuple[str, str, str, str, str]]
    hidden: bool | None = None
    former: list[tuple[str, int, str | None]] = field(default_factory=list)
    kept: KeptRow | None = None
    foreign: list[str] = field(default_factory=list)


@dataclass
class VersionRow:
    version: int | float | str | None = None


@dataclass
class HeadRow:
    """A file without its matches."""

    circle: str
    people: list[PersonRow]
    sessions: list[SessionRow]
    decks: list[DeckRow] = field(default_factory=list)
    games: list[GameRow] = field(default_factory=list)
    words: list[WordRow] = field(default_factory=list)


@dataclass(kw_only=True)
class WholeRow(HeadRow):
    matches: list[MatchRow]


def deck(row: DeckRow) -> ArchivedDeck:
    if row.name is not None:
        short(row.name, "name")
    if read_deck(short(row.csv, "csv")).id != short(row.id, "id"):
        raise Unreadable("read_history_part", text=row.id[:80])
    return ArchivedDeck(row.id, row.name, row.csv)


def game(row: GameRow, zone: str) -> ArchivedGame:
    try:
        game = loaded(row.text)
    except Misread as misread:
        raise Unreadable("read_history_part", text="games") from misread
    at = None if row.registered is None else _time(row.registered, "registered", zone)
    return ArchivedGame(game.hash, game.KEY, game.text, at)


def word(row: WordRow, zone: str) -> AgreedWord:
    return AgreedWord(short(row.form, "form"), row.counts, _time(row.at, "at", zone), row.match)


def match(row: MatchRow, find: Find, zone: str) -> ArchivedMatch:
    """A match of the file, checked; its lines are parsed, but not judged. Raises ``Unreadable``."""
    match = row.id
    if not ID.fullmatch(match):
        raise Unreadable("read_history_match", match=match[:80], text="id")
    header = parse_header("\n".join(row.header), GAMES, find, beside)
    grammar, count = Grammar(game_of(header), header.seats), len(header.seats)
    seats = tuple(row.seats)
    joined = seats[count:] if grammar.joining else ()
    if seats != (*header.seats, *joined) or not all(map(usable, seats)):
        raise Unreadable("read_history_match", match=match, text="seats")
    entries = []
    for seq, (line, verdict, clause, rules, at) in enumerate(row.entries, 1):
        if verdict not in VERDICTS:
            raise Unreadable("read_history_match", match=match, text=f"entries {seq}")
        entry = grammar.parse(line)
        grammar.hear(entry)
        printed = grammar.print(entry)
        entries.append(
            Stored(seq, printed, f"import-{seq}", verdict, clause, rules, _time(at, "at", zone))
        )
    return ArchivedMatch(
        id=match,
        opened=_time(row.opened, "opened", zone),
        session=_time(row.session, "session", zone),
        header="\n".join(print_header(header)),
        seats={
            seat: None if name is None else short(name, seat) for seat, name in row.seats.items()
        },
        entries=entries,
        hidden=bool(row.hidden),
        former=[_former(match, row, seat, until, name) for seat, until, name in row.former],
        kept=_kept(match, row.kept, len(header.seats), zone) if row.kept else None,
        foreign=sorted({short(key, "foreign") for key in row.foreign}),
    )


def _kept(match: str, row: KeptRow, seats: int, zone: str) -> KeptResult:
    """The result of other rules that the group keeps, checked; raises ``Unreadable``."""
    sound = all(abs(points) < MOST_POINTS and 0 < rank <= seats for points, rank, _ in row.places)
    if len(row.places) != seats or not sound or not (row.over or row.stopped):
        raise Unreadable("read_history_match", match=match, text="kept")
    places = (SeatResult(place, *found) for place, found in enumerate(row.places, 1))
    return KeptResult(_time(row.at, "at", zone), MatchResult(row.over, row.stopped, tuple(places)))


def _former(
    match: str, row: MatchRow, seat: str, until: int, name: str | None
) -> tuple[str, int, str | None]:
    if seat not in row.seats or not 0 < until <= len(row.entries):
        raise Unreadable("read_history_match", match=match, text="former")
    return seat, until, name


def short(text: str, key: str) -> str:
    """``text``; raises ``Unreadable`` with ``key`` if it is too long."""
    if len(text) > 4000:
        raise Unreadable("read_history_part", text=key)
    return text


def person(row: PersonRow, zone: str) -> ArchivedPerson:
    if not usable(short(row.name, "name")):
        raise Unreadable("read_history_part", text="people")
    return ArchivedPerson(row.name, _time(row.played, "played", zone), bool(row.retired))


def evening(row: SessionRow, zone: str) -> ArchivedEvening:
    began = _time(row.began, "began", zone)
    return ArchivedEvening(began, short(row.place, "place"), short(row.note, "note"))


def _time(text: str, key: str, zone: str) -> str:
    """A time in the form in which it is stored; without an offset it is one of ``zone``."""
    try:
        moment = zones.instant(datetime.fromisoformat(short(text, key)), zone)
    except (ValueError, OverflowError) as fault:
        raise Unreadable("read_history_part", text=key) from fault
    if not CALENDAR[0] <= moment.date() <= CALENDAR[1]:
        raise Unreadable("read_history_part", text=key)
    return zones.stored(moment)
