"""What the table page shows of a trick game: the seats, the keys, the deal that has just ended.

Nothing is decided here: the state of a key is the verdict on the card that it stands for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from referee import telling
from referee.core.game import options
from referee.core.log import Step, steps
from referee.core.verdict import Illegal, Seat
from referee.desk import View
from referee.games.must_not_follow import Deal, Lay, Show, rounds
from referee.rulings import book
from referee.web import forms, lang
from referee.web.board import Strip, short, width
from referee.web.lang import gettext as _

DRAWN_PIPS = 10  # copies that a key can count out in points
LONG_NAME = 16  # half-width characters that fit a seat plate or the head line in large type
VERY_LONG_NAME = 32


class SeatFace(NamedTuple):
    """A seat at the table and the card before it. ``rank`` is None where no card lies.

    ``out``: the card is out of its trick. ``best``: it leads the trick, or has won it.
    ``gone``: the seat has left the deal. ``over``: the trick that lies there is finished and
    brought ``got`` points. ``query`` is the name as an address has it.
    """

    name: Seat
    long: bool
    turn: bool
    chosen: bool
    gone: bool
    rank: int | None
    out: bool
    best: bool
    newest: bool
    won: tuple[int, ...]
    total: int
    got: int
    over: bool
    query: str


class Key(NamedTuple):
    """A key of the pad: the line that it records, and the verdict on that line in one word."""

    rank: int
    line: str
    word: str
    unseen: int
    pips: Markup | None


class Sum(NamedTuple):
    """Points of a seat in the deal that is over, and in all."""

    seat: Seat
    points: int
    total: int
    best: bool


class Pad(NamedTuple):
    """Keys for ``seat``. ``barred``: ranks that only a declaration about the hand allows.

    ``forced`` holds the lines of the only way on, if there is but one.
    """

    seat: Seat
    keys: tuple[Key, ...]
    barred: tuple[int, ...]
    forced: tuple[str, ...]
    leading: bool


def opening(view: View, leader: Seat) -> Deal:
    return Deal(leader)


def band(view: View, wish: Mapping[str, str]) -> dict[str, Any]:
    state, most = view.state, rounds(view.log.table)
    deal = (_("ラウンド"), state.deal, max(most, state.deal))
    if view.to_act:
        due, named = view.to_act[0], wish.get("seat", "")
        chosen = named if named in view.header.seats else due
        keys = pad(view, chosen)
        if wish.get("pad") == "all":
            keys = keys._replace(forced=())
        return {
            "phase": "trick",
            "places": [deal, (_("トリック"), state.number, last_number(view))],
            "due": due,
            "seat": chosen,
            "pad": keys,
            "faces": seats(view, chosen),
        }
    context = {
        "places": [deal] if state.deal else [],
        "deal": state.deal,
        "faces": seats(view, ""),
        "sums": sums(view),
    }
    ended = view.outcome
    if ended is None:
        return {"phase": "deal", "deals": next_deals(view), **context}
    told = telling.outcome(ended, book(view.game.NAME), lang.current())
    return {"phase": "end", "told": told, **context}


def what(entry: Any) -> str:
    match entry:
        case Lay(seat=seat, rank=rank):
            return f"{short(seat)} {rank}"
        case Show(seat=seat):
            return _("%(seat)s が手札を見せた", seat=short(seat))
        case Deal(leader=leader) if leader is not None:
            return _("%(seat)s から", seat=short(leader))
        case _:
            return _("配りなおし")


def card(entry: Any) -> int | None:
    return entry.rank if isinstance(entry, Lay) else None


def said(view: View, entry: Any, word: str) -> Strip:
    if isinstance(entry, Deal):
        return Strip(word, _("ラウンド %(n)s", n=view.state.deal), what(entry))
    if isinstance(entry, Show):
        return Strip(word, what(entry))
    step = view.moment.step
    if step is None or step.seq != view.seq or isinstance(view.moment.verdict, Illegal):
        return Strip(word, what(entry), _("効いていない記録"))
    ended = ended_trick(step)
    cards = ended.cards if ended else step.state.trick
    out = entry.rank if cards and cards[-1].out else None
    show = entry.seat if word == "unprovable" else None
    return Strip(word, what(entry), _won(ended, step) if ended else "", out, show)


def seats(view: View, chosen: Seat) -> list[SeatFace]:
    """The seats in turn order with the running trick, or with the last one until a card lies."""
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
    faces = []
    for seat in state.table.seats:
        card = laid.get(seat)
        faces.append(
            SeatFace(
                seat,
                is_long(seat),
                state.due[:1] == (seat,),
                seat == chosen,
                seat not in playing,
                card.rank if card else None,
                card.out if card else False,
                seat == best,
                seat == newest,
                state.won[seat],
                state.totals[seat],
                points.get(seat, 0),
                finished,
                quoted(seat),
            )
        )
    return faces


def pad(view: View, chosen: Seat) -> Pad:
    """The keys for ``chosen`` while a trick runs."""
    state, game, hands = view.state, view.game, view.state.hands
    keys, barred, allowed = [], [], []
    for play in game.candidates(state):
        if play.seat != chosen:
            play = replace(play, seat=chosen)
        verdict = game.judge(state, play)
        word = telling.word(verdict)
        unseen = hands.unseen((play.rank,))
        copies = hands.deck.copies[hands.deck.place[play.rank]]
        line = view.grammar.print(play)
        keys.append(Key(play.rank, line, word, unseen, pips(unseen, copies)))
        if not isinstance(verdict, Illegal):
            allowed.append(play)
        if word != "legal" and play.rank in state.showing:
            barred.append(play.rank)
    forced = _forced(view, allowed[0]) if len(allowed) == 1 else ()
    return Pad(chosen, tuple(keys), tuple(barred), forced, not state.trick)


def held(view: View, seat: Seat) -> int:
    """How many cards ``seat`` has in hand."""
    hands = view.state.hands
    return hands.hidden[seat] or sum(hands.shown.get(seat, ()))


def last_number(view: View) -> int:
    """The number of the deal's last trick: as many more as the seat that is due has cards."""
    return int(view.state.number) - 1 + held(view, view.state.due[0])


def next_deals(view: View) -> list[tuple[Seat, str]]:
    """Who may lead the next deal, and the line that begins it."""
    return [
        (play.leader, view.grammar.print(play)) for play in view.game.candidates(view.state)
    ]


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


def is_long(name: Seat) -> bool:
    """Whether ``name`` needs the smaller type."""
    return width(name) > LONG_NAME


@lru_cache(maxsize=1024)
def quoted(name: Seat) -> str:
    """``name`` for the query of an address."""
    return quote(name, safe="")


@lru_cache(maxsize=256)
def pips(unseen: int, copies: int) -> Markup | None:
    """A point for every copy, filled while it is unseen; None where there are too many."""
    if copies > DRAWN_PIPS:
        return None
    return Markup("<b></b>") * unseen + Markup("<s></s>") * (copies - unseen)


def _won(ended: Any, step: Step) -> str:
    if ended.winner is None:
        return _("だれも勝たない")
    before = step.before.state.totals if step.before else {}
    points = step.state.totals[ended.winner] - before.get(ended.winner, 0)
    seat = short(ended.winner)
    return _("%(seat)s が %(rank)s で勝ち　%(points)s 点", seat=seat, rank=ended.rank, points=points)


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
    game, state, lines = view.game, view.state, []
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
