"""The languages in which commands answer."""

from __future__ import annotations

import os
from unicodedata import east_asian_width

import click


def speaks(lang: str) -> bool:
    """Whether the person at the terminal reads ``lang``; yes if the locale is neither ja nor en."""
    spoken = _locale()
    return spoken == lang or spoken not in ("ja", "en")


def in_words(ja: str, en: str, between: str = " / ") -> str:
    """The sentence in the language of the locale; in both if that is neither."""
    return between.join([ja] * speaks("ja") + [en] * speaks("en"))


def in_one(ja: str, en: str, lang: str | None = None) -> str:
    """The sentence in ``lang``; without it in Japanese for a Japanese locale, else in English."""
    return ja if (lang or _of_the_system()) == "ja" else en


def error(ja: str, en: str, lang: str | None = None) -> click.ClickException:
    """The error that ends a command with exit status 1; its text is printed.

    The text says what is wrong, then what to do.
    """
    return click.ClickException(in_one(ja, en, lang))


def speaks_only_japanese() -> bool:
    """Whether the locale is Japanese."""
    return _locale() == "ja"


def columns(text: str) -> int:
    """How many columns of a terminal ``text`` takes; a kanji takes two."""
    return sum(2 if east_asian_width(letter) in "WFA" else 1 for letter in text)


def _locale() -> str:
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # in gettext's order
    return next((spoken for name in names if (spoken := os.environ.get(name))), "")[:2]


def _of_the_system() -> str:
    return "ja" if speaks_only_japanese() else "en"


LANGUAGE = f"{__name__}.lang"
"""The key of ``click.Context.meta`` for the language of the answer, once it is read."""


def _keep(context: click.Context, _option: click.Parameter, lang: str) -> str:
    context.meta[LANGUAGE] = lang
    return lang


language = click.option(
    "--lang",
    type=click.Choice(["ja", "en"]),
    default=_of_the_system,
    callback=_keep,
    is_eager=True,
    help="Language of the answer.  [default: that of the locale]",
)
