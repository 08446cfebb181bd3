"""What the players read holds to the glossary, docs/words.md and docs/spelling.md, whose tables are
read here.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from babel.messages.pofile import read_po

from referee.cli import main
from referee.games import GAMES

ROOT = Path(__file__).parents[2]
WORDS = [ROOT / "docs" / name for name in ("words.md", "spelling.md")]
BOOKS = {"referee/rulings/common.toml", *(f"referee/games/{n}/book.toml" for n in GAMES)}
PLAIN_TEXTS = ("referee/kit/reference.toml", "referee/web/site/player_help.toml")
"""Other files of texts."""
SHIPPED = ROOT / "referee" / "kit" / "shipped"
"""Game files that come with the program: a text that stands in one may not be in words.md."""
MADE = (
    *("kit/book.py", "kit/saying.py", "kit/words.py", "kit/chapters/*/texts.py"),
    *("kit/families/*/*texts.py", "kit/families/*/words.py"),
)
"""Modules that make the sentences of game files."""

SEAL = ("札", "見")
"""The letters of the seal, which templates draw one by one."""

KANJI = "\u3400-\u9fff"
JAPANESE = f"\u3041-\u30fa\u30fc{KANJI}"
SAID = f"[{JAPANESE}](?:[{JAPANESE}0-9 ]*[{JAPANESE}])?"
"""Japanese words that an English sentence names."""
PLACE = re.compile(r"%\(\w+\)s|\{\w+\}")
COUNTERS = (
    "枚|点|位|件|回|個|台|人|戦|勝|巡|手(?![札番])|組|字|語|秒|分|時間|つ|段|行|項目|種|か所|ゲーム"
)
PARTICLES = "の|が|を|に|は|で|と|も|から|まで|より|へ"
NUMBER = r"(?:[0-9]|%\(\w+\)s|\{\w+(?::[^}]*)?\})"

FAULTS = {
    "ja": {
        "a space before a counter or a particle": rf"{NUMBER} (?:{COUNTERS}|{PARTICLES})",
        "a number in kanji": rf"[一二三四五六七八九十](?!字|語|手)(?:{COUNTERS})",
        "a space between Japanese and a number": rf"[{JAPANESE}] {NUMBER}(?=[{JAPANESE}])",
        "English punctuation": rf"[{JAPANESE}][,.:;?!()]|[,;?!()][{JAPANESE}]",
        "English quotes": rf"[“”‘’]|(?<!=)\"[{JAPANESE}{{]",
        "an opening quote alone": r"「[^」]*$|^[^「]*」",
        "full-width digits": r"[０-９]",
        "a mark that no verdict has any more": r"^[可否未裁]$",
    },
    "en": {
        "Japanese punctuation": "[\u3000-\u3004\u3006-\u303f\uff01-\uff5e\u30fb]",
        "another quote than ' and “ ”": r"[‘’\"]|“[^”]*$",
        "a full-width digit": r"[０-９]",
        "of instead of 's": r"\bof %\((?:seat|name)\)s",
    },
    "docs": {
        "Japanese punctuation": "[A-Za-z0-9][、。！？，．：；]|[、。！？，．：；][A-Za-z]",
        "a full-width digit": r"[０-９]",
    },
}
PLAIN = re.compile(
    "(?:(?<!まし)(?<!でし)た|[るくうぬぶむ]|(?<!ず)つ|(?<!ださ)い|(?<!ま)(?<!で)す|だ)(?:（[^）]*）)?(?=。)"
)
"""The end of a sentence that is neither です・ます nor a noun."""


ON_PAGES = {"page": "en"}
"""English in templates has the words of screens; its quotes may be those of the code around it."""


class Text(NamedTuple):
    """A text that somebody reads: where it stands, what it says.

    ``lang``: "ja" or "en" for what a player reads, "page" for English that stands in a template,
    "docs" for English beside the screen.
    """

    where: str
    lang: str
    says: str


def rows(title: str) -> list[list[str]]:
    """The rows of the table under a heading of the glossary."""
    pages = "".join(page.read_text("utf-8") for page in WORDS)
    part = pages.split(f"\n## {title}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def listed(cell: str) -> list[str]:
    return [word for word in re.split("[、,] ?", cell) if word]


@cache
def forbidden() -> list[tuple[str, re.Pattern[str], re.Pattern[str] | None, str]]:
    """Language, what may not stand, in which words it may, and what to write instead."""
    found = [*rows("Not to be used"), *(["ja", *row] for row in rows("One spelling"))]
    rules = []
    for where, words, but, instead in found:
        either = "|".join(map(re.escape, listed(words)))
        pattern = either if where == "ja" else rf"\b(?:{either})\b"
        allowed = re.compile("|".join(map(re.escape, listed(but)))) if but else None
        rules += [(lang, re.compile(pattern, re.I), allowed, instead) for lang in listed(where)]
    return rules


def faults(text: Text) -> list[str]:
    """What the glossary has against ``text``."""
    found = []
    for lang, pattern, allowed, instead in forbidden():
        rest = PLACE.sub("", allowed.sub("", text.says) if allowed else text.says)
        if lang == ON_PAGES.get(text.lang, text.lang) and (match := pattern.search(rest)):
            found.append(f"{text.where}: {match[0]} (use: {instead}) in: {text.says}")
    for fault, pattern in FAULTS.get(text.lang, {}).items():
        if match := re.search(pattern, text.says):
            found.append(f"{text.where}: {fault}: {match[0]!r} in: {text.says}")
    return found


def of_commands() -> Iterator[Text]:
    """The Japanese of the command line."""
    path = "referee/translations/ja/LC_MESSAGES/commands.po"
    with (ROOT / path).open("rb") as file:
        for message in read_po(file, locale="ja"):
            if message.id:
                several = message.string
                for said in (several,) if isinstance(several, str) else several:
                    yield Text(path, "ja", said)


def catalogue() -> Iterator[Text]:
    path = "referee/translations/en/LC_MESSAGES/messages.po"
    with (ROOT / path).open("rb") as file:
        for message in read_po(file, locale="en"):
            if message.id:
                key = message.id if isinstance(message.id, str) else message.id[0]
                yield Text(path, "ja", key)
                several = message.string
                for said in (several,) if isinstance(several, str) else several:
                    yield Text(path, "en", said)


def plain_files() -> Iterator[Text]:
    """What stands in templates and scripts themselves: Japanese, and English of several words."""
    for folder, pattern in (("templates", "*.html"), ("templates", "*.svg"), ("static", "*.js")):
        for path in sorted((ROOT / folder).rglob(pattern)):
            if "vendor" in path.parts:
                continue
            written = path.read_text("utf-8")
            if folder == "templates":
                coded = re.findall(r"\{%.*?%\}|\{\{.*?\}\}", written, flags=re.S)
                for said in re.findall(r"\"([^\"]*)\"|'([^']*)'", "\n".join(coded)):
                    yield from _quoted(str(path.relative_to(ROOT)), "".join(said))
                written = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "\n", written, flags=re.S)
            else:
                written = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "\n", written, flags=re.S)
            where = str(path.relative_to(ROOT))
            for piece in re.split(r"[<>\n\"`]", written):
                if re.search(f"[{JAPANESE}]", piece) and piece.strip() not in SEAL:
                    yield Text(where, "ja", piece.strip())
                elif re.search("[A-Za-z]{2} ?[^ -~]|[^ -~] ?[A-Za-z]{2}", piece):
                    yield Text(where, "docs", piece.strip())
            said = re.findall(r'(?:aria-label|title|alt|placeholder)="([A-Za-z][^"]*)"', written)
            said += re.findall(r"data-[a-z-]+=[\"']([A-Za-z][^\"'{}]* [^\"'{}]*)[\"']", written)
            if folder == "templates":
                said += re.findall(r">\s*([A-Za-z][^<>{}=;()]*)<", written)
            capital = "A-Z" if folder == "templates" else "A-Za-z"  # classes are written small
            said += re.findall(rf"[\"`']([{capital}][a-z]+ [^\"`'<>]*)[\"`']", written)
            for piece in said:
                yield Text(where, "docs" if folder == "static" else "page", piece.strip())


def _quoted(where: str, words: str) -> Iterator[Text]:
    """A text between quotes: Japanese, or English of several words."""
    if re.search(f"[{JAPANESE}]", words):
        yield Text(where, "ja", words)
    elif " " in words.strip():
        yield Text(where, "docs", words)


def styles() -> Iterator[Text]:
    """What style sheets write on pages."""
    for path in sorted((ROOT / "static").rglob("*.css")):
        if "vendor" not in path.parts:
            sheet = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.S)
            for said in re.findall(r"content:[^;}]*", sheet):
                for words in re.findall(r"\"([^\"]*)\"|'([^']*)'", said):
                    lang = "ja" if re.search(f"[{JAPANESE}]", "".join(words)) else "docs"
                    yield Text(str(path.relative_to(ROOT)), lang, "".join(words))


def books() -> Iterator[Text]:
    def texts(found: object, lang: str = "") -> Iterator[tuple[str, str]]:
        if isinstance(found, str) and lang:
            yield lang, found
        elif isinstance(found, dict):
            for key, value in found.items():
                yield from texts(value, key if key in ("ja", "en") else lang)
        elif isinstance(found, list):
            for value in found:
                yield from texts(value, lang)

    files = [str(path.relative_to(ROOT)) for path in sorted(SHIPPED.glob("*.toml"))]
    for name in [*sorted(BOOKS), *PLAIN_TEXTS, *files]:
        code = "reference" in name  # its English is about files, as that of the docs is
        for lang, says in texts(tomllib.loads((ROOT / name).read_text("utf-8"))):
            yield Text(name, "docs" if code and lang == "en" else lang, says)


def facts() -> Iterator[str]:
    """The Japanese sentences of verdicts, findings and errors."""
    for name in sorted(BOOKS):
        for fact in tomllib.loads((ROOT / name).read_text("utf-8"))["fact"].values():
            yield fact["ja"]


def command_line() -> Iterator[Text]:
    """The help of every command, and what commands and the server print."""

    def helped(name: str, command: click.Command) -> Iterator[Text]:
        context = click.Context(command, info_name=name)
        for line in command.get_help(context).splitlines():
            yield Text(f"help of {name}", "docs", line)
        if isinstance(command, click.Group):
            for each in command.list_commands(context):
                inner = command.get_command(context, each)
                assert inner is not None
                yield from helped(f"{name} {each}", inner)

    yield from helped("referee", main)
    printing = (
        "cli.py",
        "commands/*.py",
        "kit/command.py",
        "kit/beginning.py",
        "upkeep/*.py",
        "server/*.py",
        "store/*.py",
        "pack/*.py",
        "insight/*.py",
        "tonight/*.py",
    )
    for pattern in (*printing, *MADE):
        for path in sorted((ROOT / "referee").glob(pattern)):
            for words in printed(ast.parse(path.read_text("utf-8"))):
                if pattern in MADE:  # pieces, whose quotes stand in two of them
                    words = re.sub("[「」“”]", "", words)
                lang = "ja" if re.search(f"[{JAPANESE}]", words) else "docs"
                yield Text(str(path.relative_to(ROOT)), lang, words)


def in_code() -> Iterator[Text]:
    """The sentences that stand in code beside the catalogue: of pages, exports, games and rules."""
    for path in sorted((ROOT / "referee").rglob("*.py")):
        for words in printed(ast.parse(path.read_text("utf-8"))):
            if any(path.match(pattern) for pattern in MADE):
                words = re.sub("[「」“”]", "", words)  # pieces, whose quotes stand in two of them
            if "(?" not in words and not words.startswith("lay {"):  # a pattern, a form of records
                yield from _quoted(str(path.relative_to(ROOT)), words)


def printed(tree: ast.Module) -> Iterator[str]:
    """The string constants of a module that are sentences: without docstrings and names."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in alone:
            words = node.value if isinstance(node.value, str) else ""
            if " " in words or not words.isascii():
                yield words


def docs() -> Iterator[Text]:
    """The prose of the documents: without code, examples and the targets of links."""
    for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]:
        if path not in WORDS:
            prose = re.sub(r"```.*?```|`[^`]*`", "", path.read_text("utf-8"), flags=re.S)
            prose = re.sub(r"\]\([^)]*\)|「[^」]*」", "]", prose)
            lang, where = "ja" if path.name.endswith(".ja.md") else "docs", path.relative_to(ROOT)
            for line in prose.splitlines():
                if not line.startswith("    "):  # an example
                    yield Text(str(where), lang, line)
                    for said in re.findall(SAID, line) if lang == "docs" else ():
                        yield Text(str(where), "ja", said)


def kept(found: Iterator[Text]) -> list[str]:
    return [fault for text in found for fault in faults(text)]


def test_the_catalogue_holds_to_the_glossary() -> None:
    assert kept(catalogue()) == []


def test_what_stands_in_templates_and_scripts_holds_to_the_glossary() -> None:
    assert kept(plain_files()) == []


def test_what_style_sheets_write_holds_to_the_glossary() -> None:
    assert any(styles())
    assert kept(styles()) == []


def test_sentences_in_code_hold_to_the_glossary() -> None:
    assert any(in_code())
    assert kept(in_code()) == []


def test_every_kanji_tile_is_marked_as_japanese() -> None:
    """So that a screen reader and a font take the right language on English pages, too."""
    tiles = [
        (str(path.relative_to(ROOT)), tag)
        for path in (ROOT / "templates").rglob("*.html")
        for tag in TAG.findall(path.read_text("utf-8"))
        if re.search(r'class="(?:kj|form)\b', tag)
    ]
    assert tiles
    unmarked = [tile for tile in tiles if 'lang="ja"' not in tile[1]]
    assert unmarked == [], 'write lang="ja" into these tags'


JINJA = re.compile(r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
TAG = re.compile(r"<\w(?:[^<>{]|\{[{%].*?[%}]\})*>", re.DOTALL)
RAW = re.compile("[、。：（）「」？！・　※\u3040-\u30ff\u4e00-\u9fff]+")


def test_a_space_follows_a_sentence_in_a_template() -> None:
    """Japanese needs none, but the English sentence would stick to what comes next."""
    after = re.compile(
        r"。[\"'][^{}]*\) *\}\}(?:</small>|</span>)?(?:\n\s*)?(?:<(?:a|b|small)\b|\{\{ *_)"
    )
    assert after.search('{{ _("数えません。") }}<a href="/">')
    found = [
        (str(path.relative_to(ROOT)), match[0])
        for path in (ROOT / "templates").rglob("*.html")
        for match in after.finditer(path.read_text("utf-8"))
    ]
    assert found == [], "write a space behind these sentences"


def test_templates_take_japanese_from_the_catalogue() -> None:
    """What stands in a template itself is on the pages of both languages; the seal is a picture."""
    found = [
        (str(path.relative_to(ROOT)), match[0])
        for path in (ROOT / "templates").rglob("*.html")
        for match in RAW.finditer(JINJA.sub(" ", path.read_text("utf-8")))
        if match[0] not in ("札見", "之印")
    ]
    assert found == [], "put these into the catalogue"


def test_sentences_for_all_games_name_no_round() -> None:
    """Trumps, Three Kings and 熟語ライン have none; in ペアーズ大富豪 a trick is called so."""
    common = tomllib.loads((ROOT / "referee/rulings/common.toml").read_text("utf-8"))
    said = [row[part]["ja"] for row in common["clause"] for part in ("why", "gap") if part in row]
    said += [
        ruling[part]["ja"]
        for row in common["clause"]
        for ruling in row.get("ruling", ())
        for part in ("why", "gap")
        if part in ruling
    ]
    said += [text["ja"] for name, text in common["fact"].items() if not name.startswith("kit_")]
    assert len(said) > 100
    assert [text for text in said if "ラウンド" in text] == []


def test_numbers_in_a_sentence_are_not_joined_as_a_decimal() -> None:
    """「3・5なら」 is read as 3.5, and leaves "and" or "or" open."""
    listed = re.compile(r"\{(?:ranks|numbers)\}(?:なら|だけ|しか|以外|が|は|を|の)")
    assert listed.search("{ranks}なら出せました。")
    shown = ("hand_shown", "shown_otherwise")  # a hand, card by card
    found = [text for text in facts() if listed.search(text) and "公開した手札は" not in text]
    assert [text for text in found if not any(name in text for name in shown)] == []


def test_a_player_is_spoken_to_politely() -> None:
    said = [text.says for text in catalogue() if text.lang == "ja"]
    plain = [says for says in (*said, *facts()) if PLAIN.search(says)]
    assert plain == [], "let these sentences end in です or ます, or with a noun"


@pytest.mark.parametrize("says", ["カードを出す。", "手札にない。", "記録した。", "取る（1枚）。"])
def test_a_plain_ending_is_found(says: str) -> None:
    assert PLAIN.search(says)


def test_the_rule_books_hold_to_the_glossary() -> None:
    assert any(books())
    assert kept(books()) == []


def test_the_command_line_holds_to_the_glossary() -> None:
    assert any(command_line())
    assert kept(command_line()) == []
    assert any(of_commands())
    assert kept(of_commands()) == []


def test_the_docs_hold_to_the_glossary() -> None:
    assert any(docs())
    assert kept(docs()) == []


@pytest.mark.parametrize(
    ("lang", "says", "fault"),
    [
        ("ja", "この電話を外す", "電話"),
        ("ja", "札を選ぶ", "札"),
        ("ja", "%(n)s 枚", "a space before a counter"),
        ("ja", "%(name)s の手番", "a space before a counter or a particle"),
        ("ja", "二人とも認める", "a number in kanji"),
        ("ja", "{count} 枚を配る", "a space before a counter"),
        ("ja", "フラッグ {flag} は取った", "a space before a counter or a particle"),
        ("ja", "「{word}を認める", "an opening quote alone"),
        ("ja", '"{word}"を認める', "English quotes"),
        ("ja", "フラッグをえらぶ", "えらぶ"),
        ("ja", "開きますか?", "English punctuation"),
        ("en", "%(name)s lays a card", "lays"),
        ("en", "Can’t be recorded", "another quote"),
        ("en", "hand of %(seat)s", "of instead of 's"),
        ("en", "A・B", "Japanese punctuation"),
        ("docs", "A card is laid.", "laid"),
        ("docs", "Who leads？", "Japanese punctuation"),
        ("en", "Who leads？", "Japanese punctuation"),
        ("ja", "“{key}”がありません。", "English quotes"),
        ("ja", "平均{mean:.1f} 回", "a space before a counter"),
        ("ja", "否", "a mark that no verdict has any more"),
        ("docs", "Tell the phone who leads.", "Tell"),
    ],
)
def test_each_kind_of_fault_is_found(lang: str, says: str, fault: str) -> None:
    assert any(fault in found for found in faults(Text("here", lang, says)))


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("ja", "手札、場札、山札、得点札"),
        ("ja", "記録 %(number)s"),
        ("ja", "%(seat)s フラッグ%(n)sを宣言"),
        ("ja", "三文字熟語・二字熟語"),
        ("en", "Two words at “%(here)s”, %(name)s's claim"),
    ],
)
def test_what_the_glossary_allows_is_no_fault(lang: str, says: str) -> None:
    assert faults(Text("here", lang, says)) == []


def test_every_term_is_listed_once() -> None:
    terms = [term for row in rows("Terms") for term in listed(row[0])]
    twice = sorted({term for term in terms if terms.count(term) > 1})
    assert twice == [], "list each of these terms once in docs/words.md"


def test_every_verb_of_the_record_is_explained() -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "referee").rglob("*.py")]
    verbs = {verb for text in sources for verb in re.findall(r'\bFORM\b[^=\n]*= "([a-z]+)', text)}
    explained = {word for row in rows("Terms") for word in listed(row[2])}
    found = verbs - explained - {"unread"}  # a line that this version cannot read
    assert found == set(), "write these verbs of FORM into the terms of docs/words.md"


def test_every_context_of_the_catalogue_is_explained() -> None:
    with (ROOT / "referee/translations/en/LC_MESSAGES/messages.po").open("rb") as file:
        used = {
            (m.context, m.id if isinstance(m.id, str) else m.id[0])
            for m in read_po(file)
            if m.context
        }
    explained = {(row[0], row[1]) for row in rows("How sentences are written")}
    assert used == explained, (
        f"explain in docs/words.md what is not used alike in the catalogue: {used ^ explained}"
    )
