"""Parser and printer for the entries of a game.

A play class states the form of its line (``FORM = "deal [leader={leader:seat}]"``), from which its
parser and printer are derived: words stand for themselves, ``{field:kind}`` is a field that its
kind reads (the kind is the field's name if none is given), ``key={…}`` may stand anywhere, and what
is in brackets may be left out together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from referee.core.corrections import CORRECTIONS, PARTS, Part, Unread
from referee.core.game import COMMON_OPTIONS, TABLE, Game, Table
from referee.core.generic import Entry
from referee.core.record.kinds import KINDS
from referee.core.record.text import Unreadable, normal, quoted, unquoted, words
from referee.core.sheets import entries
from referee.core.verdict import Seat

_PART = re.compile(r"(\[)?(?:(\w+)=)?(?:\{(\w+)(?::(\w+))?\}|(\w+))(\])?")


class Grammar:
    """Parser and printer of the entries of one game with these seats.

    Where people can join a match, it also knows the names in the entries that it has ``heard``.
    ``chosen``: the house rules; with them, values of a team read as those of its first seat, where
    the game has one value a team, and words that these rules cannot take are refused. Entries that
    were recorded are read without.
    """

    def __init__(
        self, game: Game, seats: Sequence[Seat], chosen: Mapping[str, str] | None = None
    ) -> None:
        self.seats = frozenset(seats)
        self.order = tuple(seats)
        self.quoted = {seat: quoted(seat) for seat in seats}
        self.plays = game.PLAYS
        self.sheet = game.HOOKS.sheet
        self.decimals = game.HOOKS.decimals
        self.first = game.HOOKS.first(seats, chosen or {})
        self.readable: Callable[[Entry], None] | None = None
        if game.HOOKS.readable is not None and chosen is not None:
            table = Table(tuple(seats), chosen, {**COMMON_OPTIONS, **game.OPTIONS})
            self.readable = game.HOOKS.readable(game, table)
        classes: tuple[type[Entry], ...] = (*game.PLAYS, *entries(game), *CORRECTIONS)
        self.joining = any("newcomer" in kinds_of(cls) for cls in game.PLAYS)
        self.forms = {(cls.SUBJECT, form(cls.FORM).verb): (cls, form(cls.FORM)) for cls in classes}

    def parse(self, line: str) -> Entry:
        """The entry that ``line``, which has no comment, stands for; raises ``Unreadable``."""
        tokens = words(normal(line))
        # a line knows the names that it brings itself; until it is recorded, only that line
        fresh = [*_joining(tokens)] if self.joining else []
        return (self._with(fresh) if fresh else self).entry(tokens, corrections=True)

    def hear(self, entry: Entry) -> None:
        """From now on know the names in ``entry``, which was recorded, whatever became of it."""
        if self.joining:
            more = self._with(newcomers(entry))
            self.order, self.seats, self.quoted = more.order, more.seats, more.quoted

    def _with(self, names: Iterable[Seat]) -> Grammar:
        """This grammar with more seats, those that it does not know yet in this order."""
        more = Grammar.__new__(Grammar)
        vars(more).update(vars(self))
        more.order = tuple(dict.fromkeys((*self.order, *names)))
        more.seats = frozenset(more.order)
        more.quoted = {seat: quoted(seat) for seat in more.order}
        return more

    def print(self, entry: Entry) -> str:
        """The line of ``entry``."""
        if isinstance(entry, Unread):
            return entry.text
        shape = form(entry.FORM)
        if entry.SUBJECT == TABLE:
            return f"{TABLE} {shape.print(entry, self)}"
        seat: Seat = getattr(entry, "seat", "")
        return f"{self.quoted.get(seat) or quoted(seat)} {shape.print(entry, self)}"

    def part(self, tokens: list[str]) -> Part:
        """The correction in ``tokens``, which lack the subject; raises ``Unreadable``."""
        if not tokens or (TABLE, tokens[0]) not in self.forms:
            raise Unreadable("read_part", text=" ".join(tokens))
        cls, shape = self.forms[TABLE, tokens[0]]
        if cls not in PARTS:
            raise Unreadable("read_part", text=" ".join(tokens))
        make: Callable[..., Part] = cls
        return make(**shape.parse(tokens[1:], self))

    def entry(self, tokens: list[str], *, corrections: bool) -> Entry:
        """The entry in ``tokens``; raises ``Unreadable``.

        ``corrections``: whether it may be a correction; inside another one it may not.
        """
        if len(tokens) < 2:
            raise Unreadable("read_short", text=" ".join(tokens))
        name, verb = unquoted(tokens[0]), tokens[1]
        subject = TABLE if name == TABLE else "seat"
        if subject == "seat" and name not in self.seats:
            raise Unreadable("read_seat", name=name)
        if (subject, verb) not in self.forms:
            raise Unreadable("read_verb", subject=name, verb=verb)
        cls, shape = self.forms[subject, verb]
        if not corrections and cls in CORRECTIONS:
            raise Unreadable("read_nested", verb=verb)
        values = shape.parse(tokens[2:], self)
        if subject == "seat":
            values["seat"] = name
        make: Callable[..., Entry] = cls
        made = make(**values)
        if self.readable is not None:
            self.readable(made)
        return made


def _joining(tokens: Sequence[str]) -> Iterator[Seat]:
    """The names after the words ``table join`` in a line, or ``insert 5 table join``."""
    for subject, verb, name in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (subject, verb) == (TABLE, "join"):
            yield unquoted(name)


def kinds_of(cls: type[Entry]) -> set[str | None]:
    """The kinds of the fields of an entry."""
    return {part.kind for part in form(cls.FORM).printed}


def newcomers(entry: Entry) -> Iterator[Seat]:
    """The names that ``entry``, or an entry within it, brings into the match."""
    for part in form(entry.FORM).printed:
        value = getattr(entry, part.field) if part.field else None
        if part.kind == "newcomer":
            yield str(value)
        elif part.kind == "entry" and value is not None:
            yield from newcomers(value)
        elif part.kind == "corrections":
            for inner in value or ():
                yield from newcomers(inner)


class FormPart(NamedTuple):
    """A piece of a form: a word, or a field with its kind and perhaps a key.

    ``group``: the number of its pair of brackets, from 1; 0: outside of brackets, so required.
    """

    word: str | None
    key: str | None
    field: str | None
    kind: str | None
    group: int


class Form(NamedTuple):
    """A compiled form: the verb, the parts in order, and the parts that have a key.

    ``printed``: all parts in the order in which a line has them. ``groups``: how many pairs of
    brackets the form has.
    """

    text: str
    verb: str
    parts: tuple[FormPart, ...]
    keyed: Mapping[str, FormPart]
    printed: tuple[FormPart, ...]
    groups: int

    def parse(self, tokens: list[str], grammar: Grammar) -> dict[str, object]:
        """Field name → value, from the words after the verb; raises ``Unreadable``."""
        values: dict[str, object] = {}
        rest = []
        for token in tokens:
            key, sign, text = token.partition("=")
            if sign and key in self.keyed and not key.startswith('"'):
                part = self.keyed[key]
                if part.field in values:
                    raise self.unreadable(tokens)
                values[str(part.field)] = KINDS[str(part.kind)].read([text], grammar)
            else:
                rest.append(token)
        if any(not p.group and p.field not in values for p in self.keyed.values()):
            raise self.unreadable(tokens)
        absent = 0
        for i, part in enumerate(self.parts):
            if part.group and part.group == absent:
                continue
            taken = self._span(rest, i)
            if taken == 0:
                if not part.group or (i and self.parts[i - 1].group == part.group):
                    raise self.unreadable(tokens)
                absent = part.group
            elif part.field is not None:
                values[part.field] = KINDS[str(part.kind)].read(rest[:taken], grammar)
            rest = rest[taken:]
        if rest:
            raise self.unreadable(tokens)
        return values

    def _span(self, rest: list[str], i: int) -> int:
        """How many words the part ``i`` takes: one, or for lists all up to the next fixed word."""
        part = self.parts[i]
        if part.word is not None:
            return int(rest[:1] == [part.word])
        stops = [p.word for p in self.parts[i + 1 :] if p.word]
        free = next((k for k, token in enumerate(rest) if token in stops), len(rest))
        return free if KINDS[str(part.kind)].many else min(1, free)

    def print(self, entry: Entry, grammar: Grammar) -> str:
        """The line of ``entry`` from the verb on."""
        words = [self.verb]
        present: set[int] = set()
        if self.groups:
            fields = (p for p in self.printed if p.field)
            present = {p.group for p in fields if getattr(entry, str(p.field)) not in (None, ())}
        for word, key, field, kind, group in self.printed:
            if group and group not in present:
                continue
            if word is not None:
                words.append(word)
            else:
                text = KINDS[str(kind)].write(getattr(entry, str(field)), grammar)
                words.append(f"{key}={text}" if key else text)
        return " ".join(words)

    def unreadable(self, tokens: list[str]) -> Unreadable:
        """The error for words after the verb that do not have this form."""
        return Unreadable("read_form", text=" ".join([self.verb, *tokens]), form=self.text)


@cache
def form(text: str) -> Form:
    """The compiled form of ``text``; cached."""
    verb, _, rest = text.partition(" ")
    parts, groups, inside = [], 0, False
    for match in _PART.finditer(rest):
        bracket, key, name, kind, word, end = (group or None for group in match.groups())
        inside = inside or bracket is not None
        groups += bracket is not None
        parts.append(FormPart(word, key, name, kind or name, groups if inside else 0))
        inside = inside and end is None
    keyed = {part.key: part for part in parts if part.key}
    plain = tuple(part for part in parts if not part.key)
    return Form(text, verb, plain, keyed, (*plain, *keyed.values()), groups)
