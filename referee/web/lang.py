"""The person's language and theme, and the sentences of the screen.

Japanese sentences are the keys of the catalogue; what has no translation is shown as it is.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from babel.dates import format_date
from flask import g, request
from flask_babel import get_translations

LANGS = ("ja", "en")
THEMES = ("light", "dark")


def choose() -> str:
    """The language for this request: the cookie's, else the browser's, else Japanese."""
    chosen = request.cookies.get("lang")
    if chosen in LANGS:
        return chosen
    return request.accept_languages.best_match(LANGS, default=LANGS[0])


def current() -> str:
    """``choose()``, worked out once in a request."""
    if "lang" not in g:
        g.lang = choose()
    return str(g.lang)


def theme() -> str:
    """The chosen theme, or "" where the system decides."""
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in THEMES else ""


def gettext(text: str, **values: Any) -> str:
    """``text`` in the person's language, with ``values`` put in; not escaped.

    Flask-Babel's own function looks the locale up at every call, which a page of forty
    sentences feels.
    """
    if "speech" not in g:
        g.speech = get_translations().gettext
    spoken: str = g.speech(text)
    return spoken % values if values else spoken


def day(moment: datetime) -> str:
    """The date of ``moment`` as one says it within the year."""
    pattern = "M月d日" if current() == "ja" else "d MMM"
    return format_date(moment, pattern, current())
