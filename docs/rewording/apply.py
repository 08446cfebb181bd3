#!/usr/bin/env python3
"""Put the words of words.json into a checkout: python apply.py, run in its root.

Replaced are the sentences in templates and in python (calls of ``_``, ``gettext``), the catalogue
(sorted and compiled), and in tests, bench, tools and torture each string that is one of the old
sentences, in Japanese or in English, also with its places filled in ("A の番"). PATTERNS are the
few changes of templates that are more than one sentence for another. Run twice, it changes nothing
the second time. It prints what it could not find and what it does not know.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po, write_po

HERE = Path(__file__).parent
WORDS = HERE / "words.json"
ROOT = Path.cwd()
PO = ROOT / "referee/translations/en/LC_MESSAGES/messages.po"
PLACE = re.compile(r"%\((\w+)\)s")
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
IMPORT = "from referee.web.http.language import gettext as _\n"
WIDTH = 96
COUNTED = ("n", "m", "h", "count", "number", "by", "few", "most", "many", "row", "points", "deal", "trick")
NUMBER, VALUE = r"\d+", r"[^\n。：]+?"

# (files, regular expression, replacement): tried on templates before the sentences.
PATTERNS = [
    (  # the whole length of the log is a count, not the number of an entry
        "templates/_table.html",
        r'\{\{ _\("記録"\) \}\} \{\{ view\.seq \}\}',
        '{{ _("記録（%(n)s件）", n=view.seq) }}',
    ),
    (
        "templates/games/trumps/table.html",
        r'\{\{ _\("%\(groups\)s 組 %\(cards\)s 枚", groups=([^,]+), cards=(.+?)\) \}\}\{% endif',
        r'{{ pgettext("group", "%(n)s組", n=\1) }}{{ _("・") }}{{ _("%(n)s枚", n=\2) }}{% endif',
    ),
    ("templates/*", r'\{\{ "、" if lang == "ja" else ", " \}\}', '{{ _("、") }}'),
    ("templates/*", r'aria-hidden="true">・<', 'aria-hidden="true">·<'),
    ("templates/*", r'iPhone・iPad', 'iPhone{{ _("・") }}iPad'),
    ("templates/*", r'~ "　" ~', '~ _("　") ~'),
    ("templates/*", r'(>|\}\}|%\})・(\{|<)', r'\1{{ _("・") }}\2'),
    ("templates/*", r'rank\.place\|kanji if lang == "ja" else rank\.place', "rank.place"),
    # who has won, as one sentence
    (
        "templates/home.html",
        r'<b class="one">\{\{ ended\.winners \| join\(_\("・"\)\) \}\}</b> \{\{ _\("の勝ち"\) \}\}　',
        '{{ draw.wins(ended.winners) }}{{ _("、") }}',
    ),
    (
        "templates/history/_rows.html",
        r'\{% set names %\}<b>\{\{ (won\|map\(attribute="name"\))\|join\(_\("・"\)\) \}\}</b>'
        r'\{% endset %\}\{\{ names \}\} \{\{ _\("の勝ち"\) \}\}　',
        r'{{ draw.wins(\1|list) }}{{ _("、") }}',
    ),
    (
        "templates/history/card.svg",
        r'\{\{ _\("の勝ち"\) \}\}',
        '{{ _("%(names)sの勝ち").split("%(names)s")[1]|trim if outcome.winners|length == 1'
        ' else _("%(names)sの同点優勝").split("%(names)s")[1]|trim }}',
    ),
]
ADDED = {  # sentences that PATTERNS and hand-made changes bring
    (None, "記録（%(n)s件）"): ("Log (%(n)s)",),
    (None, "　"): ("\u2002",),
}

HANDLED = {"の勝ち", "%(groups)s 組 %(cards)s 枚"}  # by PATTERNS


def squeeze(message) -> tuple[str, str | None]:
    return (message.id if isinstance(message.id, str) else message.id[0]), message.context


class Words:
    def __init__(self, old: Catalog) -> None:
        self.by_old = defaultdict(list)
        for one in json.loads(WORDS.read_text("utf-8")):
            self.by_old[one["old"]].append(one)
        self.found: set[str] = set()
        self.english = {}  # (context, Japanese): one or two English sentences
        self.old_english = {}
        for message in old:
            if message.id:
                text, _context = squeeze(message)
                said = message.string
                self.old_english[text] = (said,) if isinstance(said, str) else tuple(said)
        for text, ones in self.by_old.items():
            for one in ones:
                en = one["en"]
                told = (en, one["en_plural"]) if one.get("en_plural") else (en,)
                if en is None:
                    told = self.old_english.get(text)
                if told:
                    self.english[one.get("ctx"), one["ja"]] = told
        self.english |= ADDED

    def new(self, text: str, file: str) -> dict | None:
        """The entry for ``text`` in ``file``; None where nothing changes."""
        ones = self.by_old.get(text)
        if not ones:
            return None
        self.found.add(text)
        for one in ones:
            if "where" not in one or file in one["where"]:
                return one if (one["ja"], one.get("ctx")) != (text, None) else None
        return None


def templates(words: Words) -> None:
    call = re.compile(r"""\b_\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')""")
    for path in sorted((ROOT / "templates").rglob("*")):
        if path.suffix not in (".html", ".svg"):
            continue
        name = str(path.relative_to(ROOT))
        text = before = path.read_text("utf-8")
        for files, pattern, put in PATTERNS:
            if Path(name).match(files) or (files == "templates/*" and name.startswith("templates/")):
                text = re.sub(pattern, put, text)

        def swap(match: re.Match[str]) -> str:
            old = match[1] if match[1] is not None else match[2]
            quote = '"' if match[1] is not None else "'"
            one = words.new(old, name)
            if one is None:
                return match[0]
            if quote in one["ja"]:
                print("QUOTE", name, one["ja"])
            if ctx := one.get("ctx"):
                return f"pgettext({quote}{ctx}{quote}, {quote}{one['ja']}{quote}"
            return f"_({quote}{one['ja']}{quote}"

        text = call.sub(swap, text)
        # a full-width space between two things is a separator: another one in English
        text = "".join(
            line if "{#" in line and "　" in line and "{{" not in line else spaced(line)
            for line in text.splitlines(keepends=True)
        )
        if text != before:
            path.write_text(text, "utf-8")


def spaced(line: str) -> str:
    """``line`` with its full-width spaces outside of expressions given to the catalogue."""
    parts = re.split(r"(\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\})", line)
    for index in range(0, len(parts), 2):
        parts[index] = parts[index].replace("　", '{{ _("　") }}')
    return "".join(parts)


def literal(text: str, column: int) -> str:
    """``text`` as python source; in several pieces where it is too long for a line."""
    pieces, piece, wide = [], "", column + 2
    for char in text:
        width = 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if wide + width > WIDTH - 4:
            pieces, piece, wide = [*pieces, piece], "", 22
        piece, wide = piece + char, wide + width
    quoted = [json.dumps(each, ensure_ascii=False).replace("\u00a0", "\\u00a0") for each in [*pieces, piece]]
    return "\n".join(quoted)


def python(words: Words) -> None:
    for path in sorted((ROOT / "referee").rglob("*.py")):
        source = path.read_text("utf-8")
        name, put, context = str(path.relative_to(ROOT)), [], False
        for node in ast.walk(ast.parse(source)):
            if not (isinstance(node, ast.Call) and node.args):
                continue
            function, first = node.func, node.args[0]
            called = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            if called not in ("_", "gettext"):
                continue
            if not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
                continue
            one = words.new(first.value, name)
            if one is None:
                continue
            put.append((span(source, first), literal(one["ja"], first.col_offset)))
            if ctx := one.get("ctx"):
                context = True
                start, end = span(source, function)
                spoken = "pgettext" if isinstance(function, ast.Name) else None
                put[-1] = (put[-1][0], f'"{ctx}", {put[-1][1]}')
                put.append(((start, end), spoken or source[start:end].replace("gettext", "pgettext")))
        if put:
            text = swapped(source, put)
            if context and IMPORT in text and "import pgettext" not in text:
                text = text.replace(IMPORT, IMPORT + "from referee.web.http.language import pgettext\n")
            path.write_text(text, "utf-8")


def span(source: str, node: ast.expr) -> tuple[int, int]:
    """From where to where ``node`` stands in ``source``, in characters."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def at(row: int, column: int) -> int:
        return starts[row - 1] + len(lines[row - 1].encode()[:column].decode())

    return at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)


def swapped(source: str, put: list[tuple[tuple[int, int], str]]) -> str:
    for (start, end), text in sorted(put, reverse=True):
        source = source[:start] + text + source[end:]
    return source


def filled(words: Words) -> list[tuple[re.Pattern[str], str, set[str]]]:
    """For each old sentence with places, in both languages: how to find it and what it is now."""
    found = []
    for old, ones in words.by_old.items():
        if len(ones) > 1:
            continue
        pairs = [(old, ones[0]["ja"])]
        new = words.english.get((ones[0].get("ctx"), ones[0]["ja"]), ())
        was = words.old_english.get(old, ())
        if len(was) == len(new):
            pairs += zip(was, new, strict=True)
        elif was and new:
            pairs += [(was[-1], new[-1])]
        for before, after in pairs:
            names = PLACE.findall(before)
            rest = PLACE.sub("", before).strip()
            if not names or before == after or len(set(names)) != len(names):
                continue
            if set(PLACE.findall(after)) != set(names):
                continue
            if not JAPANESE.search(rest) and len(rest) < 6:
                continue
            if JAPANESE.search(rest) and len(rest) < 2 and " " not in before:
                continue
            pattern = "".join(
                f"(?P<{part}>{NUMBER if part in COUNTED else VALUE})"
                if index % 2
                else re.escape(part).replace("\u3000", "[\u3000 ]")
                for index, part in enumerate(PLACE.split(before))
            )
            found.append((re.compile(pattern), after, set(names)))
    return sorted(found, key=lambda each: -len(each[0].pattern))


def tests(words: Words) -> None:
    whole = {}
    for old, ones in words.by_old.items():
        if len(ones) == 1:
            if len(old) > 1 or old in "可否未裁":
                whole[old] = ones[0]["ja"]
            new = words.english.get((ones[0].get("ctx"), ones[0]["ja"]), ())
            for before, after in zip(words.old_english.get(old, ()), new, strict=False):
                if " " in before.strip():
                    whole.setdefault(before, after)
    patterns = filled(words)
    for folder in ("tests", "bench", "tools", "torture"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if str(path.relative_to(ROOT)).startswith(("tests/games", "tests/core", "tests/store", "tests/jukugo")):
                continue
            source = path.read_text("utf-8")
            tree, put = ast.parse(source), []
            skip = {
                id(body[0].value)
                for node in ast.walk(tree)
                if (body := getattr(node, "body", None)) and isinstance(body, list)
                and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
            }
            inside = {
                id(part)
                for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
                for part in ast.walk(node)
            }
            for node in ast.walk(tree):
                if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
                    continue
                if id(node) in skip or id(node) in inside:
                    continue
                text = node.value
                new = whole.get(text)
                if new is None:
                    for pattern, after, _names in patterns:
                        if match := pattern.fullmatch(text):
                            new = PLACE.sub(lambda place: match[place[1]], after)
                            if "\u3000" not in text:
                                new = new.replace("\u3000", " ")
                            break
                if new is not None and new != text and not (set(PLACE.findall(new)) - set(PLACE.findall(text))):
                    put.append((span(source, node), literal(new, node.col_offset)))
                    print(f"  {path.relative_to(ROOT)}:{node.lineno}: {text} → {new}")
            if put:
                path.write_text(swapped(source, put), "utf-8")


def within(words: Words) -> None:
    """Old Japanese sentences as parts of the strings of tests, also with their places filled in."""
    change, sources = {}, []
    books = "".join(path.read_text("utf-8") for path in (ROOT / "referee").rglob("*.toml"))
    for old, ones in words.by_old.items():
        rest = PLACE.sub("", old).strip()
        if len(ones) > 1 or old == ones[0]["ja"] or len(JAPANESE.findall(rest)) < 2:
            continue
        if set(PLACE.findall(ones[0]["ja"])) != set(PLACE.findall(old)):
            continue
        if not PLACE.search(old) and len(old) < 4:
            continue
        if old in books or rest in ("から", "行目", "記録  から"):  # a book may say that, too
            continue
        number, new = len(change), ones[0]["ja"]
        change[number] = new
        seen: set[str] = set()
        source = ""
        for index, part in enumerate(PLACE.split(old)):
            if not index % 2:
                source += re.escape(part).replace("\u3000", "[\u3000 ]")
            elif part in seen:
                source += f"(?P=v{number}_{part})"
            else:
                seen.add(part)
                value = r"\d+|\{[^{}]+\}" if part in COUNTED else r"\{[^{}]+\}|[^\s。：「」、（）\"\']{1,12}?"
                source += f"(?P<v{number}_{part}>{value})"
        sources.append((len(rest), f"(?P<a{number}>{source})"))
    marks = {"可": "○", "否": "×", "未": "△", "裁": "補"}
    sources.sort(key=lambda each: -each[0])
    every = re.compile("|".join(source for _size, source in sources) + r"|(?<![^\s\"])(?P<mark>[可否未裁])(?![^\s\"])")

    def swap(match: re.Match[str]) -> str:
        if match.lastgroup == "mark" or match["mark"]:
            return marks[match["mark"]]
        number = next(int(k[1:]) for k, v in match.groupdict().items() if k[0] == "a" and v is not None)
        new = PLACE.sub(lambda place: match[f"v{number}_{place[1]}"], change[number])
        return new if "\u3000" in match[0] else new.replace("\u3000", " ")

    for folder in ("tests/web", "tests/browser", "tests"):
        for path in sorted((ROOT / folder).glob("*.py")):
            if path.name == "test_glossary.py":
                continue
            source = path.read_text("utf-8")
            put, done = [], []
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
                    start, end = span(source, node)
                    if any(a <= start and end <= b for a, b in done) or source[start:start + 3] == '"""':
                        continue
                    done.append((start, end))
                    old = source[start:end]
                    new = every.sub(swap, old) if JAPANESE.search(old) else old
                    if new != old:
                        put.append(((start, end), new))
                        print(f"  {path.relative_to(ROOT)}:{node.lineno}: {old} → {new}".replace("\n", " "))
            if put:
                path.write_text(swapped(source, put), "utf-8")


def used() -> set[tuple[str | None, str]]:
    """Every context and sentence that the app asks for."""
    with (ROOT / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)
    return {
        (found[4], str(found[2] if isinstance(found[2], str) else found[2][0]))
        for folder in ("referee", "templates")
        for found in extract_from_dir(
            ROOT / folder,
            [(pattern.removeprefix(f"{folder}/"), method) for pattern, method in methods],
            {pattern.removeprefix(f"{folder}/"): each for pattern, each in options.items()},
        )
    }


def catalogue(words: Words, old: Catalog) -> None:
    new, wanted = Catalog(locale="en"), used()
    kept = {}
    for message in old:
        if message.id:
            text, context = squeeze(message)
            said = message.string
            kept[context, text] = (said,) if isinstance(said, str) else tuple(said)
    lost = []
    for context, text in sorted(wanted, key=lambda each: (each[1], each[0] or "")):
        told = words.english.get((context, text)) or kept.get((context, text))
        if not told:
            lost.append((context, text))
            continue
        several = len(told) > 1
        new.add((text, text) if several else text, told if several else told[0], context=context)
    header = PO.read_text("utf-8").split("\n\n", 1)[0]
    with PO.open("wb") as file:
        write_po(file, new, width=0, sort_output=True, omit_header=True)
    PO.write_text(header + "\n\n" + PO.read_text("utf-8").strip("\n") + "\n", "utf-8")
    subprocess.run(
        [sys.executable, "-m", "babel.messages.frontend", "compile", "-d", "referee/translations"],
        check=True, capture_output=True,
    )
    for each in lost:
        print("WITHOUT ENGLISH", each)
    known = {(one.get("ctx"), one["ja"]) for ones in words.by_old.values() for one in ones} | set(ADDED)
    for context, text in sorted(wanted - known, key=str):
        print("NOT IN words.json", (context, text))


def main() -> None:
    with (HERE / "messages.before.po" if "--within" in sys.argv else PO).open("rb") as file:
        old = read_po(file, locale="en")
    words = Words(old)
    if "--within" in sys.argv:
        return within(words)
    templates(words)
    python(words)
    tests(words)
    within(words)
    catalogue(words, old)
    ruff = ROOT / ".venv/bin/ruff"
    subprocess.run([ruff if ruff.exists() else "ruff", "format", "--quiet", "."], check=True)
    for text in sorted(set(words.by_old) - words.found - HANDLED):
        print("NOT FOUND", text)


main()
