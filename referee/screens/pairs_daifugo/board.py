"""The table page of ペアーズ大富豪: pyramids, the top of the trick, and the keys.

Nothing is decided here: the look of a key is the verdict on the line that it records. If one tap is
not enough, the address holds what was tapped so far (``?rank=7:d e``), so every step works as a
link; for phones without network the page has these steps in advance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from referee.core.pyramid import POSITIONS
from referee.core.steps import Step, number_of
from referee.core.verdict import Outcome, Seat
from referee.games import pairs_daifugo as game
from referee.games.pairs_daifugo import ROWS, Deal, Laid, Lay, Pass, Play, Row, State, Turn
from referee.http.language import gettext as _
from referee.http.language import pgettext
from referee.screens.band import TableBand
from referee.screens.base import Screen, Strip
from referee.screens.pad import UNTAPPED, SeatSum, pad_seat, query
from referee.screens.pairs_daifugo.check import QUESTIONS
from referee.screens.pairs_daifugo.pad import RANKS, DaifugoPad, own_cells, pad
from referee.screens.pairs_daifugo.pyramid import DaifugoView, PyramidCell, cell_of, in_rows
from referee.screens.pairs_daifugo.sheet import PairsDaifugoSheet
from referee.screens.pairs_daifugo.steps import PadStep, steps
from referee.screens.wording import cards, is_long, short

DaifugoStep: TypeAlias = Step[State, Play]


class DaifugoSeat(NamedTuple):
    """A seat as the others see it; ``held`` is None where hand counts are not shown."""

    name: Seat
    long: bool
    turn: bool
    chosen: bool
    passed: bool
    held: int | None
    wins: int
    rows: list[list[PyramidCell]]
    query: str


class TopPlay(NamedTuple):
    """The top of the trick: the newest play with its entry, the one below it, the present order."""

    seat: Seat
    rank: int
    size: int
    below: Laid | None
    newest: bool
    seq: int


class RankOrder(NamedTuple):
    """The ranks from weak to strong; ``up``: those that beat the top of the trick.

    ``why``: what changed the order, ``once``: for this trick alone.
    """

    line: list[int]
    high: int
    up: list[int]
    why: str
    once: bool


@dataclass(frozen=True, kw_only=True)
class DaifugoBand(TableBand):
    """What the table shows. ``own``: the pyramid of the pad's seat; ``others``: all others, all
    seats while none is due. ``deals``: who may lead the next deal, and the line that begins it.
    """

    needed: int
    rows: int
    order: RankOrder
    top: TopPlay | None
    others: list[DaifugoSeat]
    own: DaifugoSeat | None = None
    pad: DaifugoPad | None = None
    steps: tuple[PadStep, ...] = ()
    deals: Sequence[tuple[Seat | None, str]] = ()
    sums: Sequence[SeatSum] = ()


class PairsDaifugoScreen(Screen[State, Play]):
    """The table page of ペアーズ大富豪."""

    sheet_pad = PairsDaifugoSheet()

    checks = QUESTIONS
    counts_deals = True

    def deal(self, number: int, trick: int | None = None) -> str:
        if trick:
            return _("ゲーム %(deal)s・ラウンド %(trick)s", deal=number, trick=trick)
        return _("ゲーム %(n)s", n=number)

    def deals(self) -> str:
        return pgettext("deal", "ゲーム")

    def axis(self) -> str:
        return _("下の数字はゲーム")

    def so_far(self) -> str:
        return _("終わったゲームまでの勝ち数です。")

    def no_score(self) -> str:
        return _("ゲームが1つ終わると、ここに表示されます。")

    def progress(self, view: DaifugoView) -> str:
        return f"{pgettext('deal', 'ゲーム')} {view.state.deal}"

    def next_deal(self) -> str:
        return _("次のゲーム待ち")

    def opening(self, view: DaifugoView, leader: Seat) -> Deal:
        return Deal(leader)

    def taken_from(self, using: Sequence[str]) -> str:
        """Where pyramid cards lie, in as few words as a key has room for."""
        found: dict[int, list[str]] = {}
        for row, card in sorted(POSITIONS[place] for place in using):
            found.setdefault(row, []).append(str(card))
        return _("、").join(
            _("%(row)s段目の%(cards)s枚目", row=row, cards=_("・").join(cards))
            for row, cards in found.items()
        )

    def places(self, view: DaifugoView) -> list[tuple[str, object, int | None]]:
        if not view.state.deal:
            return []
        deal = (pgettext("deal", "ゲーム"), view.state.deal, None)
        if not view.to_act:  # how to deal and the wins need the room
            return [deal]
        needed = int(view.log.table.option("wins_needed"))
        return [deal, (_("先に"), _("%(n)s勝", n=needed), None)]

    def trick(self, view: DaifugoView, params: Mapping[str, str]) -> DaifugoBand:
        due = view.to_act[0]
        seat = pad_seat(view, params, due)
        keys = pad(view, seat, params)
        cells = own_cells(view, keys, params) if params is not UNTAPPED else None
        others = [other for other in view.header.seats if other != seat]
        return replace(
            _lying(view, [face(view, other, seat) for other in others]),
            due=seat if seat in view.to_act else due,
            seat=seat,
            pad=keys,
            alike=() if keys.stage != "row" or params.get("row") else view.state.unknown_rows,
            own=face(view, seat, seat, cells),
            steps=tuple(steps(view, keys)),
        )

    def between_deals(self, view: DaifugoView, params: Mapping[str, str]) -> DaifugoBand:
        state = view.state
        deals = [
            (play.leader, view.grammar.print(play))
            for play in game.candidates(state)
            if isinstance(play, Deal)
        ]
        heading = self.over(state.deal) if state.deal else ""
        return replace(_compared(view), deals=deals, heading=heading)

    def end(self, view: DaifugoView, outcome: Outcome) -> DaifugoBand:
        return _compared(view)

    def what(self, entry: Play) -> str:
        match entry:
            case Lay(seat=seat, ranks=ranks):
                return f"{seat} {cards(ranks)}"
            case Row(seat=seat, ranks=ranks):
                return _("%(seat)sの下の段 %(cards)s", seat=seat, cards=cards(ranks))
            case Turn(seat=seat, rank=rank):
                return _("%(seat)sのピラミッドの%(rank)sを表に", seat=seat, rank=rank)
            case Pass(seat=seat):
                return _("%(seat)s パス", seat=seat)
            case Deal(leader=leader) if leader is not None:
                return _("リードは%(seat)s", seat=leader)
            case _:
                return _("新しく配る")

    def card(self, entry: Play) -> int | None:
        return entry.ranks[0] if isinstance(entry, Lay) else None

    def done(self, view: DaifugoView, step: DaifugoStep, strip: Strip) -> Strip:
        if isinstance(step.play, Deal):
            return strip._replace(head=_("ゲーム %(n)s", n=view.state.deal), text=strip.head)
        led = _("流れて、リードは%(seat)s", seat=step.state.leader) if _cleared(step) else ""
        return strip._replace(text=_consequence(step), trick=led)

    def over(self, number: int) -> str:
        return _("ゲーム%(n)s終了", n=number)


def _lying(view: DaifugoView, others: list[DaifugoSeat]) -> DaifugoBand:
    """The trick on the table, beside the pyramids."""
    return DaifugoBand(
        needed=int(view.log.table.option("wins_needed")),
        rows=ROWS[len(view.header.seats)],
        order=order(view),
        top=top(view),
        others=others,
    )


def _compared(view: DaifugoView) -> DaifugoBand:
    """All seats side by side, while no seat is due."""
    faces = [face(view, seat, "") for seat in view.header.seats]
    return replace(_lying(view, faces), sums=sums(view))


def _consequence(step: DaifugoStep) -> str:
    """The effect of a play in force, in a few words."""
    facts = {fact.fact: fact.values for fact in step.verdict.evidence}
    said = []
    if "goes_out" in facts:
        said.append(_("上がり"))
    elif "beats" in facts:
        said.append(_("%(rank)sより強い", rank=facts["beats"]["top"]))
    if "revolution" in facts:
        said.append(_("革命、%(high)sが最強", high=facts["revolution"]["high"]))
    elif "pairs_back" in facts:
        said.append(_("ペアーズバック、%(high)sが最強", high=facts["pairs_back"]["high"]))
    if _cleared(step):
        said.append(_("流れて、リードは%(seat)s", seat=short(step.state.leader or "")))
    return _("　").join(said)


def _cleared(step: DaifugoStep) -> bool:
    """Whether ``step`` has ended a trick."""
    before = step.before
    return bool(before and step.state.number != before.state.number and not step.state.trick)


def top(view: DaifugoView) -> TopPlay | None:
    """The play that must be beaten, or with which the last deal was won."""
    trick = view.state.trick
    if not trick:
        return None
    last, below = trick[-1], trick[-2] if len(trick) > 1 else None
    seq = number_of(view.moment.step, last.at)
    return TopPlay(last.seat, last.rank, last.size, below, last.at == view.state.at, seq)


def order(view: DaifugoView) -> RankOrder:
    state = view.state
    high = game.high(state)
    line = list(RANKS) if high == 10 else list(reversed(RANKS))
    up = [rank for rank in RANKS if state.trick and game.stronger(state, rank)]
    pairs = game.has_pair(state)
    turned = [_("革命")] if state.reversed else []
    turned += [_("ペアーズバック")] if pairs else []
    return RankOrder(line, high, up, _("・").join(turned), pairs)


def face(
    view: DaifugoView, seat: Seat, chosen: Seat, cells: list[list[PyramidCell]] | None = None
) -> DaifugoSeat:
    state = view.state
    shown = view.log.table.option("show_counts") == "on"
    return DaifugoSeat(
        name=seat,
        long=is_long(seat),
        turn=seat in view.to_act and not state.unknown_rows,
        chosen=seat == chosen,
        passed=seat in state.passed,
        held=state.hands[seat] if shown else None,
        wins=state.wins[seat],
        rows=cells
        if cells is not None
        else in_rows(view, lambda place: cell_of(state, seat, place)),
        query=query(seat=seat),
    )


def sums(view: DaifugoView) -> list[SeatSum]:
    """The wins of every seat, and the winner of the deal that is over."""
    state = view.state
    last = state.won.last.seat if state.won else None
    most = max(state.wins.values())
    return [SeatSum(s, int(s == last), wins, wins == most) for s, wins in state.wins.items()]
