"""What the table page shows of Three Kings: the table cards, the piles, the keys.

Nothing is decided here: the state of a key is the verdict on the line that it records. Where one
tap is not enough the address carries what was tapped so far (``?rank=6``, ``?turned=3-3-Q``), so
that every step works as a link.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from referee.core.log import Step
from referee.core.ranking import ranking
from referee.core.verdict import Seat
from referee.desk import View
from referee.games import three_kings as game
from referee.games.three_kings import (
    KING,
    NUMBERS,
    TABLEAU,
    VALUE,
    Capture,
    Deal,
    Declare,
    Discard,
    King,
    Pass,
    Refill,
)
from referee.rulings import book, sentences
from referee.screens.base import LONG_NAME, UNTAPPED, Screen, Strip, short, width
from referee.screens.three_kings.check import QUESTIONS
from referee.web.http import language
from referee.web.http.language import gettext as _

FACES = (*NUMBERS, KING)


class TableCard(NamedTuple):
    """A card that lies on the table; ``marks`` of the sets that it is in, ``line`` of the only one.

    ``face`` is "" for a place that is still to be told; ``now``: the next one.
    """

    face: str
    value: int
    marks: str = ""
    line: str = ""
    now: bool = False
    newest: bool = False


class Plate(NamedTuple):
    """A seat: kings that everybody knows of, points of its pile (None where they don't count)."""

    name: Seat
    long: bool
    turn: bool
    chosen: bool
    kings: int
    points: int | None
    held: int
    query: str


class Key(NamedTuple):
    """A card of the pad: either ``line`` is recorded or ``to`` is followed."""

    face: str
    line: str
    to: str
    word: str
    unseen: int
    copies: int
    on: bool


class Pick(NamedTuple):
    """A set that can be made with the card that was tapped, or a seat that declares."""

    mark: str
    text: str
    small: str
    line: str


class Act(NamedTuple):
    """A key that is no card; without ``line`` and ``to`` it only says something."""

    text: str
    line: str = ""
    to: str = ""
    word: str = "legal"


class Pad(NamedTuple):
    """Keys. ``stage``: "card", "set", "declare", "turned" (table cards are told) or "dealer"."""

    stage: str
    keys: list[Key]
    picks: list[Pick]
    acts: list[Act]


class Sum(NamedTuple):
    """A seat at the end, or between deals."""

    seat: Seat
    total: int
    best: bool
    line: str


class ThreeKingsScreen(Screen):
    """The table page of Three Kings."""

    checks = QUESTIONS

    def feat(self, kind: str, label: str, value: int) -> str:
        return _("一組の最高：%(n)s 点", n=value)

    def opening(self, view: View, leader: Seat) -> None:
        """The table cards have to be told first."""

    def band(self, view: View, wish: Mapping[str, str]) -> dict[str, Any]:
        state, method = view.state, view.log.table.option("method")
        context = {
            "places": [(_("山札"), state.stock, None), (_("方式"), method, None)],
            "deal": state.deal,
        }
        if view.to_act:
            due, named = view.to_act[0], wish.get("seat", "")
            seat = named if named in view.header.seats and not state.due else due
            pad = _turned_pad(view, wish) if state.due else _pad(view, seat, wish)
            return {
                **context,
                "phase": "trick",
                "due": due,
                "seat": seat,
                "pad": pad,
                "plates": plates(view, seat),
                "cards": _cards(view, pad, wish),
                "need": _need(view, pad, wish),
            }
        ended = view.outcome
        if ended is None:
            pad = _deal_pad(view, wish)
            asked = _("ディーラー") if pad.stage == "dealer" else _("はじめの場札")
            return {
                **context,
                "phase": "deal",
                "heading": asked,
                "pad": pad,
                "plates": plates(view, ""),
                "cards": _cards(view, pad, wish),
            }
        told = sentences.outcome(ended, book(game.NAME), language.current())
        return {**context, "phase": "end", "told": told, "sums": sums(view)}

    def what(self, entry: Any) -> str:
        match entry:
            case Capture(seat=seat, rank=rank, pair=pair):
                return f"{short(seat)} {sum_of((rank, *pair))}"
            case Discard(seat=seat, rank=rank):
                return _("%(seat)s 捨て札 %(rank)s", seat=short(seat), rank=rank)
            case King(seat=seat):
                return _("%(seat)s キング", seat=short(seat))
            case Pass(seat=seat):
                return _("%(seat)s パス", seat=short(seat))
            case Refill(ranks=ranks):
                return _("場札 %(cards)s", cards=_("・").join(ranks))
            case Declare(seat=seat, kings=kings):
                return _("%(seat)s キング %(n)s 枚", seat=short(seat), n=kings)
            case _:
                return _("場札 %(cards)s", cards=_("・").join(entry.tableau))

    def card(self, entry: Any) -> str | None:
        return entry.rank if isinstance(entry, Capture | Discard) else None

    def said(self, view: View, entry: Any, word: str) -> Strip:
        step = view.moment.step
        if step is None or step.seq != view.seq or step.verdict is not view.moment.verdict:
            return Strip(word, self.what(entry), _("効いていない記録"))
        return Strip(word, self.what(entry), _consequence(step, word))


def _consequence(step: Step, word: str) -> str:
    """What a play in force has brought about, in a few words."""
    state, told = step.state, []
    match step.play:
        case Capture():
            told.append(_("%(n)s 点", n=state.sets[-1].points))
        case Discard() if word == "unprovable":
            told.append(_("セットはできないと申告"))
        case King():
            told.append(_("手札に 2 枚"))
        case Pass() if word == "unprovable":
            told.append(_("キングだけと申告"))
        case Refill(ranks=ranks) if KING in ranks:
            told.append(_("キング %(n)s 枚は手札へ", n=ranks.count(KING)))
    if state.due:
        told.append(_("場札がなくなった"))
    return "　".join(told)


def sum_of(cards: tuple[str, ...]) -> str:
    """``2＋4＝6``, smaller cards first; what does not add up as it was told."""
    if not game.is_set(cards):
        return _("・").join(cards)
    low, middle, high = sorted(cards, key=lambda card: VALUE[card])
    return f"{low}＋{middle}＝{high}"


def plates(view: View, chosen: Seat) -> list[Plate]:
    state, seats = view.state, view.header.seats
    points = game.piles(state) if view.log.table.option("method") != "1" else {}
    return [
        Plate(
            seat,
            width(seat) > LONG_NAME,
            seat in view.to_act,
            seat == chosen,
            game.kings_known(state, seat),
            points.get(seat),
            state.hands.size(seat),
            _to(seat=seat),
        )
        for seat in seats
    ]


def sums(view: View) -> list[Sum]:
    """Everybody at the end, the winners first; who may still show three kings has a ``line``."""
    state = view.state
    ranks = ranking(view.header.seats, game.score(state), view.outcome)
    return [Sum(r.seat, r.points, r.won, _late(view, state, r.seat)) for r in ranks]


def _late(view: View, state: Any, seat: Seat) -> str:
    shown = any(b.seat == seat and b.deal == state.deal for b in state.bonuses)
    return "" if shown or seat not in state.late else view.grammar.print(Declare(seat))


# ------------------------------------------------------------------ the keys


def _pad(view: View, seat: Seat, wish: Mapping[str, str]) -> Pad:
    """The keys for ``seat``; ``?rank=6`` when its card is known, ``?do=declare``."""
    if wish is UNTAPPED:
        return Pad("card", [], [], [])
    state, rank = view.state, wish.get("rank", "")
    rank = rank if rank in NUMBERS else ""
    keys = [_number_key(view, seat, face, face == rank) for face in NUMBERS]
    keys.append(_line_key(view, KING, King(seat)))
    if rank:
        captures = [Capture(seat, rank, pair) for pair in game.sets_with(state.tableau, rank)]
        picks = [
            Pick(mark, sum_of((rank, *c.pair)), _points((rank, *c.pair)), view.grammar.print(c))
            for mark, c in zip(_marks(), captures, strict=False)
        ]
        discard = _act(view, _("捨て札"), Discard(seat, rank))
        return Pad("set", keys, picks, [discard])
    acts = [_act(view, _("パス"), Pass(seat))]
    if view.log.table.option("end") == "three_kings":
        if wish.get("do") == "declare":
            order = view.log.table.starting(seat)
            lines = [(s, view.grammar.print(Declare(s))) for s in order]
            picks = [Pick("", short(s), "", line) for s, line in lines]
            return Pad("declare", keys, picks, [Act(_("もどる"), to=_to(seat=seat))])
        acts.append(Act(_("宣言"), to=_to(seat=seat, do="declare")))
    return Pad("card", keys, [], acts)


def _number_key(view: View, seat: Seat, face: str, on: bool) -> Key:
    """One tap where the card can only make one set; else the table says what it does."""
    state = view.state
    unseen, copies = _copies(state, face)
    pairs = game.sets_with(state.tableau, face)
    discard = Discard(seat, face)
    if len(pairs) == 1 and _word(view, discard) == "illegal":
        capture = Capture(seat, face, pairs[0])
        return Key(face, view.grammar.print(capture), "", _word(view, capture), unseen, copies, on)
    if not pairs and _word(view, discard) == "illegal":
        return Key(face, view.grammar.print(discard), "", "illegal", unseen, copies, on)
    to = _to(seat=seat) if on else _to(seat=seat, rank=face)
    return Key(face, "", to, "legal", unseen, copies, on)


def _line_key(view: View, face: str, play: Any) -> Key:
    line, word = view.grammar.print(play), _word(view, play)
    return Key(face, line, "", word, *_copies(view.state, face), False)


def _turned_pad(view: View, wish: Mapping[str, str]) -> Pad:
    """New table cards, one key each; the last one records them."""
    state = view.state
    told = _told(wish.get("turned", ""), state.due)
    keys = [_telling_key(view, told, face, state.due, Refill, "turned") for face in FACES]
    acts = [Act(_("%(n)s 枚目", n=len(told) + 1))]
    if told:
        acts.append(Act(_("もどす"), to=_to(turned="-".join(told[:-1])) or "?"))
    elif view.log.table.option("end") == "three_kings":
        acts.append(_act(view, _("宣言"), Declare(state.turn)))
    return Pad("turned", keys, [], acts)


def _deal_pad(view: View, wish: Mapping[str, str]) -> Pad:
    """Who deals, unless the address knows who begins; then the first table cards."""
    seats = view.header.seats
    first, told = wish.get("leader", ""), _told(wish.get("turned", ""), TABLEAU)
    if first not in seats and view.state.dealer:
        first = view.log.table.from_left_of(view.log.table.from_left_of(view.state.dealer)[0])[0]
    if first not in seats:
        lines = [(seat, view.log.table.from_left_of(seat)[0]) for seat in seats]
        picks = [Pick("", seat, "", _to(leader=left)) for seat, left in lines]
        return Pad("dealer", [], picks, [])
    dealer = view.log.table.from_left_of(first)[-2]

    def deal(tableau: tuple[str, ...]) -> Deal:
        return Deal(dealer, tableau)

    keys = [_telling_key(view, told, face, TABLEAU, deal, "turned", first) for face in FACES]
    acts = [Act(_("%(n)s 枚目", n=len(told) + 1))]
    if told:
        acts.append(Act(_("もどす"), to=_to(leader=first, turned="-".join(told[:-1]))))
    return Pad("turned", keys, [], acts)


def _telling_key(
    view: View,
    told: tuple[str, ...],
    face: str,
    size: int,
    play: Any,
    name: str,
    leader: str = "",
) -> Key:
    cards = (*told, face)
    unseen, copies = _copies(view.state, face)
    unseen = max(0, unseen - told.count(face))
    if len(cards) == size or not unseen:
        entry = play(cards)
        word = _word(view, entry) if unseen else "illegal"
        return Key(face, view.grammar.print(entry), "", word, unseen, copies, False)
    to = _to(leader=leader, **{name: "-".join(cards)})
    return Key(face, "", to, "legal", unseen, copies, False)


def _told(text: str, size: int) -> tuple[str, ...]:
    """The cards told so far, one fewer than ``size`` at most."""
    return tuple(face for face in text.split("-") if face in FACES)[: size - 1]


def _cards(view: View, pad: Pad, wish: Mapping[str, str]) -> list[TableCard]:
    """The table: cards in sets with the card that was tapped light up."""
    state, rank = view.state, wish.get("rank", "")
    if pad.stage == "turned":
        size = state.due if view.to_act else TABLEAU
        told = _told(wish.get("turned", ""), size)
        open_places = [TableCard("", 0, now=i == 0) for i in range(size - len(told))]
        kept = state.tableau if view.to_act else ()
        return [TableCard(face, VALUE.get(face, 0)) for face in (*kept, *told)] + open_places
    marks: dict[int, str] = {}
    if pad.stage == "set":
        for mark, pair in zip(_marks(), game.sets_with(state.tableau, rank), strict=False):
            for i in _places(state.tableau, pair):
                marks[i] = marks.get(i, "") + mark
    lines = {pick.mark: pick.line for pick in pad.picks if pick.mark}
    newest = _newest(view)
    return [
        TableCard(
            face,
            VALUE.get(face, 0),
            marks.get(i, ""),
            lines.get(marks.get(i, ""), ""),
            newest=len(state.tableau) - i <= newest,
        )
        for i, face in enumerate(state.tableau)
    ]


def _newest(view: View) -> int:
    """How many cards the last play has put on the table."""
    step = view.moment.step
    if step is None or step.seq != view.seq:
        return 0
    return len(step.play.ranks) if isinstance(step.play, Refill) else isinstance(step.play, Discard)


def _marks() -> str:
    """Signs that tell sets apart; more than eleven can't be made with one card."""
    return str(_("いろはにほへとちりぬる"))


def _places(tableau: tuple[str, ...], pair: tuple[str, ...]) -> list[int]:
    """All places of the cards of a set: equal cards do equally well."""
    return [i for i, face in enumerate(tableau) if face in pair]


def _need(view: View, pad: Pad, wish: Mapping[str, str]) -> str:
    """What the seat has to do."""
    match pad.stage:
        case "set" if len(pad.picks) > 1:
            return _("手札の %(rank)s に、2 枚をえらぶ", rank=wish["rank"])
        case "set" if pad.picks:
            return _("%(rank)s でセットか、捨てるか", rank=wish["rank"])
        case "set":
            return _("%(rank)s ではセットができない", rank=wish["rank"])
        case "declare":
            return _("キングが 3 枚の人")
        case "turned":
            return _("場札を %(n)s 枚並べる", n=view.state.due)
        case _ if game.prompt(view.state):
            return _("キング 3 枚の人は宣言を")
        case _:
            return _("手札から 1 枚")


def _act(view: View, text: str, play: Any) -> Act:
    return Act(text, view.grammar.print(play), "", _word(view, play))


def _word(view: View, play: Any) -> str:
    return sentences.word(game.judge(view.state, play))


def _copies(state: Any, face: str) -> tuple[int, int]:
    """Copies of ``face`` that have not turned up, and in all; before a deal all are hidden."""
    copies = state.deck.copies[state.deck.place[face]]
    return (state.hands.unseen((face,)) if state.turn else copies), copies


def _points(cards: tuple[str, ...]) -> str:
    return _("%(n)s点", n=sum(VALUE[card] for card in cards))


def _to(**wish: str) -> str:
    """The query of the next step."""
    return "?" + urlencode({key: value for key, value in wish.items() if value})
