"""The ruling books as pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, abort, render_template, request, url_for
from markupsafe import Markup, escape

from referee.core.book import Book, Clause, Example, OptionText
from referee.core.game import Table
from referee.core.naming import any_of
from referee.core.normalised import normalised
from referee.core.record import Record, read
from referee.games import GAMES, simulation
from referee.http import language
from referee.http.current import BOOKS, book_at, ledger
from referee.http.language import gettext as _
from referee.http.shelf import has_game
from referee.kit import shipped
from referee.rulings import COMMON, book
from referee.rulings.report import report
from referee.screens import screen
from referee.screens.wording import whole
from referee.web.table.dealing import how_to_deal

bp = Blueprint("rules", __name__)
BREAKS = re.compile("(?<=[ァ-ヺー])(?=[一-鿿]|トリック|バック)|(?<=[ぁ-ん])(?=[一-鿿])")
"""Where a Japanese title may break."""
SUM = "[^ 、。・：（]{1,80}(?: [+−×÷=] [^ 、。・）]+)+[、。）]?"
"""A sum in a text. The first word is bounded: a search begins at every character of a long one."""


class BookHits(NamedTuple):
    """The hits of a search in one book."""

    book: Book
    clauses: list[Clause]
    options: list[OptionText]


class InForce(NamedTuple):
    """A house rule at a table: the chosen value, and whether it differs from the default."""

    option: OptionText
    value: str
    departs: bool


class DealtTo(NamedTuple):
    """How to deal for this number of players, step by step."""

    seats: int
    steps: list[str]


class Worked(NamedTuple):
    """An example of a book with the referee's answers; ``ended``: the outcome as a sentence.

    ``rows``: for each entry its verdict's word, the entry, and the reason. For a tally sheet: "",
    the seat with its points, and the arithmetic.
    """

    example: Example
    rows: list[tuple[str, str, str]]
    ended: str


MOST_ROWS = 6
SHEET_COLUMNS, SHEET_ROWS = 8, 20  # of an empty score sheet on A4


def dealt_to_each(name: str) -> list[DealtTo]:
    """How to deal for the lowest ``MOST_ROWS`` numbers of players.

    Empty if all are the same, and for game files and the common rules.
    """
    if name not in GAMES:
        return []
    game = GAMES[name]
    rows = []
    for seats in game.SEATS[:MOST_ROWS]:
        state = game.setup(simulation.table(game, tuple(f"{n}" for n in range(seats))))
        if dealing := how_to_deal(game, state):
            rows.append(DealtTo(seats, dealing.steps))
    return rows if any(row.steps != rows[0].steps for row in rows) else []


def worked(example: Example, lang: str) -> Worked:
    """``example``, replayed or added up by the referee; sentences in ``lang``."""
    source = read(example.record.encode(), GAMES)
    answer = report(source, lang)
    if isinstance(source, Record):
        look = screen(source.header.game)
        rows = [
            (row["verdict"], look.brief(written.entry), row["says"])
            for row, written in zip(answer["entries"], source.entries, strict=True)
        ]
    else:
        sums = {seat: list[str]() for seat in answer["score"]}
        for line in answer["arithmetic"]:
            sums[line["seat"]].append(line["says"])
        rows = [
            (
                "",
                _("%(seat)s　%(n)s点", seat=seat, n=n),
                ("" if lang == "ja" else " ").join(sums[seat]),
            )
            for seat, n in answer["score"].items()
        ]
    return Worked(example, rows, answer["outcome"]["says"] if answer["outcome"] else "")


@bp.get("/rules")
def index() -> str:
    """Page of the games; with ``?q=``, of the clauses and house rules that contain the words."""
    query = request.args.get("q", "").strip()[:100]
    books = [book(name) for name in (*GAMES, COMMON)]
    found = [search(each, query, language.current()) for each in books] if query else []
    books[-1:-1] = [BOOKS[name] for name in shipped.games()]
    return render_template(
        "library/rules_index.html",
        books=books,
        query=query,
        found=[each for each in found if each.clauses or each.options],
    )


@bp.get("/rules/<game>")
def game(game: str) -> str:
    """Page of the rules of one game, or of the common rules."""
    if game != COMMON and not has_game(game):
        abort(404)
    rules = book(game) if game == COMMON else BOOKS[game]
    return render_template(
        "library/rules.html",
        book=rules,
        examples=worked_examples(rules),
        dealings=dealt_to_each(rules.name),
        asks=game != COMMON and asked_at(game, {}),
    )


@bp.get("/rules/<game>/sheet")
def score_sheet(game: str) -> str:
    """An empty score sheet of one game, to be printed."""
    if not has_game(game):
        abort(404)
    most = GAMES[game].SEATS[-1] if game in GAMES else SHEET_COLUMNS
    return render_template(
        "library/score_sheet.html",
        book=BOOKS[game],
        look=screen(game),
        columns=min(most, SHEET_COLUMNS),
        rows=SHEET_ROWS,
    )


@bp.get("/t/<match>/rules")
def at_table(match: str) -> str:
    """Page of the rules in force at one table."""
    view = ledger().view(match)
    rules = book_at(view)
    return render_template(
        "library/rules_table.html",
        view=view,
        book=rules,
        in_force=in_force(rules, view.log.table),
        examples=worked_examples(rules),
        dealings=dealt_to_each(rules.name),
        asks=asked_at(view.game.NAME, view.log.table.chosen, len(view.header.seats)),
    )


def asked_at(game: str, chosen: Mapping[str, str], seats: int = 0) -> str:
    """The address of the quick checks of a game with these house rules; "" if it has none."""
    checks = screen(game).checks
    if not checks:
        return ""
    said = {key: value for key, value in chosen.items() if key in checks[0].options}
    if seats in checks[0].seats and len(checks[0].seats) > 1:
        said["n"] = str(seats)
    query = urlencode(said)
    return url_for("checks.check", game=game) + (f"?{query}" if query else "")


def worked_examples(rules: Book) -> list[Worked]:
    """The examples of a book, as the referee judges them."""
    return [worked(example, language.current()) for example in rules.examples]


def search(rules: Book, query: str, speech: str) -> BookHits:
    """The clauses and house rules that contain every word of ``query`` in language ``speech``."""
    words = [_pattern(word) for word in _folded(query).split()]

    def says(*parts: str) -> bool:
        text = _folded("\n".join(parts))
        return all(word.search(text) for word in words)

    return BookHits(
        rules,
        [clause for clause in rules.clauses if says(*_clause_says(clause, speech))],
        [option for option in rules.options if says(*_option_says(option, speech))],
    )


def in_force(rules: Book, table: Table) -> dict[str, InForce]:
    """Every house rule of the game with its value at ``table``."""
    common = rules.common.options if rules.common else ()
    found = {}
    for option in (*rules.options, *common):
        value = table.option(option.key)
        found[option.key] = InForce(option, value, value != table.options[option.key].default)
    return found


@bp.app_template_filter()
def choice(option: OptionText, value: str) -> str:
    """The text of ``value`` of the house rule ``option``."""
    return next(c.text.in_(language.current()) for c in option.choices if c.value == value)


@bp.app_template_filter()
def breakable(title: str) -> Markup:
    """The title of a game with possible line breaks between its words.

    They are before 大富豪, トリック or バック after katakana, and before 道化 after hiragana.
    """
    return Markup("<wbr>").join(map(escape, BREAKS.split(title)))


@bp.app_template_filter()
def sums(text: str, names: Sequence[str] = ()) -> Markup:
    """``text`` with every sum and each of ``names`` as a part that goes to the next line whole."""
    plain = text.unescape() if isinstance(text, Markup) else text
    parts = _kept_whole(tuple(names)).split(plain)
    return Markup("").join(whole(p, "eq") if i % 2 else p for i, p in enumerate(parts))


@lru_cache(maxsize=256)
def _kept_whole(names: tuple[str, ...]) -> re.Pattern[str]:
    """Sums, and names with the sign or the possessive that follows them."""
    return re.compile(f"({SUM}|(?:{any_of(names)})(?:'s\\b)?[、。）,.]?)" if names else f"({SUM})")


def _clause_says(clause: Clause, speech: str) -> Iterator[str]:
    yield from (clause.id, clause.text.in_(speech))
    for ruling in clause.rulings:
        yield from (ruling.id, ruling.gap.in_(speech), ruling.why.in_(speech))


def _option_says(option: OptionText, speech: str) -> Iterator[str]:
    yield from (option.key, option.ruling, option.title.in_(speech))
    for each in option.choices:
        yield each.text.in_(speech)
        if each.note is not None:
            yield each.note.in_(speech)


def _pattern(word: str) -> re.Pattern[str]:
    """A pattern that finds ``word`` anywhere; if it begins with a to z, at a word's beginning.

    So "king" is not found in "taking".
    """
    return re.compile((r"(?<![a-z])" if "a" <= word[0] <= "z" else "") + re.escape(word))


def _folded(text: str) -> str:
    return normalised(text).casefold()
