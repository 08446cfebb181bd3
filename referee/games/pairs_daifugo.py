"""ペアーズ大富豪（仮題）: shed hand and pyramid; four of a kind and pairs turn the order over.

Source: seed text S001, by のざくに; its title is lost. Rulings D1–D31. Where the text says
ゲーム the code says deal, for ラウンド it says trick.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any, ClassVar, NamedTuple

from referee.core.cards import pairs_deck
from referee.core.copies import Copies
from referee.core.game import TABLE, Line, Option, Options, ScoreSheet, SheetLines, Table, Tally
from referee.core.pyramid import Pyramid, built, covers, rows, uncovered, without
from referee.core.record import Unreadable
from referee.core.verdict import (
    Evidence,
    Facts,
    Finding,
    Illegal,
    Legal,
    Outcome,
    Seat,
    Verdict,
    evidence,
)

NAME = "pairs_daifugo"
FAMILY = "climbing"
SEATS = range(2, 7)
VERSION = "1"
OPTIONS: Options = {
    "pyramid_build": Option(("unseen", "chosen")),
    "pairs_back_in_revolution": Option(("stay", "toggle")),
    "auto_close_round": Option(("suggest", "auto", "off")),
    "wins_needed": Option(("2", "1", "3", "4", "5")),
    "show_counts": Option(("on", "off")),
}

DECK = pairs_deck(10)
ROWS = {2: 6, 3: 4, 4: 3, 5: 3, 6: 3}
HAND = {2: 6, 3: 8, 4: 7, 5: 5, 6: 3}
PAIR = 2
REVOLUTION = 4


@dataclass(frozen=True, slots=True)
class Deal:
    """A new deal; ``leader`` may be left out where the rule decides it."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal [leader={leader:seat}]"
    leader: Seat | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """The bottom row of the pyramid, face up, left to right."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "row {ranks}"
    seat: Seat
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lay:
    """Cards to the trick; those at the places ``using`` come from the pyramid."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "lay {ranks} [using {using:places}]"
    seat: Seat
    ranks: tuple[int, ...]
    using: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """A pyramid card that nothing lies on any more, turned face up."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "turn {place} {rank}"
    seat: Seat
    place: str
    rank: int


@dataclass(frozen=True, slots=True)
class Pass:
    """No cards, now and until the trick is over."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "pass"
    seat: Seat


PLAYS = (Deal, Row, Lay, Turn, Pass)
TALLIED = False  # only wins count, and no sheet would say more than their number


class Laid(NamedTuple):
    """So many equal cards in the trick; ``at`` is the position of the play."""

    seat: Seat
    rank: int
    size: int
    at: int


class Win(NamedTuple):
    """A deal won with the play ``last``, in the trick ``number``; older ones in ``before``."""

    before: Win | None
    last: Laid
    deal: int
    number: int


class State(NamedTuple):
    """Between two entries. ``due``: whose turn it is, None between deals.

    ``untold``: seats whose bottom row is not yet known; ``turning``: cards to be turned up before
    anything else. ``revolution``: the position of the last one in this deal. ``passed`` maps the
    seats that are out of the trick to the positions of their passes. ``closed``: the play after
    which the trick was over without passes (option ``auto_close_round``).
    """

    table: Table
    deal: int
    leader: Seat | None
    due: Seat | None
    untold: tuple[Seat, ...]
    turning: tuple[tuple[Seat, str], ...]
    hands: Mapping[Seat, int]
    pyramids: Mapping[Seat, Pyramid]
    reversed: bool
    revolution: int | None
    trick: tuple[Laid, ...]
    passed: Mapping[Seat, int]
    number: int
    closed: int | None
    copies: Copies
    wins: Mapping[Seat, int]
    won: Win | None
    ended: Outcome | None
    at: int


def setup(table: Table) -> State:
    seats = table.seats
    return State(
        table,
        deal=0,
        leader=None,
        due=None,
        untold=(),
        turning=(),
        hands=dict.fromkeys(seats, 0),
        pyramids={seat: {} for seat in seats},
        reversed=False,
        revolution=None,
        trick=(),
        passed={},
        number=0,
        closed=None,
        copies=Copies.none_of(DECK),
        wins=dict.fromkeys(seats, 0),
        won=None,
        ended=None,
        at=0,
    )


def to_act(state: State) -> tuple[Seat, ...]:
    if state.untold:
        return state.untold
    if state.turning:
        return tuple(dict.fromkeys(seat for seat, _ in state.turning))
    return (state.due,) if state.due else ()


def candidates(state: State) -> Iterator[Any]:
    """Of the bottom rows with the same cards only the ascending one."""
    ranks = range(1, len(DECK.cards) + 1)
    if state.untold:
        size = ROWS[len(state.table.seats)]
        for row in combinations_with_replacement(ranks, size):
            yield Row(state.untold[0], row)
    elif state.turning:
        yield from (Turn(seat, place, rank) for seat, place in state.turning for rank in ranks)
    elif state.due:
        for rank in ranks:
            yield from (Lay(state.due, cards, using) for cards, using in groups(state, rank))
        yield Pass(state.due)
    elif not state.ended:
        leader = next_starter(state)
        yield from (Deal(seat) for seat in ([leader] if leader else state.table.seats))


def groups(state: State, rank: int) -> Iterator[tuple[tuple[int, ...], tuple[str, ...]]]:
    """The cards of ``rank`` that the seat in turn may hold: all counts, from all its places."""
    assert state.due
    pyramid, hand = state.pyramids[state.due], state.hands[state.due]
    own = [place for place, card in pyramid.items() if card == rank]
    for count in range(1, rank + 1):
        for taken in range(min(count, len(own)), -1, -1):
            if count - taken <= min(hand, state.copies.unseen(rank)):
                yield from (((rank,) * count, using) for using in combinations(own, taken))


def judge(state: State, play: Any) -> Verdict:
    if state.ended:
        return Illegal("end.1", evidence("match_over"))
    if isinstance(play, Deal):
        return _judge_deal(state, play)
    if state.due is None:
        return Illegal("game.1", evidence("no_deal"))
    if isinstance(play, Row):
        return _judge_row(state, play)
    if state.untold:
        return Illegal("pyramid.2", evidence("rows_missing", seats=state.untold))
    if isinstance(play, Turn):
        return _judge_turn(state, play)
    if state.turning:
        owners, places = zip(*state.turning, strict=True)
        due = tuple(dict.fromkeys(owners))
        return Illegal("turning.1", evidence("turn_first", seats=due, places=places))
    if play.seat != state.due:
        return _out_of_turn(state, play)
    if isinstance(play, Pass):
        return _judge_pass(state, play)
    return _missing(state, play) or _judge_lay(state, play)


def _judge_deal(state: State, play: Deal) -> Verdict:
    if state.due:
        return Illegal("game.2", evidence("deal_running"))
    leader = next_starter(state)
    named = play.leader or leader
    clause = "starter.1" if leader is None else "starter.2"
    if named is None:
        return Illegal(clause, evidence("leader_missing"))
    if leader and named != leader:
        return Illegal(clause, evidence("leader_rule", leader=leader, named=named))
    return Legal(clause, evidence("new_deal", leader=named))


def _judge_row(state: State, play: Row) -> Verdict:
    seat, told, size = play.seat, len(play.ranks), ROWS[len(state.table.seats)]
    if seat not in state.untold:
        return Illegal("pyramid.2", evidence("row_known", seat=seat))
    if told != size:
        return Illegal("pyramid.1", evidence("row_size", seat=seat, told=told, size=size))
    fault = _copies_short(state, {rank: play.ranks.count(rank) for rank in play.ranks})
    return fault or Legal("pyramid.2", evidence("row_told", seat=seat, ranks=play.ranks))


def _judge_turn(state: State, play: Turn) -> Verdict:
    seat, place = play.seat, play.place
    if (seat, place) not in state.turning:
        pyramid = state.pyramids[seat]
        if place in pyramid and pyramid[place] is None:
            return Illegal("turning.1", _covered(pyramid, seat, place))
        fact = "lies_open" if place in pyramid else "no_card_there"
        return Illegal("turning.1", _there(fact, seat, place, rank=pyramid.get(place)))
    fault = _copies_short(state, {play.rank: 1})
    return fault or Legal("turning.1", _there("turned", seat, place, rank=play.rank))


def _out_of_turn(state: State, play: Lay | Pass) -> Illegal:
    seat = play.seat
    if seat in state.passed:
        return Illegal("pass.2", evidence("has_passed", state.passed[seat], seat=seat))
    not_turn = Evidence("not_turn", {"seat": seat, "due": (state.due,)})
    if isinstance(play, Pass) and state.closed:
        return Illegal("trick.2", (Evidence("closed_itself", {}, state.closed), not_turn))
    return Illegal("turn.1", (not_turn,))


def _judge_pass(state: State, play: Pass) -> Verdict:
    if not state.trick:
        return Illegal("lead.1", evidence("must_lead", seat=play.seat))
    return Legal("pass.1", evidence("passes", seat=play.seat))


def _missing(state: State, play: Lay) -> Illegal | None:
    """Why the cards can't come from where they are said to come from."""
    seat, rank = play.seat, play.ranks[0]
    pyramid, hand = state.pyramids[seat], state.hands[seat]
    for told in play.ranks:
        if told not in DECK:
            return _not_in_deck(told)
    if len(set(play.ranks)) > 1:
        return Illegal("cards.1", evidence("unequal", ranks=play.ranks))
    if len(play.using) > len(play.ranks) or len(set(play.using)) < len(play.using):
        places, told = play.using, len(play.ranks)
        return Illegal("cards.2", evidence("places_do_not_fit", places=places, count=told))
    for place in play.using:
        lies = pyramid.get(place)
        if place not in pyramid:
            return Illegal("cards.2", _there("no_card_there", seat, place))
        if lies is None:
            return Illegal("cards.3", _covered(pyramid, seat, place))
        if lies != rank:
            fact = _there("other_card_there", seat, place, lies=lies, rank=rank)
            return Illegal("cards.2", fact)
    count = len(play.ranks) - len(play.using)
    if count > hand:
        return Illegal("cards.2", evidence("hand_too_small", seat=seat, count=count, held=hand))
    return _copies_short(state, {rank: count}) if count else None


def _judge_lay(state: State, play: Lay) -> Verdict:
    rank, count = play.ranks[0], len(play.ranks)
    if not state.trick:
        led = Evidence("leads", {"seat": play.seat, "rank": rank, "count": count})
        return Legal("lead.1", (led, *_consequences(state, play)))
    top = state.trick[-1]
    if count != top.size:
        return Illegal("follow.1", evidence("other_count", top.at, count=top.size, told=count))
    ranks = {"rank": rank, "top": top.rank}
    if not stronger(state, rank):
        fact = "equal" if rank == top.rank else "weaker"
        return Illegal("follow.2", (Evidence(fact, ranks, top.at), _order(state)))
    beats = Evidence("beats", ranks, top.at)
    return Legal("follow.2", (beats, _order(state), *_consequences(state, play)))


def _consequences(state: State, play: Lay) -> Iterator[Evidence]:
    """What else happens when ``play`` is laid."""
    seat, count = play.seat, len(play.ranks)
    pyramid = without(state.pyramids[seat], play.using)
    if not pyramid and state.hands[seat] == count - len(play.using):
        yield Evidence("goes_out", {"seat": seat})
    if count >= REVOLUTION:
        high = 1 if state.reversed else 10
        yield Evidence("revolution", {"count": count, "high": high})
    if count == PAIR and not state.trick:
        yield Evidence("pairs_back", {"high": _high(state, pairs=True)})
    if free := uncovered(pyramid):
        yield Evidence("uncovers", {"seat": seat, "places": free})


def apply(state: State, play: Any) -> State:
    match play:
        case Deal():
            return _deal(state, play)
        case Row():
            return _told(state, play)
        case Turn():
            return _turn(state, play)
        case Pass():
            return _pass(state, play.seat)
        case _:
            return _lay(state, play)


def let_stand(state: State, play: Any) -> State | None:
    """Where the cards can be, the table may allow anything but a leader named too early."""
    if state.ended:
        return None
    if isinstance(play, Deal):
        return _deal(state, play) if state.due is None and play.leader else None
    if state.due is None or state.untold or isinstance(play, Row):
        return None
    if isinstance(play, Turn):
        lies = state.pyramids[play.seat].get(play.place, 0)
        stands = lies is None and not _copies_short(state, {play.rank: 1})
        return _turn(state, play) if stands else None
    if isinstance(play, Pass):
        return _stray_pass(state, play.seat)
    return _lay(state, play) if _can_stand(state, play) else None


def _can_stand(state: State, play: Lay) -> bool:
    """Equal cards, each of which can lie where it is said to come from, perhaps face down."""
    rank, hand, pyramid = play.ranks[0], state.hands[play.seat], state.pyramids[play.seat]
    lie = [pyramid.get(place, 0) for place in play.using]
    count = len(play.ranks) - len(lie)
    return (
        len(set(play.ranks)) == 1
        and len(set(play.using)) == len(lie)
        and 0 <= count <= hand
        and all(card in (None, rank) for card in lie)
        and not _copies_short(state, {rank: count + lie.count(None)})
    )


def _stray_pass(state: State, seat: Seat) -> State | None:
    """A leader who passes hands the lead on; who passes early is out; others change nothing."""
    if not state.trick:
        if seat != state.due:
            return None
        left = state.table.from_left_of(seat)[0]
        return state._replace(leader=left, due=left, at=state.at + 1)
    if seat in state.passed or seat == state.trick[-1].seat:
        return None
    return _pass(state, seat)


def _deal(state: State, play: Deal) -> State:
    table = state.table
    seats = table.seats
    leader = play.leader or next_starter(state)
    assert leader
    return setup(table)._replace(
        deal=state.deal + 1,
        leader=leader,
        due=leader,
        untold=table.starting(leader),
        hands=dict.fromkeys(seats, HAND[len(seats)]),
        pyramids=dict.fromkeys(seats, built(ROWS[len(seats)])),
        number=1,
        wins=state.wins,
        won=state.won,
        at=state.at + 1,
    )


def _told(state: State, play: Row) -> State:
    seat, at = play.seat, state.at + 1
    pyramid = state.pyramids[seat]
    row = dict(zip(rows(ROWS[len(state.table.seats)])[-1], play.ranks, strict=True))
    copies = state.copies
    for rank in dict.fromkeys(play.ranks):
        copies = copies.find("in_row", seat, rank, play.ranks.count(rank), at)
    return state._replace(
        untold=tuple(other for other in state.untold if other != seat),
        pyramids={**state.pyramids, seat: {**pyramid, **row}},
        copies=copies,
        at=at,
    )


def _turn(state: State, play: Turn) -> State:
    seat, place, rank, at = play.seat, play.place, play.rank, state.at + 1
    pyramid = {**state.pyramids[seat], place: rank}
    return state._replace(
        turning=tuple(other for other in state.turning if other != (seat, place)),
        pyramids={**state.pyramids, seat: pyramid},
        copies=state.copies.find("turned_up", seat, rank, 1, at),
        at=at,
    )


def _lay(state: State, play: Lay) -> State:
    seat, rank, count, at = play.seat, play.ranks[0], len(play.ranks), state.at + 1
    pyramid, turning = state.pyramids[seat], state.turning
    new = count - sum(pyramid[place] is not None for place in play.using)
    copies = state.copies.find("from_hand", seat, rank, new, at) if new else state.copies
    if play.using:
        pyramid = without(pyramid, play.using)
        others = (card for card in turning if card[0] != seat)
        turning = (*others, *((seat, place) for place in uncovered(pyramid)))
    laid = Laid(seat, rank, count, at)
    passed = {other: at for other, at in state.passed.items() if other != seat}
    state = state._replace(
        leader=state.leader if state.trick else seat,
        due=_next(state.table, seat, passed),
        turning=turning,
        hands={**state.hands, seat: state.hands[seat] - count + len(play.using)},
        pyramids={**state.pyramids, seat: pyramid},
        reversed=state.reversed != (count >= REVOLUTION),
        revolution=at if count >= REVOLUTION else state.revolution,
        trick=(*state.trick, laid),
        passed=passed,
        closed=None,
        copies=copies,
        at=at,
    )
    if not pyramid and not state.hands[seat]:
        return _win(state, laid)
    auto = state.table.option("auto_close_round") == "auto"
    return _close(state)._replace(closed=at) if auto and not beatable(state) else state


def _pass(state: State, seat: Seat) -> State:
    at = state.at + 1
    passed = {**state.passed, seat: at}
    due = _next(state.table, seat, passed) if seat == state.due else state.due
    state = state._replace(due=due, passed=passed, at=at)
    left = len(state.table.seats) - len(passed)
    return _close(state) if left == 1 else state


def _next(table: Table, seat: Seat, passed: Mapping[Seat, int]) -> Seat:
    return next(other for other in table.from_left_of(seat) if other not in passed)


def _close(state: State) -> State:
    """The trick is over; whoever laid last leads the next."""
    leader = state.trick[-1].seat
    return state._replace(
        leader=leader, due=leader, trick=(), passed={}, number=state.number + 1, closed=None
    )


def _win(state: State, laid: Laid) -> State:
    """The deal is over; the trick stays on the table as it lies."""
    seat, table = laid.seat, state.table
    wins = {**state.wins, seat: state.wins[seat] + 1}
    needed = int(table.option("wins_needed"))
    ended = None
    if wins[seat] == needed:
        ended = Outcome("outcome.1", (seat,), evidence("wins_reached", seat=seat, needed=needed))
    return state._replace(
        leader=None if ended else table.from_left_of(seat)[0],
        due=None,
        turning=(),
        wins=wins,
        won=Win(state.won, laid, state.deal, state.number),
        ended=ended,
    )


def next_starter(state: State) -> Seat | None:
    """Who leads the next deal; None where the table says so."""
    return state.table.from_left_of(state.won.last.seat)[0] if state.won else None


def high(state: State) -> int:
    """The strongest rank now: 1 or 10."""
    return _high(state, pairs=any(laid.size == PAIR for laid in state.trick))


def _high(state: State, *, pairs: bool) -> int:
    """The strongest rank; ``pairs``: in a trick that a pair has turned (ruling D12)."""
    if pairs and (state.table.option("pairs_back_in_revolution") == "stay" or not state.reversed):
        return 10
    return 10 if state.reversed and not pairs else 1


def stronger(state: State, rank: int) -> bool:
    """Whether ``rank`` is stronger than what lies on top of the trick."""
    top = state.trick[-1].rank
    return rank > top if high(state) == 10 else rank < top


def beatable(state: State) -> bool:
    """Whether the deck has cards enough to beat what lies on top (ruling D11)."""
    count = state.trick[-1].size
    return any(rank >= count and stronger(state, rank) for rank in range(1, len(DECK.cards) + 1))


def sure_passes(state: State) -> tuple[Seat, ...]:
    """The seats that still have to pass, where everybody can see that none of them can follow."""
    if not state.trick or not state.due or state.turning:
        return ()
    top = state.trick[-1].seat
    left = [s for s in state.table.starting(state.due) if s not in state.passed and s != top]
    return () if any(can_follow(state, seat) for seat in left) else tuple(left)


def can_follow(state: State, seat: Seat) -> bool:
    """Whether ``seat`` may hold something to follow with, as far as everybody can see."""
    count = state.trick[-1].size
    own = list(state.pyramids[seat].values())
    return any(
        own.count(rank) + min(state.hands[seat], state.copies.unseen(rank)) >= count
        for rank in range(1, len(DECK.cards) + 1)
        if stronger(state, rank)
    )


def score(state: State) -> ScoreSheet:
    lines: list[Line] = []
    needed = state.table.option("wins_needed")
    for nth, win in _wins(state):
        seat, rank, size, at = win.last
        out = Evidence("won_with", {"seat": seat, "rank": rank, "count": size}, at)
        chip = Evidence("nth_win", {"seat": seat, "nth": nth, "needed": needed})
        lines.append(Line(seat, 1, "win.1", (out, chip), win.deal, win.number))
    return ScoreSheet(tuple(lines), state.wins)


def _wins(state: State) -> Iterator[tuple[int, Win]]:
    """The deals won so far, in order, each with how many its winner had won by then."""
    won, win = [], state.won
    while win:
        won.append(win)
        win = win.before
    counts = dict.fromkeys(state.table.seats, 0)
    for win in reversed(won):
        counts[win.last.seat] += 1
        yield counts[win.last.seat], win


def outcome(state: State) -> Outcome | None:
    return state.ended


def audit(state: State) -> tuple[Finding, ...]:
    """Passing is free, so no entry says anything about a hand that could be refuted."""
    return ()


def public(state: State) -> dict[str, Any]:
    return {
        "high": high(state),
        "trick": [[laid.seat, [laid.rank] * laid.size] for laid in state.trick],
        "leader": state.leader,
        "hands": dict(state.hands),
        "pyramids": {seat: dict(pyramid) for seat, pyramid in state.pyramids.items()},
        "wins": dict(state.wins),
        "passed": list(state.passed),
    }


def tally(table: Table, lines: SheetLines, end: int) -> Tally:
    raise Unreadable("read_tally_none", line=end)


def _copies_short(state: State, counts: Mapping[int, int]) -> Illegal | None:
    """Why so many more copies can't turn up, if they can't."""
    for rank, count in counts.items():
        if rank not in DECK:
            return _not_in_deck(rank)
        left = state.copies.unseen(rank)
        if count > left:
            values = {"rank": rank, "copies": DECK.copies[rank - 1], "left": left, "count": count}
            return Illegal(
                "deck.2", (Evidence("copies_short", values), *_where(state.copies, rank))
            )
    return None


def _where(copies: Copies, rank: int) -> Iterator[Evidence]:
    """The entries that show the copies of ``rank``."""
    for found in copies.where(rank):
        values = {"seat": found.seat, "rank": rank, "copies": found.copies}
        yield Evidence(found.how, values, found.at)


def _order(state: State) -> Evidence:
    """Which rank is strongest now, and the entry that made it so."""
    pair = next((laid for laid in state.trick if laid.size == PAIR), None)
    strongest = high(state)
    if pair and (strongest == 10) != state.reversed:
        return Evidence("order_pairs", {"high": strongest}, pair.at)
    if pair and state.reversed:
        return Evidence("order_stays", {"high": strongest}, state.revolution)
    if state.revolution:
        return Evidence("order_revolution", {"high": strongest}, state.revolution)
    return Evidence("order_usual", {"high": strongest})


def _covered(pyramid: Pyramid, seat: Seat, place: str) -> Facts:
    on_it = covers(pyramid, place)
    return _there("still_covered" if on_it else "not_yet_turned", seat, place, places=on_it)


def _there(fact: str, seat: Seat, place: str, **values: object) -> Facts:
    """A fact about a pyramid card, with its place as people find it: row and card from 1."""
    [(number, row)] = [(n, row) for n, row in enumerate(rows(6), 1) if place in row]
    where = {"seat": seat, "place": place, "row": number, "card": row.index(place) + 1}
    return evidence(fact, **where, **values)


def _not_in_deck(rank: int) -> Illegal:
    return Illegal("deck.1", evidence("not_in_deck", rank=rank, top=DECK.cards[-1]))
