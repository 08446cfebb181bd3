"""The person's language and theme, and the sentences of the screen.

Japanese sentences are the keys of the catalogue; what has no translation is shown as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import cache, lru_cache, partial
from gettext import NullTranslations
from pathlib import Path
from typing import Any

from babel.dates import format_date
from babel.support import Translations
from flask import g, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

LANGS = ("ja", "en")
THEMES = ("light", "dark")
TEXTS = ("125", "150")  # sizes in per cent
TURNS = ("90", "180", "270")  # degrees clockwise
LOOKS = ("big",)
CUES = ("buzz", "sound", "both")

CATALOGUES = Path(__file__).parents[2] / "translations"


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


def text_size() -> str:
    """The chosen size of text in per cent, or "" for that of the browser."""
    return preference("text", TEXTS)


def preference(name: str, known: tuple[str, ...]) -> str:
    """What this phone has chosen of ``known``, or ""."""
    cookies = request.cookies
    if name not in cookies:  # its ``get`` makes an exception of every cookie that is missing
        return ""
    chosen = cookies[name]
    return chosen if chosen in known else ""


def gettext(text: str, /, **values: Any) -> str:
    """``text`` in the person's language, with ``values`` put in; not escaped.

    A number called ``n`` or ``count`` chooses between singular and plural where the catalogue has
    both; written out as text it means several.
    """
    return gettext_in(current())(text, **values)


@cache
def gettext_in(tongue: str) -> Callable[..., str]:
    """``gettext`` in ``tongue``: for a page that says much, and asks for the language once."""
    said = _catalogue(tongue)

    def spoken(text: str, /, **values: Any) -> str:
        if not values:
            return _sentence(tongue, text)
        return _translated(text, values, said.gettext, said.ngettext)

    return spoken


@lru_cache(maxsize=4096)
def _sentence(tongue: str, text: str) -> str:
    """``text`` without values; the pages say the same few over and over."""
    return _catalogue(tongue).gettext(text)


def pgettext(context: str, text: str, /, **values: Any) -> str:
    """``gettext`` for a Japanese text with several meanings; ``context`` names the one meant here.

    The contexts and their meanings are listed in docs/words.md.
    """
    said = _catalogue(current())
    return _translated(
        text, values, partial(said.pgettext, context), partial(said.npgettext, context)
    )


@cache
def _catalogue(tongue: str) -> NullTranslations:
    """What is said in ``tongue``; without a catalogue the sentences stay as they are."""
    return Translations.load(CATALOGUES, [tongue])


def _translated(
    text: str,
    values: dict[str, Any],
    one: Callable[[str], str],
    several: Callable[[str, str, int], str],
) -> str:
    """``text`` as ``one`` or, where ``n`` or ``count`` counts it, ``several`` has it."""
    number = values.get("n", values.get("count"))
    spoken = text
    if number is not None:
        spoken = several(text, text, number if isinstance(number, int) else 2)
    if spoken == text:  # a sentence without a plural comes back as it was
        spoken = one(text)
    return spoken % values if values else spoken


def day_of(day: date) -> str:
    """A day as one says it, with the year if it is not this one."""
    if day.year != date.today().year:
        return full_date(day)
    return format_date(day, "M月d日" if current() == "ja" else "d MMM", current())


def full_date(day: date) -> str:
    """A day with its year."""
    return format_date(day, "y年M月d日" if current() == "ja" else "d MMM y", current())
