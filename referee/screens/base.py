"""What the table page asks of a game's screen, with an answer for games that have no own one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Generic, NamedTuple

from referee.core.generic import P, S
from referee.core.log import Step
from referee.core.sheets import Stop, TableSheet
from referee.core.verdict import Card, Outcome, Seat
from referee.desk import View
from referee.rulings import sentences
from referee.rulings.of_files import book_of
from referee.screens import plain
from referee.screens.pad import UNTAPPED, CardKey, pad_seat, step_in_force
from referee.screens.quick_check import QuickCheck
from referee.screens.sheet_pad import SheetPad
from referee.web.http import language
from referee.web.http.language import gettext as _

CARD_PARTS = 10  # numbers that a sum on the result card has at most


class Strip(NamedTuple):
    """The line above the pad. ``word`` is the verdict's, "" where there is none.

    ``out``: the card is out of its trick. ``show``: the seat that may lay its hand open, and ``to``
    the query of the page on which that is recorded with the entry; ``hands``: the hands that it
    may be, with the line that a tap on one records.
    ``clause``, ``overrule`` (the line that the table may let stand) and ``clash`` (a line that an
    earlier entry contradicts) belong to a refusal, as does ``kept``: the line to send again when
    the opponent allows that everything is said. ``again``: the line that makes good what was taken
    back.
    """

    word: str
    head: str
    text: str = ""
    out: int | None = None
    show: Seat | None = None
    to: str = ""
    hands: tuple[tuple[tuple[int, ...], str], ...] = ()
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


class OpenHand(NamedTuple):
    """What the page needs on which a seat lays its hand open.

    ``line``: what is recorded, without the cards. ``keys`` are the cards that it may name, ``held``
    the number of cards in the hand.
    """

    line: str
    keys: tuple[CardKey, ...]
    held: int


class Screen(Generic[S, P]):
    """How one game looks at the table and in quick checks. It decides nothing about rules.

    A game without a screen of its own gets this class itself: a plain board that shows what
    ``Game.public`` answers, and the game's candidates as keys (see ``screens.plain``).

    ``templates/games/<name>/table.html`` draws what ``band`` gives with its macros ``need``,
    ``board``, ``pad``, ``beside`` (after the pad's form), ``next`` (between deals), ``ranking``
    (at the end), ``card`` and ``out`` (in a strip).
    """

    turned_down = False
    """Whether a card that is out of its trick is turned face down."""

    kept_back: Mapping[str, Callable[[], str]] = MappingProxyType({})
    """Facts of a refusal that are shown only if the opponent agrees, each with a function that
    says that there is something to show.
    """

    checks: tuple[QuickCheck, ...] = ()
    """The quick checks of the game, in the order in which its page offers them."""

    sheet_pad: SheetPad[S, P] = SheetPad()
    """How a deal is entered as its sheet."""

    def __init__(self, name: str) -> None:
        self.name = name

    draws_tricks = False
    """Whether pages about an entry draw its trick: ``trick``, ``due`` and ``last`` of a state."""

    counts_deals = False
    """Whether the score is the number of deals won, so that a deal has no points of its own."""

    one_deal = False
    """Whether a match is a single deal, which pages then do not number."""

    def opening(self, view: View[S, P], leader: Seat) -> P | None:
        """The entry that a new table begins with; None where somebody has to enter cards first."""
        return plain.opening(view, leader)

    def band(self, view: View[S, P], params: Mapping[str, str]) -> dict[str, object]:
        """What board and pad show; ``params`` is the address's query, or ``UNTAPPED``.

        Always ``phase`` ("trick" while somebody is due, "deal" between deals, "end"),
        ``deal`` (1-based, 0 before the first) and ``places`` (label, number, how many or None);
        then what the method of the phase adds.
        """
        shown: dict[str, object] = {"deal": view.state.deal, "places": self.places(view)}
        if view.to_act:
            return {**shown, "phase": "trick", **self.trick(view, params)}
        ended = view.outcome
        if ended is None:
            return {**shown, "phase": "deal", **self.between_deals(view, params)}
        said = sentences.outcome(ended, book_of(view.game), language.current())
        return {**shown, "phase": "end", "result": said, **self.end(view, ended)}

    def places(self, view: View[S, P]) -> list[tuple[str, object, int | None]]:
        """What the head of the page counts: label, number, how many in all or None."""
        return [(_("ラウンド"), view.state.deal, None)] if view.state.deal else []

    def trick(self, view: View[S, P], params: Mapping[str, str]) -> dict[str, object]:
        """While somebody is due: ``due``, ``seat`` (whose pad), and what the templates need.

        ``turns``, where whatever ``seat`` plays with a key leaves no doubt about them: that seat
        and those who are due after it, in order (see static/js/taps.js). ``lies``: how the key of a
        number looks that lies in the trick, "dot" (it needs a declaration) or "off" (illegal).
        """
        due = view.to_act
        seat = pad_seat(view, params, due[0])
        return {
            "due": seat if seat in due else due[0],
            "seat": seat,
            "pad": plain.pad(view, seat, self.name) if params is not UNTAPPED else None,
            "board": plain.board(view, seat, self.name),
        }

    def between_deals(self, view: View[S, P], params: Mapping[str, str]) -> dict[str, object]:
        """Between deals: what the templates need, and ``heading`` where it is a special one."""
        return {
            "pad": plain.pad(view, "", self.name),
            "board": plain.board(view, "", self.name),
        }

    def end(self, view: View[S, P], outcome: Outcome) -> dict[str, object]:
        """At the end of the match: what the templates need beside ``result``, how it ended."""
        return {"ranks": plain.ranks(view, outcome)}

    def what(self, entry: P) -> str:
        """A play or a deal in as few words as possible."""
        return plain.what(entry, self.name)

    def brief(self, entry: P | TableSheet | Stop) -> str:
        """Like ``what``, also of the entries that every game has."""
        match entry:
            case TableSheet():
                return _("得点表で記録")
            case Stop(reason=None):
                return _("ここで終わり")
            case Stop(reason=reason):
                return _("ここで終わり（%(reason)s）", reason=reason)
            case _:
                return self.what(entry)

    def said(self, view: View[S, P], entry: P, word: str) -> Strip:
        """The strip after the play ``entry``, the last one of ``view``, judged ``word``."""
        if isinstance(entry, TableSheet | Stop):
            return Strip(word, self.brief(entry))
        step = step_in_force(view)
        if step is None:
            return Strip(word, self.what(entry), _("無効な記録"))
        return self.done(view, step, Strip(word, self.what(entry)))

    def done(self, view: View[S, P], step: Step[S, P], strip: Strip) -> Strip:
        """``strip`` with what ``step``, the last play and in force, has brought about."""
        return strip

    def open_hand(self, view: View[S, P], seat: Seat) -> OpenHand | None:
        """For the page on which ``seat`` lays its hand open; None in games where nobody does."""
        return None

    def card(self, entry: P) -> Card | None:
        """The one card that ``entry`` lays, to draw it where two phones disagree."""
        return plain.card(entry)

    def parts(self, view: View[S, P], seat: Seat) -> list[int]:
        """The points of ``seat`` that the result card adds up; [] where it shows no sum."""
        points: dict[int, int] = {}
        for line in view.game.score(view.state).lines:
            points[line.deal] = points.get(line.deal, 0) + line.points * (line.seat == seat)
        many = 1 < len(points) <= CARD_PARTS and not self.counts_deals
        return list(points.values()) if many else []

    def deal(self, number: int, trick: int | None = None) -> str:
        """A deal, or a trick of it; both are numbered from 1."""
        if trick:
            return _("ラウンド %(deal)s・トリック %(trick)s", deal=number, trick=trick)
        return _("ゲーム全体") if self.one_deal else _("ラウンド %(n)s", n=number)

    def deals(self) -> str:
        """The heading of a column with the numbers of deals or, in a single deal, of rows."""
        return "#" if self.one_deal else _("ラウンド")

    def axis(self) -> str:
        """What the numbers under the course of the score are; "" where nothing is numbered."""
        return "" if self.one_deal else _("下の数字はラウンド")

    def so_far(self) -> str:
        """What the score leaves out while a match goes on; "" where everything counts at once."""
        return ""

    def no_score(self) -> str:
        """When the first points come."""
        return _("点が入ると、ここに計算が表示されます。")

    def progress(self, view: View[S, P]) -> str:
        """How far a match has come, in as few words as possible."""
        return _("記録%(n)s件", n=view.seq)

    def pause(self) -> str:
        """What a match between two deals is waiting for."""
        return _("次のラウンド待ち")

    def feat(self, kind: str, label: str, value: int) -> str:
        """The best of a kind, from what the game's ``feats`` remember."""
        return _("最高：%(n)s", n=value)

    def counted(self, times: Mapping[str, int]) -> Count:
        """What was counted, by its labels; without anything else these are the numbers led."""
        highest = max(10, *map(int, times))
        numbers = [str(n) for n in range(1, highest + 1)]
        return Count(
            _("リードしたカード"),
            _("カードごとのリード回数"),
            _("カード"),
            [(number, number, times.get(number, 0)) for number in numbers],
        )
