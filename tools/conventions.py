"""What a game must have. `make check-game` and tests/test_every_game.py share these checks.

A check yields a sentence for each thing that is missing, with what to do. Without ``NEEDED`` a game
cannot be refereed and shown; ``WANTED`` is what a finished game has.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, TypeAlias

from referee.core.book import Book, Text
from referee.core.corrections import CORRECTIONS
from referee.core.game import Game
from referee.core.record import Unreadable, form, read
from referee.games import GAMES
from referee.games.simulation import player, table
from referee.kit import shipped
from referee.kit.check import check as checked
from referee.kit.command import sentence as note_says
from referee.kit.game import KitGame
from referee.rulings import book
from referee.screens.plain import LABELS, VERBS
from tools import texts

ROOT = Path(__file__).parents[1]
RULES = Path("referee/games")
FAMILIES = RULES / "families"
TESTS = Path("tests/games")
ROOMS = ("referee/games", "referee/screens", "templates/games", "static/games", "tests/games")
REGISTRY = RULES / "__init__.py"
MARK = {"ja": "（未記入）", "en": "(to be written)"}
"""Marks texts that `make new-game` leaves to the author of the game."""

TIE = "tie.1"  # the clause with which core.ending decides ties
CLAUSE = re.compile(r"[a-z]+\.[1-9][0-9]*")
CORE = ("referee/core/ending.py", "referee/core/log", "referee/core/record")
HEAD = ("title", "author", "about", "seats", "minutes", "deck")  # of book.toml
MANDATORY = ("clause", "section", "fact")  # tables of book.toml that must not be empty
KEYS = {  # of each row of a table of book.toml
    "section": ("id", "ja"),
    "clause": ("id", "section", "source", "ja"),
    "clause.ruling": ("id", "gap", "why"),
    "option": ("key", "ruling", "choice", "ja"),
    "option.choice": ("value", "ja"),
    "example": ("source", "record", "ja"),
    "source": ("id", "url", "ja"),
}
WRITTEN = (".py", ".toml", ".txt", ".html", ".svg", ".css")  # files in which MARK is looked for
JAPANESE = re.compile(r"[。ぁ-ゖァ-ヺ一-鿿]")
NOT_ENGLISH = re.compile(r"[\u3000-\u3004\u3006-\u30ff\u4e00-\u9fff\uff00-\uffef]")
LANGUAGE = {"ja": "Japanese", "en": "English"}

Check: TypeAlias = Callable[[str], Iterator[str]]


# ------------------------------------------------------------------ the code of a game


def own(name: str) -> list[Path]:
    """The Python files with the rules of a game: those of its folder but the honest player."""
    return sorted(file for file in (ROOT / RULES / name).glob("*.py") if file.stem != "player")


@cache
def families(name: str) -> tuple[str, ...]:
    """The families that a game belongs to."""
    named = {
        alias.name
        for node in nodes(own(name))
        if isinstance(node, ast.ImportFrom) and node.module == "referee.games.families"
        for alias in node.names
    }
    return tuple(sorted(named))


@cache
def shared(name: str) -> list[Path]:
    """The files of the families that a game belongs to."""
    packages = [ROOT / FAMILIES / family for family in families(name)]
    return [file for package in packages for file in sorted(package.glob("*.py"))]


def sharing(name: str) -> list[str]:
    """The games that use a family of ``name``, too."""
    return [other for other in GAMES if set(shared(other)) & set(shared(name))]


def nodes(files: list[Path]) -> Iterator[ast.AST]:
    """All nodes of the syntax trees of ``files``."""
    for file in files:
        yield from ast.walk(_parsed(file))


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def cited(files: list[Path]) -> set[str]:
    """The clause ids that are literals in ``files``."""
    return {
        node.value
        for node in nodes(files)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and CLAUSE.fullmatch(node.value)
    }


def facts(files: list[Path]) -> Iterator[tuple[str, set[str]]]:
    """The facts named in ``files``, with the names of their values, where both are literals."""
    for node in nodes(files):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        fact = node.args[0]
        if not isinstance(fact, ast.Constant) or not isinstance(fact.value, str):
            continue
        if called == "Evidence" and isinstance(node.args[1], ast.Dict):
            keys = [key.value for key in node.args[1].keys if isinstance(key, ast.Constant)]
            yield fact.value, {str(key) for key in keys}
        elif called in ("evidence", "Unreadable"):
            yield fact.value, {str(word.arg) for word in node.keywords} - {"line"}


def core_files() -> list[Path]:
    """The files of the core that name facts."""
    found = [ROOT / path for path in CORE]
    return [file for path in found for file in ([path] if path.is_file() else path.rglob("*.py"))]


def placeholders(sentence: str) -> set[str]:
    """The names in braces in a fact's sentence, those nested in others included."""
    found = set[str]()
    for _, name, within, _ in Formatter().parse(sentence):
        if name is not None:
            found |= {name, *placeholders(within or "")}
    return found


def endings(name: str) -> set[str]:
    """The clauses by which a match can end, where they are literals in the game's code.

    They are in an ``Outcome`` or in a call of ``core.ending``. ``tallying.py`` is left out: it is
    about tally sheets, not about matches.
    """
    files = [file for file in (*own(name), *shared(name)) if file.stem != "tallying"]
    calls = [node for node in nodes(files) if isinstance(node, ast.Call)]
    ends = [call for call in calls if _called(call) in ("Outcome", "by_points")]
    stated = [part for call in ends for part in (*call.args[:1], *_clauses_given(call))]
    ties = {TIE} if any(_called(call) in ("by_points", "tie") for call in calls) else set()
    return ties | {
        part.value
        for expression in stated
        for part in ast.walk(expression)
        if isinstance(part, ast.Constant) and CLAUSE.fullmatch(str(part.value))
    }


def _called(call: ast.Call) -> str:
    """The name of the function that ``call`` calls, without its module."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _clauses_given(call: ast.Call) -> Iterator[ast.expr]:
    return (keyword.value for keyword in call.keywords if keyword.arg == "clause")


def playthroughs(name: str) -> list[Path]:
    return sorted((ROOT / TESTS / name / "playthroughs").glob("*.txt"))


def rooms(name: str) -> list[str]:
    """The folders of a game, from the top of the checkout."""
    return [f"{room}/{name}" for room in ROOMS]


# ------------------------------------------------------------------ without these it is no game


def rules_lie_in_its_folder(name: str) -> Iterator[str]:
    if name not in GAMES:
        yield f"List {name} in NAMES of {REGISTRY}."
        return
    game = GAMES[name]
    if not name == game.NAME == game.__name__.rpartition(".")[2]:
        yield f"Let NAME in {RULES / name} be the name of its folder; it is {game.NAME}."


def rules_have_every_hook(name: str) -> Iterator[str]:
    game = GAMES[name]
    where = RULES / name / "__init__.py"
    for hook in _hooks():
        if not hasattr(game, hook):
            yield f"Define {hook} in {where}, as referee/core/game.py says (class Game)."
    if not game.VERSION:
        yield f"Give {where} a VERSION."
    if not game.SEATS or game.SEATS[0] < 1:
        yield f"Let SEATS in {where} be a range of at least one seat."
    verbs = [(play.SUBJECT, play.FORM.split()[0]) for play in (*game.PLAYS, *CORRECTIONS)]
    for subject, verb in sorted({pair for pair in verbs if verbs.count(pair) > 1}):
        yield f"Two plays of {where} read as `{subject} {verb}`: give one another FORM."


def _hooks() -> list[str]:
    """The names that the protocol requires."""
    return [*Game.__annotations__, *(key for key in vars(Game) if not key.startswith("_"))]


def book_has_every_text(name: str) -> Iterator[str]:
    where = RULES / name / "book.toml"
    try:
        page = tomllib.loads((ROOT / where).read_text(encoding="utf-8"))
    except FileNotFoundError:
        yield f"Write {where}: clauses, options and facts in Japanese and English."
        return
    except tomllib.TOMLDecodeError as fault:
        yield f"Correct {where}, which is not TOML: {fault}."
        return
    for key in HEAD:
        if key not in page:
            yield f"Write {key}.ja and {key}.en in {where}."
    for key in MANDATORY:
        if not page.get(key):
            yield f"Write at least one {key} in {where}."
    for kind, keys in KEYS.items():
        for named, row in _rows(page, kind):
            for key in keys:
                if key not in row:
                    yield f"Write {key} in [[{kind}]] {named} of {where}."
    for place, lang in _unwritten(page, ""):
        yield f"Write the {LANGUAGE[lang]} text of {place} in {where} ({lang} = …)."


def _rows(page: dict[str, Any], kind: str) -> list[tuple[object, dict[str, Any]]]:
    """The rows of a table such as ``option.choice``, with their names, else numbers from 1."""
    outer, _, inner = kind.rpartition(".")
    above = [row for _, row in _rows(page, outer)] if outer else [page]
    rows = [row for each in above for row in each.get(inner, ())]
    return [(row.get("id", row.get("key", number)), row) for number, row in enumerate(rows, 1)]


def _unwritten(value: object, place: str) -> Iterator[tuple[str, str]]:
    """(place, language) of the texts that a book has in one language only, or empty.

    ``place``: the path of ``value`` in the book, as text.
    """
    if isinstance(value, list):
        for number, row in enumerate(value, 1):
            named = row.get("id") or row.get("key") or row.get("value") if row else None
            yield from _unwritten(row, f"{place} {named or number}")
    elif isinstance(value, dict):
        if value.keys() & LANGUAGE.keys():
            yield from ((place, lang) for lang in LANGUAGE if not value.get(lang))
        for key, row in value.items():
            yield from _unwritten(row, f"{place} {key}".strip())


def options_are_those_of_the_book(name: str) -> Iterator[str]:
    where, rules = RULES / name / "book.toml", book(name)
    written = {o.key: tuple(choice.value for choice in o.choices) for o in rules.options}
    coded = {key: option.values for key, option in GAMES[name].OPTIONS.items()}
    for key in coded.keys() - written.keys():
        yield f"Write [[option]] key = {key!r} in {where}: OPTIONS has it."
    for key in written.keys() - coded.keys():
        yield f"Take option {key} out of {where}, or put it into OPTIONS of the rules."
    for key in coded.keys() & written.keys():
        if coded[key] != written[key]:
            yield (
                f"Let option {key} have the same values in {where} and in OPTIONS, in one order: "
                f"{', '.join(written[key])}; {', '.join(coded[key])}."
            )
    if list(written) != list(coded) and written.keys() == coded.keys():
        yield f"Put the options of {where} in the order of OPTIONS: {', '.join(coded)}."
    rulings = {ruling.id: ruling for clause in rules.clauses for ruling in clause.rulings}
    for option in rules.options:
        if option.ruling not in rulings:
            yield f"Name a ruling of {where} in option {option.key}; {option.ruling} is none."
    for option in rules.options:  # a ruling may leave several choices; it names the first
        ruling = rulings.get(option.ruling)
        named = {other.key for other in rules.options if other.ruling == option.ruling}
        if ruling and ruling.option not in named:
            yield f"Write option = {option.key!r} in ruling {ruling.id} of {where}, its reason."


def its_texts_are_in_their_language(name: str) -> Iterator[str]:
    where = RULES / name / "book.toml"
    # the cards of a kanji deck stand in English texts, too
    kanji = "words" in GAMES[name].HOOKS.equipment
    for text in filter(lambda part: isinstance(part, Text), parts(book(name))):
        yield from (f"{sentence} ({where})." for sentence in not_in_its_language(text, kanji))


def not_in_its_language(text: Text, kanji: bool) -> Iterator[str]:
    """What to do about a text with Japanese in its English, or none in its Japanese.

    ``kanji``: those of the Japanese text may stand in the English one.
    """
    if not JAPANESE.search(text.ja):
        yield f"Write in Japanese: {text.ja}"
    foreign = {*NOT_ENGLISH.findall(text.en)} - (set(text.ja) if kanji else set())
    if foreign:
        yield f"Write in English, without {''.join(sorted(foreign))}: {text.en}"


def parts(thing: object) -> Iterator[object]:
    """Every text and every string in a book, the common book under a game's left out."""
    yield thing
    if isinstance(thing, tuple):
        for item in thing:
            yield from parts(item)
    elif is_dataclass(thing):
        for field in fields(thing):
            if field.name not in ("common", "facts"):
                yield from parts(getattr(thing, field.name))
        if isinstance(thing, Book):
            yield from parts(tuple(thing.facts.values()))


def clauses_of_the_code_stand_in_the_book(name: str) -> Iterator[str]:
    known = _clauses(name)
    where = RULES / name / "book.toml"
    for clause in sorted(cited(own(name)) - known):
        yield f"Write [[clause]] id = {clause!r} in {where}: the rules cite it."
    everywhere = set().union(*map(_clauses, sharing(name)))
    for clause in sorted(cited(shared(name)) - everywhere):
        yield f"Write [[clause]] id = {clause!r} in the book of a game whose family cites it."


def _clauses(name: str) -> set[str]:
    return {clause.id for rules in (book(name), book("common")) for clause in rules.clauses}


def clauses_of_the_code_stand_in_a_test(name: str) -> Iterator[str]:
    files = [ROOT / TESTS / name / f"test_{name}.py", *playthroughs(name)]
    files.append(ROOT / TESTS / name / "small_records.toml")
    files += [ROOT / TESTS / "families" / f"test_{family}.py" for family in families(name)]
    tested = " ".join(file.read_text(encoding="utf-8") for file in files if file.is_file())
    for clause in sorted(cited(own(name)) - set(CLAUSE.findall(tested))):
        yield (
            f"Let a playthrough or a test in {TESTS / name} show clause {clause}, "
            "which the rules cite."
        )


def facts_get_the_values_of_their_sentences(name: str) -> Iterator[str]:
    groups = (([*own(name), *core_files()], [name]), (shared(name), sharing(name)))
    for files, names in groups:
        known = {key: text for other in names for key, text in book(other).facts.items()}
        for fact, given in facts(files):
            where = RULES / name / "book.toml"
            if fact not in known:
                yield f"Write the sentence of {fact} under [fact] in {where}: the rules name it."
                continue
            for lang in LANGUAGE:
                asked = placeholders(known[fact].in_(lang))
                # ``key`` may only name the line of the header that is at fault
                if asked not in (given, given - {"key"}):
                    yield (
                        f"Let the {LANGUAGE[lang]} sentence of {fact} in {where} use the values "
                        f"that the rules give: {_braces(given)}, not {_braces(asked)}."
                    )


def _braces(names: set[str]) -> str:
    return " ".join(f"{{{name}}}" for name in sorted(names)) or "none"


def somebody_plays_it(name: str) -> Iterator[str]:
    where = RULES / name / "player.py"
    try:
        player(name)
    except (ModuleNotFoundError, AttributeError):
        yield f"Write {where} with an honest player, entries(log, rng, lies, shows)."
        return
    if f"RULES: Game[State, Play] = {name}\n" not in (ROOT / where).read_text(encoding="utf-8"):
        yield f"Write RULES: Game[State, Play] = {name} in {where}: with it mypy checks the rules."


def tests_lie_in_its_folder(name: str) -> Iterator[str]:
    file = TESTS / name / f"test_{name}.py"
    if not (ROOT / file).is_file():
        yield f"Write {file}: tests of the rules that only this game has."
    if not playthroughs(name):
        yield f"Write a whole match with its answers, {TESTS / name}/playthroughs/….txt."
    if GAMES[name].HOOKS.sheet:
        for part in (f"{name}_sheet.py", "playthroughs/entered-by-sheet.txt"):
            if not (ROOT / TESTS / name / part).is_file():
                yield f"Write {TESTS / name / part}, as its neighbours have it: HOOKS has a sheet."


def its_playthroughs_can_be_read(name: str) -> Iterator[str]:
    for file in playthroughs(name):
        try:
            read(file.read_bytes(), GAMES, lambda deck: None, shipped.beside)
        except Unreadable as fault:
            yield (
                f"Write {file.relative_to(ROOT)} again: the rules cannot read line {fault.line} "
                f"any more. `make soak GAME={name}` finds matches to replace it."
            )


NEEDED: tuple[Check, ...] = (
    rules_lie_in_its_folder,
    rules_have_every_hook,
    book_has_every_text,
    options_are_those_of_the_book,
    its_texts_are_in_their_language,
    clauses_of_the_code_stand_in_the_book,
    facts_get_the_values_of_their_sentences,
    clauses_of_the_code_stand_in_a_test,
    somebody_plays_it,
    tests_lie_in_its_folder,
    its_playthroughs_can_be_read,
)


# ------------------------------------------------------------------ these a finished game has


def nothing_is_left_to_be_written(name: str) -> Iterator[str]:
    for room in rooms(name):
        for file in sorted((ROOT / room).rglob("*")):
            if file.suffix in WRITTEN:
                lines = file.read_text(encoding="utf-8").split("\n")
                for number, line in enumerate(lines, 1):
                    if any(mark in line for mark in MARK.values()):
                        yield f"Write {file.relative_to(ROOT)}, line {number}: {line.strip()}"


def each_ending_has_a_playthrough(name: str) -> Iterator[str]:
    shown = {
        line.split()[-1]
        for file in playthroughs(name)
        for line in file.read_text(encoding="utf-8").split("\n")
        if line.startswith("# outcome")
    }
    for clause in sorted(endings(name) - shown):
        yield (
            f"Write a playthrough in {TESTS / name}/playthroughs that ends by {clause} "
            f"(# outcome … {clause})."
        )


def it_has_its_pictures(name: str) -> Iterator[str]:
    pictures = {
        f"templates/games/{name}/figure.svg": "what a match was won with, for the page of a result",
        f"static/games/{name}/crest.svg": "48 units wide and high, drawn as its neighbours are",
        f"static/games/{name}/share.png": f"`make pictures NAME={name}` draws it",
    }
    for file, note in pictures.items():
        if not (ROOT / file).is_file():
            yield f"Add {file}: {note}."


def its_sentences_are_in_the_catalogue(name: str) -> Iterator[str]:
    said = texts.sentences(below=[f"referee/screens/{name}", f"templates/games/{name}"])
    catalogue = texts.english()
    known = {texts.key(message) for message in catalogue if message.id}
    for sentence in texts.written(said - known):
        yield f"Run `make texts`, then write the English of: {sentence}"
    for sentence in texts.written(said & texts.unwritten(catalogue)):
        yield f"Write the English of this sentence in {texts.ENGLISH}: {sentence}"


def it_has_a_table_page(name: str) -> Iterator[str]:
    for file in (f"referee/screens/{name}/__init__.py", f"templates/games/{name}/table.html"):
        if not (ROOT / file).is_file():
            yield f"Write {file}: its own table page; until then it has the plain one."


def the_plain_page_has_its_words(name: str) -> Iterator[str]:
    if (ROOT / f"templates/games/{name}/table.html").is_file():
        return
    game, where = GAMES[name], RULES / name / "book.toml"
    seats = tuple(f"P{number}" for number in range(game.SEATS[0]))
    verbs = {form(play.FORM).verb for play in game.PLAYS} - VERBS.keys()
    keys = game.public(game.setup(table(game, seats))).keys() - LABELS.keys() - {"totals"}
    asked = {f"verb_{verb}" for verb in verbs} | {f"public_{key}" for key in keys}
    for fact in sorted(asked - book(name).facts.keys()):
        yield f"Write {fact}.ja and {fact}.en under [fact] in {where}: the plain page says it."


def readers_learn_of_it(name: str) -> Iterator[str]:
    title = book(name).title
    names = {re.split("[（(]", text)[0].strip() for text in (title.ja, title.en)}
    files = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")]
    read = "".join(file.read_text(encoding="utf-8") for file in files)
    if not any(text in read for text in names):
        yield f"Name the game ({title.en}) in CHANGELOG.md, README.md or a page of docs."


WANTED: tuple[Check, ...] = (
    nothing_is_left_to_be_written,
    each_ending_has_a_playthrough,
    the_plain_page_has_its_words,
    it_has_a_table_page,
    it_has_its_pictures,
    its_sentences_are_in_the_catalogue,
    readers_learn_of_it,
)


def missing(name: str) -> list[str]:
    """Everything that the game ``name`` lacks.

    Faults that prevent the other checks from reading the game are returned alone.
    """
    for check in (rules_lie_in_its_folder, rules_have_every_hook, book_has_every_text):
        if found := list(check(name)):
            return found
    return [sentence for check in (*NEEDED, *WANTED) for sentence in check(name)]


def missing_of_file(game: KitGame) -> list[str]:
    """What a game file that comes with the program lacks: the faults of the file, a playthrough."""
    found = [note_says(note, "en") for note in checked(game.text.encode())[1] if not note.only_note]
    folder = TESTS / "kit" / "playthroughs"
    if not any((ROOT / folder).glob(f"{game.KEY}-*.txt")):
        found.append(f"Write a match with its verdicts as {folder}/{game.KEY}-NAME.txt.")
    return found
