"""The table page of Three Kings: the table cards, the piles, the keys.

Nothing is decided here: the look of a key is the verdict on the line that it records. If one tap is
not enough, the address holds what was tapped so far (``?rank=6``, ``?turned=3-3-Q``), so every step
works as a link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from referee.core.ranking import ranking
from referee.core.steps import Step
from referee.core.verdict import Outcome, Seat
from referee.core.written import whole
from referee.games import three_kings as game
from referee.games.three_kings import (
    TABLEAU,
    VALUE,
    Capture,
    Deal,
    Declare,
    Discard,
    King,
    Pass,
    Play,
    Refill,
    State,
)
from referee.games.three_kings.scoring import KINGS
from referee.http.language import gettext as _
from referee.screens.band import TableBand
from referee.screens.base import Screen, Strip
from referee.screens.pad import (
    SeatSum,
    entries_of,
    newest_step,
    pad_seat,
    plate_query,
    verdict_word,
)
from referee.screens.three_kings.check import QUESTIONS
from referee.screens.three_kings.pad import (
    KingsPad,
    KingsView,
    deal_pad,
    entered,
    pad_of,
    set_marks,
    set_pad,
    sum_of,
    turned_pad,
)
from referee.screens.three_kings.sheet import ThreeKingsSheet
from referee.screens.wording import cards, is_long

KingsStep: TypeAlias = Step[State, Play]


class TableCard(NamedTuple):
    """A table card; ``marks`` of the sets that it is in, ``line`` of the only one.

    ``face`` is "" for a place that is still to be entered; ``now``: the next one.
    """

    face: str
    value: int
    marks: str = ""
    line: str = ""
    now: bool = False
    newest: bool = False
    seq: int = 0


class KingsSeat(NamedTuple):
    """A seat. ``kings``: the kings in its hand that everybody knows; ``held``: cards in its hand.

    ``points``: those of its score pile, None if the win condition does not count them.
    """

    name: Seat
    long: bool
    turn: bool
    chosen: bool
    kings: int
    points: int | None
    held: int
    query: str


class RankStep(NamedTuple):
    """What a tap on the key of ``rank`` changes on the page.

    ``marks``: the sets in which each table card is, "" for none.
    """

    rank: str
    need: str
    pad: KingsPad
    marks: list[str]


@dataclass(frozen=True, kw_only=True)
class KingsBand(TableBand):
    """What the table shows. ``sums``: the seats at the end."""

    pad: KingsPad | None = None
    plates: Sequence[KingsSeat] = ()
    cards: Sequence[TableCard] = ()
    need: str = ""
    steps: Sequence[RankStep] = ()
    sums: Sequence[SeatSum] = ()


class ThreeKingsScreen(Screen[State, Play]):
    """The table page of Three Kings."""

    sheet_pad = ThreeKingsSheet()

    checks = QUESTIONS
    one_deal = True

    def feat(self, kind: str, label: str, value: int) -> str:
        return _("1セットの最高：%(n)s点", n=value)

    def parts(self, view: KingsView, seat: Seat) -> list[int]:
        """The points of the sets, and what three kings added or subtracted."""
        lines = [line for line in game.score(view.state).lines if line.seat == seat]
        kings = [whole(line.points) for line in lines if line.kind == KINGS]
        sets = [whole(line.points) for line in lines if line.kind != KINGS]
        return [sum(sets), *kings] if kings and game.HOOKS.unit(view.log.table) != "wins" else []

    def opening(self, view: KingsView, leader: Seat) -> None:
        """None: the table cards have to be entered first."""

    def places(self, view: KingsView) -> list[tuple[str, object, int | None]]:
        method = view.log.table.option("method")
        return [(_("山札"), view.state.stock, None), (_("勝利条件"), method, None)]

    def trick(self, view: KingsView, params: Mapping[str, str]) -> KingsBand:
        state, due = view.state, view.to_act[0]
        seat = due if state.due else pad_seat(view, params, due)
        pad = turned_pad(view, params) if state.due else pad_of(view, seat, params)
        return KingsBand(
            due=due,
            seat=seat,
            pad=pad,
            plates=plates(view, seat),
            cards=_cards(view, pad, params),
            need=_need(view, pad, params),
            steps=_steps(view, seat, pad) if pad.stage == "card" else (),
        )

    def between_deals(self, view: KingsView, params: Mapping[str, str]) -> KingsBand:
        pad = deal_pad(view, params)
        return KingsBand(
            heading=_("ディーラー") if pad.stage == "dealer" else _("最初の場札"),
            pad=pad,
            plates=plates(view, ""),
            cards=_cards(view, pad, params),
        )

    def end(self, view: KingsView, outcome: Outcome) -> KingsBand:
        return KingsBand(sums=sums(view))

    def what(self, entry: Play) -> str:
        match entry:
            case Capture(seat=seat, rank=rank, pair=pair):
                return f"{seat} {sum_of((rank, *pair))}"
            case Discard(seat=seat, rank=rank):
                return _("%(seat)s 捨て札 %(rank)s", seat=seat, rank=rank)
            case King(seat=seat):
                return _("%(seat)s キング", seat=seat)
            case Pass(seat=seat):
                return _("%(seat)s パス", seat=seat)
            case Refill(ranks=ranks):
                return _("場札 %(cards)s", cards=cards(ranks))
            case Declare(seat=seat, kings=kings):
                return _("%(seat)s キング%(n)s枚", seat=seat, n=kings)
            case _:
                return _("場札 %(cards)s", cards=cards(entry.tableau))

    def card(self, entry: Play) -> str | None:
        return entry.rank if isinstance(entry, Capture | Discard) else None

    def done(self, view: KingsView, step: KingsStep, strip: Strip) -> Strip:
        return strip._replace(text=_consequence(step, strip.word))


def _consequence(step: KingsStep, word: str) -> str:
    """The effect of a play in force, in a few words."""
    state, said = step.state, []
    match step.play:
        case Capture():
            said.append(_("%(n)s点", n=state.sets.newest[-1].points))
        case Discard() if word == "unprovable":
            said.append(_("セットなしと申告"))
        case King():
            said.append(_("手札へ2枚"))
        case Pass() if word == "unprovable":
            said.append(_("キングだけと申告"))
        case Refill() as play if play.taken:
            said.append(_("キング%(n)s枚は手札へ", n=play.taken))
    if state.due:
        said.append(_("場札がなくなった"))
    return _("　").join(said)


def plates(view: KingsView, chosen: Seat) -> list[KingsSeat]:
    state, seats = view.state, view.header.seats
    points = game.piles(state) if view.log.table.option("method") != "1" else {}
    return [
        KingsSeat(
            seat,
            is_long(seat),
            seat in view.to_act,
            seat == chosen,
            game.kings_known(state, seat),
            points.get(seat),
            state.hands.size(seat),
            plate_query(view, seat, chosen),
        )
        for seat in seats
    ]


def sums(view: KingsView) -> list[SeatSum]:
    """The seats at the end, winners first; seats that may still show three kings have ``line``."""
    state = view.state
    ranks = ranking(view.header.seats, game.score(state), view.outcome)
    return [SeatSum(r.seat, 0, whole(r.points), r.won, _late(view, r.seat)) for r in ranks]


def _late(view: KingsView, seat: Seat) -> str:
    """The line with which ``seat`` can still show three kings; "" if it has, or may not."""
    state, declare = view.state, Declare(seat)
    shown = any(b.seat == seat and b.deal == state.deal for b in state.bonuses)
    closed = shown or verdict_word(view, declare) == "illegal"
    return "" if closed else view.grammar.print(declare)


def _steps(view: KingsView, seat: Seat, pad: KingsPad) -> list[RankStep]:
    """The steps to which keys of ``pad`` lead."""
    found = list[RankStep]()
    for rank in (str(key.card) for key in pad.keys if not key.line):
        shown, params = set_pad(view, seat, rank), {"rank": rank}
        marks = [card.marks for card in _cards(view, shown, params)]
        found.append(RankStep(rank, _need(view, shown, params), shown, marks))
    return found


def _cards(view: KingsView, pad: KingsPad, params: Mapping[str, str]) -> list[TableCard]:
    """The table cards; those in sets with the tapped card are marked."""
    state, rank = view.state, params.get("rank", "")
    if pad.stage in ("turned", "kings"):
        size = state.due if view.to_act else TABLEAU
        turned = entered(params.get("turned", ""), size)
        open_places = [TableCard("", 0, now=i == 0) for i in range(size - len(turned))]
        kept = state.tableau if view.to_act else ()
        return [TableCard(face, VALUE.get(face, 0)) for face in (*kept, *turned)] + open_places
    marks: dict[int, str] = {}
    if pad.stage == "set":
        for mark, pair in zip(set_marks(), game.sets_with(state.tableau, rank), strict=False):
            for i in _places(state.tableau, pair):
                marks[i] = marks.get(i, "") + mark
    lines = {pick.mark: pick.line for pick in pad.picks if pick.mark}
    newest, numbers = _newest(view), entries_of(view, _shown)
    return [
        TableCard(
            face,
            VALUE.get(face, 0),
            marks.get(i, ""),
            lines.get(marks.get(i, ""), ""),
            newest=len(state.tableau) - i <= newest,
            seq=numbers.get(face, 0),
        )
        for i, face in enumerate(state.tableau)
    ]


def _newest(view: KingsView) -> int:
    """How many cards the last play has put on the table."""
    step = newest_step(view)
    play = step.play if step else None
    return len(play.ranks) if isinstance(play, Refill) else isinstance(play, Discard)


def _shown(play: Play) -> tuple[str, ...]:
    """The cards that ``play`` put on the table."""
    match play:
        case Deal(tableau=faces) | Refill(ranks=faces):
            return faces
        case Discard(rank=face):
            return (face,)
        case _:
            return ()


def _places(tableau: tuple[str, ...], pair: tuple[str, ...]) -> list[int]:
    """All places of the cards of a set; equal cards are interchangeable."""
    return [i for i, face in enumerate(tableau) if face in pair]


def _need(view: KingsView, pad: KingsPad, params: Mapping[str, str]) -> str:
    """What the seat has to do, as text."""
    match pad.stage:
        case "set" if len(pad.picks) > 1:
            return _("手札の%(rank)sに、2枚を選ぶ", rank=params["rank"])
        case "set":
            return _("%(rank)sでセットか、捨て札か", rank=params["rank"])
        case "declare":
            return _("キングが3枚の人")
        case "kings":
            return _("場札のキングを取るか、残すか")
        case "turned":
            return _("場札を%(n)s枚並べる", n=view.state.due)
        case _ if game.prompt(view.state):
            return _("キング3枚なら宣言")
        case _:
            return _("手札から1枚")
