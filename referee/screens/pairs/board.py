"""The table page of Pairs: each seat's cards and points, and the keys.

Nothing is decided here: the look of a key is the verdict on the line that it records.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from referee.core.steps import Step, number_of
from referee.core.verdict import Illegal, Outcome, Seat
from referee.games import pairs as game
from referee.games.pairs import Deal, Fold, Hit, Play, Reveal, Shuffle, Starter, State
from referee.games.pairs import PairsStage as Phase
from referee.http.language import gettext as _
from referee.ledger import View
from referee.screens.band import TableBand
from referee.screens.base import Screen, Strip
from referee.screens.pad import CardKey, pad_seat, plate_query, verdict_word
from referee.screens.pairs.check import QUESTIONS
from referee.screens.pairs.sheet import PairsSheet
from referee.screens.wording import short

PairsView: TypeAlias = View[State, Play]

RANKS = range(1, len(game.DECK.cards) + 1)


class RowCell(NamedTuple):
    """A cell of a row: whether its card is there, is the lowest in play, was played last.

    ``seq``: the entry of the card.
    """

    rank: int
    there: bool
    low: bool
    newest: bool
    seq: int


class PairsRow(NamedTuple):
    """A seat with its cards, its points and the cards kept for them; ``query`` chooses it."""

    name: Seat
    turn: bool
    chosen: bool
    cells: tuple[RowCell, ...]
    total: int
    kept: tuple[int, ...]
    query: str
    lost: bool


class PairsPad(NamedTuple):
    """Keys for ``seat``. ``stage``: "start", "lot" or "play".

    ``fold`` and ``shuffle`` are lines, "" where there is no such key; ``low`` is the card that
    folding takes. ``lots``: (seat, line) pairs, the first drawn at random.
    """

    seat: Seat
    stage: str
    keys: tuple[CardKey, ...] = ()
    fold: str = ""
    may_fold: bool = False
    low: int = 0
    shuffle: str = ""
    lots: tuple[tuple[Seat, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class PairsBand(TableBand):
    """What the table shows. ``line``: that of the next deal."""

    limit: int
    rows: tuple[PairsRow, ...]
    pad: PairsPad | None = None
    line: str = ""


class PairsScreen(Screen[State, Play]):
    """The table page of Pairs."""

    sheet_pad = PairsSheet()

    checks = QUESTIONS

    def opening(self, view: PairsView, leader: Seat) -> Deal:
        return Deal()

    def places(self, view: PairsView) -> list[tuple[str, object, int | None]]:
        state = view.state
        if not state.deal:
            return []
        return [(_("ラウンド"), state.deal, None), (_("山札"), state.stock, None)]

    def trick(self, view: PairsView, params: Mapping[str, str]) -> PairsBand:
        seat = pad_seat(view, params, view.to_act[0])
        return PairsBand(
            due=seat if seat in view.to_act else view.to_act[0],
            seat=seat,
            turns=_turns(view.state, seat),
            limit=view.state.limit,
            rows=rows(view, seat),
            pad=pad(view, seat),
        )

    def between_deals(self, view: PairsView, params: Mapping[str, str]) -> PairsBand:
        line = view.grammar.print(Deal())
        return PairsBand(limit=view.state.limit, rows=rows(view, ""), line=line)

    def end(self, view: PairsView, outcome: Outcome) -> PairsBand:
        return PairsBand(limit=view.state.limit, rows=rows(view, ""))

    def what(self, entry: Play) -> str:
        match entry:
            case Hit(seat=seat, rank=rank) | Reveal(seat=seat, rank=rank):
                return f"{seat} {rank}"
            case Fold(seat=seat):
                return _("%(seat)sがおりた", seat=seat)
            case Starter(named=seat):
                return _("抽選で%(seat)s", seat=seat)
            case Shuffle():
                return _("切り直した")
            case _:
                return _("配った")

    def card(self, entry: Play) -> int | None:
        return entry.rank if isinstance(entry, Hit | Reveal) else None

    def done(self, view: PairsView, step: Step[State, Play], strip: Strip) -> Strip:
        if isinstance(step.play, Deal):
            head = _("ラウンド %(n)s", n=view.state.deal)
            return strip._replace(head=head, text=self.what(step.play))
        return strip._replace(text=_consequence(view, step))


def _turns(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The seats that get their first cards, from ``seat`` on: these cards cannot make a pair."""
    first = state.step is Phase.START and not any(state.rows[other] for other in state.due)
    if not first or seat not in state.due or state.stock < len(state.due):
        return ()
    return (seat, *(other for other in state.due if other != seat))


def _consequence(view: PairsView, step: Step[State, Play]) -> str:
    """The effect of a play in force, in a few words."""
    state, before = step.state, view.log.before(step)
    if len(state.scores) > len(before.scores):
        score = state.scores[-1]
        if score.folded:
            return _("%(rank)sを取って失点%(n)s", rank=score.rank, n=score.rank)
        return _("ペア　失点%(n)s", n=score.rank)
    if isinstance(step.play, Shuffle):
        return _("山札 %(n)s", n=state.stock)
    if before.step is not Phase.PLAY and state.step is Phase.PLAY:
        return _("%(seat)sから", seat=short(str(state.starter)))
    if state.step is Phase.LOT:
        return _("カードでは決まらない")
    if isinstance(step.play, Reveal) and step.play.seat in state.due and state.rows == before.rows:
        return _("ペアなので捨てて引き直す")
    if state.contest != before.contest:
        return _("%(seats)sが同点", seats=_("・").join(map(short, state.contest)))
    return ""


def rows(view: PairsView, chosen: Seat) -> tuple[PairsRow, ...]:
    """The seats in turn order with the cards before them, and their points."""
    state = view.state
    playing = any(state.rows.values())
    low = game.lowest(state).rank if playing else 0
    ended = view.outcome
    found = []
    for seat in view.header.seats:
        lies = {shown.rank: shown.at for shown in state.rows[seat]}
        cells = tuple(
            RowCell(
                rank,
                rank in lies,
                rank == low and rank in lies,
                lies.get(rank) == state.at,
                number_of(view.moment.step, lies[rank]) if rank in lies else 0,
            )
            for rank in RANKS
        )
        kept = tuple(score.rank for score in state.scores if score.seat == seat)
        turn = seat in view.to_act and (seat == chosen or chosen not in view.to_act)
        lost = ended is not None and seat in ended.losers
        total = state.totals[seat]
        found.append(
            PairsRow(
                seat,
                turn,
                seat == chosen,
                cells,
                total,
                kept,
                plate_query(view, seat, chosen),
                lost,
            )
        )
    return tuple(found)


def pad(view: PairsView, seat: Seat) -> PairsPad:
    """The keys for ``seat``."""
    state = view.state
    shuffle = view.grammar.print(Shuffle()) if game.must_shuffle(state) else ""
    if state.step is Phase.LOT:
        lots = tuple((other, view.grammar.print(Starter(other))) for other in state.due)
        return PairsPad(seat, "lot", lots=(secrets.choice(lots), *lots))
    if state.step is Phase.START:
        keys = tuple(_key(view, Reveal(seat, rank)) for rank in RANKS)
        return PairsPad(seat, "start", keys, shuffle=shuffle)
    fold = Fold(seat)
    return PairsPad(
        seat,
        "play",
        tuple(_key(view, Hit(seat, rank)) for rank in RANKS),
        view.grammar.print(fold),
        not isinstance(game.judge(state, fold), Illegal),
        game.lowest(state).rank,
        shuffle,
    )


def _key(view: PairsView, play: Hit | Reveal) -> CardKey:
    unseen, copies = view.state.unseen[play.rank - 1], game.DECK.copies[play.rank - 1]
    word = verdict_word(view, play)
    return CardKey(play.rank, view.grammar.print(play), "", word, unseen, copies)
