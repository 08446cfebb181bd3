"""The ruling books are complete, say everything in both languages, and fit each other."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from referee.core.book import Book, Text
from referee.games import GAMES
from referee.rulings import book
from tools.conventions import not_in_its_language, parts

ROOT = Path(__file__).parent.parent
NAMES = ("common", *GAMES)
BOOKS = [pytest.param(book(name), id=name) for name in NAMES]

SOURCE = re.compile(r"S\d{3}")
EXTRA = {"two_witnesses"}  # a second house rule of a ruling that names its first


def placeholders(sentence: str) -> set[str]:
    found = [(name, form) for _, name, form, _ in Formatter().parse(sentence) if name is not None]
    return {name for name, _ in found}.union(*(placeholders(form or "") for _, form in found))


def cited(*rooms: Path) -> Iterator[str]:
    """A regular expression for every string in the modules of ``rooms`` that looks like the id of a
    clause; a value that is put into a string stands for anything.
    """
    for file in (file for room in rooms for file in room.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            texts = [part.value if isinstance(part, ast.Constant) else None for part in parts]
            if any(isinstance(text, str) for text in texts):
                yield "".join(re.escape(each) if isinstance(each, str) else ".+" for each in texts)


def ids(rules: Book) -> list[str]:
    """The rulings of a book in the order of its clauses."""
    return [ruling.id for clause in rules.clauses for ruling in clause.rulings]


@pytest.mark.parametrize("rules", BOOKS)
def test_rulings_are_numbered_without_a_gap_under_one_mark(rules: Book) -> None:
    found = ids(rules)
    marks = {each.rstrip("0123456789") for each in found}
    assert len(marks) <= 1, f"let all rulings begin with the same letters, not {marks}"
    mark = "".join(marks)
    numbered = Counter(f"{mark}{n}" for n in range(1, len(found) + 1))
    assert Counter(found) == numbered, f"number the rulings from {mark}1 to {mark}{len(found)}"


def test_no_two_books_have_a_ruling_of_one_name() -> None:
    rulings = [ruling for name in NAMES for ruling in ids(book(name))]
    twice = sorted({each for each in rulings if rulings.count(each) > 1})
    assert not twice, f"give the rulings of one book other letters: {twice}"


@pytest.mark.parametrize("name", list(GAMES))
def test_the_first_lines_of_a_game_say_how_many_rulings_it_has(name: str) -> None:
    found = ids(book(name))
    if found:
        mark = found[0].rstrip("0123456789")
        line = f"Rulings {mark}1–{mark}{len(found)}."
        assert line in str(GAMES[name].__doc__), f"write at the top of the rules: {line}"
    else:
        assert "Rulings" not in str(GAMES[name].__doc__), "the book has none: name none"


@pytest.mark.parametrize("rules", BOOKS)
def test_a_ruling_names_an_option_of_its_book(rules: Book) -> None:
    """The other way round see ``conventions.options_are_those_of_the_book``."""
    for clause in rules.clauses:
        for ruling in clause.rulings:
            assert ruling.option is None or rules.option(ruling.option).key == ruling.option


@pytest.mark.parametrize("rules", BOOKS)
def test_an_option_offers_different_values(rules: Book) -> None:
    for option in rules.options:
        values = [choice.value for choice in option.choices]
        assert values, f"write the choices of option {option.key}"
        assert len(set(values)) == len(values), f"two choices of {option.key} have one value"


@pytest.mark.parametrize("rules", BOOKS)
def test_nothing_is_empty(rules: Book) -> None:
    for string in parts(rules):
        if isinstance(string, str):
            assert string, "write the text that is empty"
            assert string == string.strip(), f"take the spaces from the ends of {string!r}"


@pytest.mark.parametrize("rules", BOOKS)
def test_each_language_is_itself(rules: Book) -> None:
    texts = [text for text in parts(rules) if isinstance(text, Text)]
    assert len(texts) > len(rules.clauses) + len(rules.facts)
    game = GAMES.get(rules.name)
    kanji = "words" in game.HOOKS.equipment if game else False
    assert [fault for text in texts for fault in not_in_its_language(text, kanji)] == []


@pytest.mark.parametrize("rules", BOOKS)
def test_clauses_stand_in_sections_in_page_order(rules: Book) -> None:
    order = [section.id for section in rules.sections]
    used = {clause.section for clause in rules.clauses}
    assert set(order) == used, f"a section and its clauses name each other: {set(order) ^ used}"
    places = [order.index(clause.section) for clause in rules.clauses]
    assert places == sorted(places), "put the clauses in the order of their sections"


@pytest.mark.parametrize("name", NAMES)
def test_every_clause_is_cited_by_code_or_its_row_says_that_it_is_prose(name: str) -> None:
    own, program = Path("games", name), ROOT / "referee"
    rooms = [program] if name == "common" else [program / own, program / "screens" / name]
    page = "rulings/common.toml" if name == "common" else own / "book.toml"
    rows = tomllib.loads((program / page).read_text(encoding="utf-8"))["clause"]
    found = {*cited(program / "core", program / "games/families", *rooms)}
    pattern = re.compile("|".join(each for each in found if re.match(r"[a-z_]+\\\.", each)))
    for row in rows:
        told = row.get("prose", False)
        assert bool(pattern.fullmatch(row["id"])) != told, (
            f"code cites clause {row['id']}: take prose = true from its row"
            if told
            else f"no code cites clause {row['id']}: let a verdict cite it, or write prose = true"
        )


@pytest.mark.parametrize("rules", BOOKS)
def test_ids_are_unique_together_with_the_common_ones(rules: Book) -> None:
    common = rules.common
    clauses = [c.id for c in rules.clauses] + [c.id for c in (common.clauses if common else ())]
    options = [o.key for o in rules.options] + [o.key for o in (common.options if common else ())]
    for written in (clauses, options):
        twice = sorted({each for each in written if written.count(each) > 1})
        assert not twice, f"the common book has these ids, or this one has them twice: {twice}"


@pytest.mark.parametrize("rules", BOOKS)
def test_a_fact_has_the_same_placeholders_in_both_languages(rules: Book) -> None:
    for name, text in rules.facts.items():
        assert placeholders(text.ja) == placeholders(text.en), (
            f"let both languages of the fact {name} use the same values in braces"
        )


@pytest.mark.parametrize("rules", BOOKS)
def test_every_fact_can_be_said(rules: Book) -> None:
    for name, text in rules.facts.items():
        values = {key: f"<{key}>" for key in placeholders(text.ja)}
        for lang in ("ja", "en"):
            said = rules.says(name, values, lang)
            assert all(value in said for value in values.values()), f"{name}: {said}"


@pytest.mark.parametrize("rules", BOOKS)
def test_every_clause_names_a_text_that_the_page_lists(rules: Book) -> None:
    known = {source.id for source in rules.sources}
    for clause in rules.clauses:
        named = set(SOURCE.findall(clause.source))
        assert named <= known, f"write [[source]] for {named - known} in common.toml"
        assert named or clause.source.startswith("札見"), (
            f"name the source text of clause {clause.id}, or 札見 where it is our own rule"
        )


@pytest.mark.parametrize("rules", BOOKS)
def test_a_text_is_listed_once_where_it_is_cited(rules: Book) -> None:
    listed = [source.id for source in rules.sources]
    assert len(set(listed)) == len(listed), f"list each source once: {listed}"
    clauses = (*rules.clauses, *(rules.common.clauses if rules.common else ()))
    cited = {id_ for clause in clauses for id_ in SOURCE.findall(clause.source)}
    assert set(listed) == cited, f"list the sources that clauses cite: {set(listed) ^ cited}"
    said = " ".join(string for string in parts(rules) if isinstance(string, str))
    assert set(SOURCE.findall(said)) <= set(listed)


@pytest.mark.parametrize("name", list(GAMES))
def test_a_game_reaches_the_common_book(name: str) -> None:
    rules = book(name)
    assert rules.clause("tie.1") is book("common").clause("tie.1")
    assert rules.option("final_tie") is book("common").option("final_tie")
    assert rules.facts["not_turn"] is book("common").facts["not_turn"]


def test_books_are_read_once() -> None:
    assert book("common") is book("common")


@pytest.mark.parametrize("name", ["chess", "", "../common", "."])
def test_an_unknown_book(name: str) -> None:
    with pytest.raises(KeyError):
        book(name)


@pytest.mark.parametrize("rules", BOOKS)
def test_an_unknown_clause_option_fact_or_language(rules: Book) -> None:
    with pytest.raises(KeyError):
        rules.clause("nothing.1")
    with pytest.raises(KeyError):
        rules.option("nothing")
    with pytest.raises(KeyError):
        rules.says("nobody_says", {}, "ja")
    with pytest.raises(KeyError):
        rules.title.in_("fr")


def test_says_joins_lists_in_the_language() -> None:
    common = book("common")
    values = {"seat": "A", "ranks": (1, 2, "K")}
    assert common.says("hand_shown", values, "ja") == "Aが公開した手札は1・2・K。"
    assert common.says("hand_shown", values, "en") == "A showed this hand: 1, 2, K."


def test_a_seat_name_with_braces_is_left_alone() -> None:
    said = book("common").says("shown", {"seat": "{rank} %s {0}", "rank": 7}, "en")
    assert said == "{rank} %s {0} played a 7."


BUILT = re.compile(r"f\"([a-z][a-z_]*_)\{")
"""The beginning of a fact's name that is put together when it is cited."""
ENDED = re.compile(r"[}\"](_[a-z]+)\"")
"""The end of such a name; what stands before it is cited by itself."""


def test_every_fact_is_cited_somewhere() -> None:
    files = [*(ROOT / "referee").rglob("*.py"), *(ROOT / "templates").rglob("*.html")]
    texts = [file.read_text("utf-8") for file in files]
    words = {word.lower() for text in texts for word in re.findall(r"\w+", text)}
    built = tuple({beginning for text in texts for beginning in BUILT.findall(text)})
    facts = {fact for name in NAMES for fact in book(name).facts}
    assert facts
    ended = {end for text in texts for end in ENDED.findall(text)}
    words |= {f"{word}{end}" for word in words for end in ended}
    unused = {fact for fact in facts - words if not fact.startswith(built)}
    assert not unused, f"no rule names these facts: take them out of the books: {unused}"


def test_a_sentence_has_the_form_that_its_value_asks_for() -> None:
    common = book("common")
    said = common.says("declares_only", {"seat": "A", "ranks": (7, 9, 10)}, "en")
    assert said == "A declared holding only 7s, 9s and 10s."
    said = common.says("declares_none", {"seat": "A", "ranks": (7,)}, "en")
    assert said == "A declared holding no 7."
    no_more = {"seat": "A", "ranks": ("A", 2, 3, 4, 6, 7, "J", "Q")}
    assert common.says("declares_none", no_more, "en") == (
        "A declared holding no A, 2–4, 6, 7, J or Q."
    )
    assert "「手札にA、2–4、6、7、J、Qは1枚もない」" in common.says("declares_none", no_more, "ja")
    said = common.says("laid_later", {"seat": "A", "rank": 8}, "en")
    assert said == "A later played an 8 from the same hand."


def test_a_card_of_a_suit_needs_no_article() -> None:
    common = book("common")
    assert common.says("shown", {"seat": "A", "rank": "♥8"}, "en") == "A played ♥8."
    assert common.says("kit_free", {"card": "♣2"}, "en") == "♣2 may be played here."
    assert common.says("shown", {"seat": "A", "rank": "R11"}, "en") == "A played R11."
    assert common.says("kit_led", {"seat": "A", "card": "mage"}, "en") == "A led a mage."


def test_a_card_that_is_the_only_one_is_called_so() -> None:
    common = book("common")
    for rank, copies, ja, en in (
        ("♥7", 1, "♥7は全部で1枚。もう出ています。", "only one ♥7, and it has been seen."),
        (6, 6, "6は全部で6枚。もう全部出ています。", "only six 6s, and all have been seen."),
    ):
        values = {"rank": rank, "copies": copies}
        assert common.says("copies_gone", values, "ja") == ja
        assert common.says("copies_gone", values, "en") == f"The deck has {en}"


def test_consecutive_numbers_are_a_range() -> None:
    common = book("common")
    for cards, ja, en in (
        ((7, 8, 9, 10), "7–10", "7s to 10s"),
        ((9, 10), "9・10", "9s, 10s"),
        ((1, 3, 4, 5), "1・3–5", "1s, 3s to 5s"),
    ):
        values = {"cards": cards, "left": 21}
        assert common.says("deal_take_out", values, "ja") == f"{ja}を抜く（残り21枚）"
        assert common.says("deal_take_out", values, "en") == f"Take out all {en} (21 left)"


def test_equal_cards_are_counted() -> None:
    common, cards = book("common"), {"seat": "A", "rank": (9, 9, 7)}
    assert common.says("shown", cards, "ja") == "Aが9を2枚、7を1枚出しました。"
    assert common.says("shown", cards, "en") == "A played two 9s and a 7."
    assert (
        common.says("seen_elsewhere", cards | {"rank": (6, 6)}, "ja") == "Aが6を2枚見せています。"
    )
    assert common.says("shown", cards | {"rank": (9, 7)}, "ja") == "Aが9・7を出しました。"
