"""Reads JSON strictly: keys once each, whole numbers, exact fractions; a fault names its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn, TypeVar

FRACTION = re.compile(r"(-?[0-9]{1,15})(?:/([0-9]{1,15}))?")
LARGEST = 10**15
Read = TypeVar("Read")


class Faulty(ValueError):
    """A file that cannot be used: where, such as ``locked[0].people[1]``, and what is wrong."""

    def __init__(self, path: str, ja: str, en: str) -> None:
        super().__init__(f"{path}: {en}")
        self.path, self.ja, self.en = path, ja, en


@dataclass(frozen=True)
class Pairs:
    """An object as it is written: a key can be repeated."""

    pairs: tuple[tuple[str, object], ...]


@dataclass(frozen=True)
class Item:
    """A value of the file and its path."""

    value: object
    path: str

    def wrong(self, ja: str, en: str) -> NoReturn:
        """Refuse the value."""
        raise Faulty(self.path, ja, en)

    def fields(self, known: Sequence[str], required: Sequence[str]) -> Mapping[str, Item]:
        """The values of an object with these keys."""
        found = self.entries()
        for key, item in found:
            if key not in known:
                names = ", ".join(known)
                item.wrong(
                    f"このキーは使えません（使えるキー：{names}）", f"unknown key; known: {names}"
                )
        fields = self._once(found)
        for key in required:
            if key not in fields:
                Item(None, self._under(key)).wrong("このキーが必要です", "this key is missing")
        return fields

    def named(self, check: Callable[[Item], object]) -> Mapping[str, Item]:
        """The values of an object whose keys are names, each looked at by ``check``."""
        found = self._once(self.entries())
        for item in found.values():
            check(item)
        return found

    def entries(self) -> list[tuple[str, Item]]:
        """The keys of an object as they are written."""
        if not isinstance(self.value, Pairs):
            self.wrong("オブジェクト {…} を書いてください", "must be an object {...}")
        return [(key, Item(value, self._under(key))) for key, value in self.value.pairs]

    @staticmethod
    def _once(entries: Sequence[tuple[str, Item]]) -> Mapping[str, Item]:
        found: dict[str, Item] = {}
        for key, item in entries:
            if key in found:
                item.wrong("このキーが2回あります", "this key is repeated")
            found[key] = item
        return found

    def _under(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def items(
        self,
        least: int = 0,
        most: int | None = None,
        check: Callable[[Item], object] = lambda item: None,
    ) -> list[Item]:
        """The values of a list, each looked at by ``check``."""
        if not isinstance(self.value, list):
            self.wrong("リスト […] を書いてください", "must be a list [...]")
        count = len(self.value)
        if count < least or (most is not None and count > most):
            self.wrong(*_counted(least, most))
        found = [Item(value, f"{self.path}[{at}]") for at, value in enumerate(self.value)]
        for item in found:
            check(item)
        return found

    def text(self) -> str:
        """A text that is not blank and can be printed."""
        if not isinstance(self.value, str):
            self.wrong("文字列を書いてください", "must be a text")
        if not self.value.strip():
            self.wrong("空の名前は使えません", "must not be blank")
        if any("\ud800" <= letter <= "\udfff" for letter in self.value):
            self.wrong("文字として読めない部分があります", "has half of a character (a surrogate)")
        return self.value

    def one_of(self, *choices: str) -> str:
        """One of these texts."""
        if not isinstance(self.value, str) or self.value not in choices:
            names = ", ".join(choices)
            self.wrong(f"{names}のどれかを書いてください", f"must be one of {names}")
        return self.value

    def number(self, least: int = 0, most: int = LARGEST) -> int:
        """A whole number."""
        value = self.value
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.wrong(
                f"{least}から{most}までの整数を書いてください",
                f"must be a whole number from {least} to {most}",
            )
        return value

    def version(self) -> None:
        """The version of the format, 1."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or self.value != 1:
            self.wrong("1と書いてください", "must be 1")

    def fraction(self) -> Fraction:
        """A whole number, or a fraction as text."""
        if isinstance(self.value, str) and (match := FRACTION.fullmatch(self.value)):
            above, below = int(match[1]), int(match[2] or 1)
            if below:
                return Fraction(above, below)
        elif isinstance(self.value, int) and not isinstance(self.value, bool):
            return Fraction(self.number(-LARGEST))
        self.wrong(
            "整数か「7/2」のような文字列を書いてください",
            'must be a whole number or a fraction such as "7/2"',
        )
        return None


def parsed(data: bytes) -> Item:
    """The content of a file: an object."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        before = data[: fault.start]
        raise _not_json(
            before.count(b"\n") + 1, "文字コードはUTF-8にしてください", "not UTF-8"
        ) from fault
    try:
        value: object = json.loads(
            text, object_pairs_hook=lambda pairs: Pairs(tuple(pairs)), parse_constant=_constant
        )
    except json.JSONDecodeError as fault:
        raise _not_json(fault.lineno, f"{fault.colno}文字目", fault.msg) from fault
    except RecursionError as fault:
        raise _not_json(1, "括弧が深すぎます", "brackets too deep") from fault
    except ValueError as fault:
        raise _not_json(1, "使えない数", "a number that cannot be used") from fault
    if not isinstance(value, Pairs):
        raise Faulty("line 1", "オブジェクト {…} を書いてください", "must be an object {...}")
    return Item(value, "")


def _counted(least: int, most: int | None) -> tuple[str, str]:
    """How many values a list must have."""
    if least == most:
        return f"値は{least}個必要です", f"must have {least} values"
    if most is None:
        return f"値は{least}個以上必要です", f"must have {least} values or more"
    return f"値は{least}個から{most}個までです", f"must have {least} to {most} values"


def _constant(name: str) -> NoReturn:
    raise ValueError(name)


def _not_json(line: int, ja: str, en: str) -> Faulty:
    return Faulty(f"line {line}", f"JSON ではありません（{ja}）", f"not JSON ({en})")


class Names:
    """Finds people, or tables, by their names."""

    def __init__(self, names: Sequence[str], ja: str, en: str) -> None:
        self._at = {name: at for at, name in enumerate(names)}
        self._ja, self._en = ja, en

    def find(self, item: Item, name: str) -> int:
        """The number of a name that stands at ``item``."""
        if name not in self._at:
            said = " ".join(name.split())
            item.wrong(f"{said}という{self._ja}はありません", f"there is no {self._en} {said}")
        return self._at[name]

    def listed(self, items: Sequence[Item]) -> list[int]:
        """The numbers of several names."""
        return [self.find(item, str(item.value)) for item in items]


def distinct(items: Sequence[Item]) -> None:
    """Refuse the first text that came before."""
    once((item.text(), item) for item in items)


def once(items: Iterator[tuple[object, Item]]) -> None:
    """Refuse the first item whose value came before."""
    seen: set[object] = set()
    for value, item in items:
        if value in seen:
            item.wrong("同じものが2回あります", "is there twice")
        seen.add(value)


def optional(
    fields: Mapping[str, Item], key: str, read: Callable[[Item], Read], default: Read
) -> Read:
    """A value that can be left out."""
    return read(fields[key]) if key in fields else default
