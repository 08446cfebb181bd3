"""The table page of a trick game: the seats, the keys, the last deal.

Nothing is decided here: the look of a key is the verdict on its card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple, TypeAlias

from markupsafe import Markup

from referee.core.game import options
from referee.core.steps import Step, number_of, steps
from referee.core.verdict import Illegal, Outcome, Seat, word_of
from referee.games.families.must_not_follow import (
    Deal,
    Lay,
    Play,
    Show,
    State,
    Trick,
    ended_trick,
    rounds,
)
from referee.http import access, forms, language
from referee.http.cached_parts import piece
from referee.http.language import gettext as _
from referee.ledger import View
from referee.screens.band import TableBand
from referee.screens.base import OpenHand, Screen, Strip
from referee.screens.pad import UNTAPPED, CardKey, SeatSum, deal_sums, pad_seat, plate_query
from referee.screens.quick_check import QuickCheck
from referee.screens.sheet_pad import SheetPad
from referee.screens.wording import short

TrickView: TypeAlias = View[State, Play]
TrickStep: TypeAlias = Step[State, Play]


class TrickPad(NamedTuple):
    """Keys for ``seat``, and their HTML. ``need``: HTML about cards that need no declaration.

    ``forced``: the line of the only possible play, followed by all others if the rest of the deal
    has no choice left; () if there are several possible plays.
    """

    seat: Seat
    keys: tuple[CardKey, ...]
    drawn: Markup
    need: Markup
    forced: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class TrickBand(TableBand):
    """What the table shows. ``seats``: their HTML, ``count``: how many. ``deals``: who may lead the
    next deal, each with its line; ``sums``: the points of the last one.
    """

    seats: Markup
    count: int
    pad: TrickPad | None = None
    deals: Sequence[tuple[Seat, str]] = ()
    sums: Sequence[SeatSum] = ()


class MustNotFollowScreen(Screen[State, Play]):
    """The table page of a trick game of this family.

    Where tricks are won, plates count them; else they count points, and no card of a trick stands
    out.
    """

    draws_tricks = True

    def so_far(self) -> str:
        return _("終わったトリックまでの得点です。いまのトリックは入っていません。")

    def no_score(self) -> str:
        return _("トリックが1つ終わると、ここに計算が表示されます。")

    def progress(self, view: TrickView) -> str:
        words = [f"{_('ラウンド')} {view.state.deal}"]
        if view.to_act:
            words.append(f"{_('トリック')} {view.state.number}")
        return _("　").join(words)

    def feat(self, kind: str, label: str, value: int) -> str:
        return _("1トリックの最高：%(n)s点", n=value)

    def __init__(
        self,
        name: str,
        *,
        down: bool,
        wins_tricks: bool,
        checks: tuple[QuickCheck, ...],
        sheet_pad: SheetPad,
    ) -> None:
        super().__init__(name)
        self.sheet_pad = sheet_pad
        self.turned_down, self.wins_tricks, self.checks = down, wins_tricks, checks

    def opening(self, view: TrickView, leader: Seat) -> Deal:
        return Deal(leader)

    def places(self, view: TrickView) -> list[tuple[str, object, int | None]]:
        state, most = view.state, rounds(view.log.table)
        if not state.deal:
            return []
        deal = (_("ラウンド"), state.deal, max(most, state.deal))
        return [deal, (_("トリック"), state.number, last_number(view))] if state.due else [deal]

    def trick(self, view: TrickView, params: Mapping[str, str]) -> TrickBand:
        due = view.to_act[0]
        chosen = pad_seat(view, params, due)
        keys = pad(view, chosen) if params is not UNTAPPED else None
        if keys and params.get("pad") == "all":
            keys = keys._replace(forced=())
        return TrickBand(
            seats=seats(view, chosen, self, taps=params is not UNTAPPED),
            count=len(view.header.seats),
            due=due,
            seat=chosen,
            turns=view.state.due if keys and not keys.forced and chosen == due else (),
            lies="dot",
            pad=keys,
        )

    def between_deals(self, view: TrickView, params: Mapping[str, str]) -> TrickBand:
        return TrickBand(
            seats=seats(view, "", self, taps=False),
            count=len(view.header.seats),
            deals=next_deals(view),
            sums=deal_sums(view, lambda state: state.totals),
        )

    def end(self, view: TrickView, outcome: Outcome) -> TrickBand:
        return TrickBand(
            seats=seats(view, "", self, taps=False),
            count=len(view.header.seats),
            sums=deal_sums(view, lambda state: state.totals),
        )

    def open_hand(self, view: TrickView, seat: Seat) -> OpenHand:
        line = view.grammar.print(Show(seat, ())).strip()
        return OpenHand(line, pad(view, seat).keys, held(view, seat))

    def what(self, entry: Play) -> str:
        match entry:
            case Lay(seat=seat, rank=rank):
                return f"{seat} {rank}"
            case Show(seat=seat):
                return _("%(seat)sが手札を公開", seat=seat)
            case Deal(leader=leader) if leader is not None:
                return _("リードは%(seat)s", seat=leader)
            case _:
                return _("新しく配る")

    def card(self, entry: Play) -> int | None:
        return entry.rank if isinstance(entry, Lay) else None

    def done(self, view: TrickView, step: TrickStep, strip: Strip) -> Strip:
        entry = step.play
        if isinstance(entry, Deal):
            head = _("ラウンド %(n)s", n=view.state.deal)
            return strip._replace(head=head, text=strip.head)
        if isinstance(entry, Show):
            return strip
        ended = ended_trick(view.log.before(step), step.state)
        cards = ended.cards if ended else step.state.trick
        out = ""
        if cards and cards[-1].out:
            down = self.turned_down
            out = _("%(rank)sを2枚裏返し", rank=entry.rank) if down else _("棄権")
        show = entry.seat if strip.word == "unprovable" else None
        text = trick = ""
        if ended and self.wins_tricks:
            text = _won(ended, step)
            winner = ended.winner
            trick = _taken(ended, _gained(step, winner), winner) if winner else text
        elif ended:
            text = _next_lead(step.state)
        return strip._replace(text=text, out=out, trick=trick, show=show)


def seats(view: TrickView, chosen: Seat, look: MustNotFollowScreen, taps: bool) -> Markup:
    """The seats in turn order with the running trick, or with the last one until a card is played.

    ``taps``: a tap on a seat's plate chooses it for the pad.
    """
    state = view.state
    trick = state.trick
    finished = not trick and state.last is not None and state.last.deal == state.deal
    points: Mapping[Seat, int] = {}
    if finished and state.last:
        trick = state.last.cards
        best = state.last.winner
        points = _points_of_last_trick(view)
    else:
        lowest = min(state.showing, default=None)
        best = state.showing[lowest].seat if lowest is not None else None
    if not look.wins_tricks:
        best = None
    laid = {card.seat: card for card in trick}
    newest = state.trick[-1].seat if state.trick else None
    playing = set(_playing(state)) if state.due else set(state.table.seats)
    tongue, marked = language.current(), access.plates()
    parts: list[str] = []
    for seat in state.table.seats:
        turn, gone, card = state.due[:1] == (seat,), seat not in playing, laid.get(seat)
        rank, out = (card.rank, card.out) if card else (None, False)
        classes = _classes(turn, gone, seat == chosen, finished) + marked.get(seat, "")
        won = state.won[seat] if look.wins_tricks else None
        total = state.totals[seat] if won is None or state.deal > 1 else None
        seq = number_of(view.moment.step, card.at) if card else 0
        shown = (rank, look.turned_down, out, seat == best, seat == newest, turn, gone, finished)
        to = plate_query(view, seat, chosen) if taps else ""
        parts += (
            piece(tongue, "games/_seat.html", seat, to, classes, seat == chosen),
            piece(tongue, "games/_plate.html", seat, won, total),
            "</a>" if taps else "</span>",
            piece(tongue, "games/_card.html", *shown, points.get(seat, 0), look.wins_tricks, seq),
            "</li>\n",
        )
    return Markup("".join(parts))


def _classes(turn: bool, gone: bool, chosen: bool, finished: bool) -> str:
    look = " turn" if turn else " past" if gone else ""
    if chosen and not turn:
        look += " chosen"
    return f"{look} over" if finished else look


def pad(view: TrickView, chosen: Seat) -> TrickPad:
    """The keys for ``chosen`` while a trick runs."""
    state, game, hands = view.state, view.game, view.state.hands
    tongue, located = language.current(), hands.located
    keys, drawn, barred, allowed = [], [], [], []
    for play in game.candidates(state):
        if not isinstance(play, Lay):
            continue
        if play.seat != chosen:
            play = replace(play, seat=chosen)
        verdict = game.judge(state, play)
        word = word_of(verdict)
        place = hands.deck.place[play.rank]
        copies = hands.deck.copies[place]
        unseen = copies - located[place]
        line = view.grammar.print(play)
        keys.append(CardKey(play.rank, line, "", word, unseen, copies))
        drawn.append(piece(tongue, "games/_key.html", line, play.rank, word, unseen, copies))
        if not isinstance(verdict, Illegal):
            allowed.append(play)
        if word != "legal" and play.rank in state.showing:
            barred.append(play.rank)
    forced = _forced(view, allowed[0]) if len(allowed) == 1 else ()
    looks = Markup("\n".join(drawn))
    need = piece(tongue, "games/_need.html", not state.trick, tuple(barred))
    return TrickPad(chosen, tuple(keys), looks, need, forced)


def held(view: TrickView, seat: Seat) -> int:
    """The number of cards in the hand of ``seat``."""
    hands = view.state.hands
    hidden: int = hands.hidden[seat]
    return hidden or sum(hands.shown.get(seat, ()))


def last_number(view: TrickView) -> int:
    """The number of the deal's last trick, from the cards that the seat due still holds."""
    return int(view.state.number) - 1 + held(view, view.state.due[0])


def next_deals(view: TrickView) -> list[tuple[Seat, str]]:
    """The seats that may lead the next deal, each with the line that begins it."""
    plays = view.game.candidates(view.state)
    return [(p.leader or "", view.grammar.print(p)) for p in plays if isinstance(p, Deal)]


def _won(ended: Trick, step: TrickStep) -> str:
    if ended.winner is None:
        return _("勝者なし")
    points = _gained(step, ended.winner)
    if ended.winner == ended.cards[-1].seat:
        return _("トリックを取る　%(n)s点", n=points)
    return _taken(ended, points, short(ended.winner))


def _taken(ended: Trick, points: int, named: str) -> str:
    return _("%(seat)sが%(rank)sで取る　%(n)s点", seat=named, rank=ended.rank, n=points)


def _gained(step: TrickStep, seat: Seat) -> int:
    before = step.before.state.totals if step.before else {}
    return step.state.totals[seat] - before.get(seat, 0)


def _next_lead(state: State) -> str:
    """Who leads the next trick of the deal; empty after its last one."""
    return _("次のリードは%(seat)s", seat=short(state.due[0])) if state.due else ""


def _playing(state: State) -> tuple[Seat, ...]:
    """The seats in this trick: those that have played, then those that are due."""
    return (*(card.seat for card in state.trick), *state.due)


def _points_of_last_trick(view: TrickView) -> dict[Seat, int]:
    now = view.state
    for step in steps(view.moment.step):
        state = view.log.before(step)
        if ended_trick(state, now):
            return {seat: now.totals[seat] - state.totals[seat] for seat in now.table.seats}
    return {}


def _forced(view: TrickView, play: Play) -> tuple[str, ...]:
    """``TrickPad.forced``, if ``play`` is the only possible one."""
    game, state = view.game, view.state
    lines: list[str] = []
    while len(lines) < forms.LINES:
        lines.append(view.grammar.print(play))
        state = game.apply(state, play)
        if not game.to_act(state):
            return tuple(lines)
        choices = list(islice(options(game, state), 2))
        if len(choices) != 1:
            break
        play = choices[0]
    return (lines[0],)
