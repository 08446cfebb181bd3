"""The table page of 熟語ライン: nine flags, the deck to choose from, an open column.

Nothing is decided here, and before a claim the page shows only what the cards themselves show
(J35): keys are dimmed by the order of play, never by the result of a proof. The address holds what
was tapped so far (``?card=車``, ``?flag=3``), so every step works as a link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from markupsafe import Markup

from referee.core.steps import Step
from referee.core.verdict import Illegal, Outcome, Seat, Unprovable
from referee.games import jukugo_line as game
from referee.games.jukugo_line import (
    FLAGS,
    Claim,
    Deal,
    Draw,
    Grant,
    Pass,
    Place,
    Play,
    State,
    Word,
)
from referee.games.jukugo_line.evidence import MIGHT_WIN
from referee.http import language
from referee.http.language import gettext as _
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import COLUMN, FormationKind
from referee.rulings import book
from referee.screens.band import TableBand
from referee.screens.base import Count, Screen, Strip
from referee.screens.jukugo_line import column
from referee.screens.jukugo_line.check import QUESTIONS
from referee.screens.jukugo_line.column import FlagView, KanjiTile
from referee.screens.jukugo_line.pad import FlagPad, expected, need, pad_of
from referee.screens.jukugo_line.sheet import JukugoLineSheet
from referee.screens.pad import GAP, entries_of, newest_step, pad_seat, plate_query, verdict_word
from referee.screens.wording import cards, is_long

ANY = "一"  # stands for any card of an unknown deck

FlagStep: TypeAlias = Step[State, Play]


class FlagColumn(NamedTuple):
    """A flag and the cards at it, top to bottom; None for an open place.

    ``owner``: "up" or "dn" if a side has taken the flag. ``lost``: the side that lost it.
    ``of_far`` and ``of_near`` say whose these cards are and at which flag. ``line``: what a tap
    records while a card is chosen; ``now``: the place of the side ``to`` where the card would be.
    ``lit``: it is open. ``may``: it can be claimed.
    """

    flag: int
    far: list[KanjiTile | None]
    near: list[KanjiTile | None]
    owner: str
    lost: str
    label: str
    line: str
    word: str
    to: str
    now: int | None
    lit: bool
    may: bool
    of_far: str
    of_near: str


class FlagSeat(NamedTuple):
    """A seat beside its row; ``query`` gives it the pad."""

    name: Seat
    long: bool
    chosen: bool
    held: int
    flags: int
    query: str


class FlagRun(NamedTuple):
    """A frame around flags that won: the index of the first, and the number of columns."""

    first: int
    length: int


class CardStep(NamedTuple):
    """The step in which a card is chosen, with ``GAP`` in place of the card."""

    pad: FlagPad
    columns: list[FlagColumn]
    need: str


@dataclass(frozen=True, kw_only=True)
class FlagBand(TableBand):
    """What the table shows. ``asked``: the seat that was tapped, or "". ``open``: the claims to
    which the other seat may agree. ``leaders``: who may begin, each with its line. ``lines``: the
    flags with which the match was won.
    """

    plates: list[FlagSeat]
    columns: list[FlagColumn]
    asked: Seat = ""
    pad: FlagPad | None = None
    need: str = ""
    open: Sequence[column.ClaimQuestion] = ()
    step: CardStep | None = None
    claim: column.ClaimStep | None = None
    leaders: Sequence[tuple[Seat, str]] = ()
    lines: Sequence[FlagRun] = ()


class JukugoLineScreen(Screen[State, Play]):
    """The table page of 熟語ライン."""

    sheet_pad = JukugoLineSheet()

    checks = QUESTIONS
    one_deal = True
    kept_back = MappingProxyType(
        dict.fromkeys(MIGHT_WIN, lambda: _("相手が勝てる3枚が残っています。"))
    )

    def begun(self, refused: Play) -> Mapping[str, str]:
        """The card of a refused placement stays chosen: the right flag is one tap."""
        return {"card": refused.card} if isinstance(refused, Place) else {}

    def no_score(self) -> str:
        return _("フラッグが獲得されると、ここに表示されます。")

    def feat(self, kind: str, label: str, value: int) -> str:
        return Markup('{}<b lang="ja">{}</b>').format(_("いちばん珍しい熟語："), label)

    def counted(self, times: Mapping[str, int]) -> Count:
        """The kinds of formations, weak to strong."""
        short = (_("ブタ"), _("1個"), _("2個"), _("連続"), _("スリーカード"), _("三文字"))
        facts, lang = book(game.NAME).facts, language.current()
        rows = [
            (facts[kind.label].in_(lang), name, times.get(kind.label, 0))
            for kind, name in zip(FormationKind, short, strict=True)
        ]
        title, chart = _("そろえた役"), _("フラッグでそろえた役の回数")
        return Count(title, chart, _("役"), rows)

    def opening(self, view: FlagView, leader: Seat) -> Deal:
        return Deal(leader)

    def places(self, view: FlagView) -> list[tuple[str, object, int | None]]:
        return [(_("山札"), view.state.stock, None)] if view.state.deal else []

    def trick(self, view: FlagView, params: Mapping[str, str]) -> FlagBand:
        due = expected(view.state, params)
        seat = pad_seat(view, params, due)
        pad = pad_of(view, seat, params)
        return FlagBand(
            due=due,
            seat=seat,
            alike=(),
            asked=seat if seat == params.get("seat", "") else "",
            pad=pad,
            plates=plates(view, seat),
            columns=columns(view, seat, pad),
            need=need(view.state, seat, pad),
            open=column.asked(view),
            step=_step(view, params) if pad.stage == "card" else None,
            claim=column.step_to(view, params) if pad.stage == "card" else None,
        )

    def between_deals(self, view: FlagView, params: Mapping[str, str]) -> FlagBand:
        leaders = [(seat, view.grammar.print(Deal(seat))) for seat in view.header.seats]
        return replace(_lying(view), heading=_("先攻を決める"), leaders=leaders)

    def end(self, view: FlagView, outcome: Outcome) -> FlagBand:
        lines = [run for seat in outcome.winners for run in drawn(view.state, seat)]
        return replace(_lying(view), lines=lines)

    def what(self, entry: Play) -> str:
        match entry:
            case Place(seat=seat, flag=flag, card=kanji):
                return _("%(seat)s %(card)s → フラッグ %(n)s", seat=seat, card=kanji, n=flag)
            case Claim(seat=seat, flag=flag, words=()):
                return _("%(seat)s フラッグ%(n)sを宣言", seat=seat, n=flag)
            case Claim(seat=seat, flag=flag, words=words):
                values = {"seat": seat, "n": flag, "words": cards(words)}
                return _("%(seat)s フラッグ%(n)sを「%(words)s」で宣言", **values)
            case Draw(seat=seat):
                return _("%(seat)s 引く", seat=seat)
            case Pass(seat=seat):
                return _("%(seat)s 置けない", seat=seat)
            case Word(word=word, counts=True):
                return _("「%(word)s」を認める", word=word)
            case Word(word=word):
                return _("「%(word)s」は認めない", word=word)
            case Grant(seat=seat, flag=flag):
                return _("%(seat)s フラッグ%(n)sを了承", seat=seat, n=flag)
            case _:
                return _("%(seat)sが先攻", seat=entry.leader)

    def card(self, entry: Play) -> str | None:
        return entry.card if isinstance(entry, Place) else None

    def done(self, view: FlagView, step: FlagStep, strip: Strip) -> Strip:
        return strip._replace(text=_consequence(step))


def _step(view: FlagView, params: Mapping[str, str]) -> CardStep:
    due = expected(view.state, {**params, "card": GAP})
    seat = pad_seat(view, params, due)
    chosen = FlagPad("put", KanjiTile(GAP, None), [], [], [], [])
    return CardStep(chosen, columns(view, seat, chosen), need(view.state, seat, chosen))


def _lying(view: FlagView) -> FlagBand:
    """The flags, while no seat is due."""
    return FlagBand(plates=plates(view, ""), columns=columns(view, "", None))


def _consequence(step: FlagStep) -> str:
    """The effect of a play in force, in a few words."""
    state = step.state
    match step.play:
        case Claim() if isinstance(step.verdict, Illegal):
            return _("宣言失敗：この手番は引けない")
        case Claim(seat=seat, flag=flag):
            shown = game.formation(state, seat, flag)
            if isinstance(step.verdict, Unprovable):
                return _("相手が認めれば取れる")
            return column.label(shown) if shown else _("2人で確認済み")
        case Grant():
            return _("協議の上で、フラッグが移った")
        case Place(seat=seat, flag=flag) if len(game.column(state, seat, flag)) == COLUMN:
            return _("3枚そろった")
        case Draw():
            return _("山札は残り%(n)s枚", n=state.stock)
        case _:
            return ""


def plates(view: FlagView, chosen: Seat) -> list[FlagSeat]:
    """The far seat, then the near one: the first seat of the table is where the pad is."""
    state = view.state
    return [
        FlagSeat(
            seat,
            is_long(seat),
            seat == chosen,
            state.hands[seat],
            state.owners.count(seat),
            plate_query(view, seat, chosen),
        )
        for seat in reversed(view.header.seats)
    ]


def drawn(state: State, seat: Seat) -> list[FlagRun]:
    """The flags with which ``seat`` has won: three or more in a row, else all that it owns."""
    runs: list[list[int]] = []
    for flag, owner in enumerate(state.owners, 1):
        if owner == seat and runs and flag == runs[-1][-1] + 1:
            runs[-1].append(flag)
        elif owner == seat:
            runs.append([flag])
    rows = [run for run in runs if len(run) >= game.IN_A_ROW]
    return [FlagRun(run[0], len(run)) for run in rows[:1] or runs]


def columns(view: FlagView, chosen: Seat, pad: FlagPad | None) -> list[FlagColumn]:
    state = view.state
    near, far = view.header.seats
    newest, numbers = _newest(view), entries_of(view, _placed)
    found = []
    for flag in range(1, FLAGS + 1):
        owner = state.owners[flag - 1]
        sides = {
            seat: [
                tile._replace(newest=at == newest, seq=numbers.get(at, 0))
                for tile in column.tiles(view, seat, flag)
                for at in [(seat, flag, tile.kanji)]
            ]
            for seat in (near, far)
        }
        settled = column.is_sorted(view, far, flag)
        up = sides[far] if settled else sides[far][::-1]
        place = Place(chosen, flag, pad.chosen.kanji) if pad and pad.chosen else None
        word = verdict_word(view, _sample(state, place)) if place else ""
        count = len(sides[chosen]) if place and word != "illegal" else None
        found.append(
            FlagColumn(
                flag=flag,
                far=[*_open(COLUMN - len(up)), *up],
                near=[*sides[near], *_open(COLUMN - len(sides[near]))],
                owner="" if owner is None else "dn" if owner == near else "up",
                lost="" if owner is None else "far" if owner == near else "near",
                label=_label(flag, owner),
                line=view.grammar.print(place) if place else "",
                word=word,
                to="near" if chosen == near else "far",
                now=None if count is None else count if chosen == near else COLUMN - 1 - count,
                lit=pad is not None and pad.naming is not None and pad.naming.flag == flag,
                may=pad is not None and column.may(state, flag),
                of_far=f"{far} {_('フラッグ %(n)s', n=flag)}",
                of_near=f"{near} {_('フラッグ %(n)s', n=flag)}",
            )
        )
    return found


def _sample(state: State, place: Place) -> Place:
    """``place`` itself, or with some card that was not placed yet."""
    if place.card != GAP:
        return place
    free = [card for card in game.unseen(state, place.seat) if card != JOKER]
    return replace(place, card=free[0] if free else ANY)


def _open(count: int) -> list[KanjiTile | None]:
    return [None] * count


def _label(flag: int, owner: Seat | None) -> str:
    if owner is None:
        return _("フラッグ %(n)s、未獲得", n=flag)
    return _("フラッグ %(n)s、%(seat)sが獲得", n=flag, seat=owner)


def _newest(view: FlagView) -> tuple[Seat, int, str] | None:
    """Seat, flag and card of the last play, if it has placed a card."""
    step = newest_step(view)
    return next(iter(_placed(step.play)), None) if step else None


def _placed(play: Play) -> tuple[tuple[Seat, int, str], ...]:
    """Seat, flag and card, if ``play`` has placed a card."""
    return ((play.seat, play.flag, play.card),) if isinstance(play, Place) else ()
