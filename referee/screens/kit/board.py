"""Board and pad of a game from a file. The look of a key is the verdict on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias, cast

from referee.core.ranking import Rank
from referee.core.steps import Step, number_of
from referee.core.verdict import Card, Outcome, Seat
from referee.http import current
from referee.http.language import gettext as _
from referee.kit.families.trick_taking import claims, judging
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.names import card_led
from referee.kit.families.trick_taking.plays import (
    Bid,
    Call,
    Cover,
    Deal,
    Lay,
    NameTrump,
    Passed,
    Play,
    Show,
)
from referee.kit.families.trick_taking.state import (
    BID,
    CALL,
    PASS,
    PLAY,
    TRUMP,
    Laid,
    State,
    ended_trick,
)
from referee.kit.game import KitGame
from referee.screens import plain
from referee.screens.band import TableBand
from referee.screens.base import Count, OpenHand, Strip
from referee.screens.kit import bids
from referee.screens.kit.bids import KitView
from referee.screens.kit.deals import DealScreen
from referee.screens.kit.names import Face, KitNames
from referee.screens.kit.pad import BidOrSuit, KitPad, PadCard, SuitRow, wide
from referee.screens.kit.sheet import KitSheet
from referee.screens.kit.teams import DealTable, TeamRow, counted, deal_table, team_rows
from referee.screens.pad import (
    UNTAPPED,
    CardKey,
    SeatSum,
    deal_sums,
    pad_seat,
    plate_query,
    query,
    verdict_word,
)
from referee.screens.wording import is_long, short

KitStep: TypeAlias = Step[State, Play]

MOST_LED = 12  # cards in the count of those led
TOGETHER = "together"  # the query of the pad that has bids of several seats on a key


class SeatPlate(NamedTuple):
    """A seat. ``bid`` is None before the bid, ``tricks`` None if they don't count.

    ``team``: the number of its team, 0 without partners. ``card``: the card before it; None without
    one, a face without a rank if it is face down. ``seq``: the entry of the card.
    """

    name: Seat
    long: bool
    turn: bool
    chosen: bool
    left: bool
    points: int
    bid: str | None
    tricks: int
    card: Face | None
    out: bool
    best: bool
    query: str
    team: int
    seq: int


class RestKey(NamedTuple):
    """The key that leads to a claim of the rest, ``left`` tricks; ``claimant``: of an open one."""

    claimant: Seat | None
    left: int


@dataclass(frozen=True, kw_only=True)
class KitBand(TableBand):
    """What the table shows. ``has_trump``: a trump suit may be in force, ``trump`` is its sign.

    ``turned``, ``called``: the card turned up, and the one called. ``bids``: their sum, None if
    they do not add up. ``size``: the tricks of the deal. ``stock``: None without one. ``counted``:
    the names of what the rows of ``teams`` count. ``deals``: who may begin the next deal, each with
    its line; ``begins``: the same as text. ``rows``: the cards that may be turned up, once
    ``leader`` is known; ``starts``: who this is, as text.
    """

    seats: list[SeatPlate]
    count: int
    trump: str
    has_trump: bool
    turned: Face | None
    called: Face | None
    bids: int | None
    size: int
    stock: int | None
    teams: list[TeamRow]
    counted: list[str]
    rest: RestKey | None
    need: str = ""
    pad: KitPad | None = None
    sums: Sequence[SeatSum] = ()
    deals: Sequence[tuple[Seat, str]] = ()
    begins: Sequence[str] = ()
    rows: Sequence[SuitRow] = ()
    leader: Seat = ""
    starts: str = ""
    ranks: Sequence[Rank] = ()


class KitScreen(DealScreen[State, Play]):
    """The table page of a game of a file."""

    sheet_pad = KitSheet()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        game = cast(KitGame, current.game(name))
        self.names = KitNames(name, game)
        self._leader_bids = game.source({}).word("bid", "leads", default="leader") != "leader"

    def opening(self, view: KitView, leader: Seat) -> Deal | None:
        rules = rules_of(view.state)
        if judging.turns_up(rules, view.state):
            return None
        return Deal(None if rules.deal.first == "holder" else leader)

    def places(self, view: KitView) -> list[tuple[str, object, int | None]]:
        state = view.state
        if not state.deal:
            return []
        counted: list[tuple[str, object, int | None]] = [(self.deals(), state.deal, None)]
        if state.phase == PLAY:
            tricks = rules_of(state).deal.trick_count(state.round.size)
            counted.append((_("トリック"), state.round.number, tricks))
        return counted

    def _lying(self, view: KitView, chosen: Seat = "") -> KitBand:
        """The seats and what lies beside them, in every phase."""
        state, rules, round_ = view.state, rules_of(view.state), view.state.round
        trump = state.trump
        sign = self.names.spelled.get(trump, trump) if trump else ""
        said = [bid for bid in round_.bids if bid is not None]
        adds = judging.bids_add_up(state)
        return KitBand(
            seats=self._seats(view, chosen),
            count=len(view.header.seats),
            trump=f"{sign} {self.names.suit(sign)}" if sign in self.names.said else sign,
            has_trump=rules.trump.any and state.stage == PLAY,
            turned=self.names.face(round_.turn_up) if round_.turn_up else None,
            called=self.names.face(round_.called) if round_.called else None,
            bids=sum(map(rules.bidding.worth, said)) if said and adds else None,
            size=round_.size,
            stock=round_.stock if rules.deal.draws else None,
            teams=team_rows(state),
            counted=counted(view),
            rest=self._rest(view),
        )

    def deal_table(self, view: KitView, deal: int, points: Mapping[Seat, int]) -> DealTable:
        """The result of a deal for the score page; ``points``: those of the deal."""
        return deal_table(view, deal, points, self.names.word)

    def trick(self, view: KitView, params: Mapping[str, str]) -> KitBand:
        state, due = view.state, view.to_act[0]
        seat = pad_seat(view, params, due)
        asks = ""
        if self._is_asked_for(state):
            holder = self.names.called(str(rules_of(state).deal.holder))
            asks = _("%(card)sを持つ人は？", card=holder)
        pad = None
        if params is not UNTAPPED:
            pad = self._pad(view, seat, together=params.get("pad") == TOGETHER)
        led = state.phase == PLAY and state.leader is not None
        return replace(
            self._lying(view, seat),
            due=seat if seat in view.to_act else due,
            seat=seat,
            asks=asks,
            turns=state.due if led and seat == due else (),
            need="" if asks else self._need(view),
            pad=pad,
        )

    def _rest(self, view: KitView) -> RestKey | None:
        """From half of the deal on, and while a claim is open; before that the menu leads there."""
        state = view.state
        if state.phase != PLAY or not rules_of(state).claims.possible:
            return None
        left = claims.tricks_left(state)
        if state.claim is not None:
            return RestKey(state.claim.seat, left)
        return RestKey(None, left) if 2 * left <= state.round.size else None

    def _pad(self, view: KitView, seat: Seat, *, together: bool) -> KitPad:
        state, rules = view.state, rules_of(view.state)
        if self._is_asked_for(state):
            # a card is to be called: each seat has a key that plays it
            first = [Lay(each, str(rules.deal.holder)) for each in state.table.seats]
            keys = [
                BidOrSuit(play.seat, view.grammar.print(play), verdict_word(view, play), "")
                for play in first
            ]
            return KitPad("choices", choices=keys, plays=self.names.called(str(rules.deal.holder)))
        if state.phase == PLAY:
            rows = self._rows(view, [Lay(seat, card) for card in map(str, rules.cards.deck.cards)])
            cover = rules.play.cannot == "down" and bool(state.trick)
            return KitPad(
                "cards",
                rows=rows,
                cover=bids.choice(view, self.names, Cover(seat), "") if cover else None,
            )
        if state.phase == CALL:
            calls = [Call(seat, card) for card in map(str, rules.cards.deck.cards)]
            return KitPad("cards", rows=self._rows(view, calls))
        if state.phase == BID:
            joint = bids.joint_bids(view, self.names, seat)
            return KitPad(
                "choices",
                choices=bids.bid_keys(view, self.names, seat),
                joint=joint if together else None,
                together=query(pad=TOGETHER) if joint and not together else "",
            )
        if state.phase == TRUMP:
            suits = [NameTrump(seat, suit) for suit in rules.trump.nameable]
            return KitPad(
                "choices", choices=[bids.choice(view, self.names, play, "") for play in suits]
            )
        return KitPad("passed", line=view.grammar.print(Passed()))

    def _rows(self, view: KitView, plays: list[Lay] | list[Deal] | list[Call]) -> list[SuitRow]:
        """A row of keys for each suit, then one for cards without a suit."""
        state, deck = view.state, view.state.deck
        cards, hands = rules_of(state).cards, state.hands
        rows: dict[str, list[PadCard]] = {sign: [] for sign in (*self.names.suits, "")}
        led = self._led_sign(state)
        located = hands.located
        looks = {
            "legal": ("", ""),
            "unprovable": (" dot", _("手札しだい")),
            "illegal": (" off", _("反則")),
            "": ("", ""),
        }
        for play in plays:
            card = str(play.turn) if isinstance(play, Deal) else play.card
            left = copies = deck.copies[deck.place[card]]
            word = verdict_word(view, play)
            if isinstance(play, Lay):
                left = copies - located[deck.place[card]]
                kept = hands.known(play.seat, card) or play.seat in hands.shown
                if hands.gone(card) and not kept:
                    word = ""
            face = self.names.face(card)
            look, said = looks[word]
            left = left if copies > 1 else 0
            several = _("%(n)s枚残り", n=left) if left else ""
            spoken = " ".join(filter(None, (self.names.spoken(face), several, said)))
            key = PadCard(
                f"k{card}", face, view.grammar.print(play), bool(word), look, spoken, left
            )
            rows[face.sign if cards.suit[card] else ""].append(key)
        return [
            SuitRow(
                sign, self.names.suit(sign), bool(led) and sign == led, wide(len(keys)), (*keys,)
            )
            for sign, keys in rows.items()
            if keys
        ]

    def _led_sign(self, state: State) -> str:
        """The sign of the suit whose row is enlarged: the one with most cards to follow with."""
        if not state.trick:
            return ""
        rules = rules_of(state)
        asked, cards = rules.play.asked(state), rules.cards
        counts = {suit: len(cards.kinds(mask & asked)) for suit, mask in cards.suits.items()}
        most = [suit for suit, count in counts.items() if count == max(counts.values())]
        if len(most) != 1 and not state.led:
            return ""
        return self.names.face(
            cards.kinds(cards.suits[most[0]])[0] if len(most) == 1 else str(state.led)
        ).sign

    def _is_asked_for(self, state: State) -> bool:
        """Whether nobody knows yet who holds the card that leads."""
        return state.phase == PLAY and state.leader is None

    def _need(self, view: KitView) -> str:
        """What the seat due has to do, as text."""
        state = view.state
        match state.phase:
            case "bid":
                return _("ビッド")
            case "trump":
                return _("切り札を決める")
            case "call":
                return _("指名するカード")
            case _ if card_led(state):
                return _("リードは%(card)s", card=self.names.called(str(card_led(state))))
            case _:
                return _("リード")

    def _seats(self, view: KitView, chosen: Seat = "") -> list[SeatPlate]:
        """The seats with the running trick, or the last one until a card is played."""
        state, rules = view.state, rules_of(view.state)
        last = state.round.last
        cards = state.trick or (last.cards if last and last.deal == state.deal else ())
        won = rules.trick.winner(state) if state.trick else (last.won_with if last else None)
        laid: dict[Seat, Laid] = {each.seat: each for each in cards}
        due = () if self._is_asked_for(state) else view.to_act
        places = list[SeatPlate]()
        teams = list(dict.fromkeys(rules.teams))
        for i, seat in enumerate(state.table.seats):
            lies = laid.get(seat)
            face = None
            if lies is not None:
                face = self.names.face(lies.card) if lies.card and not lies.down else Face("", "")
            bid = state.round.bids[i]
            places.append(
                SeatPlate(
                    name=seat,
                    long=is_long(seat),
                    turn=seat in due[:1],
                    chosen=bool(due) and seat == chosen,
                    left=seat in state.round.left,
                    points=state.score.totals[seat],
                    bid=None if bid is None else self.names.word("bid", bid),
                    tricks=state.round.tricks[i],
                    card=face,
                    out=bool(lies and lies.out),
                    best=bool(lies and won and lies.seat == won.seat),
                    query=plate_query(view, seat, chosen),
                    team=1 + teams.index(rules.teams[i]) if len(teams) < rules.n else 0,
                    seq=number_of(view.moment.step, lies.at) if lies else 0,
                )
            )
        return places

    def between_deals(self, view: KitView, params: Mapping[str, str]) -> KitBand:
        state, rules = view.state, rules_of(view.state)
        named = params.get("leader", "")
        leader = judging.next_leader(state) or (named if named in state.table.seats else None)
        held = rules.deal.first == "holder"
        rows: list[SuitRow] = []
        deals: list[tuple[Seat, str]] = []
        shown = self._lying(view)
        if state.phase == PASS:
            passed = view.grammar.print(Passed())
            return replace(shown, heading=_("カードを渡す"), passing=passed)
        if judging.turns_up(rules, state):
            if leader or held:
                cards = map(str, rules.cards.deck.cards)
                rows = self._rows(view, [Deal(None if held else leader, card) for card in cards])
        else:
            plays = [play for play in view.game.candidates(state) if isinstance(play, Deal)]
            deals = [(play.leader or "", view.grammar.print(play)) for play in plays]
        return replace(
            shown,
            sums=deal_sums(view, lambda state: state.score.totals),
            heading=self.over(state.deal) if state.deal else "",
            deals=deals,
            rows=rows,
            leader=leader or "",
            begins=[self._from(seat) if seat else "" for seat, _line in deals],
            starts=self._from(leader) if leader else "",
        )

    def end(self, view: KitView, outcome: Outcome) -> KitBand:
        return replace(self._lying(view), ranks=plain.ranks(view, outcome))

    def open_hand(self, view: KitView, seat: Seat) -> OpenHand:
        state = view.state
        keys = [
            CardKey(card, "", "", "legal", state.hands.unseen((card,)), 1)
            for card in map(str, state.deck.cards)
        ]
        line = view.grammar.print(Show(seat, ())).strip()
        return OpenHand(line, tuple(keys), state.hands.held(seat))

    def what(self, entry: Play) -> str:
        match entry:
            case Deal(leader=leader, turn=turn):
                start = self._from(leader) if leader else _("新しく配る")
                if not turn:
                    return start
                return start + _("　") + _("表のカード %(card)s", card=self.names.called(turn))
            case Passed():
                return _("カードを渡した")
            case Show(seat=seat):
                return _("%(seat)sが手札を公開", seat=seat)
            case Bid(seat=seat):
                return f"{seat} {_('ビッド %(n)s', n=self.names.of_play(entry))}"
            case Call(seat=seat):
                return f"{seat} {_('指名')} {self.names.of_play(entry)}"
            case NameTrump(seat=seat):
                return f"{seat} {_('切り札 %(suit)s', suit=self.names.of_play(entry))}"
            case _:
                return f"{entry.seat} {self.names.of_play(entry)}"

    def _from(self, leader: Seat) -> str:
        """Who begins a deal: where the highest bidder leads, ``leader`` only bids first."""
        if self._leader_bids:
            return _("ビッドは%(seat)sから", seat=leader)
        return _("リードは%(seat)s", seat=leader)

    def feat(self, kind: str, label: str, value: int) -> str:
        return _("1回の配札の最高：%(n)s点", n=value)

    def counted(self, times: Mapping[str, int]) -> Count:
        """The cards led most often."""
        most = sorted(times.items(), key=lambda row: (-row[1], row[0]))[:MOST_LED]
        rows = [(self.names.called(card), self.names.called(card), n) for card, n in most]
        return Count(_("リードしたカード"), _("カードごとのリード回数"), _("カード"), rows)

    def named(self, card: Card) -> str:
        return self.names.called(str(card))

    def card(self, entry: Play) -> str | None:
        return self.names.called(entry.card) if isinstance(entry, Lay) else None

    def done(self, view: KitView, step: KitStep, strip: Strip) -> Strip:
        before = view.log.before(step)
        parts, trick = list[str](), ""
        if ended := ended_trick(before, step.state):
            seat = ended.winner
            parts.append(_("%(seat)sがトリックを取る", seat=short(seat)) if seat else _("勝者なし"))
            trick = _("%(seat)sがトリックを取る", seat=seat) if seat else _("勝者なし")
        trump = step.state.trump
        if before.phase == step.state.phase == PLAY and trump != before.trump:
            suit = self.names.spelled.get(trump, trump) if trump else ""
            parts.append(_("切り札 %(suit)s", suit=suit) if suit else _("切り札なし"))
        show = step.play.seat if strip.word == "unprovable" and isinstance(step.play, Lay) else None
        return strip._replace(text=_("、").join(parts), trick=trick, show=show)
