"""The ruling books: the rules in our words, and our decisions where the sources are silent.

The book of a game is in its own folder, ``games/<name>/book.toml``; ``common.toml`` has the rules
of every game. Code cites clause ids and names facts; only this package turns them into sentences.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from referee.core.book import (
    Book,
    BookSource,
    Clause,
    Example,
    OptionChoice,
    OptionText,
    Remark,
    Ruling,
    Section,
    Text,
)
from referee.core.game import Game

COMMON = "common"
READERS: dict[str, Callable[[str], dict[str, Any]]] = {"toml": tomllib.loads, "json": json.loads}
"""Formats of books with their parsers: TOML, and JSON in a packed app, which is parsed faster."""


def book_of(game: Game) -> Book:
    """The ruling book of ``game``; KeyError if a built-in one has none."""
    return game.HOOKS.book(game) if game.HOOKS.book else book(game.NAME)


def called(book: Book, name: str | None) -> Book:
    """``book`` under the name that people give to the game, if they do."""
    if name is None:
        return book
    title = Text(name, name)
    return replace(book, title=title, label=title)


@cache
def book(name: str) -> Book:
    """The ruling book of a game (or "common"); KeyError if there is none."""
    if not name.isidentifier():
        raise KeyError(name)
    common = name == COMMON
    folder, stem = (files(__name__), COMMON) if common else (files("referee.games") / name, "book")
    found = [kind for kind in READERS if (folder / f"{stem}.{kind}").is_file()]
    if not found:
        raise KeyError(name)
    page = READERS[found[0]]((folder / f"{stem}.{found[0]}").read_text(encoding="utf-8"))
    shared = None if common else book(COMMON)
    facts = {key: _text(fact) for key, fact in page["fact"].items()}
    if shared is not None:
        facts = {**shared.facts, **facts}
    own = [BookSource(row["id"], _text(row), row["url"]) for row in page.get("source", ())]
    clauses = tuple(_clause(row) for row in page["clause"])
    cited = " ".join(clause.source for clause in (*clauses, *(shared.clauses if shared else ())))
    sources = (*own, *(shared.sources if shared else ()))
    return Book(
        name=name,
        title=_text(page["title"]),
        label=_text(page.get("label", page["title"])),
        author=_text(page["author"]),
        url=page.get("url"),
        about=_text(page["about"]),
        seats=_text(page["seats"]),
        minutes=_text(page["minutes"]),
        timed=page.get("timed", False),
        age=_text(page["age"]) if "age" in page else None,
        deck=_text(page["deck"]),
        sections=tuple(Section(row["id"], _text(row)) for row in page["section"]),
        clauses=clauses,
        varied=(),
        unlisted=(),
        options=tuple(_option(row) for row in page.get("option", ())),
        examples=tuple(
            Example(row["source"], _text(row), row["record"].strip())
            for row in page.get("example", ())
        ),
        remarks=tuple(Remark(row["source"], _text(row)) for row in page.get("remark", ())),
        facts=MappingProxyType(facts),
        sources=tuple(
            sorted(sources, key=lambda it: cited.index(it.id) if it.id in cited else len(cited))
        ),
        common=shared,
    )


def _text(row: Mapping[str, Any]) -> Text:
    return Text(row["ja"], row["en"])


def _clause(row: Mapping[str, Any]) -> Clause:
    rulings = tuple(
        Ruling(ruling["id"], _text(ruling["gap"]), _text(ruling["why"]), ruling.get("option"))
        for ruling in row.get("ruling", ())
    )
    return Clause(row["id"], row["section"], row["source"], _text(row), rulings)


def _option(row: Mapping[str, Any]) -> OptionText:
    choices = [
        OptionChoice(
            choice["value"], _text(choice), _text(choice["note"]) if "note" in choice else None
        )
        for choice in row["choice"]
    ]
    if numbers := row.get("numbers"):  # a range of choices that differ only in their number
        choices += [
            OptionChoice(str(n), Text(numbers["ja"].format(n=n), numbers["en"].format(n=n)), None)
            for n in range(numbers["from"], numbers["to"] + 1)
        ]
    ask = _text(row["ask"]) if "ask" in row else None
    return OptionText(row["key"], _text(row), tuple(choices), row["ruling"], ask)
