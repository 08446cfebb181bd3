"""Japanese first, English complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from babel.support import Translations
from flask import Flask
from phones import Phone, one, soup, text

from referee.http import language
from referee.http.language import gettext, pgettext
from tools import texts
from tools.texts import key, spoken

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
PLACES = re.compile(r"%\((\w+)\)s")


@pytest.fixture(scope="module")
def english() -> Catalog:
    return texts.english()


def test_every_sentence_is_translated_and_none_is_left_over(english: Catalog) -> None:
    known = {key(message) for message in english if message.id}
    assert known == texts.sentences(), "make texts"


def test_texts_completes_the_catalogue_and_leaves_what_is_right(tmp_path: Path) -> None:
    file = tmp_path / texts.ENGLISH
    file.parent.mkdir(parents=True)
    head = '# A note.\nmsgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
    kept = '\n#, python-format\nmsgid "%(n)s 枚"\nmsgid_plural "%(n)s 枚"\n'
    kept += 'msgstr[0] "%(n)s card"\nmsgstr[1] "%(n)s cards"\n'
    file.write_text(head + '\nmsgid "昔の文"\nmsgstr "old"\n' + kept, encoding="utf-8")
    page = "{{ _('新しい文') }}{{ pgettext('hour', '時') }}"
    said = {"referee/a.py": "_('%(n)s 枚', n=2)", "templates/games/b/c.html": page}
    for name, code in said.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(code, encoding="utf-8")
    assert texts.sentences(tmp_path, ["templates/games/b"]) == {
        (None, "新しい文"),
        ("hour", "時"),
    }
    assert texts.complete(tmp_path) == ({(None, "新しい文"), ("hour", "時")}, {(None, "昔の文")})
    assert file.read_text(encoding="utf-8") == (
        f'{head}{kept}\nmsgid "新しい文"\nmsgstr ""\n\nmsgctxt "hour"\nmsgid "時"\nmsgstr ""\n'
    )
    assert texts.written(texts.unwritten(texts.english(tmp_path))) == ["新しい文", "時 (hour)"]
    with file.with_suffix(".mo").open("rb") as compiled:
        assert [spoken(message) for message in read_mo(compiled) if message.id] == [
            ("%(n)s card", "%(n)s cards")
        ]
    assert texts.complete(tmp_path) == (set(), set())


def test_every_translation_is_english_and_keeps_its_places(english: Catalog) -> None:
    for message in english:
        if not message.id:
            continue
        assert all(spoken(message)), message.id
        assert not message.fuzzy, message.id
        assert not JAPANESE.search(str(message.string)), message.string
        places = [set(PLACES.findall(side)) for side in (key(message)[1], *spoken(message))]
        assert all(each == places[0] for each in places), message.id


def test_the_compiled_catalogue_is_that_of_the_text(english: Catalog) -> None:
    with (texts.ROOT / texts.ENGLISH).with_suffix(".mo").open("rb") as file:
        compiled = {key(message): spoken(message) for message in read_mo(file) if message.id}
    hint = "make texts"
    assert compiled == {key(message): spoken(message) for message in english if message.id}, hint


@pytest.mark.parametrize(
    ("wish", "cookie", "lang"),
    [
        ("", "", "ja"),
        ("ja", "", "ja"),
        ("en-GB,en;q=0.8", "", "en"),
        ("fr", "", "ja"),
        ("ja", "en", "en"),
        ("en", "ja", "ja"),
        ("en", "tlh", "en"),
    ],
)
def test_the_cookie_decides_then_the_browser_then_japanese(
    phone: Phone, wish: str, cookie: str, lang: str
) -> None:
    if cookie:
        phone.client.set_cookie("lang", cookie)
    page = soup(phone.client.get("/", headers={"Accept-Language": wish}))
    assert one(page, "html")["lang"] == lang


def test_english_pages_hold_no_japanese(phone: Phone) -> None:
    phone.opens(names=["Ann", "Bob"], leader="Ann", rounds="2")
    phone.client.set_cookie("lang", "en")
    phone.lays("Ann lay 4", "Bob lay 4")
    paths = ["/", "/new", f"/t/{phone.match}", f"/t/{phone.match}/show/Bob", "/nowhere"]
    pages = [soup(phone.get(path)) for path in paths]
    pages.append(soup(phone.lays("Bob lay 2")))
    for page in pages:
        shown = [page.get_text(), *(str(tag.attrs) for tag in page.find_all(True))]
        assert not JAPANESE.search(" ".join(shown).replace("・", ""))


@pytest.mark.parametrize(
    ("cookie", "theme"), [("dark", "dark"), ("light", "light"), ("pink", None)]
)
def test_the_theme_comes_from_its_cookie(phone: Phone, cookie: str, theme: str | None) -> None:
    phone.client.set_cookie("theme", cookie)
    assert one(soup(phone.get("/")), "html").get("data-theme") == theme


def test_who_is_due_is_said_in_english_word_order(phone: Phone) -> None:
    phone.client.set_cookie("lang", "en")
    assert text(phone.opens().page(), ".who h1") == "A to play"


def test_english_has_singular_and_plural(app: Flask) -> None:
    with app.test_request_context(headers={"Accept-Language": "en"}):
        assert [gettext("%(n)sゲーム", n=n) for n in (0, 1, 2)] == [
            "0 games",
            "1 game",
            "2 games",
        ]
        assert gettext("記録 %(n)s", n=1) == "entry 1"
    with app.test_request_context(headers={"Accept-Language": "ja"}):
        assert [gettext("%(n)sゲーム", n=n) for n in (1, 2)] == ["1ゲーム", "2ゲーム"]


def test_a_text_with_two_meanings_is_translated_by_its_context(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = Translations()
    catalogue._catalog = {
        "色": "colour",
        "card\x04色": "suit",
        ("group\x04%(n)s組", 0): "%(n)s group",
        ("group\x04%(n)s組", 1): "%(n)s groups",
    }
    catalogue.plural = lambda n: int(n != 1)
    said = {"en": catalogue, "ja": Translations()}
    monkeypatch.setattr(language, "_catalogue", said.__getitem__)
    with app.test_request_context(headers={"Accept-Language": "en"}):
        assert gettext("色") == "colour"
        assert pgettext("card", "色") == "suit"
        assert pgettext("unknown", "色") == "色"
        assert [pgettext("group", "%(n)s組", n=n) for n in (1, 2)] == ["1 group", "2 groups"]
    with app.test_request_context(headers={"Accept-Language": "ja"}):
        assert pgettext("group", "%(n)s組", n=2) == "2組"
