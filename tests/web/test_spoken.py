"""What a screen reader says of a page: in its language, of cards, with the marks of the language.

Pages of every game and those beside the games, with Japanese names, some of them in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup, Tag
from chosen_games import head, some_seats
from flask import Flask
from introduced import TOKEN, introduced
from kit_deals import recorded_deal
from parsed import parsed
from phones import soup

from referee.app import create_app
from referee.games import GAMES
from referee.games.simulation import played
from referee.http.in_japanese import marked
from referee.kit import shipped
from referee.store import NewEntry

NAMES = ("あかね", "源五郎", "みどり子", "ほしの", "Ren")
KANJI = re.compile(r"[々\u3041-\u30fa\u30fc\u3400-\u9fff]+")
TIMES = r"(?<!\w )×(?! ?[0-9])"
MARKS = {"ja": re.compile("[✓✕]"), "en": re.compile(f"[○△]|{TIMES}")}
"""Those of the other language; a product is none."""
SAID = ("aria-label", "aria-description", "aria-valuetext", "title", "alt", "placeholder")
UNMARKED = ("title", "option", "textarea", "pre", "text", "desc")
"""Elements of text alone, and files that are shown as they are written."""
BESIDE = (
    *("", "new", "history", "history/people", "history/files", "circle", "people", "rules"),
    *("check", "words", "words?q=日本", "decks", "decks/open", "decks/open/edit", "settings"),
    *("decks/open/print", "join", "offline", "about", "own-games", "own-games/format"),
    *("decisions", "nowhere", "t/unknown"),
)
PER_MATCH = 16
"""Pages of a match that are read: enough to see each kind."""


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Flask, list[str]]]:
    """The app, and the tables of every game: begun, in the middle with faults, and over."""
    app = create_app(tmp_path_factory.mktemp("spoken"))
    ledger = app.extensions["ledger"]
    circle, tables = introduced(ledger.store), []
    for name, game in GAMES.items():
        seats = some_seats(name, NAMES)
        for most, seed, lies in ((1, 3, 0.0), (60, 7, 0.2), (5000, 1, 0.0)):
            view = ledger.open(head(name, tuple(seats)), circle)
            log = played(game, seats, seed, lies, most=most)
            lines = map(view.grammar.print, log.entries)
            rows = [NewEntry(line, f"k{i}", "legal", "-", "-") for i, line in enumerate(lines)]
            ledger.store.append(view.match, 0, rows)
            tables.append(f"/t/{view.match}")
    for game in shipped.games().values():
        deal = recorded_deal(ledger, game.KEY, min(4, game.SEATS[-1]), 1, circle)
        rows = [NewEntry(line, f"k{i}", "legal", "-", "-") for i, line in enumerate(deal.lines)]
        ledger.store.append(deal.view.match, 0, rows)
        tables.append(f"/t/{deal.view.match}")
    yield app, tables
    ledger.store.close()


def pages(app: Flask, tables: list[str], lang: str) -> Iterator[tuple[str, BeautifulSoup]]:
    client = app.test_client()
    client.set_cookie("phone", TOKEN)
    client.set_cookie("lang", lang)
    rules = [f"/{page}/{name}" for name in GAMES for page in ("rules", "check")]
    for start in [*tables, *rules, *(f"/{page}" for page in BESIDE)]:
        waiting, seen = [start], set[str]()
        kinds: dict[str, int] = {}
        while waiting and len(seen) < PER_MATCH:
            path = waiting.pop(0)
            kind = re.sub(r"\d+|=[^&]*", "", path)
            if path in seen or kinds.get(kind, 0) == 2:
                continue
            seen.add(path)
            kinds[kind] = kinds.get(kind, 0) + 1
            answer = client.get(path)
            if answer.mimetype != "text/html":
                continue
            page = soup(answer)
            yield path, page
            if start in tables:
                links = (urlsplit(str(a["href"])) for a in page.select("a[href^='/t/']"))
                waiting += [f"{link.path}?{link.query}".rstrip("?") for link in links]


def language_of(piece: Tag) -> str:
    return next(str(tag["lang"]) for tag in (piece, *piece.parents) if tag.get("lang"))


def faults(page: BeautifulSoup, lang: str) -> Iterator[str]:
    """What would be said wrongly."""
    assert page.html is not None
    for piece in page.html.find_all(string=True):
        parent = piece.parent
        assert parent is not None
        if parent.name in ("script", "style") or parent.find_parent("pre"):
            continue
        own = language_of(parent)
        if MARKS[lang].search(piece) and own == lang:
            yield f"mark of the other language: {piece.strip()}"
        if lang == "en" and own == "en" and parent.name not in UNMARKED and KANJI.search(piece):
            yield f"not marked as Japanese: {piece.strip()}"
    lines = {tag["value"] for tag in page.select("button[name=line]")}
    for tag in page.html.find_all(True):
        for name in SAID:
            words = str(tag.get(name, ""))
            own = language_of(tag) if words else lang
            if words in lines:
                yield f"a line of the record in {name}: {words}"
            if MARKS[lang].search(words):
                yield f"mark of the other language in {name}: {words}"
            runs = [run for run in KANJI.findall(words) if run not in NAMES and len(run) > 3]
            if own == lang == "en" and runs:  # shorter ones are words of a deck
                yield f"Japanese in {name}: {words}"
            latin = re.search("[A-Za-z]{3}", re.sub("Ren|UNO", "", words))
            if own == lang == "ja" and latin and not KANJI.search(words):
                yield f"English in {name}: {words}"


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_what_is_said_is_in_the_language_of_the_page(
    everything: tuple[Flask, list[str]], lang: str
) -> None:
    found: dict[str, str] = {}
    count = 0
    for path, page in pages(*everything, lang):
        count += 1
        for fault in faults(page, lang):
            found.setdefault(fault, path)
    assert count > 250
    assert found == {}


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<b>源五郎</b>", '<b lang="ja">源五郎</b>'),
        ("<p>源五郎's turn</p>", '<p><bdi lang="ja">源五郎</bdi>\'s turn</p>'),
        ('<p lang="ja">出典 S002</p>', '<p lang="ja">出典 S002</p>'),
        ("<option>Ann, 源五郎</option>", "<option>Ann, 源五郎</option>"),
        ("<svg><text>源五郎 wins</text></svg>", "<svg><text>源五郎 wins</text></svg>"),
        ('<a title="源五郎">Ann</a>', '<a title="源五郎">Ann</a>'),
        ("<b>スリー・キングス</b>", '<b lang="ja">スリー・キングス</b>'),
        ("<script>'日本'</script>", "<script>'日本'</script>"),
    ],
)
def test_japanese_is_marked_once(html: str, expected: str) -> None:
    assert marked(html) == expected
    assert marked(expected) == expected


@pytest.mark.parametrize(
    ("lang", "html"),
    [
        ("en", "<p>源五郎 to play</p>"),
        ("en", '<b aria-label="手札を公開">A</b>'),
        ("en", "<b>×</b>"),
        ("ja", "<b>✕</b>"),
        ("ja", '<b aria-label="shown">A</b>'),
        ("ja", '<button name="line" value="A lay 4" aria-label="A lay 4">4</button>'),
    ],
)
def test_each_fault_is_found(lang: str, html: str) -> None:
    assert list(faults(parsed(f'<html lang="{lang}">{html}'), lang))
