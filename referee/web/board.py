"""What the table page asks of a game's screen, and what its answers are made of."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol
from unicodedata import east_asian_width

from referee.core.verdict import Seat
from referee.desk import View

LONG_NAME = 16  # half-width characters that fit a seat plate or the head line in large type
VERY_LONG_NAME = 32  # and in smaller type
UNTAPPED: Mapping[str, str] = MappingProxyType({})
"""The wish of a page that shows a board without a pad: ``band`` may leave out what a pad needs."""


class Strip(NamedTuple):
    """The line above the pad. ``word`` is the verdict's, "" where there is none.

    ``out``: the card is out of its trick. ``show``: the seat that may lay its hand open, and ``to``
    the query of the page on which that is told with the entry.
    ``clause``, ``overrule`` (the line that the table may let stand) and ``clash`` (a line that an
    earlier entry contradicts) belong to a refusal, as does ``kept``: the line to send again when
    the opponent allows that everything is told. ``again``: the line that makes good what was taken
    back.
    """

    word: str
    head: str
    text: str = ""
    out: int | None = None
    show: Seat | None = None
    to: str = ""
    clause: str | None = None
    overrule: str | None = None
    kept: str = ""
    clash: str | None = None
    again: str = ""


class Board(Protocol):
    """A module with the screen of one game or of a family. It decides nothing about rules.

    It may have ``KEPT_BACK``: facts of a refusal that are told only with the opponent's leave, each
    with a function that says that there is something.

    ``templates/games/<name>.html`` draws what ``band`` gives with its macros ``need``, ``board``,
    ``pad``, ``next`` (between deals) and ``ranking`` (at the end).
    """

    def opening(self, view: View, leader: Seat) -> Any | None:
        """The entry that a new table begins with; None where somebody has to tell cards first."""
        ...

    def band(self, view: View, wish: Mapping[str, str]) -> dict[str, Any]:
        """What board and pad show; ``wish`` is the address's query, or ``UNTAPPED``.

        Always ``phase`` ("trick" while somebody is due, "deal" between deals, "end") and
        ``places`` (label, number, how many or None); in a trick ``due`` and ``seat`` (whose pad),
        and, where whatever that seat plays with a key leaves no doubt about them, ``turns``: that
        seat and those who are due after it, in order (see static/js/taps.js).
        """
        ...

    def what(self, entry: Any) -> str:
        """A play or a deal in as few words as possible."""
        ...

    def said(self, view: View, entry: Any, word: str) -> Strip:
        """The strip after the play ``entry``, the last one of ``view``, judged ``word``."""
        ...

    def card(self, entry: Any) -> int | str | None:
        """The one card that ``entry`` lays, to draw it where two phones disagree."""
        ...


def size(name: Seat) -> str:
    """The class of type in which the head line has room for ``name``."""
    wide = width(name)
    return "" if wide <= LONG_NAME else "long" if wide <= VERY_LONG_NAME else "long xlong"


def is_long(name: Seat) -> bool:
    """Whether ``name`` fits a plate only in smaller type."""
    return width(name) > LONG_NAME


@lru_cache(maxsize=1024)
def width(text: str) -> int:
    """How wide ``text`` is, in half-width characters."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(c) in "WFA" else 1 for c in text)


def short(name: Seat, most: int = 12) -> str:
    """``name``, cut where it would fill a strip."""
    if width(name) <= most:
        return name
    end = len(name)
    while width(name[:end]) > most:
        end -= 1
    return f"{name[:end]}…"
