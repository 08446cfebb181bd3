"""Japanese first, English complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from flask import Flask
from phones import Phone, one, soup, text

from referee.web.http.language import gettext

ROOT = Path(__file__).parents[2]
ENGLISH = ROOT / "referee" / "translations" / "en" / "LC_MESSAGES"
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
PLACES = re.compile(r"%\((\w+)\)s")


@pytest.fixture(scope="module")
def said() -> set[str]:
    """Every sentence that the app says."""
    with (ROOT / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)
    return {
        str(found[2])
        for folder in ("referee", "templates")
        for found in extract_from_dir(
            ROOT / folder,
            [(pattern.removeprefix(f"{folder}/"), method) for pattern, method in methods],
            {pattern.removeprefix(f"{folder}/"): each for pattern, each in options.items()},
        )
    }


@pytest.fixture(scope="module")
def english() -> Catalog:
    with (ENGLISH / "messages.po").open("rb") as file:
        return read_po(file, locale="en")


def key(message: Message) -> str:
    """The Japanese sentence; it is its own plural."""
    return message.id if isinstance(message.id, str) else message.id[0]


def spoken(message: Message) -> tuple[str, ...]:
    """What it is in English, for one and for several where that differs."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def test_every_sentence_is_translated_and_none_is_left_over(
    said: set[str], english: Catalog
) -> None:
    known = {key(message) for message in english if message.id}
    assert said - known == set()
    assert known - said == set()


def test_every_translation_is_english_and_keeps_its_places(english: Catalog) -> None:
    for message in english:
        if not message.id:
            continue
        assert all(spoken(message)), message.id
        assert not message.fuzzy, message.id
        assert not JAPANESE.search(str(message.string)), message.string
        places = [set(PLACES.findall(side)) for side in (key(message), *spoken(message))]
        assert all(each == places[0] for each in places), message.id


def test_the_compiled_catalogue_is_that_of_the_text(english: Catalog) -> None:
    with (ENGLISH / "messages.mo").open("rb") as file:
        compiled = {key(message): spoken(message) for message in read_mo(file) if message.id}
    hint = "pybabel compile --directory referee/translations"
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


def test_one_thing_and_several_are_told_apart_in_english(app: Flask) -> None:
    with app.test_request_context(headers={"Accept-Language": "en"}):
        assert [gettext("%(n)s 局", n=n) for n in (0, 1, 2)] == [
            "0 matches",
            "1 match",
            "2 matches",
        ]
        assert gettext("記録 %(n)s", n=1) == "entry 1"
    with app.test_request_context(headers={"Accept-Language": "ja"}):
        assert [gettext("%(n)s 局", n=n) for n in (1, 2)] == ["1 局", "2 局"]
