"""What an entry changes, and which illegal plays the table may accept."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.game import Table
from referee.core.pyramid import built, rows, uncovered, without
from referee.core.verdict import Outcome, Seat, evidence
from referee.games.pairs_daifugo.evidence import copies_short
from referee.games.pairs_daifugo.following import beatable
from referee.games.pairs_daifugo.plays import Deal, Lay, Pass, Play, Row, Turn
from referee.games.pairs_daifugo.state import (
    HAND,
    REVOLUTION,
    ROWS,
    Laid,
    State,
    Win,
    next_starter,
    setup,
)


def apply(state: State, play: Play) -> State:
    match play:
        case Deal():
            return _deal(state, play)
        case Row():
            return _row_named(state, play)
        case Turn():
            return _turn(state, play)
        case Pass():
            return _pass(state, play.seat)
        case _:
            return _lay(state, play)


def let_stand(state: State, play: Play) -> State | None:
    """The state after an illegal play that the table accepts; None if that makes no sense.

    Cards can be accepted where they are possible; a bottom row cannot, nor a deal during another.
    """
    if state.ended:
        return None
    if isinstance(play, Deal):
        return _deal(state, play) if state.due is None and play.leader else None
    if state.due is None or state.unknown_rows or isinstance(play, Row):
        return None
    if isinstance(play, Turn):
        lies = state.pyramids[play.seat].get(play.place, 0)
        stands = lies is None and not copies_short(state, {play.rank: 1})
        return _turn(state, play) if stands else None
    if isinstance(play, Pass):
        return _stray_pass(state, play.seat)
    return _lay(state, play) if _can_stand(state, play) else None


def _can_stand(state: State, play: Lay) -> bool:
    """Whether the cards are equal and each can be where it comes from, perhaps face down."""
    rank, hand, pyramid = play.ranks[0], state.hands[play.seat], state.pyramids[play.seat]
    lie = [pyramid.get(place, 0) for place in play.using]
    count = len(play.ranks) - len(lie)
    return (
        len(set(play.ranks)) == 1
        and len(set(play.using)) == len(lie)
        and 0 <= count <= hand
        and all(card in (None, rank) for card in lie)
        and not copies_short(state, {rank: count + lie.count(None)})
    )


def _stray_pass(state: State, seat: Seat) -> State | None:
    """The state after a pass that is illegal; None if it makes no sense.

    A leader who passes gives the lead to the next seat; a seat that passes out of turn is out of
    the trick. A pass makes no sense from a seat that is out of it, or whose cards lie on top.
    """
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
        unknown_rows=table.starting(leader),
        hands=dict.fromkeys(seats, HAND[len(seats)]),
        pyramids=dict.fromkeys(seats, built(ROWS[len(seats)])),
        number=1,
        wins=state.wins,
        won=state.won,
        at=state.at + 1,
    )


def _row_named(state: State, play: Row) -> State:
    seat, at = play.seat, state.at + 1
    pyramid = state.pyramids[seat]
    row = dict(zip(rows(ROWS[len(state.table.seats)])[-1], play.ranks, strict=True))
    copies = state.copies
    for rank in dict.fromkeys(play.ranks):
        copies = copies.find("in_row", seat, rank, play.ranks.count(rank), at)
    return state._replace(
        unknown_rows=tuple(other for other in state.unknown_rows if other != seat),
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
        return won_by(state, laid)
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
    """The next seat after ``seat`` that has not passed."""
    for other in table.from_left_of(seat):
        if other not in passed:
            return other
    raise AssertionError("nobody is left in the trick")


def _close(state: State) -> State:
    """The state after a trick: the seat that played the last cards leads the next."""
    leader = state.trick[-1].seat
    return state._replace(
        leader=leader, due=leader, trick=(), passed={}, number=state.number + 1, closed=None
    )


def stopped(state: State, outcome: Outcome) -> State:
    """The match ends here; what lies on the table stays there."""
    return state._replace(due=None, unknown_rows=(), turning=(), ended=outcome, at=state.at + 1)


def won_by(state: State, laid: Laid) -> State:
    """The state after a deal; the trick stays on the table.

    ``laid``: the last play; it has no cards if the deal was entered by its sheet.
    """
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
