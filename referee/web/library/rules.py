"""The ruling books as pages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from flask import Blueprint, abort, current_app, render_template, request

from referee.core.game import Table
from referee.desk import View
from referee.games import GAMES
from referee.rulings import COMMON, Book, Clause, Option, book
from referee.web.http import language

bp = Blueprint("rules", __name__)


class Found(NamedTuple):
    """What a search finds in one book."""

    book: Book
    clauses: list[Clause]
    options: list[Option]


class InForce(NamedTuple):
    """A house rule at a table: the value chosen, whether it departs from what the rules say."""

    option: Option
    value: str
    departs: bool


@bp.get("/rules")
def index() -> str:
    """The games; with ``?q=`` the clauses and house rules that say it."""
    query = request.args.get("q", "").strip()[:100]
    books = [book(name) for name in (*GAMES, COMMON)]
    found = [search(each, query, language.current()) for each in books] if query else []
    return render_template(
        "rules_index.html",
        books=books,
        query=query,
        found=[each for each in found if each.clauses or each.options],
    )


@bp.get("/rules/<game>")
def game(game: str) -> str:
    """The rules of one game, or the common ones."""
    if game not in (*GAMES, COMMON):
        abort(404)
    return render_template("rules.html", book=book(game))


@bp.get("/t/<match>/rules")
def at_table(match: str) -> str:
    """The rules as they are in force at one table."""
    view: View = current_app.extensions["desk"].view(match)
    rules = book(view.header.game)
    return render_template(
        "rules_table.html",
        view=view,
        book=rules,
        in_force=in_force(rules, view.log.table),
    )


def search(rules: Book, query: str, speech: str) -> Found:
    """What in ``rules`` holds every word of ``query``, in the language ``speech``."""
    words = [_pattern(word) for word in _folded(query).split()]

    def says(*parts: str) -> bool:
        text = _folded("\n".join(parts))
        return all(word.search(text) for word in words)

    return Found(
        rules,
        [clause for clause in rules.clauses if says(*_clause_says(clause, speech))],
        [option for option in rules.options if says(*_option_says(option, speech))],
    )


def in_force(rules: Book, table: Table) -> dict[str, InForce]:
    """Every house rule of the game as ``table`` has it."""
    common = rules.common.options if rules.common else ()
    found = {}
    for option in (*rules.options, *common):
        value = table.option(option.key)
        found[option.key] = InForce(option, value, value != table.options[option.key].default)
    return found


@bp.app_template_filter()
def choice(option: Option, value: str) -> str:
    """What ``value`` means for the house rule ``option``."""
    return next(c.text.in_(language.current()) for c in option.choices if c.value == value)


def _clause_says(clause: Clause, speech: str) -> Iterator[str]:
    yield from (clause.id, clause.text.in_(speech))
    for ruling in clause.rulings:
        yield from (ruling.id, ruling.gap.in_(speech), ruling.why.in_(speech))


def _option_says(option: Option, speech: str) -> Iterator[str]:
    yield from (option.key, option.ruling, option.title.in_(speech))
    for each in option.choices:
        yield each.text.in_(speech)
        if each.note is not None:
            yield each.note.in_(speech)


def _pattern(word: str) -> re.Pattern[str]:
    """``word`` anywhere in Japanese; letters only where a word begins, or king finds taking."""
    return re.compile((r"(?<![a-z])" if "a" <= word[0] <= "z" else "") + re.escape(word))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
