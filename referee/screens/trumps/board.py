"""The table page of Trumps: cards played, table cards, score piles, the keys.

Nothing is decided here: the look of a key is the verdict on the line that it records. Every play is
one tap.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import NamedTuple, TypeAlias

from referee.core.corrections import Amend
from referee.core.steps import Step, number_of
from referee.core.verdict import Illegal, Outcome, Seat
from referee.core.written import whole
from referee.games import trumps as game
from referee.games.trumps import Cover, Deal, Draw, Lay, Pass, Play, Reveal, Starter, State, Take
from referee.games.trumps import TrumpsStage as Phase
from referee.http.language import gettext as _
from referee.ledger import View
from referee.screens.band import TableBand
from referee.screens.base import Screen, Strip
from referee.screens.pad import (
    UNTAPPED,
    CardKey,
    entries_of,
    newest_step,
    pad_seat,
    plate_query,
    query,
    verdict_word,
)
from referee.screens.trumps.check import QUESTIONS
from referee.screens.trumps.sheet import TrumpsSheet
from referee.screens.wording import cards, is_long, short

TrumpsView: TypeAlias = View[State, Play]
TrumpsStep: TypeAlias = Step[State, Play]

IN_STRIP = 2  # hands that may have been shown, side by side above the pad, at most
LAST = 3  # the last place, as ``place_of`` of the game's state counts


class TrumpsSeat(NamedTuple):
    """A seat and the cards before it; ``ranks`` is empty without any.

    ``slot``: "now" for the seat that is due, "wait" for one that is still to play, "none" for the
    others; ``place``: the seat's place in words, once all have played.
    """

    name: Seat
    long: bool
    turn: bool
    chosen: bool
    starter: bool
    held: int
    ranks: tuple[int, ...]
    down: bool
    newest: bool
    slot: str
    place: str
    best: bool
    query: str
    seq: int


class TableauGroup(NamedTuple):
    """Table cards of one number; a tap records ``line`` while a seat is to take.

    ``seq``: the entry that played the last of them.
    """

    rank: int
    copies: int
    line: str
    newest: bool
    seq: int


class ScorePile(NamedTuple):
    """A score pile: copies and whether they are part of the longest run, from 1 on; A and B.

    ``earlier``: the points of deals before this one, which ended level.
    """

    seat: Seat
    cells: list[tuple[int, bool]]
    most: int
    run: int
    best: bool
    earlier: int

    @property
    def total(self) -> int:
        return self.earlier + self.most + self.run


Pick: TypeAlias = Seat | tuple[int, ...] | None


class TrumpsPad(NamedTuple):
    """Keys for ``seat``. ``stage``: "start", "lot", "play", "shown" or "take".

    ``covers``: a card face down, a key for each number that it may have. ``picks`` are further
    lines: the seats of a lot, hands that were shown, the stock.
    """

    seat: Seat
    stage: str
    singles: Sequence[CardKey] = ()
    pairs: Sequence[CardKey] = ()
    covers: Sequence[CardKey] = ()
    picks: Sequence[tuple[Pick, str]] = ()
    barred: tuple[int, ...] = ()
    place: int = 0
    back: str = ""


@dataclass(frozen=True, kw_only=True)
class TrumpsBand(TableBand):
    """What the table shows. ``draw``: the line of a draw from the stock in place of a table card;
    ``top``: the highest card; ``line``: that of the next deal.
    """

    faces: list[TrumpsSeat]
    groups: list[TableauGroup]
    rows: list[ScorePile]
    stock: int
    top: int
    pad: TrumpsPad | None = None
    draw: str = ""
    line: str = ""
    winners: tuple[Seat, ...] = ()


class TrumpsScreen(Screen[State, Play]):
    """The table page of Trumps."""

    sheet_pad = TrumpsSheet()

    checks = QUESTIONS
    one_deal = True

    def feat(self, kind: str, label: str, value: int) -> str:
        return _("いちばん長い並び：%(n)s枚（%(label)s）", n=value, label=label)

    def opening(self, view: TrumpsView, leader: Seat) -> Deal:
        return Deal()

    def places(self, view: TrumpsView) -> list[tuple[str, object, int | None]]:
        return list(_places(view.state))

    def trick(self, view: TrumpsView, params: Mapping[str, str]) -> TrumpsBand:
        seat = pad_seat(view, params, view.to_act[0])
        keys = pad(view, seat, params)
        taking = keys.stage == "take" and params is not UNTAPPED
        drawing = [line for what, line in keys.picks if taking and what == "draw"]
        alike = keys.stage in ("start", "play")
        return replace(
            _lying(view, seat, seat if taking else None),
            due=seat if seat in view.to_act else view.to_act[0],
            seat=seat,
            turns=_turns(view.state, seat) if alike else (),
            alike=None if alike else (),
            lies="off" if keys.stage == "play" else "",
            pad=keys,
            draw=drawing[0] if drawing else "",
        )

    def between_deals(self, view: TrumpsView, params: Mapping[str, str]) -> TrumpsBand:
        heading = _("同点：もう一度") if view.state.deal else ""
        return replace(_lying(view), line=view.grammar.print(Deal()), heading=heading)

    def end(self, view: TrumpsView, outcome: Outcome) -> TrumpsBand:
        return replace(_lying(view), winners=outcome.winners)

    def what(self, entry: Play) -> str:
        match entry:
            case Reveal(seat=seat, rank=rank):
                return f"{seat} {rank}"
            case Starter(named=seat):
                return _("抽選で%(seat)s", seat=seat)
            case Lay(seat=seat, ranks=ranks):
                return f"{seat} {cards(ranks)}"
            case Cover(seat=seat, shows=shows) if shows:
                return _("%(seat)s 裏向き（手札 %(cards)s）", seat=seat, cards=cards(shows))
            case Cover(seat=seat):
                return _("%(seat)s 裏向き", seat=seat)
            case Take(seat=seat, rank=rank):
                return _("%(seat)sが%(rank)sを取る", seat=seat, rank=rank)
            case Draw(seat=seat):
                return _("%(seat)sが山札から1枚", seat=seat)
            case Pass(seat=seat):
                return _("%(seat)sは取らない", seat=seat)
            case _:
                return _("配った")

    def card(self, entry: Play) -> int | None:
        match entry:
            case Reveal(rank=rank) | Take(rank=rank):
                return rank
            case Lay(ranks=ranks):
                return ranks[0]
            case _:
                return None

    def done(self, view: TrumpsView, step: TrumpsStep, strip: Strip) -> Strip:
        entry = step.play
        if isinstance(entry, Deal):
            return strip._replace(text=_("7枚ずつ、%(n)s枚は脇へ", n=view.state.widow))
        ended = view.log.before(step).step is Phase.PLAY is not view.state.step
        trick = _("1位 %(seat)s", seat=view.state.ranking[0]) if ended else ""
        strip = strip._replace(text=_consequence(view, step), trick=trick)
        covered = _covered_last(view)
        if covered is None or strip.word != "unprovable":
            return strip
        hands = tuple(_shown(view, *covered))
        if len(hands) <= IN_STRIP:
            return strip._replace(hands=hands)
        return strip._replace(to=query(seat=covered[1].seat, shown="1"))


def _lying(view: TrumpsView, chosen: Seat = "", taker: Seat | None = None) -> TrumpsBand:
    """What is on the table; ``chosen`` has the pad, ``taker`` may tap a group."""
    state = view.state
    return TrumpsBand(
        faces=faces(view, chosen),
        groups=groups(view, taker),
        rows=rows(view),
        stock=state.stock,
        top=len(state.deck.cards),
    )


def _turns(state: State, seat: Seat) -> tuple[Seat, ...]:
    """``seat`` and those after it, if it may act: until the last of them nobody else can be due."""
    if seat not in game.to_act(state):
        return ()
    return (seat, *(other for other in state.due if other != seat))


def _places(state: State) -> Iterator[tuple[str, object, None]]:
    if state.round:
        yield "", _("%(n)s巡目", n=state.round), None
    if state.final:
        yield "", _("最後の1巡"), None
    elif state.deal:
        yield _("山札＋脇"), f"{state.stock}+{state.widow}", None


def _consequence(view: TrumpsView, step: TrumpsStep) -> str:
    """The effect of a play in force, in a few words."""
    state = step.state
    before = view.log.before(step)
    if before.step in (Phase.START, Phase.LOT):
        if state.step is Phase.PLAY:
            return _("%(seat)sから", seat=short(state.starter or ""))
        if state.contest != before.contest or state.step is Phase.LOT:
            names = _("・").join(map(short, state.contest))
            return _("%(seats)sが同点", seats=names)
        return ""
    if state.round > before.round:
        drawn = _("全員1枚引いた")
        if state.served:
            drawn = _("全員1枚引いた（うち%(n)s枚は脇から）", n=state.served)
        return drawn + (_("　") + _("次が最後") if state.final else "")
    if state.step is Phase.PLAY:
        best = min(state.played, key=game.weakness).seat
        return _("暫定1位 %(seat)s", seat=short(best)) if len(state.played) > 1 else ""
    if before.step is Phase.PLAY:
        return _("1位 %(seat)s", seat=short(state.ranking[0]))
    return ""


def faces(view: TrumpsView, chosen: Seat) -> list[TrumpsSeat]:
    """The seats as they sit, and what they have played."""
    state, seats = view.state, view.header.seats
    laid = {laid.seat: laid for laid in state.played}
    newest = state.played[-1].at if state.played and state.played[-1].at == state.at else None
    current = min(state.played, key=game.weakness).seat if state.round and state.played else None
    found = []
    for seat in seats:
        before = laid.get(seat)
        slot = "now" if seat in view.to_act else "wait" if seat in state.due else "none"
        found.append(
            TrumpsSeat(
                name=seat,
                long=is_long(seat),
                turn=seat in view.to_act and (seat == chosen or chosen not in view.to_act),
                chosen=seat == chosen,
                starter=seat == state.starter,
                held=state.hands.size(seat),
                ranks=before.ranks if before else (),
                down=before.down if before else False,
                newest=before is not None and before.at == newest,
                slot=slot,
                place=place_name(game.place_of(state, seat)) if state.ranking else "",
                best=seat == (state.ranking[0] if state.ranking else current),
                query=plate_query(view, seat, chosen),
                seq=number_of(view.moment.step, before.at) if before else 0,
            )
        )
    return found


def place_name(place: int) -> str:
    """1, 2, or 3 for the last place, in words."""
    return {1: _("1位"), 2: _("2位"), LAST: _("最下位")}[place]


def groups(view: TrumpsView, taker: Seat | None) -> list[TableauGroup]:
    """The table cards by number; they can be tapped if ``taker`` is to take one."""
    state, numbers = view.state, entries_of(view, _face_up)
    return [
        TableauGroup(
            rank,
            copies,
            view.grammar.print(Take(taker, rank)) if taker else "",
            state.step is Phase.START and state.at == _newest(state, rank),
            numbers.get(rank, 0),
        )
        for rank, copies in sorted(state.tableau.items())
    ]


def _face_up(play: Play) -> tuple[int, ...]:
    """The cards that ``play`` put face up on the table."""
    match play:
        case Lay(ranks=ranks):
            return ranks
        case Reveal(rank=rank):
            return (rank,)
        case _:
            return ()


def _newest(state: State, rank: int) -> int | None:
    return next((laid.at for laid in reversed(state.played) if rank in laid.ranks), None)


def rows(view: TrumpsView) -> list[ScorePile]:
    """The score piles, with A and B as they are now."""
    state = view.state
    totals = game.score(state).totals
    most = max(totals.values())
    found = []
    for seat in view.header.seats:
        pile = state.piles[seat]
        run = game.longest_run(pile)
        cells = [(pile.get(rank, 0), rank in run) for rank in range(1, len(state.deck.cards) + 1)]
        best = bool(most) and totals[seat] == most
        copies = max(pile.values(), default=0)
        earlier = whole(totals[seat]) - copies - len(run)
        found.append(ScorePile(seat, cells, copies, len(run), best, earlier))
    return found


# ------------------------------------------------------------------ the keys


def pad(view: TrumpsView, seat: Seat, params: Mapping[str, str]) -> TrumpsPad:
    """The keys for ``seat``, at the step that ``params`` describe."""
    state = view.state
    covered = _covered_last(view)
    if params.get("shown") == "1" and covered is not None:
        hands = tuple(_shown(view, *covered))
        return TrumpsPad(covered[1].seat, "shown", picks=hands, back="?")
    match state.step:
        case Phase.START:
            keys = [_key(view, Reveal(seat, rank), rank, 1) for rank in _ranks(state)]
            return TrumpsPad(seat, "start", keys)
        case Phase.LOT:
            lots: list[tuple[Pick, str]] = [(s, view.grammar.print(Starter(s))) for s in state.due]
            return TrumpsPad(seat, "lot", picks=[(None, secrets.choice(lots)[1]), *lots])
        case Phase.TAKE:
            return _taking(view, seat)
    barred = _forbidden(state)
    return TrumpsPad(
        seat=seat,
        stage="play",
        singles=[_key(view, Lay(seat, (rank,)), rank, 1) for rank in _ranks(state)],
        pairs=[_key(view, Lay(seat, (rank, rank)), rank, 2) for rank in _ranks(state)[1:]],
        covers=_cover_keys(view, seat, barred),
        barred=barred,
    )


def _taking(view: TrumpsView, seat: Seat) -> TrumpsPad:
    state = view.state
    place = game.place_of(state, seat)
    keys = [
        _key(view, Take(seat, rank), rank, state.tableau.get(rank, 0)) for rank in _ranks(state)
    ]
    picks: list[tuple[Pick, str]] = [
        (name, view.grammar.print(play))
        for name, play in (("draw", Draw(seat)), ("pass", Pass(seat)))
        if verdict_word(view, play) == "legal"
    ]
    return TrumpsPad(seat, "take", keys, picks=picks, place=place)


def _ranks(state: State) -> range:
    return range(1, len(state.deck.cards) + 1)


def _key(view: TrumpsView, play: Play, rank: int, size: int) -> CardKey:
    word, unseen = verdict_word(view, play), view.state.hands.unseen((rank,))
    return CardKey(rank, view.grammar.print(play), "", word, unseen, rank, size)


def _cover_keys(view: TrumpsView, seat: Seat, barred: tuple[int, ...]) -> list[CardKey]:
    """Keys for a card face down: one for each number in the round, or one without a number."""
    if view.log.table.option("facedown_to_field") == "remove" or not barred:
        play = Cover(seat, None)
        return [CardKey(0, view.grammar.print(play), "", verdict_word(view, play), 0, 0)]
    return [_key(view, Cover(seat, rank), rank, 1) for rank in barred]


def _covered_last(view: TrumpsView) -> tuple[State, Cover] | None:
    """The last entry, if it is a covered card whose hand was not shown, and the state before it."""
    step = newest_step(view)
    if step is None or not isinstance(step.play, Cover) or step.play.shows:
        return None
    return view.log.before(step), step.play


def _shown(view: TrumpsView, before: State, play: Cover) -> Iterator[tuple[tuple[int, ...], str]]:
    """The hands that agree with the declaration of ``play``, each with the line that records it.

    They consist of numbers that were forbidden ``before``, the covered card among them.
    """
    covered = () if play.rank is None else (play.rank,)
    count = before.hands.size(play.seat) - len(covered)
    for rest in combinations_with_replacement(_forbidden(before), count):
        shows = tuple(sorted((*covered, *rest)))
        shown = Cover(play.seat, play.rank, shows)
        if not isinstance(game.judge(before, shown), Illegal):
            yield shows, view.grammar.print(Amend(view.seq, shown))


def _forbidden(state: State) -> tuple[int, ...]:
    """The numbers that are face up in this round, ascending."""
    return tuple(sorted(int(rank) for rank in game.forbidden(state)))
