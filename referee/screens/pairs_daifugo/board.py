"""What the table page shows of ペアーズ大富豪: pyramids, what lies on top, the keys.

Nothing is decided here: the state of a key is the verdict on the line that it records. Where one
tap is not enough the address carries what was tapped so far (``?rank=7&from=de``), so that every
step works as a link.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple
from urllib.parse import urlencode

from referee.core.log import Step
from referee.core.pyramid import rows
from referee.core.verdict import Illegal, Seat
from referee.desk import View
from referee.games import pairs_daifugo as game
from referee.games.pairs_daifugo import PAIR, REVOLUTION, ROWS, Deal, Lay, Pass, Row, Turn
from referee.rulings import book, sentences
from referee.screens.base import LONG_NAME, Screen, Strip, short, width
from referee.screens.pairs_daifugo.check import QUESTIONS
from referee.web.http import language
from referee.web.http.language import gettext as _

RANKS = range(1, 11)


class Cell(NamedTuple):
    """A place of a pyramid. ``kind``: "gone", "back", "open", or "slot" for a card to be told.

    ``line`` is what a tap records, ``to`` the query of the page that it leads to; ``on``: chosen,
    or the place that the keys speak of.
    """

    place: str
    kind: str
    rank: int | None
    line: str = ""
    to: str = ""
    on: bool = False
    where: str = ""


class Face(NamedTuple):
    """A seat as the others see it; ``held`` is None where hand counts are not shown."""

    name: Seat
    long: bool
    turn: bool
    chosen: bool
    passed: bool
    held: int | None
    wins: int
    rows: list[list[Cell]]
    query: str


class Key(NamedTuple):
    """A rank of the pad; ``own``: it lies open in the pyramid of the seat.

    Either ``line`` is recorded or ``to`` is followed.
    """

    rank: int
    line: str
    to: str
    word: str
    unseen: int
    own: bool


class Pick(NamedTuple):
    """So many cards to lead, or one way to take them: ``small`` says from where."""

    size: int
    line: str
    to: str
    word: str
    small: str
    effect: str
    cells: list[list[Cell]]


class Pad(NamedTuple):
    """Keys for ``seat``. ``stage``: "row", "turn", "lead", "follow", "count" or "which".

    ``back`` is the query one step earlier, ``by_hand`` the one that takes hand cards first.
    """

    seat: Seat
    stage: str
    keys: list[Key]
    picks: list[Pick]
    rank: int | None
    passing: str
    all_passing: str
    passes: int
    back: str
    by_hand: str
    hand_first: bool
    may_pass: bool = True


class Sum(NamedTuple):
    """Wins of a seat in the deal that is over, and in all; ``best``: nobody has more."""

    seat: Seat
    points: int
    total: int
    best: bool


class Top(NamedTuple):
    """What lies on the trick: the newest play, the one below it, and the order that holds."""

    seat: Seat
    rank: int
    size: int
    below: Any
    newest: bool


class PairsDaifugoScreen(Screen):
    """The table page of ペアーズ大富豪."""

    checks = QUESTIONS
    counts_deals = True

    def deal(self, number: int, trick: int | None = None) -> str:
        if trick:
            return _("ゲーム %(deal)s・ラウンド %(trick)s", deal=number, trick=trick)
        return _("ゲーム %(n)s", n=number)

    def deals(self) -> str:
        return _("ゲーム")

    def axis(self) -> str:
        return _("下の数字はゲーム")

    def so_far(self) -> str:
        return _("終わったゲームまでの勝ち数です。")

    def no_score(self) -> str:
        return _("ゲームがひとつ終わると、ここに出ます。")

    def points(self, n: int) -> str:
        return _("%(n)s 勝", n=n)

    def progress(self, view: View) -> str:
        return f"{_('ゲーム')} {view.state.deal}"

    def between_deals(self) -> str:
        return _("ゲームの合間")

    def opening(self, view: View, leader: Seat) -> Deal:
        return Deal(leader)

    def band(self, view: View, wish: Mapping[str, str]) -> dict[str, Any]:
        state = view.state
        needed = int(view.log.table.option("wins_needed"))
        context = {
            "look": "daifugo",
            "places": [(_("ゲーム"), state.deal, None)] if state.deal else [],
            "deal": state.deal,
            "needed": needed,
            "rows": ROWS[len(view.header.seats)],
            "order": order(view),
            "top": top(view),
        }
        if view.to_act:
            due, named = view.to_act[0], wish.get("seat", "")
            seat = named if named in view.header.seats else due
            keys = pad(view, seat, wish)
            others = view.log.table.from_left_of(seat)[:-1]
            return {
                **context,
                "phase": "trick",
                "due": seat if seat in view.to_act else due,
                "seat": seat,
                "pad": keys,
                "own": face(view, seat, seat, own_cells(view, keys, wish)),
                "others": [face(view, other, seat) for other in others],
            }
        context["others"] = [face(view, seat, "") for seat in view.header.seats]
        context["sums"] = sums(view)
        ended = view.outcome
        if ended is None:
            deals = [(p.leader, view.grammar.print(p)) for p in view.game.candidates(state)]
            heading = _("ゲーム %(n)s が終わった", n=state.deal) if state.deal else ""
            return {**context, "phase": "deal", "deals": deals, "heading": heading}
        told = sentences.outcome(ended, book(view.game.NAME), language.current())
        return {**context, "phase": "end", "told": told}

    def what(self, entry: Any) -> str:
        match entry:
            case Lay(seat=seat, ranks=ranks):
                return f"{short(seat)} {cards(ranks)}"
            case Row(seat=seat, ranks=ranks):
                return _("%(seat)s の下の段 %(cards)s", seat=short(seat), cards=cards(ranks))
            case Turn(seat=seat, rank=rank):
                return _("%(seat)s の場札から %(rank)s", seat=short(seat), rank=rank)
            case Pass(seat=seat):
                return _("%(seat)s パス", seat=short(seat))
            case Deal(leader=leader) if leader is not None:
                return _("%(seat)s から", seat=short(leader))
            case _:
                return _("新しく配る")

    def card(self, entry: Any) -> int | None:
        return entry.ranks[0] if isinstance(entry, Lay) else None

    def said(self, view: View, entry: Any, word: str) -> Strip:
        if isinstance(entry, Deal):
            return Strip(word, _("ゲーム %(n)s", n=view.state.deal), self.what(entry))
        step = view.moment.step
        if step is None or step.seq != view.seq or step.verdict is not view.moment.verdict:
            return Strip(word, self.what(entry), _("効いていない記録"))
        return Strip(word, self.what(entry), _consequence(step))


def _consequence(step: Step) -> str:
    """What a play in force has brought about, in a few words."""
    facts = {fact.fact: fact.values for fact in step.verdict.evidence}
    told = []
    if "goes_out" in facts:
        told.append(_("上がり"))
    elif "beats" in facts:
        told.append(_("%(rank)s より強い", rank=facts["beats"]["top"]))
    if "revolution" in facts:
        told.append(_("革命 %(high)s が最強", high=facts["revolution"]["high"]))
    elif "pairs_back" in facts:
        told.append(_("ペアーズバック %(high)s が最強", high=facts["pairs_back"]["high"]))
    if step.before and step.state.number != step.before.state.number and not step.state.trick:
        told.append(_("流れて %(seat)s から", seat=short(step.state.leader)))
    return "　".join(told)


def top(view: View) -> Top | None:
    """What has to be beaten, or what the last deal was won with."""
    trick = view.state.trick
    if not trick:
        return None
    last, below = trick[-1], trick[-2] if len(trick) > 1 else None
    return Top(last.seat, last.rank, last.size, below, last.at == view.state.at)


def order(view: View) -> dict[str, Any]:
    """The ranks from weak to strong, those that beat what lies on top, and why it is so."""
    state = view.state
    high = game.high(state)
    line = list(RANKS) if high == 10 else list(reversed(RANKS))
    up = [rank for rank in RANKS if state.trick and game.stronger(state, rank)]
    pairs = any(laid.size == PAIR for laid in state.trick)
    turned = [_("革命")] if state.reversed else []
    turned += [_("ペアーズバック")] if pairs else []
    return {"line": line, "high": high, "up": up, "why": _("・").join(turned), "once": pairs}


def face(view: View, seat: Seat, chosen: Seat, cells: list[list[Cell]] | None = None) -> Face:
    state = view.state
    shown = view.log.table.option("show_counts") == "on"
    return Face(
        seat,
        width(seat) > LONG_NAME,
        seat in view.to_act and not state.untold,
        seat == chosen,
        seat in state.passed,
        state.hands[seat] if shown else None,
        state.wins[seat],
        cells if cells is not None else _rows(view, lambda place: _cell(state, seat, place)),
        _to(seat),
    )


def sums(view: View) -> list[Sum]:
    """The wins of every seat, and who won the deal that is over."""
    state = view.state
    last = state.won.last.seat if state.won else None
    most = max(state.wins.values())
    return [Sum(s, int(s == last), wins, wins == most) for s, wins in state.wins.items()]


def _rows(view: View, cell: Any) -> list[list[Cell]]:
    return [[cell(place) for place in row] for row in rows(ROWS[len(view.header.seats)])]


def _cell(state: Any, seat: Seat, place: str) -> Cell:
    pyramid = state.pyramids[seat]
    if place not in pyramid:
        return Cell(place, "gone", None)
    rank = pyramid[place]
    return Cell(place, "back" if rank is None else "open", rank)


# ------------------------------------------------------------------ the keys


class Wish(NamedTuple):
    """What was tapped so far: ranks of a row, a rank, how many, pyramid cards, a place."""

    row: tuple[int, ...]
    rank: int | None
    size: int | None
    taken: str | None
    place: str
    hand_first: bool


def read(wish: Mapping[str, str]) -> Wish:
    """The query as far as it makes sense; the rest is left out."""

    def number(text: str) -> int | None:
        return int(text) if text in map(str, RANKS) else None

    row = map(number, wish.get("row", "").split("-"))
    taken = wish.get("from")
    return Wish(
        tuple(rank for rank in row if rank),
        number(wish.get("rank", "")),
        number(wish.get("size", "")),
        None if taken is None else "".join(p for p in taken if p in "".join(rows(6))),
        wish.get("place", "")[:1],
        wish.get("hand") == "1",
    )


def pad(view: View, seat: Seat, query: Mapping[str, str]) -> Pad:
    """The keys for ``seat``, at the step that ``query`` tells of."""
    state, wish = view.state, read(query)
    if seat in state.untold:
        return _row_pad(view, seat, wish)
    if any(owner == seat for owner, _place in state.turning):
        return _turn_pad(view, seat, wish)
    if wish.rank is not None:
        return _pick_pad(view, seat, wish.rank, wish)
    leading = not state.trick
    keys = [_key(view, seat, rank, wish.hand_first) for rank in RANKS]
    own = any(key.own and key.word == "legal" for key in keys) and state.hands[seat] > 0
    sure = game.sure_passes(state) if view.log.table.option("auto_close_round") == "suggest" else ()
    return Pad(
        seat,
        "lead" if leading else "follow",
        keys,
        [],
        None,
        "" if leading else view.grammar.print(Pass(seat)),
        "\n".join(view.grammar.print(Pass(s)) for s in sure) if seat == state.due else "",
        len(sure),
        "",
        _to(seat, hand="" if wish.hand_first else "1") if own or wish.hand_first else "",
        wish.hand_first,
        leading or not isinstance(game.judge(state, Pass(seat)), Illegal),
    )


def _row_pad(view: View, seat: Seat, wish: Wish) -> Pad:
    state, size = view.state, ROWS[len(view.header.seats)]
    told = wish.row[: size - 1]
    keys = []
    for rank in RANKS:
        row = (*told, rank)
        unseen = state.copies.unseen(rank) - told.count(rank)
        word = "legal" if unseen > 0 else "illegal"
        line = view.grammar.print(Row(seat, row)) if len(row) == size or unseen <= 0 else ""
        to = "" if line else _to(seat, row="-".join(map(str, row)))
        keys.append(Key(rank, line, to, word, max(unseen, 0), False))
    back = _to(seat, row="-".join(map(str, told[:-1]))) if told else ""
    return _asking(seat, "row", keys, back)


def _turn_pad(view: View, seat: Seat, wish: Wish) -> Pad:
    state = view.state
    place = _asked(state, seat, wish)
    keys = []
    for rank in RANKS:
        play = Turn(seat, place, rank)
        unseen = state.copies.unseen(rank)
        line, word = view.grammar.print(play), sentences.word(game.judge(state, play))
        keys.append(Key(rank, line, "", word, unseen, False))
    return _asking(seat, "turn", keys, "")


def _asked(state: Any, seat: Seat, wish: Wish) -> str:
    """The place whose card is asked for: the one tapped, else the first."""
    due = [place for owner, place in state.turning if owner == seat]
    return wish.place if wish.place in due else str(due[0])


def _asking(seat: Seat, stage: str, keys: list[Key], back: str) -> Pad:
    return Pad(seat, stage, keys, [], None, "", "", 0, back, "", False)


def _key(view: View, seat: Seat, rank: int, hand_first: bool) -> Key:
    """A rank: recorded at once where count and cards are clear, else the way to say them."""
    state = view.state
    own = _own(state, seat, rank)
    unseen = state.copies.unseen(rank)
    counts = [state.trick[-1].size] if state.trick else _counts(state, seat, rank)
    ways = list(_ways(state, seat, rank, counts[0], hand_first))
    plays = [Lay(seat, (rank,) * counts[0], using) for using in ways]
    word = sentences.word(game.judge(state, plays[0]))
    clear = len(counts) == 1 and (len(plays) == 1 or word != "legal")
    line = view.grammar.print(plays[0]) if clear else ""
    to = "" if clear else _to(seat, rank=str(rank), hand="1" if hand_first else "")
    return Key(rank, line, to, word, unseen, bool(own))


def _counts(state: Any, seat: Seat, rank: int) -> list[int]:
    """How many cards of ``rank`` the seat may lead, as far as everybody can see; at least one."""
    most = len(_own(state, seat, rank)) + min(state.hands[seat], state.copies.unseen(rank))
    return list(range(1, most + 1)) or [1]


def _ways(
    state: Any, seat: Seat, rank: int, count: int, hand_first: bool
) -> Iterator[tuple[str, ...]]:
    """Which pyramid cards may be among ``count`` cards: as many as possible, or all the ways that
    take fewer, the fewest first.
    """
    own = _own(state, seat, rank)
    most = min(count, len(own))
    from_hand = min(count, state.hands[seat], state.copies.unseen(rank))
    fewest = min(count - from_hand, most) if hand_first else most
    for taken in range(fewest, max(most, fewest + 1)):
        yield from combinations(own, taken)


def _own(state: Any, seat: Seat, rank: int) -> list[str]:
    return [place for place, card in state.pyramids[seat].items() if card == rank]


def _pick_pad(view: View, seat: Seat, rank: int, wish: Wish) -> Pad:
    """After a rank was tapped: how many, or which of the pyramid's."""
    state = view.state
    hand = "1" if wish.hand_first else ""
    if state.trick or wish.size is not None:
        count = state.trick[-1].size if state.trick else int(wish.size or 1)
        ways = list(_ways(state, seat, rank, count, wish.hand_first))
        picks = [_pick(view, Lay(seat, (rank,) * count, using), len(ways) > 1) for using in ways]
        back = _to(seat, rank="" if state.trick else str(rank), hand=hand)
        return _picking(seat, "which", picks, rank, back)
    own = _own(state, seat, rank)
    taken = own if wish.taken is None else [place for place in own if place in wish.taken]
    picks = []
    for count in _counts(state, seat, rank):
        if wish.taken is not None and count < len(taken):
            continue
        if wish.taken is not None and count - len(taken) > state.hands[seat]:
            break
        ways = [tuple(taken)]
        if wish.taken is None:
            ways = list(_ways(state, seat, rank, count, wish.hand_first))
        pick = _pick(view, Lay(seat, (rank,) * count, ways[0]), drawn=False)
        if len(ways) > 1:
            to = _to(seat, rank=str(rank), size=str(count), hand=hand)
            small = pick.small if len(set(map(len, ways))) == 1 else ""
            pick = pick._replace(line="", to=to, small=small)
        picks.append(pick)
    return _picking(seat, "count", picks, rank, _to(seat, hand=hand))


def _picking(seat: Seat, stage: str, picks: list[Pick], rank: int, back: str) -> Pad:
    return Pad(seat, stage, [], picks, rank, "", "", 0, back, "", False)


def _pick(view: View, play: Lay, drawn: bool) -> Pick:
    state, count, using = view.state, len(play.ranks), len(play.using)
    word = sentences.word(game.judge(state, play))
    small = ""
    if using and using < count:
        small = _("場札\u00a0%(n)s 手札\u00a0%(m)s", n=using, m=count - using)
    elif using or _own(state, play.seat, play.ranks[0]):
        small = _("場札から") if using else _("手札から")
    effect = ""
    if not state.trick and count >= REVOLUTION:
        effect = _("革命")
    elif not state.trick and count == PAIR:
        effect = _("ペアーズバック")

    def cell(place: str) -> Cell:
        return _cell(state, play.seat, place)._replace(on=place in play.using)

    return Pick(
        count,
        view.grammar.print(play),
        "",
        word,
        small,
        effect,
        _rows(view, cell) if drawn else [],
    )


# ------------------------------------------------------------------ the own pyramid


def own_cells(view: View, keys: Pad, query: Mapping[str, str]) -> list[list[Cell]]:
    """The pyramid of the seat whose keys are shown; its cards can be tapped like keys."""
    state, seat, wish = view.state, keys.seat, read(query)
    bottom = rows(ROWS[len(view.header.seats)])[-1]

    def cell(place: str) -> Cell:
        plain = _cell(state, seat, place)._replace(where=_where(place))
        if keys.stage == "row" and place in bottom:
            i, told = bottom.index(place), wish.row[: len(bottom) - 1]
            rank = told[i] if i < len(told) else None
            return plain._replace(kind="open" if rank else "slot", rank=rank, on=i == len(told))
        if keys.stage == "turn" and (seat, place) in state.turning:
            asked = place == _asked(state, seat, wish)
            return plain._replace(kind="slot", on=asked, to="" if asked else _to(seat, place=place))
        return _tappable(view, plain, keys, wish) if plain.rank is not None else plain

    return _rows(view, cell)


def _tappable(view: View, plain: Cell, keys: Pad, wish: Wish) -> Cell:
    """An open card: what a tap on it records, or where it leads."""
    state, seat, rank = view.state, keys.seat, plain.rank
    assert rank is not None
    own = _own(state, seat, rank)
    if keys.stage == "count" and rank == keys.rank:
        taken = own if wish.taken is None else [p for p in own if p in wish.taken]
        others = [p for p in own if (p in taken) != (p == plain.place)]
        to = _to(seat, rank=str(rank), **{"from": "".join(others) or "-"})
        return plain._replace(on=plain.place in taken, to=to)
    if keys.stage not in ("lead", "follow") or seat != state.due:
        return plain
    if not state.trick:
        if _counts(state, seat, rank) == [1]:
            return plain._replace(line=view.grammar.print(Lay(seat, (rank,), (plain.place,))))
        return plain._replace(to=_to(seat, rank=str(rank), **{"from": plain.place}))
    count = state.trick[-1].size
    using = (plain.place,) if count == 1 else tuple(own[:count])
    play = Lay(seat, (rank,) * count, using)
    if sentences.word(game.judge(state, play)) != "legal":
        return plain
    if 1 < count < len(own):
        return plain._replace(to=_to(seat, rank=str(rank)))
    return plain._replace(line=view.grammar.print(play))


def _where(place: str) -> str:
    for number, row in enumerate(rows(6), 1):
        if place in row:
            return _("上から %(row)s 段目の %(card)s 枚目", row=number, card=row.index(place) + 1)
    raise KeyError(place)


def _to(seat: Seat, **wish: str) -> str:
    """The query of the next step; ``seat`` stays chosen."""
    return "?" + urlencode({"seat": seat, **{key: value for key, value in wish.items() if value}})


def cards(ranks: tuple[int, ...]) -> str:
    """``7・7``"""
    return _("・").join(map(str, ranks))
