"""A ruling book as a value: the rules of a game in our words, and the sentences of its facts.

``referee.rulings`` reads the books of the built-in games; that of a game file is made from what it
declares (``referee/kit/book.py``). Code cites clause ids and names facts; only a book turns them
into sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from referee.core.verdict import Term
from referee.core.written import written


@dataclass(frozen=True, slots=True)
class Text:
    """A text in both languages."""

    ja: str
    en: str

    def in_(self, lang: str) -> str:
        """The text in ``lang``, "ja" or "en"."""
        return {"ja": self.ja, "en": self.en}[lang]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A question that the source text leaves open, and why the clause answers it as it does.

    ``option``: the key of the house rule by which a table can choose another answer, or None.
    """

    id: str
    gap: Text
    why: Text
    option: str | None


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered rule; ``source``: what it is taken from, such as "S003 · …"."""

    id: str
    section: str
    source: str
    text: Text
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True, slots=True)
class OptionChoice:
    value: str
    text: Text
    note: Text | None


@dataclass(frozen=True, slots=True)
class OptionText:
    """A house rule; its first choice is the default. ``ask``: a question that every table should
    decide.
    """

    key: str
    title: Text
    choices: tuple[OptionChoice, ...]
    ruling: str
    ask: Text | None


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: Text


@dataclass(frozen=True, slots=True)
class Example:
    """An example of a source text; ``record`` is a record or a tally sheet that the referee
    evaluates.
    """

    source: str
    title: Text
    record: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark in a source text beside the rules: advice, doubts of its author, related games."""

    source: str
    text: Text


@dataclass(frozen=True, slots=True)
class BookSource:
    """A source text of clauses; they cite it by ``id``, such as "S003 · …"."""

    id: str
    title: Text
    url: str


class Citation(NamedTuple):
    """A part of a source text, such as "【3】", as a clause cites it; "" for the whole text.

    ``number``: the place of the text among the sources of a book, 1-based; 0 if it is none of them.
    """

    number: int
    part: str


@dataclass(frozen=True, slots=True)
class Book:
    """The rules of one game: its own clauses and options; facts include the common ones."""

    name: str
    title: Text
    label: Text
    """The title with the origin of the rules (ruling F13)."""
    author: Text
    url: str | None
    about: Text
    seats: Text
    minutes: Text
    timed: bool
    """Whether the playing time is from a source text; otherwise it is our estimate."""
    age: Text | None
    deck: Text
    sections: tuple[Section, ...]
    clauses: tuple[Clause, ...]
    varied: tuple[Clause, ...]
    """Clauses that only a house rule or another number of players brings, if they are in no list of
    the book otherwise.
    """
    unlisted: tuple[Clause, ...]
    """Clauses that verdicts cite and no page lists."""
    options: tuple[OptionText, ...]
    examples: tuple[Example, ...]
    remarks: tuple[Remark, ...]
    facts: Mapping[str, Text]
    sources: tuple[BookSource, ...]
    """The texts that the clauses of this book and of the common one cite, in the order in which
    they are first cited. A text that the common clauses cite is only in the file of the common
    book, even if it is a game's own source.
    """
    common: Book | None

    def clause(self, clause_id: str) -> Clause:
        """The clause of this book or of the common one; KeyError if neither has it."""
        for clause in (*self.clauses, *self.varied, *self.unlisted):
            if clause.id == clause_id:
                return clause
        if self.common is None:
            raise KeyError(clause_id)
        return self.common.clause(clause_id)

    def citations(self, cite: str) -> list[Citation]:
        """The parts of source texts in ``cite``, such as "S001 · 【3】; S002 · 3人以上のプレイ"."""
        numbers = {source.id: number for number, source in enumerate(self.sources, 1)}
        found = []
        for each in cite.split("; "):
            name, _, part = each.partition(" · ")
            number = numbers.get(name, 0)
            found.append(Citation(number, part if number else each))
        return found

    def option(self, key: str) -> OptionText:
        """The house rule of this book or of the common one; KeyError if neither has it."""
        for option in self.options:
            if option.key == key:
                return option
        if self.common is None:
            raise KeyError(key)
        return self.common.option(key)

    def says(self, evidence_fact: str, values: Mapping[str, object], lang: str) -> str:
        """The sentence of a fact, filled in. Values are not formatted a second time.

        Besides ``{cards}`` a sentence can have ``{cards:card|cards}``, the word for one or for
        another number; for a list ``{ranks:and}``, ``{ranks:or}`` and ``{ranks:s}`` (10s and 9s);
        for cards ``{rank:a}`` and ``{rank:A}`` (an 8), for several ``{rank:×{count}}`` (three 8s),
        for cards of consecutive numbers ``{cards:–}`` (7s to 10s) and ``{ranks:or –}`` (1–7 or 9),
        for a place ``{place:th}`` (1st); in Japanese ``{ranks:を}`` and ``{ranks:が}`` (8を2枚),
        ``{ranks:か}`` (3か5), ``{ranks:と}`` (3と5) and ``{ranks:も}`` (3も5も; 3は), because 3・5
        is also how the number 3.5 is written.
        """
        spoken = {
            name: _spoken(self.facts[value].in_(lang) if isinstance(value, Term) else value, lang)
            for name, value in values.items()
        }
        return self.facts[evidence_fact].in_(lang).format_map(spoken)


_VOWEL = re.compile(r"8|11$|18$|A")
"""Cards whose spoken name begins with a vowel."""

_SUIT_AND_RANK = re.compile(r"[A-Z](?:\d+|[A-Z])")
"""A card of a suit without a sign, as a record has it: R5. A name as ♥8 is one."""

_ARTICLE = re.compile(r"(?:the|an?|no|one|two|three) ", re.I)

_COUNTED = {
    str(count): word
    for count, word in enumerate(
        (
            *("two", "three", "four", "five", "six", "seven"),
            *("eight", "nine", "ten", "eleven", "twelve", "thirteen"),
        ),
        2,
    )
}


def _plural(item: str) -> str:
    """``8s``, ``red jokers``, ``second lives``."""
    return f"{item.removesuffix('fe')}ves" if item.endswith("life") else f"{item}s"


def _with_article(item: str, count: int) -> str:
    """``an 8``, ``two 8s``; text with a number or an article already is unchanged: ``no word``."""
    if count > 1:
        return f"{_COUNTED.get(str(count), str(count))} {_plural(item)}"
    if _ARTICLE.match(item) or not item[:1].isalnum() or _SUIT_AND_RANK.fullmatch(item):
        return item  # ♥8 and R5 are names: there is one of each
    return f"{'an' if _VOWEL.match(item) else 'a'} {item}"


def _runs(items: tuple[str, ...], ending: str, to: str) -> Iterator[str]:
    """``items`` with their ending; three consecutive numbers or more are a range."""
    first = 0
    for i, item in enumerate(items, 1):
        if i < len(items) and item.isdecimal() and items[i] == str(int(item) + 1):
            continue
        run = [f"{each}{ending}" for each in items[first:i]]
        yield from run if len(run) < 3 else (f"{run[0]}{to}{run[-1]}",)
        first = i


class _Spoken(str):
    """A value in a sentence.

    ``items``: its members, or itself alone; ``single``: whether it is the number 1 or has one
    member; ``separator``: what stands between members; ``run``: the ending of several cards of one
    number, and what stands between the ends of a range.
    """

    items: tuple[str, ...]
    single: bool
    separator: str
    run: tuple[str, str]

    def __format__(self, form: str) -> str:
        if "|" in form:
            one, several = form.split("|")
            return one if self.single else several
        if form == "th":
            return str(self) + {"1": "st", "2": "nd", "3": "rd"}.get(str(self), "th")
        if form == "only ×1":
            return f"only one {self}"
        if form.startswith("only"):
            return f"only {format(self, form.removeprefix('only '))}"
        if form[:1] == "×" and form != "×1":
            return f"{_COUNTED.get(form[1:], form[1:])} {_plural(str(self))}"
        if form == "–":
            return self.separator.join(_runs(self.items, *self.run))
        if form == "or –":
            *first, last = _runs(self.items, "", "–")
            return f"{', '.join(first)} or {last}" if first else last
        if form in ("a", "A", "×1"):
            counted = Counter(self.items)  # two equal cards become: two 8s
            said = self._joined("and", lambda item: _with_article(item, counted[item]))
            return said[:1].upper() + said[1:] if form == "A" else said
        if form in ("を", "が"):
            counted = Counter(self.items)  # two equal cards become: 8を2枚
            if max(counted.values()) == 1:
                return f"{self}{form}"
            return "、".join(f"{item}{form}{count}枚" for item, count in counted.items())
        if form in ("か", "と", "も"):
            return self._in_japanese(form)
        if form:
            ending = "s" if form == "s" else ""
            return self._joined("or" if form == "or" else "and", lambda item: f"{item}{ending}")
        return str(self)

    def _in_japanese(self, form: str) -> str:
        """A list with か or と before its last member; with も: none of them, before ない."""
        if form == "と":
            return f"{'、'.join(self.items[:-1])}と{self.items[-1]}".removeprefix("と")
        found = [*_runs(tuple(dict.fromkeys(self.items)), *self.run)]
        if form == "か":
            return f"{'、'.join(found[:-1])}か{found[-1]}".removeprefix("か")
        if 1 < len(found) < 4 and not any(self.run[1] in item for item in found):
            return "".join(f"{item}も" for item in found)
        return f"{'、'.join(found)}は"

    def _joined(self, joint: str, said: Callable[[str], str]) -> str:
        *first, last = map(said, dict.fromkeys(self.items))
        return f"{', '.join(first)} {joint} {last}" if first else last


def _spoken(value: object, lang: str) -> _Spoken:
    """A value as a sentence in ``lang`` has it; the members of a list are separated."""
    items = tuple(map(_number, value)) if isinstance(value, tuple | list) else (_number(value),)
    separator = {"ja": "・", "en": ", "}[lang]
    spoken = _Spoken(separator.join(items))
    spoken.items, spoken.separator = items or ("",), separator
    spoken.run = ("s", " to ") if lang == "en" else ("", "–")
    spoken.single = items == ("1",) or (len(items) == 1 and isinstance(value, tuple | list))
    return spoken


def _number(value: object) -> str:
    """A single value as text; negative numbers get the minus sign of the books' sums."""
    return written(value) if isinstance(value, int | Decimal) else str(value)
