"""Names of seats: which are valid, and how stored lines are read after a name has changed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Protocol

from referee.core.clusters import JOINED
from referee.core.corrections import Unread
from referee.core.game import TABLE, Game, SheetLine
from referee.core.generic import Entry
from referee.core.normalised import normalised
from referee.core.record import OF_SEATS, Grammar, Unreadable, form
from referee.core.sheets import TableSheet
from referee.core.verdict import Evidence, Facts, Seat

NAME_LENGTH = 40
UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
"""Characters that fonts leave out (Default_Ignorable_Code_Point), and the blank of Braille."""
SEATS_OF_FACTS = {"seat", "seats", "leader", "other", "tied"}
"""The values of facts that name seats."""
APART = "[0-9A-Za-zÀ-ÖØ-öø-ɏͰ-ԯԱ-ևḀ-῿]"
"""Digits, and letters of scripts that write words apart: Latin, Greek, Cyrillic, Armenian."""


def clean_name(text: str) -> str:
    """``text`` as a valid name: NFKC, no invisible characters, single blanks, no ``"``.

    Emoji that are made of several characters stay whole.
    """
    text = " ".join(normalised(text).split())
    text = "".join(_outside_emoji(_without_hidden, text))
    return " ".join(text.replace('"', "”").split())


def _without_hidden(text: str) -> str:
    """``text`` without control characters, bidirectional marks, lone surrogates, private use: they
    could hide or imitate text.
    """
    return "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))


def _without_unseen(text: str) -> str:
    return UNSEEN.sub("", text)


def _outside_emoji(change: Callable[[str], str], text: str) -> Iterator[str]:
    """The pieces of ``text``, changed except for what joins emoji."""
    for place, piece in enumerate(JOINED.split(text)):
        yield piece if place % 2 else change(piece)


def skeleton(name: str) -> str:
    """``name`` without the characters that nobody sees: equal ones look alike; "" shows nothing."""
    return " ".join("".join(_outside_emoji(_without_unseen, normalised(name))).split())


def usable(name: str) -> bool:
    """Whether ``name`` is a valid name; it need not be in NFKC."""
    known = name not in ("", TABLE) and len(name) <= NAME_LENGTH
    return known and clean_name(name) == normalised(name)


def unnamed(text: str, names: Iterable[str], instead: str) -> str:
    """``text`` with each of ``names`` replaced by ``instead``.

    In scripts that put blanks between words, only whole words are names: not the A in "All".
    """
    return re.sub(any_of(names), lambda found: instead, text)


def any_of(names: Iterable[str]) -> str:
    """A pattern that finds each of ``names``, the longest first."""
    return "|".join(map(_whole, sorted(set(names), key=len, reverse=True)))


def _whole(name: str) -> str:
    before = f"(?<!{APART})" if re.match(APART, name[0]) else ""
    after = f"(?!{APART})" if re.match(APART, name[-1]) else ""
    return before + re.escape(name) + after


class Script:
    """Reads and prints the lines of a match in which seats have been renamed.

    Lines have the names as recorded, entries the present ones. ``names``: recorded → present name,
    for the seats that were renamed.
    """

    def __init__(self, game: Game, recorded: Sequence[Seat], names: Mapping[Seat, Seat]) -> None:
        self._grammar = Grammar(game, recorded)
        self._today = names
        self._recorded = {today: recorded for recorded, today in names.items()}

    def parse(self, line: str) -> Entry:
        """The entry that ``line`` stands for, with present names; raises ``Unreadable``."""
        return renamed(self._grammar.parse(line), self._today)

    def recorded(self, seat: Seat) -> Seat:
        """The name of ``seat`` as recorded."""
        return self._recorded.get(seat, seat)

    def hear(self, entry: Entry) -> None:
        """From now on know the names that ``entry``, which was recorded, brings."""
        self._grammar.hear(renamed(entry, self._recorded))

    def print(self, entry: Entry) -> str:
        """The line of ``entry``, with the names recorded in this match."""
        return self._grammar.print(renamed(entry, self._recorded))


def restored(reads: Script | Grammar, line: str) -> Entry:
    """The entry that a stored line stands for; ``Unread`` if today's format has no such line.

    ``reads`` must have read the lines before it.
    """
    try:
        entry = reads.parse(line)
    except Unreadable as fault:
        return Unread(line, Evidence(fault.fact, fault.values))
    reads.hear(entry)
    return entry


def renamed(entry: Entry, names: Mapping[Seat, Seat]) -> Entry:
    """``entry`` with every seat in it, and in entries within it, replaced by its new name."""
    if not names:
        return entry
    shape = form(entry.FORM)
    seats = {part.field for part in shape.printed if part.kind in ("seat", "newcomer")}
    pairs = {part.field for part in shape.printed if part.kind in OF_SEATS}
    if entry.SUBJECT != TABLE:
        seats.add("seat")
    changed = {}
    for field in fields(entry):
        value = getattr(entry, field.name)
        if field.name in seats:
            changed[field.name] = names.get(value, value)
        elif field.name in pairs:
            changed[field.name] = tuple((names.get(seat, seat), of) for seat, of in value)
        elif isinstance(entry, TableSheet):
            changed[field.name] = tuple(_line_renamed(line, names) for line in value)
        elif hasattr(value, "FORM"):
            changed[field.name] = renamed(value, names)
        elif isinstance(value, tuple) and any(hasattr(item, "FORM") for item in value):
            changed[field.name] = tuple(renamed(item, names) for item in value)
    return replace(entry, **changed)


def _line_renamed(line: SheetLine, names: Mapping[Seat, Seat]) -> SheetLine:
    def new(seat: Seat | None) -> Seat | None:
        return None if seat is None else names.get(seat, seat)

    words = tuple((new(seat), card) for seat, card in line.words)
    return SheetLine(new(line.seat), line.key, words)


class Left(Protocol):
    """Somebody who had a seat up to entry ``until``; ``name``: None if it was removed."""

    @property
    def until(self) -> int: ...

    @property
    def name(self) -> str | None: ...


def names_then(gone: Mapping[Seat, Sequence[Left]], seq: int, somebody: str) -> dict[Seat, Seat]:
    """The seats that another person had at entry ``seq`` → the names of these people.

    ``gone``: the former players of seats, in order; ``somebody``: for a name that was removed.
    """
    found = {}
    for seat, rows in gone.items():
        then = next((row for row in rows if seq <= row.until), None)
        if then:
            found[seat] = then.name or somebody
    return found


def facts_then(gone: Mapping[Seat, Sequence[Left]], facts: Facts, seq: int, somebody: str) -> Facts:
    """``facts`` of entry ``seq`` with the names of those who had the seats then.

    A fact that another entry shows has the names as of that entry.
    """
    if not gone:
        return facts
    return tuple(_fact_then(fact, names_then(gone, fact.at or seq, somebody)) for fact in facts)


def _fact_then(fact: Evidence, names: Mapping[Seat, Seat]) -> Evidence:
    values = dict(fact.values)
    for key in SEATS_OF_FACTS & values.keys():
        value = values[key]
        if isinstance(value, str):
            values[key] = names.get(value, value)
        elif isinstance(value, tuple):
            values[key] = tuple(names.get(seat, seat) for seat in value)
    return fact._replace(values=values)
