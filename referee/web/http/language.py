"""The person's language and theme, and the sentences of the screen.

Japanese sentences are the keys of the catalogue; what has no translation is shown as it is.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from gettext import NullTranslations
from typing import Any

from babel.dates import format_date
from flask import g, request
from flask_babel import get_translations  # type: ignore[import-untyped]
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

LANGS = ("ja", "en")
THEMES = ("light", "dark")
TURNS = ("90", "180", "270")  # degrees clockwise
LOOKS = ("big",)
CUES = ("buzz", "sound", "both")

_catalogues: dict[str, NullTranslations] = {}


def choose() -> str:
    """The language for this request: the cookie's, else the browser's, else Japanese."""
    return preference("lang", LANGS) or _wished(request.headers.get("Accept-Language", ""))


@lru_cache(maxsize=256)
def _wished(header: str) -> str:
    """The language that a browser asks for; every one asks with the same few headers."""
    return parse_accept_header(header, LanguageAccept).best_match(LANGS, LANGS[0])


def current() -> str:
    """``choose()``, worked out once in a request."""
    try:
        tongue: str = g.lang
    except AttributeError:
        tongue = g.lang = choose()
    return tongue


def theme() -> str:
    """The chosen theme, or "" where the system decides."""
    return preference("theme", THEMES)


def preference(name: str, known: tuple[str, ...]) -> str:
    """What this phone has chosen of ``known``, or ""."""
    cookies = request.cookies
    if name not in cookies:  # its ``get`` makes an exception of every cookie that is missing
        return ""
    chosen = cookies[name]
    return chosen if chosen in known else ""


def gettext(text: str, **values: Any) -> str:
    """``text`` in the person's language, with ``values`` put in; not escaped.

    A number called ``n`` or ``count`` chooses between singular and plural where the catalogue has
    both; written out as text it means several. Flask-Babel's own function looks the locale up at
    every call, which a page of forty sentences feels.
    """
    tongue = current()
    if tongue not in _catalogues:
        _catalogues[tongue] = get_translations()
    said = _catalogues[tongue]
    number = values.get("n", values.get("count"))
    spoken = text
    if number is not None:
        spoken = said.ngettext(text, text, number if isinstance(number, int) else 2)
    if spoken == text:  # a sentence without a plural comes back as it was
        spoken = said.gettext(text)
    return spoken % values if values else spoken


def day_of(day: date) -> str:
    """A day as one says it, with the year if it is not this one."""
    if day.year != date.today().year:
        return full_date(day)
    return format_date(day, "M月d日" if current() == "ja" else "d MMM", current())


def full_date(day: date) -> str:
    """A day with its year."""
    return format_date(day, "y年M月d日" if current() == "ja" else "d MMM y", current())
