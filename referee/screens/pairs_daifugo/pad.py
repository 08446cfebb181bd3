"""The keys of a seat at the step that the address describes, and its pyramid beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from referee.core.pyramid import POSITIONS, rows
from referee.core.verdict import Illegal, Seat, word_of
from referee.games import pairs_daifugo as game
from referee.games.pairs_daifugo import ROWS, Lay, Pass, Row, State, Turn
from referee.http.language import gettext as _
from referee.screens.pad import CardKey, query, verdict_word
from referee.screens.pairs_daifugo.pyramid import DaifugoView, PyramidCell, cell_of, in_rows

RANKS = range(1, 11)


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
        return turn_pad(view, seat, tapped)
    if tapped.rank is not None:
        return pick_pad(view, seat, tapped.rank, tapped)
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


def turn_pad(view: DaifugoView, seat: Seat, tapped: Tapped) -> DaifugoPad:
    """The keys that say which card a place of the pyramid turns up."""
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
    own = own_places(state, seat, rank)
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
        to = query(seat=seat, rank=chosen(rank, own))
    return CardKey(rank, line, to, word, unseen, rank, own=bool(own))


def chosen(rank: int, places: Iterable[str]) -> str:
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
        return [tuple(own_places(state, seat, rank))]
    most = max(map(len, ways))
    fewer = sorted((using for using in ways if len(using) < most), key=len) if hand_first else []
    return fewer or [using for using in ways if len(using) == most]


def own_places(state: State, seat: Seat, rank: int) -> list[str]:
    """The places of the open cards of ``rank`` in the pyramid of ``seat``."""
    return [place for place, card in state.pyramids[seat].items() if card == rank]


def pick_pad(view: DaifugoView, seat: Seat, rank: int, tapped: Tapped) -> DaifugoPad:
    """The keys after a rank was tapped: how many cards, or which of the pyramid's."""
    state = view.state
    if state.trick:
        count = state.trick[-1].size
        ways = _ways(state, seat, rank, count, tapped.hand_first)
        picks = [lead_pick(view, Lay(seat, (rank,) * count, using), drawn=True) for using in ways]
        back = query(seat=seat, hand="on" if tapped.hand_first else "")
        return DaifugoPad(seat, "which", picks=picks, rank=rank, back=back)
    taken = tuple(place for place in own_places(state, seat, rank) if place in tapped.taken)
    picks = [
        lead_pick(view, Lay(seat, (rank,) * count, taken), drawn=False)
        for count in sizes_of(state, seat, rank, taken)
    ]
    return DaifugoPad(seat, "count", picks=picks, rank=rank, back=query(seat=seat))


def sizes_of(state: State, seat: Seat, rank: int, taken: tuple[str, ...]) -> list[int]:
    """How many cards of ``rank`` the seat may lead with those of the pyramid at ``taken``."""
    return [len(laid) for laid, using in game.groups(state, seat, rank) if using == taken]


def lead_pick(view: DaifugoView, play: Lay, drawn: bool) -> LeadPick:
    """What ``play`` takes and brings about; ``drawn``: with the pyramid."""
    state, count, using = view.state, len(play.ranks), play.using
    verdict = game.judge(state, play)
    facts = {fact.fact for fact in verdict.evidence}
    effect = ""
    if "revolution" in facts:
        effect = _("革命")
    elif "pairs_back" in facts:
        effect = _("ペアーズバック")

    def cell(place: str) -> PyramidCell:
        return cell_of(state, play.seat, place)._replace(on=place in using)

    hand = [_("手札 %(n)s", n=count - len(using))] if count > len(using) else []
    return LeadPick(
        count,
        view.grammar.print(play),
        word_of(verdict),
        _("、").join([*map(_where, using), *hand]),
        effect,
        in_rows(view, cell) if drawn else [],
    )


def own_cells(
    view: DaifugoView, keys: DaifugoPad, params: Mapping[str, str]
) -> list[list[PyramidCell]]:
    """The pyramid of the seat whose keys are shown; its cards can be tapped like keys."""
    state, seat, tapped = view.state, keys.seat, read(params)
    bottom = rows(ROWS[len(view.header.seats)])[-1]

    def cell(place: str) -> PyramidCell:
        plain = cell_of(state, seat, place)._replace(where=_where(place))
        if keys.stage == "row" and place in bottom:
            i, entered = bottom.index(place), tapped.row[: len(bottom) - 1]
            rank = entered[i] if i < len(entered) else None
            return plain._replace(kind="open" if rank else "slot", rank=rank, on=i == len(entered))
        if keys.stage == "turn" and (seat, place) in state.turning:
            on = place == _asked(state, seat, tapped)
            to = "" if on else query(seat=seat, place=place)
            return plain._replace(kind="slot", on=on, to=to)
        return _tappable(view, plain, keys, tapped) if plain.rank is not None else plain

    return in_rows(view, cell)


def _tappable(
    view: DaifugoView, plain: PyramidCell, keys: DaifugoPad, tapped: Tapped
) -> PyramidCell:
    """An open card: what a tap on it records, or to which step it leads."""
    state, seat, rank = view.state, keys.seat, plain.rank
    assert isinstance(rank, int)
    if keys.stage not in ("lead", "follow", "count") or seat != state.due:
        return plain
    own = own_places(state, seat, rank)
    if not state.trick:
        if keys.stage == "lead":
            return plain._replace(line=view.grammar.print(Lay(seat, (rank,), (plain.place,))))
        taken = [p for p in own if p in tapped.taken] if rank == keys.rank else []
        others = tuple(p for p in own if (p in taken) != (p == plain.place))
        said = chosen(rank, others) if sizes_of(state, seat, rank, others) else ""
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
