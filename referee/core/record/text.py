"""Splitting a record into lines and words: quotes, comments, and errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar

from referee.core.normalised import normalised

A = ParamSpec("A")
R = TypeVar("R")

AND = ";"  # separates corrections that are made together
_TOKEN = re.compile(r'(?:"[^"]*"|[^\s"])+')


class Unreadable(Exception):
    """Text that is no record: a fact of a ruling book and its values; ``line`` is 1-based.

    ``file`` names a file beside the record that is itself at fault; "" for the record. ``game``
    names the game whose book has the fact; "" for the common book.
    """

    def __init__(self, fact: str, *, line: int = 0, **values: object) -> None:
        super().__init__(fact, values)
        self.fact, self.line, self.values = fact, line, values
        self.file = self.game = ""


def normal(text: str) -> str:
    """``text`` in NFKC: a full-width ９ becomes 9."""
    return normalised(text)


def text_of(source: bytes, name: str) -> str:
    """The text of the bytes ``source`` of the file ``name``; raises ``Unreadable`` with its
    line.
    """
    try:
        return source.decode("utf-8")
    except UnicodeDecodeError as found:
        fault = Unreadable("read_utf8", line=source.count(b"\n", 0, found.start) + 1)
        fault.file = name
        raise fault from None


def words(line: str) -> list[str]:
    """The words of ``line``; text in double quotes belongs to one word and keeps its quotes.

    Raises ``Unreadable`` if a quote is not closed.
    """
    if line.count('"') % 2:
        raise Unreadable("read_quote", text=line)
    return _TOKEN.findall(line) if '"' in line else line.split()


@lru_cache(maxsize=1024)
def quoted(name: str) -> str:
    """``name`` as a record writes it."""
    return f'"{name}"' if not name or name == AND or re.search(r"\s|#", name) else name


def unquoted(token: str) -> str:
    """``token`` without its double quotes."""
    return token.replace('"', "")


def without_comment(line: str) -> str:
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


def at_line(number: int, read: Callable[A, R], *arguments: A.args, **named: A.kwargs) -> R:
    """Call ``read`` with the arguments; its ``Unreadable`` gets the line ``number``.

    An error in another file keeps its own line.
    """
    try:
        return read(*arguments, **named)
    except Unreadable as fault:
        if fault.file:
            raise
        raise Unreadable(fault.fact, line=number, **fault.values) from None
