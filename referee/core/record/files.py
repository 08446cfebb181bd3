"""Reading whole records and tally sheets from the bytes of a file, and writing records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from referee.core.game import Find, Game, SheetLines
from referee.core.generic import Entry
from referee.core.record.grammar import Grammar
from referee.core.record.header import (
    GameFile,
    Header,
    no_game_file,
    nothing,
    print_header,
    read_head,
)
from referee.core.record.text import Unreadable, at_line, normal, unquoted, without_comment
from referee.core.verdict import Seat

MOST_LINE = 20_000  # bytes; a sheet of a hundred seats has a third of it
MOST_ENTRIES = 10_000  # the longest known evening has a fifth of it


class Written(NamedTuple):
    """An entry in a file: its line number (1-based), its text, and the entry itself."""

    line: int
    text: str
    entry: Entry


class Record(NamedTuple):
    """A record file: its header and its entries in order."""

    header: Header
    entries: tuple[Written, ...]


class TallyFile(NamedTuple):
    """A tally sheet: its header and its lines; ``end``: the number of the line after the header."""

    header: Header
    lines: SheetLines
    end: int


def read(
    source: bytes,
    games: Mapping[str, Game],
    find: Find = nothing,
    files: GameFile = no_game_file,
) -> Record | TallyFile:
    """Read a record or a tally sheet; raises ``Unreadable`` with the line at fault."""
    lines = _lines(source)
    header, body = read_head(lines, games, find, files)
    if header.tally:
        return TallyFile(header, _sheet(lines, body, header.seats), body)
    grammar = Grammar(header.own or games[header.game], header.seats, header.options)
    entries: list[Written] = []
    for number, line in enumerate(lines[body:], body + 1):
        text = without_comment(line)
        if text:
            if len(entries) == MOST_ENTRIES:
                raise Unreadable("read_entries", line=number, most=MOST_ENTRIES)
            entry = at_line(number, grammar.parse, text)
            grammar.hear(entry)
            entries.append(Written(number, text, entry))
    return Record(header, tuple(entries))


def seat_lines(lines: SheetLines, seats: Sequence[Seat], end: int) -> dict[Seat, tuple[int, str]]:
    """The one line of every seat, in the order of the file, as (line number, text).

    Raises ``Unreadable`` if a seat has no line (at line ``end``) or two, and for any other key.
    """
    for key, found in lines.items():
        if key not in seats:
            raise Unreadable("read_tally_key", line=found[0][0], key=key)
        if len(found) > 1:
            raise Unreadable("read_repeated", line=found[1][0], key=key)
    for seat in seats:
        if seat not in lines:
            raise Unreadable("read_missing", line=end, key=seat)
    return {seat: found[0] for seat, found in lines.items()}


def write(header: Header, lines: Iterable[str]) -> str:
    """The text of a record file with the entry ``lines`` as ``Grammar.print`` gives them."""
    return "\n".join([*print_header(header), "", *lines]) + "\n"


def _lines(source: bytes) -> list[str]:
    lines = []
    for number, raw in enumerate(source.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if len(raw) > MOST_LINE:
            raise Unreadable("read_line_length", line=number, most=MOST_LINE)
        try:
            lines.append(normal(raw.removesuffix(b"\r").decode("utf-8")))
        except UnicodeDecodeError:
            raise Unreadable("read_utf8", line=number) from None
    if lines[-1] == "":
        lines.pop()
    return lines


def _sheet(lines: list[str], body: int, seats: Sequence[Seat]) -> dict[str, list[tuple[int, str]]]:
    sheet: dict[str, list[tuple[int, str]]] = {}
    form = sheet_line(seats)
    for number, line in enumerate(lines[body:], body + 1):
        text = without_comment(line)
        if text:
            match = form.fullmatch(text)
            if not match:
                raise Unreadable("read_tally_line", line=number, text=text)
            key = unquoted(match[1].strip())
            sheet.setdefault(key, []).append((number, match[2].strip()))
    return sheet


def sheet_line(seats: Sequence[Seat]) -> re.Pattern[str]:
    """A line of the sheet: a name, which may contain colons, or another key; what follows it."""
    names = "|".join(re.escape(seat) for seat in sorted(seats, key=len, reverse=True))
    return re.compile(rf'({names}|(?:"[^"]*+"|[^":]++)++)\s*:(.*)')
