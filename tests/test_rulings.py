"""The ruling books are complete, say everything in both languages, and fit each other."""

from __future__ import annotations

import re
from collections import Counter
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

RULINGS = {
    "common": {f"X{n}" for n in range(1, 12)},
    "fancy": {f"F{n}" for n in range(1, 14)},
    "perite": {f"P{n}" for n in range(1, 24)},
    "pairs_daifugo": {f"D{n}" for n in range(1, 32)},
    "trumps": {f"T{n}" for n in range(1, 36)},
    "three_kings": {f"K{n}" for n in range(1, 35)},
    "jukugo_line": {f"J{n}" for n in range(1, 46)},
}
ROUNDS = ("players", *map(str, range(1, 11)))
STARTER = ("rotate", "pick", "lowest_total")
OPTIONS = {  # the default first
    "common": {
        "direction": ("clockwise",),
        "final_tie": ("shared", "replay", "first_in_seat"),
        "allow_override": ("on", "off"),
        "contest": ("agree", "majority", "host"),
        "revoke_policy": ("ask", "let_stand", "rewind", "void_deal"),
        "entry_mode": ("anyone", "own_seat", "host"),
    },
    "fancy": {"rounds": ROUNDS, "round_starter": STARTER},
    "perite": {
        "rounds": ROUNDS,
        "round_starter": STARTER,
        "lead": ("winner", "left_of_leader"),
        "no_winner": ("void", "last_player"),
        "no_winner_lead": ("same", "left"),
    },
    "pairs_daifugo": {
        "pyramid_build": ("unseen", "chosen"),
        "pairs_back_in_revolution": ("stay", "toggle"),
        "auto_close_round": ("suggest", "auto", "off"),
        "wins_needed": ("2", "1", "3", "4", "5"),
        "show_counts": ("on", "off"),
    },
    "trumps": {
        "second_empty": ("none", "draw"),
        "last_may_pass": ("off", "on"),
        "facedown_to_field": ("open", "remove"),
        "exact_zero_triggers": ("on", "off"),
        "tie_chain": ("two_steps", "lexicographic"),
    },
    "three_kings": {
        "method": ("2", "1", "3"),
        "fifth_king": ("joker", "king"),
        "initial_table_kings": ("stay", "replace", "to_first_player"),
        "dealt_three_kings": ("end", "redeal"),
        "set_compulsory": ("on", "off"),
        "replace_refill_kings": ("off", "on"),
        "stock_out": ("continue", "stop"),
        "end": ("three_kings", "all_cards"),
        "all_cards_end": ("hands_empty", "stock_empty"),
        "all_cards_bonus": ("holders", "none"),
    },
    "jukugo_line": {
        "joker_deal": ("one_each", "shuffled"),
        "claim_timing": ("before_draw", "start_of_turn"),
        "no_slot_draw": ("off", "on"),
        "same_pair_counts": ("off", "on"),
        "three_with_noma": ("on", "off"),
        "dictionary": ("list_app_agreement",),
        "dispute": ("both_agree", "dictionary_only"),
        "proper_nouns": ("headwords_only", "any", "none"),
        "two_witnesses": ("off", "on"),
        "assist": ("name_first", "auto"),
        "hints": ("off", "on"),
        "failed_claim_penalty": ("none", "no_draw"),
        "adjudication": ("app_if_registered", "both_confirm"),
    },
}
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


@pytest.mark.parametrize("name", RULINGS)
def test_every_ruling_stands_in_its_book_once(name: str) -> None:
    ids = [ruling.id for clause in book(name).clauses for ruling in clause.rulings]
    assert Counter(ids) == Counter(RULINGS[name])


def test_rulings_of_a_book_have_a_letter_of_its_own_and_no_gaps() -> None:
    letters = set()
    for name in NAMES:
        ids = [ruling.id for clause in book(name).clauses for ruling in clause.rulings]
        assert {ruling[0] for ruling in ids} == {ids[0][0]}
        assert sorted(int(ruling[1:]) for ruling in ids) == list(range(1, len(ids) + 1))
        letters.add(ids[0][0])
    assert len(letters) == len(NAMES)


@pytest.mark.parametrize("name", OPTIONS)
def test_options_are_those_of_the_ruling_book(name: str) -> None:
    found = {o.key: tuple(choice.value for choice in o.choices) for o in book(name).options}
    assert found == OPTIONS[name]


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
