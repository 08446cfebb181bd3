"""What the table page asks of a game's screen, and what its answers are made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple
from unicodedata import east_asian_width

from referee.core.verdict import Seat
from referee.desk import View
from referee.screens.quick_check import Question
from referee.web.http.language import gettext as _

LONG_NAME = 16  # half-width characters that fit a seat plate or the head line in large type
VERY_LONG_NAME = 32  # and in smaller type
SHARING = 3  # so many winners are named; more are counted
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


class Count(NamedTuple):
    """What was counted of a person: how a page heads it, and its rows.

    ``chart`` describes the chart to those who do not see it, ``column`` heads the first column of
    the table. ``rows``: (name, name as short as a bar has room for, how often).
    """

    title: str
    chart: str
    column: str
    rows: Sequence[tuple[str, str, int]]


class Screen(ABC):
    """How one game looks at the table and in quick checks. It decides nothing about rules.

    ``templates/games/<name>/table.html`` draws what ``band`` gives with its macros ``need``,
    ``board``, ``pad``, ``next`` (between deals) and ``ranking`` (at the end).
    """

    kept_back: Mapping[str, Callable[[], str]] = MappingProxyType({})
    """Facts of a refusal that are shown only if the opponent agrees, each with a function that
    says that there is something to show.
    """

    checks: tuple[Question, ...] = ()
    """The quick checks of the game, in the order in which its page offers them."""

    down = False
    """Whether cards that are out of their trick are turned face down."""

    coloured = True
    """Whether each number of the cards has its own colour, as in a Pairs deck."""

    draws_tricks = False
    """Whether pages about an entry draw its trick: ``trick``, ``due`` and ``last`` of a state."""

    counts_deals = False
    """Whether the score is the number of deals won, so that a deal has no points of its own."""

    @abstractmethod
    def opening(self, view: View, leader: Seat) -> Any | None:
        """The entry that a new table begins with; None where somebody has to enter cards first."""

    @abstractmethod
    def band(self, view: View, wish: Mapping[str, str]) -> dict[str, Any]:
        """What board and pad show; ``wish`` is the address's query, or ``UNTAPPED``.

        Always ``phase`` ("trick" while somebody is due, "deal" between deals, "end") and
        ``places`` (label, number, how many or None); in a trick ``due`` and ``seat`` (whose pad),
        and, where whatever that seat plays with a key leaves no doubt about them, ``turns``: that
        seat and those who are due after it, in order (see static/js/taps.js).
        """

    @abstractmethod
    def what(self, entry: Any) -> str:
        """A play or a deal in as few words as possible."""

    @abstractmethod
    def said(self, view: View, entry: Any, word: str) -> Strip:
        """The strip after the play ``entry``, the last one of ``view``, judged ``word``."""

    @abstractmethod
    def card(self, entry: Any) -> int | str | None:
        """The one card that ``entry`` lays, to draw it where two phones disagree."""

    def points(self, n: int) -> str:
        """``n`` of what the score counts."""
        return _("%(n)s 点", n=n)

    def deal(self, number: int, trick: int | None = None) -> str:
        """A deal, or a trick of it; both are numbered from 1."""
        if trick:
            return _("ラウンド %(deal)s・トリック %(trick)s", deal=number, trick=trick)
        return _("ラウンド %(n)s", n=number)

    def deals(self) -> str:
        """The heading of a column with the numbers of deals."""
        return _("ラウンド")

    def axis(self) -> str:
        """What the numbers under the course of the score are."""
        return _("下の数字はラウンド")

    def so_far(self) -> str:
        """What the score leaves out while a match goes on; "" where everything counts at once."""
        return ""

    def no_score(self) -> str:
        """When the first points come."""
        return _("点が入ると、ここに計算が出ます。")

    def progress(self, view: View) -> str:
        """How far a match has come, in as few words as possible."""
        return _("記録 %(number)s", number=view.seq)

    def between_deals(self) -> str:
        """What a match that goes on says while nobody is due."""
        return _("ラウンドの合間")

    def feat(self, kind: str, label: str, value: int) -> str:
        """The best of a kind, from what the game's ``feats`` remember."""
        return _("最高：%(n)s", n=value)

    def counted(self, times: Mapping[str, int]) -> Count:
        """What was counted, by its labels; without anything else these are the numbers led."""
        highest = max(10, *map(int, times))
        numbers = [str(n) for n in range(1, highest + 1)]
        return Count(
            _("最初に出した札"),
            _("トリックの最初に出した札の回数"),
            _("札"),
            [(number, number, times.get(number, 0)) for number in numbers],
        )


def won(winners: Sequence[Seat]) -> str:
    """Who has won, in as few words as a heading has room for."""
    names = _("・").join(winners)
    if not winners:
        return _("勝つ人なし")
    if len(winners) == 1:
        return _("%(names)s の勝ち", names=names)
    if len(winners) <= SHARING:
        return _("%(names)s の同点優勝", names=names)
    return _("%(count)s 人の同点優勝", count=len(winners))


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
