"""What the table page shows of a trick game: the seats, the keys, the deal that has just ended.

Nothing is decided here: the state of a key is the verdict on the card that it stands for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from markupsafe import Markup

from referee.core.game import options
from referee.core.log import Step, steps
from referee.core.verdict import Illegal, Seat
from referee.desk import View
from referee.games.families.must_not_follow import Deal, Lay, Show, rounds
from referee.rulings import book, sentences
from referee.screens.base import UNTAPPED, Screen, Strip, short
from referee.screens.quick_check import Question
from referee.web.http import access, forms, language
from referee.web.http.cached_parts import piece
from referee.web.http.language import gettext as _


class Key(NamedTuple):
    """A key of the pad: the line that it records, and the copies not seen yet."""

    rank: int
    line: str
    unseen: int


class Sum(NamedTuple):
    """Points of a seat in the deal that is over, and in all."""

    seat: Seat
    points: int
    total: int
    best: bool


class Pad(NamedTuple):
    """Keys for ``seat``, and how they look. ``barred``: ranks that need a declaration.

    ``forced`` holds the lines of the only way on, if there is but one.
    """

    seat: Seat
    keys: tuple[Key, ...]
    drawn: Markup
    barred: tuple[int, ...]
    forced: tuple[str, ...]
    leading: bool


@dataclass(frozen=True)
class MustNotFollowScreen(Screen):
    """The table page of a trick game of this family.

    ``wins``: plates count the tricks won instead of points.
    """

    wins: bool
    down: bool
    checks: tuple[Question, ...]

    draws_tricks = True

    def so_far(self) -> str:
        return _("終わったトリックまでの、動かない点です。いまのトリックはまだ入っていません。")

    def no_score(self) -> str:
        return _("トリックがひとつ終わると、ここに計算が出ます。")

    def progress(self, view: View) -> str:
        told = [f"{_('ラウンド')} {view.state.deal}"]
        if view.to_act:
            told.append(f"{_('トリック')} {view.state.number}")
        return "　".join(told)

    def feat(self, kind: str, label: str, value: int) -> str:
        return _("一トリックの最高：%(n)s 点", n=value)

    def opening(self, view: View, leader: Seat) -> Deal:
        return Deal(leader)

    def band(self, view: View, wish: Mapping[str, str]) -> dict[str, Any]:
        state, most = view.state, rounds(view.log.table)
        deal = (_("ラウンド"), state.deal, max(most, state.deal))
        if view.to_act:
            due, named = view.to_act[0], wish.get("seat", "")
            chosen = named if named in view.header.seats else due
            keys = pad(view, chosen) if wish is not UNTAPPED else None
            if keys and wish.get("pad") == "all":
                keys = keys._replace(forced=())
            return {
                "phase": "trick",
                "places": [deal, (_("トリック"), state.number, last_number(view))],
                "due": due,
                "seat": chosen,
                "turns": state.due if keys and not keys.forced and chosen == due else (),
                "pad": keys,
                "seats": seats(view, chosen, self),
                "count": len(state.table.seats),
            }
        context = {
            "places": [deal] if state.deal else [],
            "deal": state.deal,
            "seats": seats(view, "", self),
            "count": len(state.table.seats),
            "sums": sums(view),
        }
        ended = view.outcome
        if ended is None:
            return {"phase": "deal", "deals": next_deals(view), **context}
        told = sentences.outcome(ended, book(view.game.NAME), language.current())
        return {"phase": "end", "told": told, **context}

    def what(self, entry: Any) -> str:
        match entry:
            case Lay(seat=seat, rank=rank):
                return f"{short(seat)} {rank}"
            case Show(seat=seat):
                return _("%(seat)s が手札を見せた", seat=short(seat))
            case Deal(leader=leader) if leader is not None:
                return _("%(seat)s から", seat=short(leader))
            case _:
                return _("新しく配る")

    def card(self, entry: Any) -> int | None:
        return entry.rank if isinstance(entry, Lay) else None

    def said(self, view: View, entry: Any, word: str) -> Strip:
        if isinstance(entry, Deal):
            return Strip(word, _("ラウンド %(n)s", n=view.state.deal), self.what(entry))
        if isinstance(entry, Show):
            return Strip(word, self.what(entry))
        step = view.moment.step
        if step is None or step.seq != view.seq or isinstance(view.moment.verdict, Illegal):
            return Strip(word, self.what(entry), _("効いていない記録"))
        ended = ended_trick(step)
        cards = ended.cards if ended else step.state.trick
        out = entry.rank if cards and cards[-1].out else None
        show = entry.seat if word == "unprovable" else None
        return Strip(word, self.what(entry), _won(ended, step) if ended else "", out, show)


def seats(view: View, chosen: Seat, look: MustNotFollowScreen) -> Markup:
    """The seats in turn order with the running trick, or with the last one until a card lies.

    While a trick runs, a tap on the plate of a seat chooses it for the pad.
    """
    state = view.state
    trick = state.trick
    finished = not trick and state.last is not None and state.last.deal == state.deal
    points: Mapping[Seat, int] = {}
    if finished:
        trick = state.last.cards
        best = state.last.winner
        points = _points_of_last_trick(view)
    else:
        lowest = min(state.showing, default=None)
        best = state.showing[lowest].seat if lowest is not None else None
    laid = {card.seat: card for card in trick}
    newest = state.trick[-1].seat if state.trick else None
    playing = set(_playing(state)) if state.due else set(state.table.seats)
    tongue = language.current()
    parts: list[str] = []
    for seat in state.table.seats:
        turn, gone, card = state.due[:1] == (seat,), seat not in playing, laid.get(seat)
        rank, out = (card.rank, card.out) if card else (None, False)
        classes = _classes(turn, gone, seat == chosen, finished) + access.sits(seat)
        counted = (state.won[seat], None) if look.wins else (None, state.totals[seat])
        shown = (rank, look.down, out, seat == best, seat == newest, turn, gone, finished)
        parts += (
            piece(tongue, "games/_seat.html", seat, bool(state.due), classes, seat == chosen),
            piece(tongue, "games/_plate.html", seat, *counted),
            "</a>" if state.due else "</span>",
            piece(tongue, "games/_card.html", *shown, points.get(seat, 0)),
            "</li>\n",
        )
    return Markup("".join(parts))


def _classes(turn: bool, gone: bool, chosen: bool, finished: bool) -> str:
    look = " turn" if turn else " past" if gone else ""
    if chosen and not turn:
        look += " chosen"
    return f"{look} over" if finished else look


def pad(view: View, chosen: Seat) -> Pad:
    """The keys for ``chosen`` while a trick runs."""
    state, game, hands = view.state, view.game, view.state.hands
    tongue = language.current()
    keys, drawn, barred, allowed = [], [], [], []
    for play in game.candidates(state):
        if play.seat != chosen:
            play = replace(play, seat=chosen)
        verdict = game.judge(state, play)
        word = sentences.word(verdict)
        place = hands.deck.place[play.rank]
        copies = hands.deck.copies[place]
        unseen = copies - hands.located[place]
        line = view.grammar.print(play)
        keys.append(Key(play.rank, line, unseen))
        drawn.append(piece(tongue, "games/_key.html", line, play.rank, word, unseen, copies))
        if not isinstance(verdict, Illegal):
            allowed.append(play)
        if word != "legal" and play.rank in state.showing:
            barred.append(play.rank)
    forced = _forced(view, allowed[0]) if len(allowed) == 1 else ()
    looks = Markup("\n".join(drawn))
    return Pad(chosen, tuple(keys), looks, tuple(barred), forced, not state.trick)


def held(view: View, seat: Seat) -> int:
    """How many cards ``seat`` has in hand."""
    hands = view.state.hands
    hidden: int = hands.hidden[seat]
    return hidden or sum(hands.shown.get(seat, ()))


def last_number(view: View) -> int:
    """The number of the deal's last trick: as many more as the seat that is due has cards."""
    return int(view.state.number) - 1 + held(view, view.state.due[0])


def next_deals(view: View) -> list[tuple[Seat, str]]:
    """Who may lead the next deal, and the line that begins it."""
    return [(play.leader, view.grammar.print(play)) for play in view.game.candidates(view.state)]


def sums(view: View) -> list[Sum]:
    """The deal that is over: what every seat has made of it."""
    state = view.state
    before = _state_before_deal(view)
    most = max(state.totals.values())
    return [
        Sum(seat, total - before.totals[seat], total, total == most)
        for seat, total in state.totals.items()
    ]


def ended_trick(step: Step) -> Any | None:
    """The trick that ``step`` finished, if it did."""
    before = step.before.state.last if step.before else None
    return step.state.last if step.state.last is not before else None


def _won(ended: Any, step: Step) -> str:
    if ended.winner is None:
        return _("だれも勝たない")
    before = step.before.state.totals if step.before else {}
    points = step.state.totals[ended.winner] - before.get(ended.winner, 0)
    if ended.winner == ended.cards[-1].seat:
        return _("これで勝ち　%(points)s 点", points=points)
    return _(
        "%(seat)s が %(rank)s で勝ち　%(points)s 点",
        seat=short(ended.winner),
        rank=ended.rank,
        points=points,
    )


def _playing(state: Any) -> tuple[Seat, ...]:
    """Who plays this trick: those who have laid and those who are due."""
    return (*(card.seat for card in state.trick), *state.due)


def _points_of_last_trick(view: View) -> dict[Seat, int]:
    now = view.state
    for step in steps(view.moment.step):
        state = step.before.state if step.before else view.log.start
        if state.last is not now.last:
            return {seat: now.totals[seat] - state.totals[seat] for seat in now.table.seats}
    return {}


def _state_before_deal(view: View) -> Any:
    deal = view.state.deal
    for step in steps(view.moment.step):
        before = step.before.state if step.before else view.log.start
        if before.deal != deal:
            return before
    return view.log.start


def _forced(view: View, play: Any) -> tuple[str, ...]:
    """The line of ``play``; with all that follow, if the rest of the deal has no choice left."""
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
