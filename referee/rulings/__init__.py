"""The ruling books: what the rules say, in our words, and what we decided where they are silent.

The book of a game lies in its own folder, ``games/<name>/book.toml``; ``common.toml`` is what every
game rests on. Code cites clause ids and
names facts; only this package turns them into sentences.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from referee.core.verdict import Term

COMMON = "common"
_COMMON = files(__name__) / "common.toml"


@dataclass(frozen=True, slots=True)
class Text:
    """One thing said in both languages."""

    ja: str
    en: str

    def in_(self, lang: str) -> str:
        """The text in ``lang``, "ja" or "en"."""
        return {"ja": self.ja, "en": self.en}[lang]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A silence of the source text, and why we filled it as the clause says."""

    id: str
    gap: Text
    why: Text
    option: str | None


@dataclass(frozen=True, slots=True)
class Clause:
    id: str
    section: str
    source: str
    text: Text
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    text: Text
    note: Text | None


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule; its first choice is the default. ``ask``: a question no table should skip."""

    key: str
    title: Text
    choices: tuple[Choice, ...]
    ruling: str
    ask: Text | None


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: Text


@dataclass(frozen=True, slots=True)
class Source:
    """A text that clauses are read from; they cite it by ``id``, such as "S003 · …"."""

    id: str
    title: Text
    url: str


@dataclass(frozen=True, slots=True)
class Book:
    """The rules of one game: its own clauses and options; facts include the common ones."""

    name: str
    title: Text
    label: Text
    """The title as shown where the origin of the rules matters (ruling F13)."""
    author: Text
    url: str | None
    about: Text
    seats: Text
    minutes: Text
    deck: Text
    sections: tuple[Section, ...]
    clauses: tuple[Clause, ...]
    options: tuple[Option, ...]
    facts: Mapping[str, Text]
    sources: tuple[Source, ...]
    """The texts that the clauses of this book and of the common one cite."""
    common: Book | None

    def clause(self, clause_id: str) -> Clause:
        """The clause of this book or of the common one; KeyError if neither has it."""
        for clause in self.clauses:
            if clause.id == clause_id:
                return clause
        if self.common is None:
            raise KeyError(clause_id)
        return self.common.clause(clause_id)

    def option(self, key: str) -> Option:
        """The house rule of this book or of the common one; KeyError if neither has it."""
        for option in self.options:
            if option.key == key:
                return option
        if self.common is None:
            raise KeyError(key)
        return self.common.option(key)

    def says(self, evidence_fact: str, values: Mapping[str, object], lang: str) -> str:
        """The sentence of a fact, filled in. Values are never formatted again."""
        spoken = {
            name: self.facts[value].in_(lang) if isinstance(value, Term) else _spoken(value, lang)
            for name, value in values.items()
        }
        return self.facts[evidence_fact].in_(lang).format_map(spoken)


@cache
def book(name: str) -> Book:
    """The ruling book of a game (or "common"); KeyError if there is none."""
    if not name.isidentifier():
        raise KeyError(name)
    file = _COMMON if name == COMMON else files("referee.games") / name / "book.toml"
    if not file.is_file():
        raise KeyError(name)
    page = tomllib.loads(file.read_text(encoding="utf-8"))
    common = None if name == COMMON else book(COMMON)
    facts = {key: _text(fact) for key, fact in page["fact"].items()}
    if common is not None:
        facts = {**common.facts, **facts}
    clauses = tuple(_clause(row) for row in page["clause"])
    cited = {clause.source for clause in (*clauses, *(common.clauses if common else ()))}
    return Book(
        name=name,
        title=_text(page["title"]),
        label=_text(page.get("label", page["title"])),
        author=_text(page["author"]),
        url=page.get("url"),
        about=_text(page["about"]),
        seats=_text(page["seats"]),
        minutes=_text(page["minutes"]),
        deck=_text(page["deck"]),
        sections=tuple(Section(row["id"], _text(row)) for row in page["section"]),
        clauses=clauses,
        options=tuple(_option(row) for row in page.get("option", ())),
        facts=MappingProxyType(facts),
        sources=tuple(
            each
            for each in (*_sources(page), *(_common_sources() if common else ()))
            if any(each.id in text for text in cited)
        ),
        common=common,
    )


@cache
def _common_sources() -> tuple[Source, ...]:
    return _sources(tomllib.loads(_COMMON.read_text(encoding="utf-8")))


def _sources(page: Mapping[str, Any]) -> tuple[Source, ...]:
    rows = page.get("source", ())
    return tuple(Source(row["id"], _text(row), row["url"]) for row in rows)


def _text(row: Mapping[str, Any]) -> Text:
    return Text(row["ja"], row["en"])


def _clause(row: Mapping[str, Any]) -> Clause:
    rulings = tuple(
        Ruling(ruling["id"], _text(ruling["gap"]), _text(ruling["why"]), ruling.get("option"))
        for ruling in row.get("ruling", ())
    )
    return Clause(row["id"], row["section"], row["source"], _text(row), rulings)


def _option(row: Mapping[str, Any]) -> Option:
    choices = [
        Choice(choice["value"], _text(choice), _text(choice["note"]) if "note" in choice else None)
        for choice in row["choice"]
    ]
    if numbers := row.get("numbers"):  # a run of choices that differ only in their number
        choices += [
            Choice(str(n), Text(numbers["ja"].format(n=n), numbers["en"].format(n=n)), None)
            for n in range(numbers["from"], numbers["to"] + 1)
        ]
    ask = _text(row["ask"]) if "ask" in row else None
    return Option(row["key"], _text(row), tuple(choices), row["ruling"], ask)


def _spoken(value: object, lang: str) -> str:
    if isinstance(value, tuple | list):
        return {"ja": "・", "en": ", "}[lang].join(str(item) for item in value)
    return str(value)
