"""What the table page shows of Trumps: cards played, the tableau, score piles, the keys.

Nothing is decided here: the state of a key is the verdict on the line that it records. Only a
card played face down can take more than one tap; the address carries what was tapped so far.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from typing import Any, NamedTuple
from urllib.parse import urlencode

from referee.core.corrections import Amend
from referee.core.log import Step
from referee.core.verdict import Illegal, Seat
from referee.desk import View
from referee.games import trumps as game
from referee.games.trumps import Cover, Deal, Draw, Lay, Pass, Reveal, Starter, Take
from referee.games.trumps import Step as Phase
from referee.rulings import book, sentences
from referee.screens.base import LONG_NAME, Screen, Strip, short, width
from referee.screens.trumps.check import QUESTIONS
from referee.web.http import language
from referee.web.http.language import gettext as _

LAST = 3  # the last place, as ``game.place_of`` counts


class Face(NamedTuple):
    """A seat and what lies before it; ``ranks`` is empty where nothing does.

    ``slot``: "now" for who is due, "wait" for who is still to play, "none" for who is not;
    ``place`` is the seat's place in words, once all have played.
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


class Group(NamedTuple):
    """A number of the tableau; ``line`` is recorded by a tap on it, where somebody takes."""

    rank: int
    copies: int
    line: str
    newest: bool


class Key(NamedTuple):
    """A key: ``size`` cards of ``rank``; either ``line`` is recorded or ``to`` is followed."""

    rank: int
    size: int
    line: str
    to: str
    word: str
    unseen: int


class Row(NamedTuple):
    """A score pile: copies and whether they are part of the longest run, from 1 on; A and B."""

    seat: Seat
    cells: list[tuple[int, bool]]
    most: int
    run: int
    best: bool

    @property
    def total(self) -> int:
        return self.most + self.run


class Pad(NamedTuple):
    """Keys for ``seat``. ``stage``: "start", "lot", "play", "cover", "shown" or "take".

    ``picks`` are further lines: the seats of a lot, hands that were shown, the stock.
    """

    seat: Seat
    stage: str
    singles: list[Key]
    pairs: list[Key]
    cover: Key | None
    picks: list[tuple[Any, str, str]]
    barred: tuple[int, ...]
    place: int
    back: str


class TrumpsScreen(Screen):
    """The table page of Trumps."""

    checks = QUESTIONS

    def feat(self, kind: str, label: str, value: int) -> str:
        return _("いちばん長い並び：%(n)s 枚（%(label)s）", n=value, label=label)

    def opening(self, view: View, leader: Seat) -> Deal:
        return Deal()

    def band(self, view: View, wish: Mapping[str, str]) -> dict[str, Any]:
        state = view.state
        context = {
            "places": list(_places(state)),
            "deal": state.deal,
            "faces": faces(view, ""),
            "groups": groups(view, None),
            "rows": rows(view),
            "stock": state.stock,
            "draw": "",
            "top": len(state.deck.cards),
        }
        if view.to_act:
            named = wish.get("seat", "")
            seat = named if named in view.header.seats else view.to_act[0]
            keys = pad(view, seat, wish)
            drawing = [line for what, line, _word in keys.picks if what == "draw"]
            return {
                **context,
                "phase": "trick",
                "due": seat if seat in view.to_act else view.to_act[0],
                "seat": seat,
                "turns": _turns(state, seat) if keys.stage in ("start", "play") else (),
                "pad": keys,
                "faces": faces(view, seat),
                "groups": groups(view, seat if keys.stage == "take" else None),
                "draw": drawing[0] if drawing else "",
            }
        ended = view.outcome
        if ended is None:
            heading = _("並んだので、もう一度") if state.deal else ""
            return {
                **context,
                "phase": "deal",
                "line": view.grammar.print(Deal()),
                "heading": heading,
            }
        told = sentences.outcome(ended, book(view.game.NAME), language.current())
        return {**context, "phase": "end", "told": told, "winners": ended.winners}

    def what(self, entry: Any) -> str:
        match entry:
            case Reveal(seat=seat, rank=rank):
                return f"{short(seat)} {rank}"
            case Starter(named=seat):
                return _("くじで %(seat)s", seat=short(seat))
            case Lay(seat=seat, ranks=ranks):
                return f"{short(seat)} {cards(ranks)}"
            case Cover(seat=seat, shows=shows) if shows:
                return _("%(seat)s 裏向き（手札 %(cards)s）", seat=short(seat), cards=cards(shows))
            case Cover(seat=seat):
                return _("%(seat)s 裏向き", seat=short(seat))
            case Take(seat=seat, rank=rank):
                return _("%(seat)s が %(rank)s を取る", seat=short(seat), rank=rank)
            case Draw(seat=seat):
                return _("%(seat)s が山札から 1 枚", seat=short(seat))
            case Pass(seat=seat):
                return _("%(seat)s は取らない", seat=short(seat))
            case _:
                return _("配った")

    def card(self, entry: Any) -> int | None:
        match entry:
            case Reveal(rank=rank) | Take(rank=rank):
                return int(rank)
            case Lay(ranks=ranks):
                return int(ranks[0])
            case _:
                return None

    def said(self, view: View, entry: Any, word: str) -> Strip:
        if isinstance(entry, Deal):
            aside = view.state.widow
            return Strip(word, self.what(entry), _("7 枚ずつ、%(n)s 枚は脇へ", n=aside))
        step = view.moment.step
        if step is None or step.seq != view.seq or isinstance(view.moment.verdict, Illegal):
            return Strip(word, self.what(entry), _("効いていない記録"))
        strip = Strip(word, self.what(entry), _consequence(view, step))
        if isinstance(entry, Cover) and not entry.shows and word == "unprovable":
            return strip._replace(to=_to(entry.seat, shown="1"))
        return strip


def _turns(state: Any, seat: Seat) -> tuple[Seat, ...]:
    """``seat`` and who follows it, where it may act: until the last one nobody else can be due."""
    if seat not in game.to_act(state):
        return ()
    return (seat, *(other for other in state.due if other != seat))


def _places(state: Any) -> Iterator[tuple[str, Any, None]]:
    if state.round:
        yield "", _("%(n)s 巡目", n=state.round), None
    if state.final:
        yield "", _("最後の一巡"), None
    elif state.deal:
        yield _("手札の補充 残り"), state.stock + state.widow, None


def _consequence(view: View, step: Step) -> str:
    """What a play in force has brought about, in a few words."""
    state = step.state
    before = step.before.state if step.before else view.log.start
    if before.step in (Phase.START, Phase.LOT):
        if state.step is Phase.PLAY:
            return _("%(seat)s から", seat=short(state.starter))
        if state.contest != before.contest or state.step is Phase.LOT:
            names = _("・").join(map(short, state.contest))
            return _("%(seats)s が並んだ", seats=names)
        return ""
    if state.round > before.round:
        drawn = _("みな 1 枚引いた")
        if state.served:
            drawn = _("みな 1 枚引いた（脇から %(n)s）", n=state.served)
        return drawn + ("　" + _("次が最後") if state.final else "")
    if state.step is Phase.PLAY:
        best = min(state.played, key=game.weakness).seat
        return _("いま 1 位 %(seat)s", seat=short(best)) if len(state.played) > 1 else ""
    if before.step is Phase.PLAY:
        return _("1 位 %(seat)s", seat=short(state.ranking[0]))
    return ""


def faces(view: View, chosen: Seat) -> list[Face]:
    """The seats in turn order from the start player, and what they have played."""
    state, seats = view.state, view.header.seats
    laid = {laid.seat: laid for laid in state.played}
    newest = state.played[-1].at if state.played and state.played[-1].at == state.at else None
    current = min(state.played, key=game.weakness).seat if state.round and state.played else None
    found = []
    for seat in state.table.starting(state.starter) if state.starter else seats:
        before = laid.get(seat)
        slot = "now" if seat in view.to_act else "wait" if seat in state.due else "none"
        found.append(
            Face(
                seat,
                width(seat) > LONG_NAME,
                seat in view.to_act and (seat == chosen or chosen not in view.to_act),
                seat == chosen,
                seat == state.starter,
                state.hands.size(seat),
                before.ranks if before else (),
                before.down if before else False,
                before is not None and before.at == newest,
                slot,
                _rank_of(state, seat),
                seat == (state.ranking[0] if state.ranking else current),
                _to(seat),
            )
        )
    return found


def _rank_of(state: Any, seat: Seat) -> str:
    """The place of ``seat`` in words, once everybody has played."""
    if not state.ranking:
        return ""
    return place_name(game.place_of(state, seat))


def place_name(place: int) -> str:
    """1, 2, or 3 for the last place, in words."""
    return {1: _("1 位"), 2: _("2 位"), LAST: _("最下位")}[place]


def groups(view: View, taker: Seat | None) -> list[Group]:
    """The tableau; its numbers can be tapped where ``taker`` is to take one."""
    state = view.state
    return [
        Group(
            rank,
            copies,
            view.grammar.print(Take(taker, rank)) if taker else "",
            state.step is Phase.START and state.at == _newest(state, rank),
        )
        for rank, copies in sorted(state.tableau.items())
    ]


def _newest(state: Any, rank: int) -> int | None:
    return next((laid.at for laid in reversed(state.played) if rank in laid.ranks), None)


def rows(view: View) -> list[Row]:
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
        found.append(Row(seat, cells, max(pile.values(), default=0), len(run), best))
    return found


# ------------------------------------------------------------------ the keys


def pad(view: View, seat: Seat, wish: Mapping[str, str]) -> Pad:
    """The keys for ``seat``, at the step that ``wish`` tells of."""
    state = view.state
    covered = _covered_last(view)
    if wish.get("shown") == "1" and covered is not None:
        picks = list(_shown(view, covered))
        return _asking(covered.play.seat, "shown", picks=picks, back="?")
    match state.step:
        case Phase.START:
            keys = [_key(view, Reveal(seat, rank), rank, 1) for rank in _ranks(state)]
            return _asking(seat, "start", keys)
        case Phase.LOT:
            lots = [(s, view.grammar.print(Starter(s)), "legal") for s in state.due]
            return _asking(seat, "lot", picks=[(None, secrets.choice(lots)[1], "legal"), *lots])
        case Phase.TAKE:
            return _taking(view, seat)
    barred = tuple(sorted({laid.ranks[0] for laid in state.played if not laid.down}))
    if wish.get("cover") == "1" and len(barred) > 1:
        keys = [_key(view, Cover(seat, rank), rank, 1) for rank in barred]
        return _asking(seat, "cover", keys, back=_to(seat))._replace(barred=barred)
    return Pad(
        seat,
        "play",
        [_key(view, Lay(seat, (rank,)), rank, 1) for rank in _ranks(state)],
        [_key(view, Lay(seat, (rank, rank)), rank, 2) for rank in _ranks(state)[1:]],
        _cover_key(view, seat, barred),
        [],
        barred,
        0,
        "",
    )


def _taking(view: View, seat: Seat) -> Pad:
    state = view.state
    place = game.place_of(state, seat)
    keys = [
        _key(view, Take(seat, rank), rank, state.tableau.get(rank, 0)) for rank in _ranks(state)
    ]
    picks = []
    for name, play in (("draw", Draw(seat)), ("pass", Pass(seat))):
        word = sentences.word(game.judge(state, play))
        if word == "legal":
            picks.append((name, view.grammar.print(play), word))
    return _asking(seat, "take", keys, picks=picks)._replace(place=place)


def _asking(
    seat: Seat,
    stage: str,
    singles: list[Key] | None = None,
    picks: list[tuple[Any, str, str]] | None = None,
    back: str = "",
) -> Pad:
    return Pad(seat, stage, singles or [], [], None, picks or [], (), 0, back)


def _ranks(state: Any) -> range:
    return range(1, len(state.deck.cards) + 1)


def _key(view: View, play: Any, rank: int, size: int) -> Key:
    word = sentences.word(game.judge(view.state, play))
    unseen = view.state.hands.unseen((rank,))
    return Key(rank, size, view.grammar.print(play), "", word, unseen)


def _cover_key(view: View, seat: Seat, barred: tuple[int, ...]) -> Key:
    """Face down: one tap where the number is clear or need not be told, else a choice of two."""
    removed = view.log.table.option("facedown_to_field") == "remove"
    if removed or len(barred) < 2:
        return _key(view, Cover(seat, None if removed or not barred else barred[0]), 1, 1)
    keys = [_key(view, Cover(seat, rank), rank, 1) for rank in barred]
    word = min((key.word for key in keys), key=("legal", "unprovable", "illegal").index)
    if word == "illegal":
        return keys[0]
    return Key(0, 1, "", _to(seat, cover="1"), word, 0)


def _covered_last(view: View) -> Step | None:
    """The last entry, if it is a card face down whose hand has not been shown."""
    step = view.moment.step
    if step is None or step.seq != view.seq or not isinstance(step.play, Cover) or step.play.shows:
        return None
    return step


def _shown(view: View, step: Step) -> Iterator[tuple[tuple[int, ...], str, str]]:
    """The hands that bear out what was declared: forbidden numbers only, the covered one in."""
    play = step.play
    before = step.before.state if step.before else view.log.start
    barred = sorted({laid.ranks[0] for laid in before.played if not laid.down})
    told = () if play.rank is None else (play.rank,)
    for rest in combinations_with_replacement(barred, before.hands.size(play.seat) - len(told)):
        shows = tuple(sorted((*told, *rest)))
        shown = Cover(play.seat, play.rank, shows)
        word = sentences.word(game.judge(before, shown))
        if word != "illegal":
            yield shows, view.grammar.print(Amend(view.seq, shown)), word


def _to(seat: Seat, **wish: str) -> str:
    """The query of the next step; ``seat`` stays chosen."""
    return "?" + urlencode({**({"seat": seat} if seat else {}), **wish})


def cards(ranks: tuple[int, ...]) -> str:
    """``7・7``"""
    return _("・").join(map(str, ranks))
