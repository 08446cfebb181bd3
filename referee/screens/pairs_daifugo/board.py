"""The table page of ペアーズ大富豪: pyramids, the top of the trick, and the keys.

Nothing is decided here: the look of a key is the verdict on the line that it records. If one tap is
not enough, the address holds what was tapped so far (``?rank=7:d e``), so every step works as a
link; for phones without network the page has these steps in advance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple, TypeAlias

from referee.core.pyramid import POSITIONS, rows
from referee.core.steps import Step, number_of
from referee.core.verdict import Illegal, Outcome, Seat, word_of
from referee.games import pairs_daifugo as game
from referee.games.pairs_daifugo import ROWS, Deal, Laid, Lay, Pass, Play, Row, State, Turn
from referee.http.language import gettext as _
from referee.http.language import pgettext
from referee.ledger import View
from referee.screens.band import TableBand
from referee.screens.base import Screen, Strip
from referee.screens.pad import GAP, UNTAPPED, CardKey, SeatSum, pad_seat, query, verdict_word
from referee.screens.pairs_daifugo.check import QUESTIONS
from referee.screens.pairs_daifugo.sheet import PairsDaifugoSheet
from referee.screens.wording import cards, is_long, short

DaifugoView: TypeAlias = View[State, Play]
DaifugoStep: TypeAlias = Step[State, Play]

RANKS = range(1, 11)


class PyramidCell(NamedTuple):
    """A place of a pyramid. ``kind``: "gone", "back", "open", or "slot" for a card to be entered.

    ``line``: what a tap records; ``to``: the query of the page that it leads to; ``on``: chosen, or
    the place that the keys refer to. ``among``: a tap adds the place to the chosen ones. ``of``:
    the steps (see ``PadStep``) in which the place looks like this.
    """

    place: str
    kind: str
    rank: int | str | None
    line: str = ""
    to: str = ""
    on: bool = False
    where: str = ""
    among: bool = False
    of: str = ""


class DaifugoSeat(NamedTuple):
    """A seat as the others see it; ``held`` is None where hand counts are not shown."""

    name: Seat
    long: bool
    turn: bool
    chosen: bool
    passed: bool
    held: int | None
    wins: int
    rows: list[list[PyramidCell]]
    query: str


class LeadPick(NamedTuple):
    """A number of cards to lead, or one way to take them: ``places`` are those of the pyramid."""

    size: int
    line: str
    word: str
    places: str
    effect: str
    cells: list[list[PyramidCell]]


class DaifugoPad(NamedTuple):
    """Keys for ``seat``. ``stage``: "row", "turn", "lead", "follow", "count" or "which".

    ``back``: the query one step earlier; ``by_hand``: the query that takes hand cards first.
    """

    seat: Seat
    stage: str
    keys: Sequence[CardKey] = ()
    picks: Sequence[LeadPick] = ()
    rank: int | str | None = None
    passing: str = ""
    all_passing: str = ""
    passes: int = 0
    back: str = ""
    by_hand: str = ""
    hand_first: bool = False
    may_pass: bool = True


class PadStep(NamedTuple):
    """A step that the page has in advance: the ``name`` of its query, and the values it is ``of``.

    ``less``: what was tapped is no longer shown. ``effects``: each with the fewest and the most
    cards that have it; with them the only pick of ``pad`` stands for all counts. See
    static/js/taps for all of these.
    """

    name: str
    of: str
    pad: DaifugoPad
    cells: Sequence[list[PyramidCell]] = ()
    less: bool = False
    effects: Mapping[str, tuple[int, int]] | None = None


class TopPlay(NamedTuple):
    """The top of the trick: the newest play with its entry, the one below it, the present order."""

    seat: Seat
    rank: int
    size: int
    below: Laid | None
    newest: bool
    seq: int


class RankOrder(NamedTuple):
    """The ranks from weak to strong; ``up``: those that beat the top of the trick.

    ``why``: what changed the order, ``once``: for this trick alone.
    """

    line: list[int]
    high: int
    up: list[int]
    why: str
    once: bool


@dataclass(frozen=True, kw_only=True)
class DaifugoBand(TableBand):
    """What the table shows. ``own``: the pyramid of the pad's seat; ``others``: all others, all
    seats while none is due. ``deals``: who may lead the next deal, and the line that begins it.
    """

    needed: int
    rows: int
    order: RankOrder
    top: TopPlay | None
    others: list[DaifugoSeat]
    own: DaifugoSeat | None = None
    pad: DaifugoPad | None = None
    steps: tuple[PadStep, ...] = ()
    deals: Sequence[tuple[Seat | None, str]] = ()
    sums: Sequence[SeatSum] = ()


class PairsDaifugoScreen(Screen[State, Play]):
    """The table page of ペアーズ大富豪."""

    sheet_pad = PairsDaifugoSheet()

    checks = QUESTIONS
    counts_deals = True

    def deal(self, number: int, trick: int | None = None) -> str:
        if trick:
            return _("ゲーム %(deal)s・ラウンド %(trick)s", deal=number, trick=trick)
        return _("ゲーム %(n)s", n=number)

    def deals(self) -> str:
        return pgettext("deal", "ゲーム")

    def axis(self) -> str:
        return _("下の数字はゲーム")

    def so_far(self) -> str:
        return _("終わったゲームまでの勝ち数です。")

    def no_score(self) -> str:
        return _("ゲームが1つ終わると、ここに表示されます。")

    def progress(self, view: DaifugoView) -> str:
        return f"{pgettext('deal', 'ゲーム')} {view.state.deal}"

    def next_deal(self) -> str:
        return _("次のゲーム待ち")

    def opening(self, view: DaifugoView, leader: Seat) -> Deal:
        return Deal(leader)

    def taken_from(self, using: Sequence[str]) -> str:
        """Where pyramid cards lie, in as few words as a key has room for."""
        found: dict[int, list[str]] = {}
        for row, card in sorted(POSITIONS[place] for place in using):
            found.setdefault(row, []).append(str(card))
        return _("、").join(
            _("%(row)s段目の%(cards)s枚目", row=row, cards=_("・").join(cards))
            for row, cards in found.items()
        )

    def places(self, view: DaifugoView) -> list[tuple[str, object, int | None]]:
        if not view.state.deal:
            return []
        deal = (pgettext("deal", "ゲーム"), view.state.deal, None)
        if not view.to_act:  # how to deal and the wins need the room
            return [deal]
        needed = int(view.log.table.option("wins_needed"))
        return [deal, (_("先に"), _("%(n)s勝", n=needed), None)]

    def trick(self, view: DaifugoView, params: Mapping[str, str]) -> DaifugoBand:
        due = view.to_act[0]
        seat = pad_seat(view, params, due)
        keys = pad(view, seat, params)
        cells = own_cells(view, keys, params) if params is not UNTAPPED else None
        others = [other for other in view.header.seats if other != seat]
        return replace(
            _lying(view, [face(view, other, seat) for other in others]),
            due=seat if seat in view.to_act else due,
            seat=seat,
            pad=keys,
            alike=() if keys.stage != "row" or params.get("row") else view.state.unknown_rows,
            own=face(view, seat, seat, cells),
            steps=tuple(_steps(view, keys)),
        )

    def between_deals(self, view: DaifugoView, params: Mapping[str, str]) -> DaifugoBand:
        state = view.state
        deals = [
            (play.leader, view.grammar.print(play))
            for play in game.candidates(state)
            if isinstance(play, Deal)
        ]
        heading = self.over(state.deal) if state.deal else ""
        return replace(_compared(view), deals=deals, heading=heading)

    def end(self, view: DaifugoView, outcome: Outcome) -> DaifugoBand:
        return _compared(view)

    def what(self, entry: Play) -> str:
        match entry:
            case Lay(seat=seat, ranks=ranks):
                return f"{seat} {cards(ranks)}"
            case Row(seat=seat, ranks=ranks):
                return _("%(seat)sの下の段 %(cards)s", seat=seat, cards=cards(ranks))
            case Turn(seat=seat, rank=rank):
                return _("%(seat)sのピラミッドの%(rank)sを表に", seat=seat, rank=rank)
            case Pass(seat=seat):
                return _("%(seat)s パス", seat=seat)
            case Deal(leader=leader) if leader is not None:
                return _("リードは%(seat)s", seat=leader)
            case _:
                return _("新しく配る")

    def card(self, entry: Play) -> int | None:
        return entry.ranks[0] if isinstance(entry, Lay) else None

    def done(self, view: DaifugoView, step: DaifugoStep, strip: Strip) -> Strip:
        if isinstance(step.play, Deal):
            return strip._replace(head=_("ゲーム %(n)s", n=view.state.deal), text=strip.head)
        led = _("流れて、リードは%(seat)s", seat=step.state.leader) if _cleared(step) else ""
        return strip._replace(text=_consequence(step), trick=led)

    def over(self, number: int) -> str:
        return _("ゲーム%(n)s終了", n=number)


def _lying(view: DaifugoView, others: list[DaifugoSeat]) -> DaifugoBand:
    """The trick on the table, beside the pyramids."""
    return DaifugoBand(
        needed=int(view.log.table.option("wins_needed")),
        rows=ROWS[len(view.header.seats)],
        order=order(view),
        top=top(view),
        others=others,
    )


def _compared(view: DaifugoView) -> DaifugoBand:
    """All seats side by side, while no seat is due."""
    faces = [face(view, seat, "") for seat in view.header.seats]
    return replace(_lying(view, faces), sums=sums(view))


def _consequence(step: DaifugoStep) -> str:
    """The effect of a play in force, in a few words."""
    facts = {fact.fact: fact.values for fact in step.verdict.evidence}
    said = []
    if "goes_out" in facts:
        said.append(_("上がり"))
    elif "beats" in facts:
        said.append(_("%(rank)sより強い", rank=facts["beats"]["top"]))
    if "revolution" in facts:
        said.append(_("革命、%(high)sが最強", high=facts["revolution"]["high"]))
    elif "pairs_back" in facts:
        said.append(_("ペアーズバック、%(high)sが最強", high=facts["pairs_back"]["high"]))
    if _cleared(step):
        said.append(_("流れて、リードは%(seat)s", seat=short(step.state.leader or "")))
    return _("　").join(said)


def _cleared(step: DaifugoStep) -> bool:
    """Whether ``step`` has ended a trick."""
    before = step.before
    return bool(before and step.state.number != before.state.number and not step.state.trick)


def top(view: DaifugoView) -> TopPlay | None:
    """The play that must be beaten, or with which the last deal was won."""
    trick = view.state.trick
    if not trick:
        return None
    last, below = trick[-1], trick[-2] if len(trick) > 1 else None
    seq = number_of(view.moment.step, last.at)
    return TopPlay(last.seat, last.rank, last.size, below, last.at == view.state.at, seq)


def order(view: DaifugoView) -> RankOrder:
    state = view.state
    high = game.high(state)
    line = list(RANKS) if high == 10 else list(reversed(RANKS))
    up = [rank for rank in RANKS if state.trick and game.stronger(state, rank)]
    pairs = game.has_pair(state)
    turned = [_("革命")] if state.reversed else []
    turned += [_("ペアーズバック")] if pairs else []
    return RankOrder(line, high, up, _("・").join(turned), pairs)


def face(
    view: DaifugoView, seat: Seat, chosen: Seat, cells: list[list[PyramidCell]] | None = None
) -> DaifugoSeat:
    state = view.state
    shown = view.log.table.option("show_counts") == "on"
    return DaifugoSeat(
        name=seat,
        long=is_long(seat),
        turn=seat in view.to_act and not state.unknown_rows,
        chosen=seat == chosen,
        passed=seat in state.passed,
        held=state.hands[seat] if shown else None,
        wins=state.wins[seat],
        rows=cells if cells is not None else _rows(view, lambda place: _cell(state, seat, place)),
        query=query(seat=seat),
    )


def sums(view: DaifugoView) -> list[SeatSum]:
    """The wins of every seat, and the winner of the deal that is over."""
    state = view.state
    last = state.won.last.seat if state.won else None
    most = max(state.wins.values())
    return [SeatSum(s, int(s == last), wins, wins == most) for s, wins in state.wins.items()]


def _rows(view: DaifugoView, cell: Callable[[str], PyramidCell]) -> list[list[PyramidCell]]:
    return [[cell(place) for place in row] for row in rows(ROWS[len(view.header.seats)])]


def _cell(state: State, seat: Seat, place: str) -> PyramidCell:
    pyramid = state.pyramids[seat]
    if place not in pyramid:
        return PyramidCell(place, "gone", None)
    rank = pyramid[place]
    return PyramidCell(place, "back" if rank is None else "open", rank)


# ------------------------------------------------------------------ the keys


class Tapped(NamedTuple):
    """What was tapped so far: ranks of a row, a rank and the pyramid cards of it, a place.

    ``hand_first``: the cards shall come from the hand.
    """

    row: tuple[int, ...]
    rank: int | None
    taken: tuple[str, ...]
    place: str
    hand_first: bool


def read(params: Mapping[str, str]) -> Tapped:
    """The query; parts that make no sense are ignored."""

    def number(text: str) -> int | None:
        return int(text) if text in map(str, RANKS) else None

    row = map(number, params.get("row", "").split("-"))
    hand = params.get("hand", "")
    rank, _colon, taken = params.get("rank", hand).partition(":")
    return Tapped(
        tuple(rank for rank in row if rank),
        number(rank),
        tuple(taken.split()),
        params.get("place", "")[:1],
        bool(hand),
    )


def pad(view: DaifugoView, seat: Seat, params: Mapping[str, str]) -> DaifugoPad:
    """The keys for ``seat``, at the step that the query describes."""
    state, tapped = view.state, read(params)
    if seat in state.unknown_rows:
        return _row_pad(view, seat, tapped)
    if any(owner == seat for owner, _place in state.turning):
        return _turn_pad(view, seat, tapped)
    if tapped.rank is not None:
        return _pick_pad(view, seat, tapped.rank, tapped)
    leading = not state.trick
    hand_first = tapped.hand_first
    keys = [_key(view, seat, rank, hand_first) for rank in RANKS]
    own = not leading and any(key.own and key.word == "legal" for key in keys)
    own = own and state.hands[seat] > 0
    sure = game.sure_passes(state) if view.log.table.option("auto_close_round") == "suggest" else ()
    return DaifugoPad(
        seat=seat,
        stage="lead" if leading else "follow",
        keys=keys,
        passing="" if leading else view.grammar.print(Pass(seat)),
        all_passing="\n".join(view.grammar.print(Pass(s)) for s in sure)
        if seat == state.due
        else "",
        passes=len(sure),
        by_hand=query(seat=seat, hand="" if hand_first else "on") if own or hand_first else "",
        hand_first=hand_first,
        may_pass=leading or not isinstance(game.judge(state, Pass(seat)), Illegal),
    )


def _row_pad(view: DaifugoView, seat: Seat, tapped: Tapped) -> DaifugoPad:
    state, size = view.state, ROWS[len(view.header.seats)]
    entered = tapped.row[: size - 1]
    keys = []
    for rank in RANKS:
        row = (*entered, rank)
        unseen = max(0, state.copies.unseen(rank) - entered.count(rank))
        if len(row) == size:
            line, word = view.grammar.print(Row(seat, row)), verdict_word(view, Row(seat, row))
        elif game.row_fault(state, row):
            line, word = view.grammar.print(Row(seat, row)), "illegal"
        else:
            line, word = "", "legal"
        to = "" if line else query(seat=seat, row="-".join(map(str, row)))
        keys.append(CardKey(rank, line, to, word, unseen, rank))
    back = query(seat=seat, row="-".join(map(str, entered[:-1]))) if entered else ""
    return DaifugoPad(seat, "row", keys, back=back)


def _turn_pad(view: DaifugoView, seat: Seat, tapped: Tapped) -> DaifugoPad:
    state = view.state
    place = _asked(state, seat, tapped)
    keys = []
    for rank in RANKS:
        play = Turn(seat, place, rank)
        unseen, word = state.copies.unseen(rank), verdict_word(view, play)
        keys.append(CardKey(rank, view.grammar.print(play), "", word, unseen, rank))
    return DaifugoPad(seat, "turn", keys)


def _asked(state: State, seat: Seat, tapped: Tapped) -> str:
    """The place whose card is to be entered: the one tapped, else the first."""
    due = [place for owner, place in state.turning if owner == seat]
    return tapped.place if tapped.place in due else str(due[0])


def _key(view: DaifugoView, seat: Seat, rank: int, hand_first: bool) -> CardKey:
    """The key of a rank: it records if number and places are clear, else leads to a choice."""
    state = view.state
    own = _own(state, seat, rank)
    counts = [state.trick[-1].size] if state.trick else _counts(state, seat, rank)
    ways = _ways(state, seat, rank, counts[0], hand_first)
    play = Lay(seat, (rank,) * counts[0], ways[0])
    word, unseen = verdict_word(view, play), state.copies.unseen(rank)
    clear = len(counts) == 1 and (len(ways) == 1 or word != "legal")
    line = view.grammar.print(play) if clear else ""
    if clear:
        to = ""
    elif state.trick:
        to = query(seat=seat, **{"hand" if hand_first else "rank": str(rank)})
    else:
        to = query(seat=seat, rank=_chosen(rank, own))
    return CardKey(rank, line, to, word, unseen, rank, own=bool(own))


def _chosen(rank: int, places: Iterable[str]) -> str:
    """The query value for ``rank`` with the pyramid cards at ``places``."""
    return ":".join(filter(None, (str(rank), " ".join(places))))


def _counts(state: State, seat: Seat, rank: int) -> list[int]:
    """How many cards of ``rank`` the seat may lead, by what everybody can see; at least one."""
    return sorted({len(laid) for laid, _using in game.groups(state, seat, rank)}) or [1]


def _ways(
    state: State, seat: Seat, rank: int, count: int, hand_first: bool
) -> list[tuple[str, ...]]:
    """The ways to choose pyramid cards for a play of ``count`` cards, as tuples of places.

    They take as many pyramid cards as possible; with ``hand_first`` fewer, the fewest first, if
    there is such a way. If the seat has too few cards, the only way has all open ones.
    """
    ways = [using for laid, using in game.groups(state, seat, rank) if len(laid) == count]
    if not ways:
        return [tuple(_own(state, seat, rank))]
    most = max(map(len, ways))
    fewer = sorted((using for using in ways if len(using) < most), key=len) if hand_first else []
    return fewer or [using for using in ways if len(using) == most]


def _own(state: State, seat: Seat, rank: int) -> list[str]:
    return [place for place, card in state.pyramids[seat].items() if card == rank]


def _pick_pad(view: DaifugoView, seat: Seat, rank: int, tapped: Tapped) -> DaifugoPad:
    """The keys after a rank was tapped: how many cards, or which of the pyramid's."""
    state = view.state
    if state.trick:
        count = state.trick[-1].size
        ways = _ways(state, seat, rank, count, tapped.hand_first)
        picks = [_pick(view, Lay(seat, (rank,) * count, using), drawn=True) for using in ways]
        back = query(seat=seat, hand="on" if tapped.hand_first else "")
        return DaifugoPad(seat, "which", picks=picks, rank=rank, back=back)
    taken = tuple(place for place in _own(state, seat, rank) if place in tapped.taken)
    picks = [
        _pick(view, Lay(seat, (rank,) * count, taken), drawn=False)
        for count in _sizes(state, seat, rank, taken)
    ]
    return DaifugoPad(seat, "count", picks=picks, rank=rank, back=query(seat=seat))


def _sizes(state: State, seat: Seat, rank: int, taken: tuple[str, ...]) -> list[int]:
    """How many cards of ``rank`` the seat may lead with those of the pyramid at ``taken``."""
    return [len(laid) for laid, using in game.groups(state, seat, rank) if using == taken]


# ------------------------------------------------------------------ steps in advance


def _steps(view: DaifugoView, keys: DaifugoPad) -> Iterator[PadStep]:
    match keys.stage:
        case "row":
            yield from _row_steps(view, keys)
        case "turn":
            yield from _turn_steps(view, keys)
        case "lead":
            yield from _count_steps(view, keys)
        case "follow" if not keys.hand_first:
            yield from _way_steps(view, keys)


def _row_steps(view: DaifugoView, keys: DaifugoPad) -> Iterator[PadStep]:
    """Steps for the cards of a row after the first; the last card records the row."""
    state, seat = view.state, keys.seat
    size = ROWS[len(view.header.seats)]
    *before, bottom = rows(size)
    cells = [[_cell(state, seat, place) for place in row] for row in before]
    own = [(f"{GAP}{i}", " ".join(f"#{n}" for n in range(i, size))) for i in range(1, size)]
    cells.append(
        [
            cell
            for i, place in enumerate(bottom)
            for cell in (
                *(PyramidCell(place, "open", rank, of=of) for rank, of in own[i : i + 1]),
                PyramidCell(place, "slot", None, on=True, of=f"#{i}"),
                PyramidCell(place, "slot", None, of=" ".join(f"#{n}" for n in range(1, i))),
            )
            if cell.of and cell.of != "#0"
        ]
    )
    pad = keys._replace(back=query(seat=seat, row=f"{GAP}p"))
    more = [
        key._replace(line="", to=query(seat=seat, row=f"{GAP}-{key.card}"), word="legal")
        for key in keys.keys
    ]
    if size > 2:
        counts = " ".join(f"#{n}" for n in range(1, size - 1))
        yield PadStep("row", counts, pad._replace(keys=more), cells, less=True)
    parts = " ".join(f"{GAP}{i}" for i in range(1, size))
    start = view.grammar.print(Row(seat, (1,))).removesuffix("1")
    last = [
        key._replace(line=f"{start}{parts} {key.card}", to="", word="legal") for key in keys.keys
    ]
    yield PadStep("row", f"#{size - 1}", pad._replace(keys=last), cells, less=True)


def _turn_steps(view: DaifugoView, keys: DaifugoPad) -> Iterator[PadStep]:
    """Steps for another place than the one asked for first."""
    state, seat = view.state, keys.seat
    due = [place for owner, place in state.turning if owner == seat]
    for place in due[1:]:
        params = {"place": place}
        asking = _turn_pad(view, seat, read(params))
        yield PadStep("place", place, asking, own_cells(view, asking, params))


def _count_steps(view: DaifugoView, keys: DaifugoPad) -> Iterator[PadStep]:
    """Steps for the number of cards, whatever the rank: the counts for each choice of cards."""
    state, seat = view.state, keys.seat
    of = list[str]()
    effects = dict[str, tuple[int, int]]()
    for rank in (int(str(key.card)) for key in keys.keys if key.to):
        own = _own(state, seat, rank)
        for taken in (some for n in range(len(own) + 1) for some in combinations(own, n)):
            sizes = _sizes(state, seat, rank, taken)
            if sizes:
                of.append(f"{_chosen(rank, taken).replace(' ', '')}.{sizes[0]}.{sizes[-1]}")
            for size in sizes:
                effect = _pick(view, Lay(seat, (rank,) * size, taken), drawn=False).effect
                least, most = effects.get(effect, (size, size))
                effects[effect] = min(least, size), max(most, size)
    if of:
        start = view.grammar.print(Lay(seat, (1,))).removesuffix("1")
        pick = LeadPick(0, f"{start}{GAP}t{GAP}w", "legal", "", "", [])
        pad = DaifugoPad(seat, "count", picks=[pick], rank=GAP, back=query(seat=seat))
        effects.pop("", None)
        yield PadStep("rank", " ".join(of), pad, effects=effects)


def _way_steps(view: DaifugoView, keys: DaifugoPad) -> Iterator[PadStep]:
    """Steps that take cards of the hand first, and steps that choose between pyramid cards."""
    seat = keys.seat
    by_hand = pad(view, seat, {"hand": "on"}) if keys.by_hand else keys._replace(keys=[])
    if keys.by_hand:
        own = [key for key in by_hand.keys if key.own and key.word == "legal"]
        yield PadStep("hand", "on", by_hand._replace(keys=own))
    for name, found in (("rank", keys.keys), ("hand", by_hand.keys)):
        for key in found:
            if key.to:
                which = _pick_pad(view, seat, int(str(key.card)), read({name: str(key.card)}))
                yield PadStep(name, str(key.card), which)


def _pick(view: DaifugoView, play: Lay, drawn: bool) -> LeadPick:
    state, count, using = view.state, len(play.ranks), play.using
    verdict = game.judge(state, play)
    facts = {fact.fact for fact in verdict.evidence}
    effect = ""
    if "revolution" in facts:
        effect = _("革命")
    elif "pairs_back" in facts:
        effect = _("ペアーズバック")

    def cell(place: str) -> PyramidCell:
        return _cell(state, play.seat, place)._replace(on=place in using)

    hand = [_("手札 %(n)s", n=count - len(using))] if count > len(using) else []
    return LeadPick(
        count,
        view.grammar.print(play),
        word_of(verdict),
        _("、").join([*map(_where, using), *hand]),
        effect,
        _rows(view, cell) if drawn else [],
    )


# ------------------------------------------------------------------ the own pyramid


def own_cells(
    view: DaifugoView, keys: DaifugoPad, params: Mapping[str, str]
) -> list[list[PyramidCell]]:
    """The pyramid of the seat whose keys are shown; its cards can be tapped like keys."""
    state, seat, tapped = view.state, keys.seat, read(params)
    bottom = rows(ROWS[len(view.header.seats)])[-1]

    def cell(place: str) -> PyramidCell:
        plain = _cell(state, seat, place)._replace(where=_where(place))
        if keys.stage == "row" and place in bottom:
            i, entered = bottom.index(place), tapped.row[: len(bottom) - 1]
            rank = entered[i] if i < len(entered) else None
            return plain._replace(kind="open" if rank else "slot", rank=rank, on=i == len(entered))
        if keys.stage == "turn" and (seat, place) in state.turning:
            on = place == _asked(state, seat, tapped)
            to = "" if on else query(seat=seat, place=place)
            return plain._replace(kind="slot", on=on, to=to)
        return _tappable(view, plain, keys, tapped) if plain.rank is not None else plain

    return _rows(view, cell)


def _tappable(
    view: DaifugoView, plain: PyramidCell, keys: DaifugoPad, tapped: Tapped
) -> PyramidCell:
    """An open card: what a tap on it records, or to which step it leads."""
    state, seat, rank = view.state, keys.seat, plain.rank
    assert isinstance(rank, int)
    if keys.stage not in ("lead", "follow", "count") or seat != state.due:
        return plain
    own = _own(state, seat, rank)
    if not state.trick:
        if keys.stage == "lead":
            return plain._replace(line=view.grammar.print(Lay(seat, (rank,), (plain.place,))))
        taken = [p for p in own if p in tapped.taken] if rank == keys.rank else []
        others = tuple(p for p in own if (p in taken) != (p == plain.place))
        said = _chosen(rank, others) if _sizes(state, seat, rank, others) else ""
        on = plain.place in taken
        return plain._replace(on=on, to=query(seat=seat, rank=said), among=True)
    count = state.trick[-1].size
    using = (plain.place,) if count == 1 else tuple(own[:count])
    play = Lay(seat, (rank,) * count, using)
    if verdict_word(view, play) != "legal":
        return plain
    if 1 < count < len(own):
        return plain._replace(to=query(seat=seat, rank=str(rank)))
    return plain._replace(line=view.grammar.print(play))


def _where(place: str) -> str:
    row, card = POSITIONS[place]
    return _("上から%(row)s段目の%(card)s枚目", row=row, card=card)
