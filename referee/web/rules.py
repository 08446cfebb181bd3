"""The ruling books as pages."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from flask import Blueprint, abort, current_app, render_template, request

from referee.core.game import Table
from referee.desk import View
from referee.games import GAMES
from referee.rulings import COMMON, Book, Clause, Option, book
from referee.web import lang

bp = Blueprint("rules", __name__)


class InForce(NamedTuple):
    """A house rule at a table: the value chosen, whether it departs from what the rules say."""

    option: Option
    value: str
    departs: bool


@bp.get("/rules")
def index() -> str:
    """The games; with ``?q=`` the clauses that say it."""
    query = request.args.get("q", "").strip()[:100]
    books = [book(name) for name in (*GAMES, COMMON)]
    found = [(each, search(each, query, lang.current())) for each in books] if query else []
    return render_template(
        "rules_index.html",
        books=books,
        query=query,
        found=[(each, clauses) for each, clauses in found if clauses],
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


def search(rules: Book, query: str, speech: str) -> list[Clause]:
    """The clauses of ``rules`` that hold every word of ``query``, in the language ``speech``."""
    words = _folded(query).split()
    return [
        clause
        for clause in rules.clauses
        if all(word in _folded(_all_of(clause, speech)) for word in words)
    ]


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
    return next(c.text.in_(lang.current()) for c in option.choices if c.value == value)


def _all_of(clause: Clause, speech: str) -> str:
    parts = [clause.id, clause.text.in_(speech)]
    for ruling in clause.rulings:
        parts += [ruling.id, ruling.gap.in_(speech), ruling.why.in_(speech)]
    return "\n".join(parts)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
