"""Tables that people paste: a line for each match, a column for each person."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple, TypeAlias

from referee.core.naming import NAME_LENGTH, clean_name, skeleton, usable
from referee.core.normalised import compared
from referee.core.record.text import normal
from referee.core.written import Points, points_text
from referee.foreign.plays import (
    MOST_CALLED,
    MOST_NOTE,
    MOST_SEATS,
    ByPlaces,
    ByPoints,
    ForeignPlay,
    ForeignPlayer,
    NoPlays,
    Outcome,
    PlayFault,
    called,
    hashed,
    is_ranking,
    number,
)

MOST_BYTES = 20 * 1024 * 1024
MOST_LINES = 20_000
MOST_CELL = 10_000  # characters
HEADINGS = {
    **dict.fromkeys(("date", "日付"), "date"),
    **dict.fromkeys(("game", "ゲーム"), "game"),
    **dict.fromkeys(("wins", "勝ち"), "wins"),
    **dict.fromkeys(("place", "場所"), "place"),
    **dict.fromkeys(("note", "メモ"), "note"),
}
"""What a heading means; every other one is a person."""
_PLACE = re.compile(r"([1-9][0-9]?)\s*(?:位|st|nd|rd|th)", re.IGNORECASE)
_DAY = re.compile(
    r"([0-9]{4})(?:-([0-9]{1,2})-([0-9]{1,2})|/([0-9]{1,2})/([0-9]{1,2})|年([0-9]{1,2})月([0-9]{1,2})日)"
    r"(?: +([0-9]{1,2}):([0-9]{2}))?"
)
NOON = 12


class Pasted(NamedTuple):
    """A table: the plays of its good lines, and every fault, in the order of lines."""

    plays: tuple[ForeignPlay, ...]
    faults: tuple[PlayFault, ...]


class _Faulty(Exception):
    """A fault in the cell ``column``, 1-based; 0: in the whole line."""

    def __init__(self, column: int, fact: str, text: str = "") -> None:
        super().__init__(fact)
        self.column, self.fact, self.text = column, fact, text


class _Columns(NamedTuple):
    """Where things are, 0-based; ``people``: column and name, from the left."""

    known: dict[str, int]
    people: tuple[tuple[int, str], ...]
    comma: bool

    def text(self, row: Sequence[str], key: str) -> str:
        at = self.known.get(key)
        return "" if at is None else row[at].strip()


Cell: TypeAlias = tuple[int, str, Points | None, int]
"""Column (0-based), name, the number, or else the place."""


def decoded(source: bytes) -> str:
    """The text of a file: UTF-8, else what Excel writes in Japan; raises ``NoPlays``."""
    if len(source) > MOST_BYTES:
        raise NoPlays("foreign_size")
    for encoding in ("utf-8-sig", "cp932"):
        with suppress(UnicodeDecodeError):
            return source.decode(encoding)
    raise NoPlays("foreign_encoding")


def looks_like(text: str) -> bool:
    """Whether the first line has the headings that a table must have."""
    head = {HEADINGS.get(_heading(cell)) for cell in re.split("[\t;,]", text.split("\n", 1)[0])}
    return {"date", "game"} <= head


def read(text: str) -> Pasted:
    """The plays in a table, and its faults; raises ``NoPlays``."""
    lines = _lines(text.removeprefix("\ufeff"))
    rows = _read(lines)
    if not rows:
        raise NoPlays("foreign_empty")
    plays: list[ForeignPlay] = []
    faults: list[PlayFault] = []
    columns, found = _columns(rows[0], "," not in _separator(lines))
    faults += found
    seen: Counter[tuple[str, ...]] = Counter()
    for line, row in rows[1:]:
        try:
            plays.append(_play(line, row, columns, len(rows[0][1]), seen))
        except _Faulty as fault:
            faults.append(PlayFault(line, fault.column, fault.fact, fault.text))
    return Pasted(tuple(plays), tuple(faults))


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _separator(text: str) -> str:
    """What stands between two cells, by the line of headings."""
    head = next((line for line in text.split("\n") if line.strip()), "")
    return "\t" if "\t" in head else ";" if ";" in head else ","


def _read(text: str) -> list[tuple[int, list[str]]]:
    """The rows that are not empty, each with the line on which it begins, 1-based."""
    source = csv.reader(text.split("\n"), delimiter=_separator(text), strict=True)
    rows: list[tuple[int, list[str]]] = []
    line = 1
    try:
        for row in source:
            if any(cell.strip() for cell in row):
                rows.append((line, row))
            line = source.line_num + 1
            if len(rows) > MOST_LINES + 1:
                raise NoPlays("foreign_size")
    except csv.Error:
        raise NoPlays("foreign_quotes", str(line)) from None
    return rows


def _heading(cell: str) -> str:
    return normal(cell).strip().strip('"').casefold()


def _columns(head: tuple[int, list[str]], comma: bool) -> tuple[_Columns, list[PlayFault]]:
    """What the columns hold; raises ``NoPlays`` where a needed heading is missing."""
    line, cells = head
    known: dict[str, int] = {}
    people: list[tuple[int, str]] = []
    taken: dict[str, str] = {}
    faults = []
    for at, cell in enumerate(cells):
        meaning = HEADINGS.get(_heading(cell))
        name = clean_name(cell)
        same = meaning or skeleton(name)
        if same in taken:
            faults.append(PlayFault(line, at + 1, "foreign_heading_twice", cell.strip()[:40]))
        elif meaning:
            known[meaning] = at
        elif not usable(name):
            fact = "foreign_name_long" if len(name) > NAME_LENGTH else "foreign_heading"
            faults.append(PlayFault(line, at + 1, fact, cell.strip()[:40]))
        else:
            people.append((at, name))
        taken[same] = name
    for needed in ("date", "game"):
        if needed not in known:
            raise NoPlays("foreign_no_heading", needed)
    if not people and not faults:
        raise NoPlays("foreign_no_people")
    return _Columns(known, tuple(people), comma), faults


def _play(
    line: int, row: Sequence[str], columns: _Columns, width: int, seen: Counter[tuple[str, ...]]
) -> ForeignPlay:
    """The play of a line; ``seen`` counts equal lines. Raises ``_Faulty``."""
    if len(row) != width:
        raise _Faulty(0, "foreign_cells_many" if len(row) > width else "foreign_cells_few")
    for at, cell in enumerate(row):
        if len(cell) > MOST_CELL:
            raise _Faulty(at + 1, "foreign_long", cell[:20])
    clock = _clock(columns.text(row, "date"), columns.known["date"])
    title = _title(columns.text(row, "game"), columns.known["game"])
    cells = [found for at, name in columns.people if (found := _cell(row[at], at, name, columns))]
    if not cells:
        raise _Faulty(0, "foreign_nobody")
    if len(cells) > MOST_SEATS:
        raise _Faulty(0, "foreign_many", str(MOST_SEATS))
    outcome = _outcome(cells, _least(columns, row))
    values = [f"{compared(cell[1])}={_value(cell)}" for cell in cells]
    same = (clock.isoformat(), compared(title), *values)
    seen[same] += 1
    return ForeignPlay(
        number=line,
        keys=(hashed((*same, str(seen[same]))),),
        called=title,
        clock=clock,
        players=tuple(ForeignPlayer(name, f"name:{compared(name)}") for _at, name, _n, _p in cells),
        outcome=outcome,
        place=clean_name(columns.text(row, "place"))[:100],
        note=clean_name(columns.text(row, "note"))[:MOST_NOTE],
    )


def _clock(text: str, at: int) -> datetime:
    """The day of a line, at noon if it has no time."""
    found = _DAY.fullmatch(normal(text))
    try:
        if not found:
            raise ValueError(text)
        year, month, day = (int(part) for part in (found[1], *filter(None, found.groups()[1:7])))
        return datetime(year, month, day, int(found[8] or NOON), int(found[9] or 0))
    except ValueError:
        raise _Faulty(at + 1, "foreign_day", text[:40]) from None


def _title(text: str, at: int) -> str:
    name = clean_name(text)
    if len(name) > MOST_CALLED:
        raise _Faulty(at + 1, "foreign_called_long", text[:40])
    if not called(text):
        raise _Faulty(at + 1, "foreign_called")
    return name


def _least(columns: _Columns, row: Sequence[str]) -> bool:
    text = columns.text(row, "wins")
    if normal(text).casefold() not in ("", "most", "least"):
        raise _Faulty(columns.known["wins"] + 1, "foreign_wins", text[:40])
    return normal(text).casefold() == "least"


def _cell(text: str, at: int, name: str, columns: _Columns) -> Cell | None:
    """What stands in a person's cell; None for who was not there."""
    if not text.strip():
        return None
    place = _PLACE.fullmatch(normal(text).strip())
    if place:
        return at, name, None, int(place[1])
    try:
        return at, name, number(text, comma=columns.comma), 0
    except ValueError:
        raise _Faulty(at + 1, "foreign_number", text.strip()[:20]) from None


def _value(cell: Cell) -> str:
    _at, _name, points, place = cell
    return f"#{place}" if points is None else points_text(points)


def _outcome(cells: Sequence[Cell], least: bool) -> Outcome:
    points = [cell[2] for cell in cells if cell[2] is not None]
    places = [cell[3] for cell in cells if cell[2] is None]
    if points and places:
        odd = next(cell for cell in cells if (cell[2] is None) != (cells[0][2] is None))
        raise _Faulty(odd[0] + 1, "foreign_mixed", _value(odd).replace("#", ""))
    if points:
        return ByPoints(tuple(points), least)
    if not is_ranking(places):
        raise _Faulty(cells[0][0] + 1, "foreign_ranking", " ".join(map(str, places)))
    return ByPlaces(tuple(places))


def without(faults: Iterable[PlayFault]) -> bool:
    """Whether the good lines can come in without those at fault: not with faulty headings."""
    return all(fault.number > 1 for fault in faults)
