"""The person's language and theme, and the translation of texts.

Japanese texts are the keys of the catalogue; a text without translation is shown as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import cache, lru_cache, partial
from gettext import NullTranslations
from pathlib import Path

from babel.dates import format_date
from babel.support import Translations
from flask import g, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from referee.core.written import written

LANGS = ("ja", "en")
THEMES = ("light", "dark")
TEXTS = ("125", "150")  # text sizes in per cent
TURNS = ("90", "180", "270")  # degrees clockwise by which the table page is turned
LOOKS = ("big",)  # of the table page
CUES = ("buzz", "sound", "both")  # for entries of other phones
SUITS = ("two",)  # inks of the four suits, else one for each

CATALOGUES = Path(__file__).parents[1] / "translations"


def choose() -> str:
    """The language for this request: the cookie's, else the browser's, else Japanese."""
    return preference("lang", LANGS) or _wished(request.headers.get("Accept-Language", ""))


@lru_cache(maxsize=256)
def _wished(header: str) -> str:
    """The language in an Accept-Language header; cached, since few different ones occur."""
    return parse_accept_header(header, LanguageAccept).best_match(LANGS, LANGS[0])


def current() -> str:
    """``choose()``, computed once per request."""
    try:
        tongue: str = g.lang
    except AttributeError:
        tongue = g.lang = choose()
    return tongue


def theme() -> str:
    """The chosen theme, or "" if the system decides."""
    return preference("theme", THEMES)


def text_size() -> str:
    """The chosen text size in per cent, or "" for that of the browser."""
    return preference("text", TEXTS)


def preference(name: str, known: tuple[str, ...]) -> str:
    """The cookie ``name`` if it is one of ``known``, else ""."""
    cookies = request.cookies
    # its ``get`` raises an exception for every missing cookie, which is slow
    if name not in cookies:
        return ""
    chosen = cookies[name]
    return chosen if chosen in known else ""


def gettext(text: str, /, **values: object) -> str:
    """``text`` in the person's language, with ``values`` filled in; not escaped.

    A number named ``n`` or ``count`` chooses between singular and plural if the catalogue has both;
    a text with this name chooses the plural.
    """
    return gettext_in(current())(text, **values)


@cache
def gettext_in(tongue: str) -> Callable[..., str]:
    """``gettext`` in the language ``tongue``, for templates that translate many texts."""
    said = _catalogue(tongue)

    def spoken(text: str, /, **values: object) -> str:
        if not values:
            return _sentence(tongue, text)
        return _translated(text, values, said.gettext, said.ngettext)

    return spoken


@lru_cache(maxsize=4096)
def _sentence(tongue: str, text: str) -> str:
    """``text`` without values; cached, because pages repeat the same few."""
    return _catalogue(tongue).gettext(text)


def pgettext(context: str, text: str, /, **values: object) -> str:
    """``gettext`` for a Japanese text with several meanings; ``context`` names the one meant here.

    The contexts and their meanings are listed in docs/words.md.
    """
    said = _catalogue(current())
    return _translated(
        text, values, partial(said.pgettext, context), partial(said.npgettext, context)
    )


@cache
def _catalogue(tongue: str) -> NullTranslations:
    """The catalogue of ``tongue``; an empty one if there is none."""
    return Translations.load(CATALOGUES, [tongue])


def _translated(
    text: str,
    values: dict[str, object],
    one: Callable[[str], str],
    several: Callable[[str, str, int], str],
) -> str:
    """``text`` translated by ``one``, or by ``several`` if ``n`` or ``count`` is a value."""
    number = values.get("n", values.get("count"))
    spoken = text
    if number is not None:
        spoken = several(text, text, number if isinstance(number, int) else 2)
    if spoken == text:  # a sentence without a plural comes back untranslated
        spoken = one(text)
    return spoken % _figures(values) if values else spoken


def _figures(values: dict[str, object]) -> dict[str, object]:
    """``values`` with negative numbers as text with a minus sign."""
    if any(isinstance(value, int | float) and value < 0 for value in values.values()):
        return {
            key: written(value) if isinstance(value, int | float) else value
            for key, value in values.items()
        }
    return values


def short_date(day: date) -> str:
    """A day as text, without its year."""
    return format_date(day, "M月d日" if current() == "ja" else "d MMM", current())


def full_date(day: date) -> str:
    """A day as text, with its year."""
    return format_date(day, "y年M月d日" if current() == "ja" else "d MMM y", current())
