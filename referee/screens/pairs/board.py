"""What the table page shows of Pairs: everybody's row and points, the keys.

Nothing is decided here: the state of a key is the verdict on the line that it records.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from referee.core.log import Step
from referee.core.verdict import Illegal, Seat
from referee.desk import View
from referee.games import pairs as game
from referee.games.pairs import Deal, Fold, Hit, Reveal, Shuffle, Starter, State
from referee.games.pairs import Step as Phase
from referee.rulings import book, sentences
from referee.screens.base import Screen, Strip, short
from referee.screens.pairs.check import QUESTIONS
from referee.web.http import language
from referee.web.http.language import gettext as _

RANKS = range(1, len(game.DECK.cards) + 1)


class Cell(NamedTuple):
    """A number in a row: whether its card lies there, is the lowest in play, is the newest."""

    rank: int
    there: bool
    low: bool
    newest: bool


class Row(NamedTuple):
    """A seat with its cards, its points and the cards kept for them; ``query`` chooses it."""

    name: Seat
    turn: bool
    chosen: bool
    cells: tuple[Cell, ...]
    total: int
    kept: tuple[int, ...]
    query: str
    lost: bool


class Key(NamedTuple):
    """A number of the pad: the line that it records, and the copies not yet seen."""

    rank: int
    line: str
    word: str
    unseen: int


class Pad(NamedTuple):
    """Keys for ``seat``. ``stage``: "start", "lot" or "play".

    ``fold`` and ``shuffle`` are lines, "" where there is no such key; ``low`` is the card that
    folding takes. ``lots``: (seat, line) pairs, the first drawn at random.
    """

    seat: Seat
    stage: str
    keys: tuple[Key, ...]
    fold: str
    may_fold: bool
    low: int
    shuffle: str
    lots: tuple[tuple[Seat, str], ...]


class PairsScreen(Screen):
    """The table page of Pairs."""

    checks = QUESTIONS

    def opening(self, view: View, leader: Seat) -> Deal:
        return Deal()

    def band(self, view: View, wish: Mapping[str, str]) -> dict[str, Any]:
        state: State = view.state
        places = [(_("ラウンド"), state.deal, None), (_("山札"), state.stock, None)]
        context: dict[str, Any] = {
            "look": "pairs",
            "places": places if state.deal else [],
            "deal": state.deal,
            "limit": state.limit,
            "rows": rows(view, ""),
        }
        if view.to_act:
            named = wish.get("seat", "")
            seat = named if named in view.header.seats else view.to_act[0]
            return {
                **context,
                "phase": "trick",
                "due": seat if seat in view.to_act else view.to_act[0],
                "seat": seat,
                "turns": _turns(state, seat),
                "rows": rows(view, seat),
                "pad": pad(view, seat),
            }
        ended = view.outcome
        if ended is None:
            return {**context, "phase": "deal", "line": view.grammar.print(Deal())}
        told = sentences.outcome(ended, book(game.NAME), language.current())
        return {**context, "phase": "end", "told": told}

    def what(self, entry: Any) -> str:
        match entry:
            case Hit(seat=seat, rank=rank) | Reveal(seat=seat, rank=rank):
                return f"{short(seat)} {rank}"
            case Fold(seat=seat):
                return _("%(seat)s がおりた", seat=short(seat))
            case Starter(named=seat):
                return _("くじで %(seat)s", seat=short(seat))
            case Shuffle():
                return _("切り直した")
            case _:
                return _("配った")

    def card(self, entry: Any) -> int | None:
        return entry.rank if isinstance(entry, Hit | Reveal) else None

    def said(self, view: View, entry: Any, word: str) -> Strip:
        if isinstance(entry, Deal):
            return Strip(word, _("ラウンド %(n)s", n=view.state.deal), self.what(entry))
        step = view.moment.step
        if step is None or step.seq != view.seq or isinstance(view.moment.verdict, Illegal):
            return Strip(word, self.what(entry), _("効いていない記録"))
        return Strip(word, self.what(entry), _consequence(view, step))


def _turns(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The seats that get their first cards, ``seat`` first: no card of theirs can be a pair."""
    first = state.step is Phase.START and not any(state.rows[other] for other in state.due)
    if not first or seat not in state.due or state.stock < len(state.due):
        return ()
    return (seat, *(other for other in state.due if other != seat))


def _consequence(view: View, step: Step) -> str:
    """What a play in force has brought about, in a few words."""
    state: State = step.state
    before: State = step.before.state if step.before else view.log.start
    if len(state.scores) > len(before.scores):
        score = state.scores[-1]
        if score.folded:
            return _("%(rank)s を取って失点 %(n)s", rank=score.rank, n=score.rank)
        return _("ペア　失点 %(n)s", n=score.rank)
    if isinstance(step.play, Shuffle):
        return _("山札 %(n)s", n=state.stock)
    if before.step is not Phase.PLAY and state.step is Phase.PLAY:
        return _("%(seat)s から", seat=short(str(state.starter)))
    if state.step is Phase.LOT:
        return _("カードでは決まらない")
    if isinstance(step.play, Reveal) and step.play.seat in state.due and state.rows == before.rows:
        return _("ペアなので捨てて代わりを")
    if state.contest != before.contest:
        return _("%(seats)s が並んだ", seats=_("・").join(map(short, state.contest)))
    return ""


def rows(view: View, chosen: Seat) -> tuple[Row, ...]:
    """The seats in turn order with the cards before them, and their points."""
    state: State = view.state
    playing = any(state.rows.values())
    low = game.lowest(state).rank if playing else 0
    ended = view.outcome
    found = []
    for seat in view.header.seats:
        lies = {shown.rank: shown.at for shown in state.rows[seat]}
        cells = tuple(
            Cell(rank, rank in lies, rank == low and rank in lies, lies.get(rank) == state.at)
            for rank in RANKS
        )
        kept = tuple(score.rank for score in state.scores if score.seat == seat)
        turn = seat in view.to_act and (seat == chosen or chosen not in view.to_act)
        lost = ended is not None and seat in ended.losers
        total = state.totals[seat]
        query = "?" + urlencode({"seat": seat})
        found.append(Row(seat, turn, seat == chosen, cells, total, kept, query, lost))
    return tuple(found)


def pad(view: View, seat: Seat) -> Pad:
    """The keys for ``seat``."""
    state: State = view.state
    shuffle = view.grammar.print(Shuffle()) if game.must_shuffle(state) else ""
    if state.step is Phase.LOT:
        lots = tuple((other, view.grammar.print(Starter(other))) for other in state.due)
        return Pad(seat, "lot", (), "", False, 0, "", (secrets.choice(lots), *lots))
    if state.step is Phase.START:
        keys = tuple(_key(view, Reveal(seat, rank)) for rank in RANKS)
        return Pad(seat, "start", keys, "", False, 0, shuffle, ())
    fold = Fold(seat)
    return Pad(
        seat,
        "play",
        tuple(_key(view, Hit(seat, rank)) for rank in RANKS),
        view.grammar.print(fold),
        not isinstance(game.judge(state, fold), Illegal),
        game.lowest(state).rank,
        shuffle,
        (),
    )


def _key(view: View, play: Hit | Reveal) -> Key:
    state: State = view.state
    word = sentences.word(game.judge(state, play))
    return Key(play.rank, view.grammar.print(play), word, state.unseen[play.rank - 1])
