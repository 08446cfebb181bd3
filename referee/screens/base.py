"""The interface of a game's screen, with defaults for games without one of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Generic, NamedTuple

from referee.core.adjusting import Adjust
from referee.core.corrections import Agree
from referee.core.generic import P, S
from referee.core.ranking import Rank
from referee.core.sheets import Common, Stop, TableSheet
from referee.core.steps import Step
from referee.core.verdict import Card, Outcome, Seat
from referee.core.written import Points, written
from referee.http import language
from referee.http.language import gettext as _
from referee.ledger import View
from referee.rulings import book_of, sentences
from referee.screens import plain
from referee.screens.band import TableBand
from referee.screens.pad import UNTAPPED, CardKey, pad_seat, step_in_force
from referee.screens.quick_check import QuickCheck
from referee.screens.sheet_pad import SheetPad

CARD_PARTS = 10  # summands on the result card, at most


class Strip(NamedTuple):
    """The line above the pad. ``word``: that of the verdict, "" without one.

    ``out``: in words, if the card is out of its trick. ``trick``: what is read aloud of the play:
    who has taken the trick that it ended, who is out or bust, with whole names. ``show``: the seat
    that may show its hand; ``to``: the query of the page on which this is recorded with the entry;
    ``hands``: the possible hands, each with the line that a tap records. ``clause``, ``overrule``
    (the line that the table may accept), ``clash`` (a line that an earlier entry contradicts) and
    ``kept`` (the line to send again when the opponent permits all facts to be shown) belong to a
    refusal. ``again``: the line that redoes what was undone. ``how``: the text says how to deal.
    ``vote``: the contest that waits for votes. ``held``: the place whose phone alone may make the
    refused entry, if this phone may free it.
    """

    word: str
    head: str
    text: str = ""
    out: str = ""
    trick: str = ""
    show: Seat | None = None
    to: str = ""
    hands: tuple[tuple[tuple[int, ...], str], ...] = ()
    clause: str | None = None
    overrule: str | None = None
    kept: str = ""
    clash: str | None = None
    again: str = ""
    how: bool = False
    vote: int | None = None
    held: int = 0


class Count(NamedTuple):
    """A count of a person's plays: the heading, and the rows.

    ``chart`` describes the chart for screen readers, ``column`` is the heading of the table's first
    column. ``rows``: (name, name short enough for a bar, number).
    """

    title: str
    chart: str
    column: str
    rows: Sequence[tuple[str, str, int]]


class OpenHand(NamedTuple):
    """The values of the page on which a seat shows its hand.

    ``line``: the line to record, without the cards. ``keys``: the cards that the hand may have;
    ``held``: the number of cards in it.
    """

    line: str
    keys: tuple[CardKey, ...]
    held: int


@dataclass(frozen=True, kw_only=True)
class PlainBand(TableBand):
    """The plain board with its keys, and at the end all seats or teams, winners first."""

    board: plain.PlainBoard | None = None
    pad: plain.PlainPad | None = None
    ranks: Sequence[Rank] = ()


class Screen(Generic[S, P]):
    """How one game looks at the table and in quick checks. It decides nothing about rules.

    A game without a screen uses this class itself: a plain board with the values of
    ``Game.public``, and the game's candidates as keys (see ``screens.plain``).

    ``templates/games/<name>/table.html`` draws the values of ``band``, which for most games are in
    a subclass of ``TableBand``, with its macros ``need``,
    ``board``, ``pad``, ``beside`` (after the pad's form), ``next`` (between deals), ``ranking`` (at
    the end), ``card`` (in a question). For a phone that may not record, ``board`` gets no
    links, ``next`` and ``ranking`` a false ``live``, and ``band`` gets ``UNTAPPED``: no keys.
    """

    turned_down = False
    """Whether a card that is out of its trick is turned face down."""

    kept_back: Mapping[str, Callable[[], str]] = MappingProxyType({})
    """Facts of a refusal that are shown only if the opponent agrees, each with a function that
    returns a sentence that there is something to show.
    """

    checks: tuple[QuickCheck, ...] = ()
    """The quick checks of the game, in the order in which its page offers them."""

    sheet_pad: SheetPad[S, P] = SheetPad()
    """How a deal is entered by its sheet."""

    draws_tricks = False
    """Whether pages about an entry draw its trick: ``trick``, ``due`` and ``last`` of a state."""

    wins_tricks = True
    """Whether a trick that is drawn has a winner; False where each of its cards has points."""

    counts_deals = False
    """Whether the score is the number of deals won, so that a deal has no points of its own."""

    one_deal = False
    """Whether a match is a single deal, which pages then do not number."""

    def __init__(self, name: str) -> None:
        self.name = name

    def opening(self, view: View[S, P], leader: Seat) -> P | None:
        """The entry with which a new table begins; None if cards have to be entered first."""
        return plain.opening(view, leader)

    def band(self, view: View[S, P], params: Mapping[str, str]) -> TableBand:
        """The values for board and pad; ``params`` is the address's query, or ``UNTAPPED``.

        They are those of the method of the phase, with what is alike in every game.
        """
        deal, places, ended = view.state.deal, self.places(view), view.outcome
        if view.to_act:
            shown = self.trick(view, params)
            return replace(shown, phase="trick", deal=deal, places=places)
        if ended is None:
            shown = self.between_deals(view, params)
            return replace(shown, phase="deal", deal=deal, places=places)
        said = sentences.outcome(ended, book_of(view.game), language.current())
        shown = self.end(view, ended)
        return replace(shown, phase="end", deal=deal, places=places, result=said)

    def begun(self, refused: P) -> Mapping[str, str]:
        """The query of the page on which all steps of the refused play but the last are done.

        {} for games whose plays are one tap.
        """
        return {}

    def places(self, view: View[S, P]) -> list[tuple[str, object, int | None]]:
        """The counters in the page's head: label, number, and the total or None."""
        return [(_("ラウンド"), view.state.deal, None)] if view.state.deal else []

    def trick(self, view: View[S, P], params: Mapping[str, str]) -> TableBand:
        """The values while a seat is due."""
        due = view.to_act
        seat = pad_seat(view, params, due[0])
        return PlainBand(
            due=seat if seat in due else due[0],
            seat=seat,
            pad=plain.pad(view, seat, self.name) if params is not UNTAPPED else None,
            board=plain.board(view, seat, self.name),
        )

    def between_deals(self, view: View[S, P], params: Mapping[str, str]) -> TableBand:
        """The values between deals."""
        return PlainBand(pad=plain.pad(view, "", self.name), board=plain.board(view, "", self.name))

    def end(self, view: View[S, P], outcome: Outcome) -> TableBand:
        """The values at the end of the match."""
        return PlainBand(ranks=plain.ranks(view, outcome))

    def what(self, entry: P) -> str:
        """A play or a deal in as few words as possible."""
        return plain.what(entry, self.name)

    def brief(self, entry: P | Common | Agree) -> str:
        """Like ``what``, also for the entries that every game has."""
        match entry:
            case TableSheet():
                return _("得点表で記録")
            case Stop(reason=None):
                return _("ここで終わり")
            case Stop(reason=reason):
                return _("ここで終わり（%(reason)s）", reason=reason)
            case Agree(seat=seat):
                return _("%(name)sが結果を確認しました", name=seat)
            case Adjust(points=points):
                given = _("、").join(f"{seat} {written(number, '+')}" for seat, number in points)
                return _("調整（%(points)s）", points=given)
            case _:
                return self.what(entry)

    def said(self, view: View[S, P], entry: P, word: str) -> Strip:
        """The strip after the play ``entry``, the last one of ``view``, judged ``word``.

        Names in ``entry`` may be shortened; the strip writes them as they are there.
        """
        if isinstance(entry, TableSheet | Stop | Adjust):
            return Strip(word, self.brief(entry))
        step = step_in_force(view)
        if step is None:
            return Strip(word, self.what(entry), _("無効な記録"))
        return self.done(view, step, Strip(word, self.what(entry)))

    def done(self, view: View[S, P], step: Step[S, P], strip: Strip) -> Strip:
        """``strip`` with the effects of ``step``, the last play, which changed the state."""
        return strip

    def open_hand(self, view: View[S, P], seat: Seat) -> OpenHand | None:
        """The page on which ``seat`` shows its hand; None in games in which nobody does."""
        return None

    def named(self, card: Card) -> str:
        """``card`` as people read it."""
        return str(card)

    def card(self, entry: P) -> Card | None:
        """The one card that ``entry`` plays, or None; drawn when two phones disagree."""
        return plain.card(entry)

    def parts(self, view: View[S, P], seat: Seat) -> Sequence[Points]:
        """The points of ``seat`` that the result card adds up; [] if it shows no sum."""
        points: dict[int, Points] = {}
        for line in view.game.score(view.state).lines:
            points[line.deal] = points.get(line.deal, 0) + line.points * (line.seat == seat)
        many = 1 < len(points) <= CARD_PARTS and not self.counts_deals
        return list(points.values()) if many else []

    def deal(self, number: int, trick: int | None = None) -> str:
        """A deal, or a trick of it; both are numbered from 1."""
        if trick:
            return _("ラウンド %(deal)s・トリック %(trick)s", deal=number, trick=trick)
        if not self.one_deal:
            return _("ラウンド %(n)s", n=number)
        return _("ゲーム全体") if number == 1 else _("同点のあとの配札")

    def deals(self) -> str:
        """The heading of a column with the numbers of deals or, in a single deal, of rows."""
        return "#" if self.one_deal else _("ラウンド")

    def axis(self) -> str:
        """The meaning of the numbers below the score chart; "" if nothing is numbered."""
        return "" if self.one_deal else _("下の数字はラウンド")

    def so_far(self) -> str:
        """What the score leaves out while a match is running; "" if everything counts at once."""
        return ""

    def no_score(self) -> str:
        """A sentence about when the first points come."""
        return _("点が入ると、ここに計算が表示されます。")

    def progress(self, view: View[S, P]) -> str:
        """The progress of a match, in as few words as possible."""
        return _("記録%(n)s件", n=view.seq)

    def over(self, number: int) -> str:
        """That a deal has ended."""
        return _("ラウンド%(n)s終了", n=number)

    def pause(self, view: View[S, P]) -> str:
        """What a match before or between deals is waiting for, as text."""
        if not view.state.deal:
            return _("配る前")
        return _("次の配札待ち") if self.one_deal else self.next_deal()

    def next_deal(self) -> str:
        """What a match of several deals is waiting for between two of them."""
        return _("次のラウンド待ち")

    def feat(self, kind: str, label: str, value: int) -> str:
        """The highest value of a kind of feat as text; ``kind`` and ``label`` as in ``feats``."""
        return _("最高：%(n)s", n=value)

    def counted(self, times: Mapping[str, int]) -> Count:
        """The rows for feats that are counted: label → number of times.

        By default the labels are numbers of cards that were led.
        """
        highest = max(10, *map(int, times))
        numbers = [str(n) for n in range(1, highest + 1)]
        return Count(
            _("リードしたカード"),
            _("カードごとのリード回数"),
            _("カード"),
            [(number, number, times.get(number, 0)) for number in numbers],
        )
