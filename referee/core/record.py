"""The record: one text form for files, stored entries, forms and imports (format version 1).

A play class states the form of its line (``FORM = "deal [leader={leader:seat}]"``) and gets its
parser and printer from it: words stand for themselves, ``{field:kind}`` takes what the kind reads
(the kind is the field's name if none is given), ``key={…}`` may stand anywhere, what stands in
brackets may be left out together. ``parse(print(x)) == x`` for every entry and header.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from referee.core.corrections import CORRECTIONS, PARTS, Unread
from referee.core.game import COMMON_OPTIONS, TABLE, Find, Game, SheetLines, Table
from referee.core.verdict import Seat

AND = ";"  # between corrections that are made together
FREE_TEXT = ("title", "date", "place", "note")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,3999}")
_TOKEN = re.compile(r'(?:"[^"]*"|[^\s"])+')
_PLACE = re.compile(r"[a-u]")
_FACE = re.compile(r"(A|[2-9]|10|[JQK])(?:\*([1-9][0-9]{0,3}))?")
_KANJI = re.compile(r"[々\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_HEADER = re.compile(r"([^\s:]+)\s*:(.*)", re.DOTALL)
_PART = re.compile(r"(\[)?(?:(\w+)=)?(?:\{(\w+)(?::(\w+))?\}|(\w+))(\])?")


class Unreadable(Exception):
    """What is wrong: a fact of the common ruling book and its values; ``line`` 1-based.

    ``file`` names a file beside the record that is at fault itself; "" for the record.
    """

    def __init__(self, fact: str, *, line: int = 0, **values: object) -> None:
        super().__init__(fact, values)
        self.fact, self.line, self.values = fact, line, values
        self.file = ""


@dataclass(frozen=True, slots=True)
class Header:
    """The head of a record. ``tally`` marks a sheet that holds only the end of a game.

    ``named``: the things of the table's own that it is played with, by header key; ``kit``: those
    things themselves.
    """

    game: str
    seats: tuple[Seat, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    tally: bool = False
    named: Mapping[str, str] = field(default_factory=dict)
    kit: Any = field(default=None, compare=False)

    def table(self, game: Game) -> Table:
        """The table that this header describes."""
        return Table(self.seats, self.options, {**COMMON_OPTIONS, **game.OPTIONS}, self.kit)


class Written(NamedTuple):
    """An entry as it stands in a file: line number (1-based), text, and what it says."""

    line: int
    text: str
    entry: Any


class Record(NamedTuple):
    """A record file: its header and its entries in order."""

    header: Header
    entries: tuple[Written, ...]


class Sheet(NamedTuple):
    """A tally sheet: key → its lines as (line number, text); ``end``: where the header ends."""

    header: Header
    lines: SheetLines
    end: int


def nothing(name: str) -> None:
    """Where no file lies beside a record."""


def read(source: bytes, games: Mapping[str, Game], find: Find = nothing) -> Record | Sheet:
    """Read a record or a tally sheet; raises ``Unreadable`` with the line at fault."""
    lines = _lines(source)
    header, body = _header(lines, games, find)
    if header.tally:
        return Sheet(header, _sheet(lines, body), body)
    grammar = Grammar(games[header.game], header.seats)
    entries = []
    for number, line in enumerate(lines[body:], body + 1):
        text = _without_comment(line)
        if text:
            with_line = _at(number)
            entries.append(Written(number, text, with_line(grammar.parse, text)))
    return Record(header, tuple(entries))


def write(header: Header, lines: Iterable[str]) -> str:
    """A record file of entry lines as ``Grammar.print`` gives them."""
    return "\n".join([*print_header(header), "", *lines]) + "\n"


def print_header(header: Header) -> list[str]:
    """The lines of ``header``, without the blank one that ends it."""
    return [
        "referee: 1",
        f"{'tally' if header.tally else 'game'}: {header.game}",
        "seats: " + " ".join(map(quoted, header.seats)),
        *(f"{key}: {text}" for key, text in header.named.items()),
        *(f"option: {key}={value}" for key, value in header.options.items()),
        *(f"{key}: {text}".rstrip() for key, text in header.texts.items()),
    ]


def parse_header(text: str, games: Mapping[str, Game], find: Find = nothing) -> Header:
    """The header that ``print_header`` wrote."""
    return _header([normal(line) for line in text.split("\n")], games, find)[0]


@lru_cache(maxsize=1024)
def quoted(name: str) -> str:
    """``name`` as a record writes it."""
    return f'"{name}"' if not name or name == AND or re.search(r"\s|#", name) else name


def normal(text: str) -> str:
    """``text`` with compatible forms made one: full-width ９ reads as 9."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


class Grammar:
    """Parser and printer of the entries of one game with these seats."""

    def __init__(self, game: Game, seats: Sequence[Seat]) -> None:
        self.seats = frozenset(seats)
        self.plays = game.PLAYS
        classes: tuple[type[Any], ...] = (*game.PLAYS, *CORRECTIONS)
        self.forms = {(cls.SUBJECT, form(cls.FORM).verb): (cls, form(cls.FORM)) for cls in classes}

    def parse(self, line: str) -> Any:
        """The entry that ``line`` tells (no comment in it); raises ``Unreadable``."""
        return self._entry(words(normal(line)), corrections=True)

    def print(self, entry: Any) -> str:
        """The line of ``entry``."""
        if isinstance(entry, Unread):
            return entry.text
        shape = form(entry.FORM)
        subject = TABLE if entry.SUBJECT == TABLE else quoted(entry.seat)
        return f"{subject} {shape.print(entry, self)}"

    def part(self, tokens: list[str]) -> Any:
        """A correction as it stands among others, without its subject."""
        if not tokens or (TABLE, tokens[0]) not in self.forms:
            raise Unreadable("read_part", text=" ".join(tokens))
        cls, shape = self.forms[TABLE, tokens[0]]
        if cls not in PARTS:
            raise Unreadable("read_part", text=" ".join(tokens))
        return cls(**shape.parse(tokens[1:], self))

    def _entry(self, tokens: list[str], *, corrections: bool) -> Any:
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
        return cls(**values)


class Part(NamedTuple):
    """A piece of a form: a word, or a field with its kind, perhaps with a key.

    ``group`` counts the pairs of brackets from 1; 0: outside of them, never left out.
    """

    word: str | None
    key: str | None
    field: str | None
    kind: str | None
    group: int


class Form(NamedTuple):
    """A compiled form: the verb, the parts in order, and the parts that are told by key.

    ``groups``: how many pairs of brackets it has.
    """

    text: str
    verb: str
    parts: tuple[Part, ...]
    keyed: Mapping[str, Part]
    groups: int

    def parse(self, tokens: list[str], grammar: Grammar) -> dict[str, Any]:
        """Field values from the words after the verb."""
        values: dict[str, Any] = {}
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
        """How many words the part ``i`` takes: one, or for lists all up to the next word."""
        part = self.parts[i]
        if part.word is not None:
            return int(rest[:1] == [part.word])
        stops = [p.word for p in self.parts[i + 1 :] if p.word]
        free = next((k for k, token in enumerate(rest) if token in stops), len(rest))
        return free if KINDS[str(part.kind)].many else min(1, free)

    def print(self, entry: Any, grammar: Grammar) -> str:
        """The verb and what follows it."""
        words = [self.verb]
        pieces = (*self.parts, *self.keyed.values())
        told: set[int] = set()
        if self.groups:
            fields = (p for p in pieces if p.field and getattr(entry, p.field) not in (None, ()))
            told = {p.group for p in fields}
        for part in pieces:
            if part.group and part.group not in told:
                continue
            if part.word is not None:
                words.append(part.word)
            else:
                text = KINDS[str(part.kind)].write(getattr(entry, str(part.field)), grammar)
                words.append(f"{part.key}={text}" if part.key else text)
        return " ".join(words)

    def unreadable(self, tokens: list[str]) -> Unreadable:
        return Unreadable("read_form", text=" ".join([self.verb, *tokens]), form=self.text)


@cache
def form(text: str) -> Form:
    """Compile a form once."""
    verb, _, rest = text.partition(" ")
    parts, groups, inside = [], 0, False
    for match in _PART.finditer(rest):
        bracket, key, name, kind, word, end = (group or None for group in match.groups())
        inside = inside or bracket is not None
        groups += bracket is not None
        parts.append(Part(word, key, name, kind or name, groups if inside else 0))
        inside = inside and end is None
    keyed = {part.key: part for part in parts if part.key}
    return Form(text, verb, tuple(part for part in parts if not part.key), keyed, groups)


class Kind(NamedTuple):
    """How a field is read from words and written; ``many`` takes a list of words."""

    read: Callable[[list[str], Grammar], Any]
    write: Callable[[Any, Grammar], str]
    many: bool = False


def _number(tokens: list[str], grammar: Grammar) -> int:
    if not _NUMBER.fullmatch(tokens[0]):
        raise Unreadable("read_number", text=tokens[0])
    return int(tokens[0])


def _count(tokens: list[str], grammar: Grammar) -> int:
    if not _NUMBER.fullmatch(tokens[0]):
        raise Unreadable("read_count", text=tokens[0])
    return int(tokens[0])


def _ranks(tokens: list[str], grammar: Grammar) -> tuple[int, ...]:
    return tuple(rank for token in tokens for rank in rank_and_copies(token))


def _rank(tokens: list[str], grammar: Grammar) -> int:
    ranks = rank_and_copies(tokens[0])
    if len(ranks) != 1:
        raise Unreadable("read_one_card", text=tokens[0])
    return ranks[0]


def rank_and_copies(text: str) -> list[int]:
    """``9*5`` is five nines, ``9`` one; raises ``Unreadable`` if it is neither."""
    rank, star, factor = text.partition("*")
    if not _NUMBER.fullmatch(rank) or rank == "0":
        raise Unreadable("read_rank", text=text)
    if star and (not _NUMBER.fullmatch(factor) or factor == "0"):
        raise Unreadable("read_rank", text=text)
    if len(factor) > 4:  # no deck has so many; the list would not fit into memory
        raise Unreadable("read_too_many", text=text)
    return [int(rank)] * int(factor or 1)


def _places(tokens: list[str], grammar: Grammar) -> tuple[str, ...]:
    for token in tokens:
        if not _PLACE.fullmatch(token):
            raise Unreadable("read_place", text=token)
    return tuple(tokens)


def _faces(tokens: list[str], grammar: Grammar) -> tuple[str, ...]:
    return tuple(face for token in tokens for face in face_and_copies(token))


def _face(tokens: list[str], grammar: Grammar) -> str:
    faces = face_and_copies(tokens[0])
    if len(faces) != 1:
        raise Unreadable("read_one_card", text=tokens[0])
    return faces[0]


def _two_faces(tokens: list[str], grammar: Grammar) -> tuple[str, ...]:
    faces = _faces(tokens, grammar)
    if len(faces) != 2:
        raise Unreadable("read_two_cards", text=" ".join(tokens))
    return faces


def _row(tokens: list[str], grammar: Grammar) -> tuple[str, ...]:
    return _faces(tokens[0].split(","), grammar)


def face_and_copies(text: str) -> list[str]:
    """``K*2`` is two kings, ``10`` one ten; raises ``Unreadable`` if it is no French card."""
    match = _FACE.fullmatch(text)
    if not match:
        raise Unreadable("read_face", text=text)
    return [match[1]] * int(match[2] or 1)


def _kanji(tokens: list[str], grammar: Grammar) -> str:
    if len(tokens[0]) != 1 or not is_kanji(tokens[0]):
        raise Unreadable("read_kanji", text=tokens[0])
    return tokens[0]


def _forms(tokens: list[str], grammar: Grammar) -> tuple[str, ...]:
    for token in tokens:
        if len(token) not in (2, 3) or not all(map(is_kanji, token)) or token[0] == "々":
            raise Unreadable("read_word", text=token)
    return tuple(tokens)


def is_kanji(sign: str) -> bool:
    """Whether ``sign`` is a kanji or the repetition mark 々."""
    return bool(_KANJI.fullmatch(sign))


def _seat(tokens: list[str], grammar: Grammar) -> Seat:
    name = unquoted(tokens[0])
    if name not in grammar.seats:
        raise Unreadable("read_seat", name=name)
    return name


def _play(tokens: list[str], grammar: Grammar) -> Any:
    return grammar._entry(tokens, corrections=False)


def _corrections(tokens: list[str], grammar: Grammar) -> tuple[Any, ...]:
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == AND:
            parts.append([])
        else:
            parts[-1].append(token)
    return tuple(grammar.part(part) for part in parts)


def _write_corrections(parts: Sequence[Any], grammar: Grammar) -> str:
    return f" {AND} ".join(grammar.print(part).removeprefix(f"{TABLE} ") for part in parts)


def _yes_or_no(tokens: list[str], grammar: Grammar) -> bool:
    if tokens[0] not in ("yes", "no"):
        raise Unreadable("read_yes_or_no", text=tokens[0])
    return tokens[0] == "yes"


def _text(tokens: list[str], grammar: Grammar) -> str:
    token = tokens[0]
    if len(token) < 3 or token[0] != '"' or token[-1] != '"' or token.count('"') != 2:
        raise Unreadable("read_text", text=token)
    return token[1:-1]


KINDS: Mapping[str, Kind] = {
    "number": Kind(_number, lambda value, _: str(value)),
    "count": Kind(_count, lambda value, _: str(value)),
    "rank": Kind(_rank, lambda value, _: str(value)),
    "ranks": Kind(_ranks, lambda value, _: " ".join(map(str, value)), many=True),
    "place": Kind(lambda tokens, grammar: _places(tokens, grammar)[0], lambda value, _: value),
    "places": Kind(_places, lambda value, _: " ".join(value), many=True),
    "face": Kind(_face, lambda value, _: str(value)),
    "faces": Kind(_faces, lambda value, _: " ".join(value), many=True),
    "two_faces": Kind(_two_faces, lambda value, _: " ".join(value), many=True),
    "row_of_faces": Kind(_row, lambda value, _: ",".join(value)),
    "kanji": Kind(_kanji, lambda value, _: str(value)),
    "word": Kind(lambda tokens, grammar: _forms(tokens, grammar)[0], lambda value, _: str(value)),
    "words": Kind(_forms, lambda value, _: " ".join(value), many=True),
    "seat": Kind(_seat, lambda value, _: quoted(value)),
    "entry": Kind(_play, lambda value, grammar: grammar.print(value), many=True),
    "corrections": Kind(_corrections, _write_corrections, many=True),
    "yes_or_no": Kind(_yes_or_no, lambda value, _: "yes" if value else "no"),
    "text": Kind(_text, lambda value, _: f'"{value}"'),
}


def words(line: str) -> list[str]:
    """The words of ``line``; what stands in double quotes is part of one, quotes kept."""
    if line.count('"') % 2:
        raise Unreadable("read_quote", text=line)
    return _TOKEN.findall(line) if '"' in line else line.split()


def unquoted(token: str) -> str:
    """``token`` without its double quotes."""
    return token.replace('"', "")


def _at(number: int) -> Callable[..., Any]:
    """Call something and give what it finds unreadable the line ``number``."""

    def call(function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Unreadable as fault:
            if fault.file:
                raise
            raise Unreadable(fault.fact, line=number, **fault.values) from None

    return call


def _lines(source: bytes) -> list[str]:
    lines = []
    for number, raw in enumerate(source.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        try:
            lines.append(normal(raw.removesuffix(b"\r").decode("utf-8")))
        except UnicodeDecodeError:
            raise Unreadable("read_utf8", line=number) from None
    if lines[-1] == "":
        lines.pop()
    return lines


def _without_comment(line: str) -> str:
    """``line`` without its comment and outer blanks; a ``#`` inside double quotes is text."""
    if "#" not in line:
        return line.strip()
    inside = False
    for i, sign in enumerate(line):
        if sign == '"':
            inside = not inside
        elif sign == "#" and not inside and (i == 0 or line[i - 1] in " \t"):
            return line[:i].strip()
    return line.strip()


def _header(lines: list[str], games: Mapping[str, Game], find: Find) -> tuple[Header, int]:
    """The header, and how many lines it takes with the blank one that ends it."""
    first = _HEADER.fullmatch(_without_comment(lines[0])) if lines else None
    if not first or (first[1], first[2].strip()) != ("referee", "1"):
        raise Unreadable("read_first_line", line=1)
    found: dict[str, tuple[int, str]] = {"referee": (1, "1")}
    options: dict[str, tuple[int, str]] = {}
    end = body = len(lines)
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            end = body = number
            break
        key, text = _header_line(number, line)
        if key == "option":
            name, sign, value = (part.strip() for part in text.partition("="))
            if not sign:
                raise Unreadable("read_option_form", line=number, text=text)
            if name in options:
                raise Unreadable("read_repeated", line=number, key=name)
            options[name] = (number, value)
        elif key in found:
            raise Unreadable("read_repeated", line=number, key=key)
        elif key:
            found[key] = (number, text)
    return _checked(found, options, end, games, find), body


def _header_line(number: int, line: str) -> tuple[str, str]:
    """Key and text of a header line; an empty key for a comment."""
    if not _without_comment(line):
        return "", ""
    match = _HEADER.fullmatch(line.strip())
    if not match:
        raise Unreadable("read_header_line", line=number, text=line.strip())
    key, text = match.groups()
    if key in FREE_TEXT:
        return key, text.strip()
    if key not in ("referee", "game", "tally", "seats", "option", "deck", "words"):
        raise Unreadable("read_unknown_key", line=number, key=key)
    return key, _without_comment(text)


def _checked(
    found: Mapping[str, tuple[int, str]],
    options: Mapping[str, tuple[int, str]],
    end: int,
    games: Mapping[str, Game],
    find: Find,
) -> Header:
    if "game" in found and "tally" in found:
        raise Unreadable("read_repeated", line=max(found["game"][0], found["tally"][0]), key="game")
    kind = "tally" if "tally" in found else "game"
    for key in (kind, "seats"):
        if key not in found:
            raise Unreadable("read_missing", line=end, key=key)
    line, name = found[kind]
    if name not in games:
        raise Unreadable("read_game", line=line, name=name, games=tuple(games))
    game = games[name]
    if kind == "tally" and not getattr(game, "TALLIED", True):
        raise Unreadable("read_tally_none", line=line)
    equipment: tuple[str, ...] = getattr(game, "EQUIPMENT", ())
    for key in ("deck", "words"):
        if key in found and key not in equipment:
            raise Unreadable("read_unknown_key", line=found[key][0], key=key)
    seats = _at(found["seats"][0])(_seats, found["seats"][1], game)
    known = {**COMMON_OPTIONS, **game.OPTIONS}
    for key, (number, value) in options.items():
        if key not in known:
            raise Unreadable("read_option", line=number, key=key, options=tuple(known))
        if value not in known[key].values:
            raise Unreadable(
                "read_option_value", line=number, key=key, value=value, values=known[key].values
            )
    for key, (number, value) in options.items():
        for other, barred in known[key].barred.get(value, {}).items():
            if other in options and options[other][1] == barred:
                raise Unreadable(
                    "read_option_clash",
                    line=max(number, options[other][0]),
                    key=key,
                    value=value,
                    other=other,
                    barred=barred,
                )
    header = Header(
        name,
        seats,
        {key: value for key, (_, value) in options.items()},
        {key: text for key, (_, text) in found.items() if key in FREE_TEXT},
        kind == "tally",
        {key: found[key][1] for key in equipment if key in found},
    )
    return replace(header, kit=_equipped(header, game, found, end, find)) if equipment else header


def _equipped(
    header: Header,
    game: Any,
    found: Mapping[str, tuple[int, str]],
    end: int,
    find: Find,
) -> Any:
    named = {key: header.named.get(key, "") for key in game.EQUIPMENT}
    try:
        return game.equip(named, header.table(game).option, find)
    except Unreadable as fault:
        if fault.file:
            raise
        line = found.get(str(fault.values.get("key")), (end, ""))[0]
        raise Unreadable(fault.fact, line=line, **fault.values) from None


def _seats(text: str, game: Game) -> tuple[Seat, ...]:
    seats = tuple(map(unquoted, words(text)))
    for i, name in enumerate(seats):
        if not name or name == TABLE:
            raise Unreadable("read_seat_name", name=name)
        if name in seats[:i]:
            raise Unreadable("read_seat_twice", name=name)
    if len(seats) not in game.SEATS:
        few, many = game.SEATS[0], game.SEATS[-1]
        raise Unreadable("read_seat_count", count=len(seats), few=few, many=many)
    return seats


def _sheet(lines: list[str], body: int) -> dict[str, list[tuple[int, str]]]:
    sheet: dict[str, list[tuple[int, str]]] = {}
    for number, line in enumerate(lines[body:], body + 1):
        text = _without_comment(line)
        if text:
            match = re.fullmatch(r'((?:"[^"]*"|[^":])+):(.*)', text)
            if not match:
                raise Unreadable("read_tally_line", line=number, text=text)
            key = unquoted(match[1].strip())
            sheet.setdefault(key, []).append((number, match[2].strip()))
    return sheet
