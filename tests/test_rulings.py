"""The ruling books are complete, say everything in both languages, and fit each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from string import Formatter

import pytest

from referee.games import GAMES
from referee.games.trumps.state import Step
from referee.jukugo.formations import Kind
from referee.rulings import Book, Text, book

ROOT = Path(__file__).parent.parent
NAMES = ("common", *GAMES)
BOOKS = [pytest.param(book(name), id=name) for name in NAMES]

EXTRA = {"two_witnesses"}  # a second house rule of a ruling that names its first
JAPANESE = re.compile(r"[。ぁ-ゖァ-ヺ一-鿿]")
NOT_ENGLISH = re.compile(r"[\u3000-\u3004\u3006-\u30ff\u4e00-\u9fff\uff00-\uffef]")
WORDS_PLAYED = re.compile(r"日本|本日|行先|立場")  # kanji are the cards of this game


def walk(thing: object) -> Iterator[object]:
    """Every text and every string in a book, the common book under a game's left out."""
    yield thing
    if isinstance(thing, tuple):
        for item in thing:
            yield from walk(item)
    elif is_dataclass(thing):
        for field in fields(thing):
            if field.name not in ("common", "facts"):
                yield from walk(getattr(thing, field.name))
        if isinstance(thing, Book):
            yield from walk(tuple(thing.facts.values()))


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("rules", BOOKS)
def test_rulings_are_numbered_without_a_gap(rules: Book) -> None:
    ids = [ruling.id for clause in rules.clauses for ruling in clause.rulings]
    [letters] = {each.rstrip("0123456789") for each in ids}
    assert sorted(ids) == sorted(f"{letters}{n}" for n in range(1, len(ids) + 1))


def test_the_rulings_of_two_books_have_different_letters() -> None:
    rulings = [
        ruling.id for name in NAMES for clause in book(name).clauses for ruling in clause.rulings
    ]
    assert len(set(rulings)) == len(rulings)


@pytest.mark.parametrize("rules", BOOKS)
def test_options_and_rulings_name_each_other(rules: Book) -> None:
    rulings = {ruling.id: ruling for clause in rules.clauses for ruling in clause.rulings}
    for option in rules.options:
        assert rulings[option.ruling].option == option.key or option.key in EXTRA
    for ruling in rulings.values():
        if ruling.option is not None:
            assert rules.option(ruling.option).key == ruling.option


@pytest.mark.parametrize("rules", BOOKS)
def test_nothing_is_empty(rules: Book) -> None:
    for string in walk(rules):
        if isinstance(string, str):
            assert string
            assert string == string.strip()


@pytest.mark.parametrize("rules", BOOKS)
def test_each_language_is_itself(rules: Book) -> None:
    texts = [text for text in walk(rules) if isinstance(text, Text)]
    assert len(texts) > len(rules.clauses) + len(rules.facts)
    for text in texts:
        assert JAPANESE.search(text.ja), text
        assert not NOT_ENGLISH.search(WORDS_PLAYED.sub("", text.en)), text


@pytest.mark.parametrize("rules", BOOKS)
def test_clauses_stand_in_sections_in_page_order(rules: Book) -> None:
    order = [section.id for section in rules.sections]
    assert set(order) == {clause.section for clause in rules.clauses}
    places = [order.index(clause.section) for clause in rules.clauses]
    assert places == sorted(places)


@pytest.mark.parametrize("rules", BOOKS)
def test_ids_are_unique_together_with_the_common_ones(rules: Book) -> None:
    common = rules.common
    clauses = [c.id for c in rules.clauses] + [c.id for c in (common.clauses if common else ())]
    options = [o.key for o in rules.options] + [o.key for o in (common.options if common else ())]
    assert len(set(clauses)) == len(clauses)
    assert len(set(options)) == len(options)


@pytest.mark.parametrize("rules", BOOKS)
def test_a_fact_has_the_same_placeholders_in_both_languages(rules: Book) -> None:
    for name, text in rules.facts.items():
        assert placeholders(text.ja) == placeholders(text.en), name


@pytest.mark.parametrize("rules", BOOKS)
def test_every_fact_can_be_said(rules: Book) -> None:
    for name, text in rules.facts.items():
        values = {key: f"<{key}>" for key in placeholders(text.ja)}
        for lang in ("ja", "en"):
            said = rules.says(name, values, lang)
            assert all(value in said for value in values.values())


@pytest.mark.parametrize("rules", BOOKS)
def test_every_clause_names_a_text_that_the_page_lists(rules: Book) -> None:
    known = {source.id for source in rules.sources}
    for clause in rules.clauses:
        ids = set(re.findall(r"S\d{3}", clause.source))
        assert ids <= known
        assert ids or clause.source.startswith("札見")


def test_a_game_reaches_the_common_book() -> None:
    fancy = book("fancy")
    assert fancy.clause("tie.1") is book("common").clause("tie.1")
    assert fancy.option("final_tie") is book("common").option("final_tie")
    assert fancy.facts["not_turn"] is book("common").facts["not_turn"]


def test_books_are_read_once() -> None:
    assert book("perite") is book("perite")


@pytest.mark.parametrize("name", ["chess", "", "../common", "."])
def test_an_unknown_book(name: str) -> None:
    with pytest.raises(KeyError):
        book(name)


def test_an_unknown_clause_option_fact_or_language() -> None:
    fancy = book("fancy")
    with pytest.raises(KeyError):
        fancy.clause("pair.1")
    with pytest.raises(KeyError):
        fancy.option("no_winner")
    with pytest.raises(KeyError):
        fancy.says("pairs", {}, "ja")
    with pytest.raises(KeyError):
        fancy.title.in_("fr")


def test_says_joins_lists_in_the_language() -> None:
    common = book("common")
    values = {"seat": "A", "ranks": (1, 2, "K")}
    assert common.says("hand_shown", values, "ja") == "Aが見せた手札は 1・2・K。"
    assert common.says("hand_shown", values, "en") == "A showed this hand: 1, 2, K."


def test_a_seat_name_with_braces_is_left_alone() -> None:
    said = book("common").says("shown", {"seat": "{rank} %s {0}", "rank": 7}, "en")
    assert said == "{rank} %s {0} laid 7."


def test_fancy_names_its_source() -> None:
    assert book("fancy").label.ja == "ファンシー（紹介記事のルール）"
    assert book("perite").label.en == "Perite (working title)"
    assert book("jukugo_line").label == book("jukugo_line").title


BUILT = {
    *(f"not_carried_{rule}" for rule in ("agree", "majority")),
    *(f"step_{step.value}" for step in Step),
    *(kind.label for kind in Kind),
}
"""Facts whose names are put together when they are cited."""


def test_every_fact_is_cited_somewhere() -> None:
    files = [*(ROOT / "referee").rglob("*.py"), *(ROOT / "templates").rglob("*.html")]
    words = {word for file in files for word in re.findall(r"\w+", file.read_text("utf-8"))}
    facts = {fact for name in NAMES for fact in book(name).facts}
    assert facts
    assert facts - words - BUILT == set()
