"""The table page of a shedding game: hands, titles, the cards on top, the order of strength."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple, TypeAlias, cast

from referee.core.ranking import Rank
from referee.core.steps import Step, number_of, steps
from referee.core.verdict import Card, Outcome, Seat
from referee.http import current, language
from referee.http.language import gettext as _
from referee.kit.families.shedding.dealing import exchanges, kitty_size
from referee.kit.families.shedding.evidence import locked_suits, rules_of
from referee.kit.families.shedding.finishing import title_of
from referee.kit.families.shedding.game import SheddingGame
from referee.kit.families.shedding.plays import (
    Bid,
    Deal,
    Discard,
    Drop,
    Give,
    HandsExchanged,
    Kitty,
    Lay,
    NameRanks,
    Pass,
    Play,
)
from referee.kit.families.shedding.state import BID, EXCHANGE, KITTY, PLAY, State, TopCards
from referee.ledger import View
from referee.screens import plain
from referee.screens.band import TableBand
from referee.screens.base import Count, Strip
from referee.screens.kit.deals import DealScreen
from referee.screens.kit.names import Face, KitNames
from referee.screens.kit.shedding.checks import questions
from referee.screens.kit.shedding.events import counted
from referee.screens.kit.shedding.keys import ShedKey, ShedPad, tapped
from referee.screens.kit.shedding.lying import JOKER
from referee.screens.kit.shedding.pad import pad_of
from referee.screens.kit.shedding.shapes import combo_title
from referee.screens.kit.shedding.sheet import SheddingSheet
from referee.screens.pad import UNTAPPED, SeatSum, deal_sums, pad_seat, plate_query, query
from referee.screens.wording import is_long, short, width

ShedView: TypeAlias = View[State, Play]
ShedStep: TypeAlias = Step[State, Play]

BENEATH = 2  # plays below the top that are drawn
WIDEST_NAME = 5  # half-width characters of a card on a key


class Title(NamedTuple):
    """A title beside a name. ``first``: that of the first place in this deal; ``low``: in the
    lower half.
    """

    text: str
    first: bool
    low: bool


class ShedSeat(NamedTuple):
    """A seat: ``held`` cards in its hand. ``out``: it has left the deal, "" if not."""

    name: Seat
    long: bool
    turn: bool
    chosen: bool
    passed: bool
    out: str
    held: int
    points: int
    title: Title | None
    bid: str
    query: str


class TopFace(NamedTuple):
    """A card on the table; ``joker``: it stands for what is drawn."""

    face: Face
    joker: str = ""


class OnTable(NamedTuple):
    """A play on the table, with its entry."""

    seat: Seat
    cards: tuple[TopFace, ...]
    seq: int
    run: bool


class Sign(NamedTuple):
    """What is in force. ``seq``: the entry that brought it about; ``dark``: an order reversed."""

    text: str
    note: str
    seq: int
    dark: bool = False


class RulerRank(NamedTuple):
    """A rank on the ruler; ``look``: "cur" for that of the top cards, "up" for a stronger one."""

    rank: str
    look: str


class Ruler(NamedTuple):
    """The ranks as the file has them; ``turned``: the strongest is on the left."""

    ranks: tuple[RulerRank, ...]
    turned: bool


class DealChoice(NamedTuple):
    """A way to begin a deal: who leads, who gets the first of the cards left over."""

    seat: Seat
    line: str
    to: str


class PlacedRow(NamedTuple):
    """A seat after a deal: its place (0: none), its title, points of the deal, and the total."""

    seat: Seat
    place: int
    title: str
    points: int
    total: int


class Beginning(NamedTuple):
    """How the next deal begins. ``ask``: what is chosen, "" if there is nothing to choose."""

    choices: tuple[DealChoice, ...]
    ask: str
    begins: str = ""


@dataclass(frozen=True, kw_only=True)
class ShedBand(TableBand):
    """What the table shows. ``top`` and ``beneath``: the newest plays of the trick. ``signs``: what
    is in force. ``given``: who exchanges how many cards. ``choices``, ``ask``, ``begins``: see
    ``Beginning``.
    """

    seats: list[ShedSeat]
    count: int
    top: OnTable | None
    beneath: tuple[OnTable, ...]
    signs: tuple[Sign, ...]
    ruler: Ruler | None
    need: str = ""
    pad: ShedPad | None = None
    sums: Sequence[SeatSum] = ()
    given: Sequence[str] = ()
    choices: tuple[DealChoice, ...] = ()
    ask: str = ""
    begins: str = ""
    ranks: Sequence[Rank] = ()


class SheddingScreen(DealScreen[State, Play]):
    """The table page of a shedding game from a file."""

    sheet_pad = SheddingSheet()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        game = cast(SheddingGame, current.game(name))
        self.names = KitNames(name, game)
        self.checks = questions(game, self.names)

    def opening(self, view: ShedView, leader: Seat) -> Play | None:
        found = [play for play in view.game.candidates(view.state) if isinstance(play, Deal)]
        led = [play for play in found if play.leader in (leader, None) and play.extra is None]
        return led[0] if len(led) == 1 else None

    def places(self, view: ShedView) -> list[tuple[str, object, int | None]]:
        return [(self.deals(), view.state.deal, None)] if view.state.deal else []

    def trick(self, view: ShedView, params: Mapping[str, str]) -> ShedBand:
        state, due = view.state, view.to_act[0]
        seat = pad_seat(view, params, due)
        asked = state.phase == PLAY and state.turn is None and not state.round.begun
        taps = params is not UNTAPPED
        shown = replace(
            self._lying(view, seat), due=seat if seat in view.to_act else due, seat=seat
        )
        if asked and "seat" not in params:
            holder = str(rules_of(state).deal.holder)
            keys = tuple(self._first(view, each, holder) for each in state.round.live)
            return replace(
                shown,
                asks=_("%(card)sを持つ人は？", card=self.names.called(holder)),
                pad=ShedPad("", choices=keys) if taps else None,
            )
        pad = pad_of(view, seat, tapped(params), self.names) if taps else None
        return replace(shown, need=self._need(view), pad=pad)

    def between_deals(self, view: ShedView, params: Mapping[str, str]) -> ShedBand:
        state = view.state
        shown = replace(
            self._lying(view, ""), sums=deal_sums(view, lambda state: state.score.totals)
        )
        if state.phase == EXCHANGE:
            given = [
                _("%(one)sと%(other)s %(n)s枚", one=one, other=other, n=many)
                for one, other, many in exchanges(state)
            ]
            passing = view.grammar.print(HandsExchanged())
            heading = _("カードを交換")
            return replace(shown, heading=heading, passing=passing, given=given)
        if state.phase == KITTY:
            heading = _("伏せた%(n)s枚を見せる", n=kitty_size(state))
            pad = pad_of(view, "", tapped(params), self.names)
            return replace(shown, heading=heading, pad=pad if params is not UNTAPPED else None)
        heading = self.over(state.deal) if state.deal else ""
        return replace(shown, heading=heading, **self._begin(view, params)._asdict())

    def end(self, view: ShedView, outcome: Outcome) -> ShedBand:
        return replace(self._lying(view, ""), ranks=plain.ranks(view, outcome))

    def _begin(self, view: ShedView, params: Mapping[str, str]) -> Beginning:
        """Who leads the next deal, and who gets the first of the cards left over."""
        deals = [play for play in view.game.candidates(view.state) if isinstance(play, Deal)]
        leaders = list(dict.fromkeys(play.leader for play in deals))
        named: Seat | None = params.get("leader", "")
        leader = named if named in leaders else leaders[0]
        if len(leaders) > 1 and named not in leaders and deals[0].extra is not None:
            choices = [DealChoice(seat or "", "", query(leader=seat or "")) for seat in leaders]
            return Beginning(tuple(choices), _("スタートプレイヤー"))
        begins = _("リードは%(seat)s", seat=leader) if leader else ""
        if deals[0].extra is not None:
            lines = [
                DealChoice(str(play.extra), view.grammar.print(play), "")
                for play in deals
                if play.leader == leader
            ]
            return Beginning(tuple(lines), _("余りを最初に受け取る人"), begins)
        lines = [DealChoice(play.leader or "", view.grammar.print(play), "") for play in deals]
        ask = _("スタートプレイヤー") if len(lines) > 1 else ""
        return Beginning(tuple(lines), ask, "" if ask else begins)

    def _first(self, view: ShedView, seat: Seat, card: str) -> ShedKey:
        """The key of the seat that plays the card that leads."""
        return ShedKey(Face("", seat, word=True), view.grammar.print(Lay(seat, (card,))))

    def _need(self, view: ShedView) -> str:
        """What the seat due has to do, as text."""
        state = view.state
        if state.phase == BID:
            return _("ビッド")
        if state.due is not None:
            said = {
                "give": _("%(n)s枚を渡す", n=state.due.give),
                "discard": _("%(n)s枚を捨てる", n=state.due.discard),
                "name": _("数字を%(n)sつ指名", n=state.due.name),
            }
            return said[state.due.verb]
        top = state.trick.top
        if top is None:
            return _("リード")
        reading = top.reading
        if reading.combo.runs or reading.combo.kicked or reading.combo.any or not reading.count:
            title = combo_title(rules_of(state), reading.combo)
            return _("%(combo)s %(n)s枚", combo=title, n=reading.count)
        face = reading.main[0]
        rank = face.rank or self.names.face(face.card).rank
        return _("%(cards)sより強い%(n)s枚", cards=rank, n=reading.count)

    # the board

    def _lying(self, view: ShedView, chosen: Seat) -> ShedBand:
        state = view.state
        plays = state.trick.plays
        beneath = [self._play(view, play) for play in reversed(plays[:-1][-BENEATH:])]
        return ShedBand(
            seats=self._seats(view, chosen),
            count=len(view.header.seats),
            top=self._play(view, plays[-1]) if plays else None,
            beneath=tuple(beneath),
            signs=tuple(self._signs(view)) if state.phase == PLAY else (),
            ruler=self._ruler(state) if state.deal else None,
        )

    def _play(self, view: ShedView, play: TopCards) -> OnTable:
        order = rules_of(view.state).order
        cards = tuple(
            TopFace(Face(self._sign(face.suit), face.rank), JOKER)
            if face.card in order.wild and face.rank
            else TopFace(self.names.face(face.card))
            for face in play.reading.faces
        )
        seq = number_of(view.moment.step, play.at)
        return OnTable(play.seat, cards, seq, play.reading.combo.runs or len(cards) > 3)

    def _sign(self, suit: str) -> str:
        return self.names.spelled.get(suit, suit) if suit else ""

    def _signs(self, view: ShedView) -> Iterator[Sign]:
        state, trick = view.state, view.state.trick
        step = view.moment.step
        rules = rules_of(state)
        strong = rules.cards.order[0 if rules.is_turned(state) else -1]
        note = _("%(rank)sが強い", rank=strong)
        if state.round.turned:
            yield Sign(_("革命"), note, number_of(step, state.round.turned), dark=True)
        if trick.turned:
            yield Sign(_("バック"), note, number_of(step, trick.turned), dark=True)
        if trick.suits_at:
            suits = "".join(self._sign(suit) for suit in locked_suits(state))
            yield Sign(_("縛り"), suits, number_of(step, trick.suits_at))
        if trick.rank_at:
            yield Sign(_("数縛り"), "", number_of(step, trick.rank_at))
        if state.round.step < 0:
            yield Sign(_("逆回り"), "", 0)

    def _ruler(self, state: State) -> Ruler:
        rules, top = rules_of(state), state.trick.top
        turned = rules.is_turned(state)
        high = top.reading.high if top is not None else None
        ranks = []
        for i, rank in enumerate(rules.cards.order):
            beats = high is not None and (i < high if turned else i > high)
            ranks.append(RulerRank(rank, "cur" if i == high else "up" if beats else ""))
        return Ruler(tuple(ranks), turned)

    def _seats(self, view: ShedView, chosen: Seat) -> list[ShedSeat]:
        state = view.state
        titles = self._titles(state)
        asked = state.phase == PLAY and state.turn is None
        due = () if asked else view.to_act[:1]
        found = []
        for i, seat in enumerate(state.table.seats):
            bid = state.round.bids[i]
            found.append(
                ShedSeat(
                    name=seat,
                    long=is_long(seat),
                    turn=seat in due,
                    chosen=bool(view.to_act) and seat == chosen,
                    passed=seat in state.trick.passed,
                    out=self._left(state, seat),
                    held=state.round.held[i],
                    points=state.score.totals[seat],
                    title=titles.get(seat),
                    bid="" if bid is None else _("ビッド %(n)s", n=self.names.word("bid", bid)),
                    query=plate_query(view, seat, chosen),
                )
            )
        return found

    def _left(self, state: State, seat: Seat) -> str:
        round_ = state.round
        if seat in round_.fouls:
            return _("反則上がり")
        if seat in round_.fallen:
            return _("都落ち")
        return _("上がり") if seat in round_.outs else ""

    def _titles(self, state: State) -> dict[Seat, Title]:
        """The titles of those out in this deal or, before anybody is, those of the last deal."""
        rules, round_ = rules_of(state), state.round
        now = bool(round_.outs)
        places = tuple(round_.outs.index(s) + 1 if s in round_.outs else 0 for s in rules.seats)
        if any(round_.finish):
            places = round_.finish
        elif not now:
            places = round_.was
        asked = state._replace(round=round_._replace(finish=places))
        lowest = max(places, default=0)
        found: dict[Seat, Title] = {}
        for i, seat in enumerate(rules.seats):
            title = title_of(asked, i) if places[i] else None
            if title is not None:
                _when, words = rules.finish.titles[title]
                text = words.get(language.current()) or words.get("ja") or words.get("en", "")
                low = 2 * places[i] > lowest + 1 and not now
                found[seat] = Title(text, now and places[i] == 1, low)
        return found

    def has_places(self, view: ShedView, deal: int) -> bool:
        """Whether the seats had places at the end of a deal."""
        return any(self._at_end(view, deal).round.finish)

    def deal_rows(self, view: ShedView, deal: int, points: Mapping[Seat, int]) -> list[PlacedRow]:
        """The seats after a deal for the score page, in their places; ``points``: of the deal."""
        state = self._at_end(view, deal)
        titles, finish = self._titles(state), state.round.finish
        rows = [
            PlacedRow(
                seat,
                finish[i],
                titles[seat].text if seat in titles else "",
                points[seat],
                state.score.totals[seat],
            )
            for i, seat in enumerate(state.table.seats)
        ]
        return sorted(rows, key=lambda row: row.place)

    def _at_end(self, view: ShedView, deal: int) -> State:
        return next(step.state for step in steps(view.moment.step) if step.state.deal == deal)

    # in words

    def named(self, card: Card) -> str:
        name = self.names.called(str(card))
        return name if width(name) <= WIDEST_NAME else str(card)

    def card(self, entry: Play) -> str | None:
        return self._cards(entry.cards) if isinstance(entry, Lay) else None

    def counted(self, times: Mapping[str, int]) -> Count:
        return counted(times)

    def what(self, entry: Play) -> str:
        match entry:
            case Deal(leader=leader):
                return _("リードは%(seat)s", seat=leader) if leader else _("新しく配る")
            case HandsExchanged():
                return _("カードを交換した")
            case Kitty(cards=cards):
                return _("伏せたカード %(cards)s", cards=self._cards(cards))
            case Bid(seat=seat, said=said):
                return f"{seat} {_('ビッド %(n)s', n=self.names.word('bid', said))}"
            case Pass(seat=seat):
                return _("%(seat)s パス", seat=seat)
            case Give(seat=seat, count=count):
                return _("%(seat)s %(n)s枚を渡す", seat=seat, n=count)
            case Discard(seat=seat, cards=cards) | Drop(seat=seat, cards=cards):
                return _("%(seat)s %(cards)sを捨てる", seat=seat, cards=self._cards(cards))
            case NameRanks(seat=seat, ranks=ranks):
                return _("%(seat)s 指名 %(cards)s", seat=seat, cards=self._cards(ranks))
            case _:
                return f"{entry.seat} {self._cards(entry.cards)}"

    def _cards(self, cards: Sequence[str]) -> str:
        """Cards as people read them; a joker with what it stands for."""
        said = []
        for word in cards:
            card, _sign, stands = word.partition("=")
            name = self.names.called(card)
            said.append(f"{name}={self.names.called(stands)}" if stands else name)
        return " ".join(said)

    def done(self, view: ShedView, step: ShedStep, strip: Strip) -> Strip:
        before, after = view.log.before(step), step.state
        shown = islice(self._happened(before, after), 3)
        heard = self._happened(before, after, whole=True)
        return strip._replace(text=_("　").join(shown), trick=_("　").join(heard))

    def _happened(self, before: State, after: State, whole: bool = False) -> Iterator[str]:
        """What an entry has brought about, in a few words; ``whole``: with whole names."""
        old, new, called = before.round, after.round, str if whole else short
        if before.deal != after.deal or before.phase != PLAY:
            return
        if bool(old.turned) != bool(new.turned):
            yield _("革命") if new.turned else _("革命返し")
        if after.trick.turned and not before.trick.turned:
            yield _("バック")
        if after.trick.suits_at and after.trick.suits != before.trick.suits:
            signs = [self._sign(suit) for suit in locked_suits(after)]
            suits = _("・").join(map(self.names.suit, signs)) if whole else "".join(signs)
            yield _("%(suits)s縛り", suits=suits)
        if after.trick.rank_at and not before.trick.rank_at:
            yield _("数縛り")
        if old.step != new.step:
            yield _("逆回り")
        for seat in before.table.seats:
            if seat in old.live and (said := self._left(after, seat)):
                if whole and (title := self._titles(after).get(seat)):
                    said = _("、").join((said, title.text))
                known = seat == self._mover(before) and not whole
                yield said if known else f"{called(seat)} {said}"
        if before.trick.plays and not after.trick.plays and after.turn and after.phase == PLAY:
            yield _("流れて、リードは%(seat)s", seat=called(after.turn))

    def _mover(self, before: State) -> Seat | None:
        return before.due.seat if before.due is not None else before.turn
