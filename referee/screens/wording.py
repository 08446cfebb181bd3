"""Names, cards and results as text that is short enough for a phone's screen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from unicodedata import east_asian_width

from markupsafe import Markup, escape

from referee.core.clusters import clusters
from referee.core.game import Unit
from referee.core.naming import APART
from referee.core.verdict import Card, Seat
from referee.core.written import Points
from referee.http.language import gettext as _

LONG_NAME = 16  # half-width characters that fit a seat plate or the head line in large type
VERY_LONG_NAME = 32  # as above, in smaller type
LONG_WORD = re.compile(f"({APART}{{3}})({APART}{{3,}})(?={APART}{{3}})")
"""A word that may break where no line holds it, but no closer to its ends than three letters."""
SHARING = 3  # winners that are named, at most; more are counted


def cards(shown: Iterable[Card]) -> str:
    """Several cards in one line: ``7・7``."""
    return _("・").join(map(str, shown))


def unit(name: Unit) -> str:
    """The heading of a column of scores."""
    return {
        "points": _("得点"),
        "fewest": _("得点（少ないほどよい）"),
        "wins": _("勝ち数"),
        "flags": _("フラッグ"),
        "places": _("順位"),
    }[name]


def amount(n: Points, name: Unit) -> str:
    """``n`` units of the score, as text."""
    match name:
        case "points" | "fewest":
            return _("%(n)s点", n=n)
        case "wins":
            return _("%(n)s勝", n=n)
        case "places":
            return _("%(n)s位", n=n)
        case "flags":
            return _("フラッグ%(n)s本", n=n)


def won(winners: Sequence[Seat], losers: Sequence[Seat] = (), team: bool = False) -> str:
    """The winners or, if nobody has won, the losers, in a few words for a heading.

    ``team``: the winners are a team.
    """
    names = together(winners)
    if not winners and losers:
        return _("%(names)sの負け", names=together(losers))
    if not winners:
        return _("勝者なし")
    if len(winners) == 1:
        return _("%(names)sの勝ち", names=names)
    if team and len(winners) <= SHARING:
        return _("%(names)sのチームの勝ち", names=names)
    if len(winners) <= SHARING:
        return _("%(names)sの同点優勝", names=names)
    return _("%(count)s人の同点優勝", count=len(winners))


def together(names: Sequence[Seat]) -> str:
    """Several names in a sentence: ``あかね・ほしの``, ``Ben and Eve``."""
    *first, last = names or ("",)
    return _("%(names)s・%(last)s", names=_("・").join(first), last=last) if first else last


def size(name: Seat) -> str:
    """The CSS class of the type size with which ``name`` fits the head line."""
    wide = width(name)
    return "" if wide <= LONG_NAME else "long" if wide <= VERY_LONG_NAME else "long xlong"


def is_long(name: Seat) -> bool:
    """Whether ``name`` fits a plate only in smaller type."""
    return width(name) > LONG_NAME


@lru_cache(maxsize=1024)
def width(text: str) -> int:
    """The width of ``text``, in half-width characters."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(c) in "WFA" else 1 for c in text)


@lru_cache(maxsize=1024)
def whole(text: str, kind: str = "nm") -> Markup:
    """A name, or a part of a sentence, that goes to the next line whole.

    If it is longer than a line, it breaks into parts of about the same length.
    """
    said = LONG_WORD.sub(lambda found: "\0".join((found[1], *found[2], "")), text)
    return Markup('<span class="{}">{}</span>').format(
        kind, Markup("<wbr>").join(map(escape, said.split("\0")))
    )


def short(name: Seat, most: int = 12) -> str:
    """``name``, shortened to ``most`` half-width characters."""
    if width(name) <= most:
        return name
    pieces = clusters(name)
    while width("".join(pieces)) > most:
        pieces.pop()
    return f"{''.join(pieces)}…"
