"""A parser for the part of TOML that game files use; it keeps the place of each key.

The values are texts, whole numbers, booleans, lists and tables; no dates and no fractions.
``tomllib`` gives no places, reports errors in English only, and needs quadratic time for long
dotted keys. This parser reads untrusted files in one pass, with limits. Tests compare both.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Set
from typing import NamedTuple, TypeAlias

from referee.core.normalised import normalised
from referee.kit.text.faults import FilePosition, Path, Wrong, dotted
from referee.kit.text.formula import FormulaText
from referee.kit.text.parsing import parse

Value: TypeAlias = "str | int | bool | list[Value] | dict[str, Value]"

SIZE = 64 * 1024  # bytes
DEPTH = 6
TABLES = 400
KEYS = 1600
TEXT = 600

_BLANK = re.compile(r"[ \t]*")
_SPACE = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_LINE_END = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|\Z)")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_NUMBER = re.compile(r"[+-]?(?:0|[1-9](?:_?[0-9]){0,11})(?![0-9A-Za-z_.:-])")
_WORD = re.compile(r"(true|false)(?![0-9A-Za-z_-])")
_GOES_ON = re.compile(r"(?![ \t]+[A-Za-z0-9_.-]+[ \t]*=)[ \t]*[-+*/<>=(A-Za-z]")  # of a sum
_UNQUOTED = re.compile(r"[^,}\]#\n]{1,60}(?=[,}\]#\n])")
_DECIMALS = re.compile(r"[-+0-9]+[.:][^.]*")
_ESCAPE = re.compile(r'\\(?:(["\\bfnrt])|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))')
_LONG_ESCAPE = re.compile(_ESCAPE.pattern + r"|\\[ \t]*\n[ \t\n]*")
_STRINGS = {
    '"': re.compile(r'"((?:[^"\\\n]++|\\[^\n])*+)"'),
    "'": re.compile(r"'([^'\n]*+)'"),
    '"""': re.compile(r'"""((?:[^"\\]++|\\(?s:.)|"{1,2}(?!"))*+"{0,2})"""'),
    "'''": re.compile(r"'''((?:[^']++|'{1,2}(?!'))*+'{0,2})'''"),
}
_QUOTES = "“”„‟‘’「」『』"
_JAPANESE = {"、": ",", "：": "=", "；": ","}
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


class Document(NamedTuple):
    """The values of a file, the place of each key, and the place where each value begins.

    A path has the keys from the outermost to the innermost; places in lists are 0-based.
    """

    values: dict[str, Value]
    keys: Mapping[Path, FilePosition]
    begins: Mapping[Path, FilePosition]
    headed: Set[Path]
    """The parts below a heading such as [play]."""
    parsed: dict[tuple[str, FilePosition, str, str], FormulaText]
    """The cache of ``formula``: every table of the game asks for the same sums."""

    def place(self, path: Path) -> FilePosition:
        """Where the key ``path`` stands, or the nearest one around it."""
        while path and path not in self.keys:
            path = path[:-1]
        return self.keys.get(path, FilePosition(1, 1))

    def formula(self, source: str | int, place: FilePosition, path: Path, kind: str) -> FormulaText:
        """The result of ``sums.parse``, cached."""
        key = (str(source), place, dotted(path), kind)
        if key not in self.parsed:
            self.parsed[key] = parse(*key)
        return self.parsed[key]


def normal(source: bytes) -> str:
    """The normalised text, from which the hash is computed; raises ``Wrong``.

    UTF-8 without a byte order mark, NFC, no blanks at line ends, one newline at the end.
    """
    if len(source) > SIZE:
        raise Wrong("kit_too_long", FilePosition(1, 1), most=SIZE // 1024)
    try:
        text = source.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as found:
        before = source[: found.start]
        column = found.start - before.rfind(b"\n")
        raise Wrong("read_utf8", FilePosition(before.count(b"\n") + 1, column)) from None
    lines = normalised(text, "NFC").replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip(" \t\r") for line in lines).rstrip("\n") + "\n"


def read(text: str) -> Document:
    """Parse ``text``, which ``normal`` returned; raises ``Wrong``."""
    return _Reader(text).document()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.breaks = [found.start() for found in re.finditer("\n", text)]
        self.values: dict[str, Value] = {}
        self.keys: dict[Path, FilePosition] = {}
        self.begins: dict[Path, FilePosition] = {}
        self.closed: set[Path] = set()  # values and inline tables, to which nothing may be added
        self.headed: set[Path] = set()  # tables that may have no second heading
        self.headings: set[Path] = set()
        self.tables = 0

    def document(self) -> Document:
        inside: Path = ()
        while True:
            self._skip(_SPACE)
            if self.at == len(self.text):
                return Document(self.values, self.keys, self.begins, self.headings, {})
            if self.text.startswith("[", self.at):
                inside = self._header()
            else:
                self._pair(inside)
            end = _LINE_END.match(self.text, self.at)
            if not end:
                stop = self.at
                self._skip(_BLANK)
                self._wide()
                listed = self.text.startswith(",", self.at)
                raise self._wrong("kit_list_signs" if listed else "kit_line_end", stop)
            self.at = end.end()

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        assert found  # these patterns match the empty text, too
        self.at = found.end()

    def _place(self, at: int | None = None) -> FilePosition:
        at = self.at if at is None else at
        line = bisect_right(self.breaks, at - 1)
        begin = self.breaks[line - 1] + 1 if line else 0
        return FilePosition(line + 1, at - begin + 1)

    def _wrong(self, fact: str, at: int | None = None, **values: object) -> Wrong:
        return Wrong(fact, self._place(at), "", **values)

    def _wide(self) -> None:
        """Raise ``Wrong`` at a sign of another keyboard: a full-width one, or a curly quote."""
        sign = self.text[self.at : self.at + 1]
        narrow = '"' if sign in _QUOTES else _JAPANESE.get(sign)
        narrow = narrow or normalised(sign)
        if narrow == " ":
            raise self._wrong("kit_wide_space")
        if sign and narrow != sign:
            raise self._wrong("kit_wide", sign=sign, code=f"U+{ord(sign):04X}", words=narrow)

    def _take(self, sign: str) -> None:
        if not self.text.startswith(sign, self.at):
            self._wide()
            raise self._wrong("kit_expected", sign=sign)
        self.at += len(sign)

    def _header(self) -> Path:
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        start = self.at
        path = self._key()
        self._take("]]" if many else "]")
        self._count(start)
        spread = self._resolved(path[:-1], start)
        full = (*spread, path[-1])
        table = self._table(full[:-1], start)
        if many:
            rows = table.setdefault(path[-1], [])
            if full in self.closed or not isinstance(rows, list):
                raise self._wrong("kit_twice", start, key=dotted(path))
            self.keys.setdefault(full, self._place(start))
            full = (*full, len(rows))
            rows.append({})
        else:
            if full in self.closed or full in self.headed:
                raise self._wrong("kit_twice", start, key=dotted(path))
            if isinstance(table.setdefault(path[-1], {}), list):
                raise self._wrong("kit_twice", start, key=dotted(path))
            self.headed.add(full)
            self.headings.add(full)
        self.keys.setdefault(full, self._place(start))
        if len(full) > DEPTH:
            raise self._wrong("kit_deep", start, most=DEPTH)
        return full

    def _resolved(self, path: tuple[str, ...], at: int) -> Path:
        """``path`` from the root, with the index of the last row of each list of tables on
        the way.
        """
        found: Path = ()
        here: Value = self.values
        for key in path:
            found = (*found, key)
            here = here.get(key, {}) if isinstance(here, dict) else {}
            if isinstance(here, list):
                if found in self.closed or not here:
                    raise self._wrong("kit_twice", at, key=dotted(path))
                found, here = (*found, len(here) - 1), here[-1]
        return found

    def _table(self, path: Path, at: int) -> dict[str, Value]:
        """The table at ``path``; created if there is none yet."""
        here: Value = self.values
        for i, key in enumerate(path):
            if path[: i + 1] in self.closed:
                raise self._wrong("kit_twice", at, key=dotted(path))
            if isinstance(here, list) and isinstance(key, int):
                here = here[key]
            elif isinstance(here, dict) and isinstance(key, str):
                if key not in here:
                    self._count(at)
                    here[key] = {}
                    self.keys[path[: i + 1]] = self._place(at)
                here = here[key]
        if not isinstance(here, dict):
            raise self._wrong("kit_twice", at, key=dotted(path))
        return here

    def _count(self, at: int) -> None:
        self.tables += 1
        if self.tables > TABLES:
            raise self._wrong("kit_too_many_tables", at, most=TABLES)

    def _key(self) -> tuple[str, ...]:
        parts: list[str] = []
        while True:
            self._skip(_BLANK)
            start = self.at
            if bare := _BARE.match(self.text, self.at):
                self.at = bare.end()
                parts.append(bare[0])
            elif self.text.startswith(("'", '"'), self.at):
                parts.append(self._string(start))
            else:
                self._wide()
                raise self._wrong("kit_key")
            if len(parts) > DEPTH:
                raise self._wrong("kit_deep", start, most=DEPTH)
            self._skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return tuple(parts)
            self.at += 1

    def _pair(self, inside: Path) -> None:
        start = self.at
        key = self._key()
        self._take("=")
        self._skip(_BLANK)
        path: Path = (*inside, *key)
        if len(path) > DEPTH + 1:
            raise self._wrong("kit_deep", start, most=DEPTH)
        table = self._table(path[:-1], start)
        if len(key) > 1:
            self.headed.add(path[:-1])
        if key[-1] in table:
            raise self._wrong(_twice(table[key[-1]]), start, key=dotted(key))
        if len(self.keys) > KEYS:
            raise self._wrong("kit_too_many_keys", start, most=KEYS)
        self.keys[path] = self._place(start)
        table[key[-1]] = self._value(path)
        self.closed.add(path)

    def _value(self, path: Path) -> Value:
        start = self.at
        sign = self.text[start : start + 1]
        self.begins[path] = self._place(start)
        if sign in ("'", '"') and sign:
            long = self.text.startswith(sign * 3, start)
            self.begins[path] = self._place(start + (3 if long else 1))
            return self._string(start)
        if len(path) > DEPTH + 1:
            raise self._wrong("kit_deep", start, most=DEPTH)
        if sign == "[":
            return self._list(path)
        if sign == "{":
            return self._braces(path)
        if number := _NUMBER.match(self.text, start):
            if _GOES_ON.match(self.text, number.end()):
                raise self._unquoted(start)
            self.at = number.end()
            return int(number[0])
        if word := _WORD.match(self.text, start):
            self.at = word.end()
            return word[1] == "true"
        self._wide()
        raise self._unquoted(start)

    def _unquoted(self, start: int) -> Wrong:
        """The fault of a text or a sum without quotes, with the words that may be meant."""
        found = _UNQUOTED.match(self.text, start)
        words = found[0].strip().strip("'\"") if found else ""
        if not words or _DECIMALS.fullmatch(words):
            return self._wrong("kit_value", start)
        return self._wrong("kit_unquoted", start, text=words)

    def _list(self, path: Path) -> Value:
        self.at += 1
        rows: list[Value] = []
        while True:
            self._skip(_SPACE)
            if self.text.startswith("]", self.at):
                self.at += 1
                return rows
            if len(self.begins) > KEYS:
                raise self._wrong("kit_too_many_keys", most=KEYS)
            self.keys[*path, len(rows)] = self._place()
            rows.append(self._value((*path, len(rows))))
            self._skip(_SPACE)
            if not self.text.startswith("]", self.at):
                self._take(",")

    def _braces(self, path: Path) -> Value:
        self._count(self.at)
        start = self.at
        self.at += 1
        table: dict[str, Value] = {}
        # This table is not yet in ``values``, so its keys are looked up in itself, not in the file.
        inner = _Braces(self, path, table)
        self._skip(_BLANK)
        if self.text.startswith("}", self.at):
            self.at += 1
            return table
        while True:
            self._skip(_BLANK)
            inner.pair()
            self._skip(_BLANK)
            if self.text.startswith("}", self.at):
                self.at += 1
                return table
            if self.text.startswith("\n", self.at) or self.at == len(self.text):
                raise self._wrong("kit_open", start, sign="}")
            self._take(",")

    def _string(self, start: int) -> str:
        sign = self.text[start]
        mark = sign * 3 if self.text.startswith(sign * 3, start) else sign
        whole = _STRINGS[mark].match(self.text, start)
        if not whole:
            raise self._wrong("kit_open", start, sign=mark)
        begin, raw = start + len(mark), sign == "'"
        self.at = whole.end()
        if self.at - start > 12 * TEXT:
            raise self._wrong("kit_long_text", start, most=TEXT)
        text = whole[1]
        if len(mark) == 3:
            text = text.removeprefix("\n")
        if not raw:
            text = self._unescaped(text, begin, long=len(mark) == 3)
        if len(text) > TEXT:
            raise self._wrong("kit_long_text", start, most=TEXT)
        for sign in text:
            if unicodedata.category(sign) in ("Cc", "Cf", "Cs") and sign != "\n":
                raise self._wrong("kit_control", start, code=f"U+{ord(sign):04X}")
        return text

    def _unescaped(self, text: str, begin: int, *, long: bool) -> str:
        if "\\" not in text:
            return text
        pattern = _LONG_ESCAPE if long else _ESCAPE
        parts, at = [], 0
        while (slash := text.find("\\", at)) >= 0:
            found = pattern.match(text, slash)
            if not found:
                raise self._wrong("kit_escape", begin + slash)
            parts.append(text[at:slash])
            short, four, eight = found[1], found[2], found[3]
            code = int(four or eight or "0", 16)
            if code > 0x10FFFF or 0xD800 <= code < 0xE000:
                raise self._wrong("kit_escape", begin + slash)
            parts.append(_ESCAPED[short] if short else chr(code) if code else "")
            at = found.end()
        return "".join((*parts, text[at:]))


def _twice(value: Value) -> str:
    """The fact that says that a key is written twice; ``value``: its first value."""
    return "kit_twice" if isinstance(value, dict) else "kit_twice_value"


class _Braces:
    """An inline table (in braces) that is being read."""

    def __init__(self, reader: _Reader, path: Path, table: dict[str, Value]) -> None:
        self.reader, self.path, self.table = reader, path, table
        self.made: set[Path] = set()

    def pair(self) -> None:
        reader = self.reader
        start = reader.at
        key = reader._key()
        reader._take("=")
        reader._skip(_BLANK)
        here, path = self.table, self.path
        for part in key[:-1]:
            path = (*path, part)
            if part not in here:
                reader._count(start)
                here[part] = {}
                reader.keys[path] = reader._place(start)
                self.made.add(path)
            inner = here[part]
            if not isinstance(inner, dict) or path not in self.made:
                raise reader._wrong("kit_twice", start, key=dotted(key))
            here = inner
        if key[-1] in here:
            raise reader._wrong(_twice(here[key[-1]]), start, key=dotted(key))
        if len(reader.keys) > KEYS:
            raise reader._wrong("kit_too_many_keys", start, most=KEYS)
        path = (*path, key[-1])
        reader.keys[path] = reader._place(start)
        here[key[-1]] = reader._value(path)
