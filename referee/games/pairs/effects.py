"""What a play changes: cards dealt, the start, points, a shuffle, the end of the match."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.adjusting import added
from referee.core.verdict import Outcome, Seat, evidence
from referee.core.written import Points
from referee.games.pairs.plays import Deal, Fold, Hit, Play, Reveal, Shuffle, Starter
from referee.games.pairs.state import (
    BURNED,
    DECK,
    PairsStage,
    Score,
    ShownCard,
    State,
    in_play,
    lowest,
    outside,
    stuck,
)


def apply(state: State, play: Play) -> State:
    match play:
        case Hit(seat, rank):
            return _hit(state, seat, rank)
        case Reveal(seat, rank):
            return _reveal(state, seat, rank)
        case Fold(seat, rank):
            return _fold(state, seat, rank)
        case Shuffle():
            return _shuffle(state)
        case Starter(named):
            return _begin(state._replace(at=state.at + 1), named)
        case Deal():
            return _deal(state)


def stopped(state: State, outcome: Outcome) -> State:
    """``state`` after the match was stopped; the cards on the table stay."""
    return state._replace(step=PairsStage.IDLE, due=(), ended=outcome, at=state.at + 1)


def adjusted(state: State, points: Mapping[Seat, Points]) -> State:
    """``state`` with ``points`` in the totals; who was the first to reach the limit has lost."""
    return state._replace(totals=added(state.totals, points), at=state.at + 1)


def let_stand(state: State, play: Play) -> State | None:
    return apply(state, play) if _can_stand(state, play) else None


def _can_stand(state: State, play: Play) -> bool:
    """Whether the table can accept this illegal play with an effect that makes sense."""
    if state.ended or state.step is PairsStage.IDLE:
        return False
    match play:
        case Deal():
            return False
        case Reveal(seat, rank):
            return state.step is PairsStage.START and seat in state.due and _unseen(state, rank)
        case Starter():
            return state.step in (PairsStage.START, PairsStage.LOT)
        case Hit(_, rank):
            return state.step is PairsStage.PLAY and _unseen(state, rank)
        case Fold(_, rank):
            lies = rank is None or any(shown.rank == rank for shown in in_play(state))
            return state.step is PairsStage.PLAY and lies
        case Shuffle():
            return sum(outside(state)) > BURNED


def _unseen(state: State, rank: int) -> bool:
    return rank in DECK and state.unseen[rank - 1] > 0


def _deal(state: State) -> State:
    seats = state.table.seats
    return state._replace(
        deal=state.deal + 1,
        step=PairsStage.START,
        due=seats,
        contest=seats,
        faced=(),
        starter=None,
        rows=dict.fromkeys(seats, ()),
        at=state.at + 1,
    )


def _less(unseen: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """``unseen`` with one copy of ``rank`` less."""
    return (*unseen[: rank - 1], unseen[rank - 1] - 1, *unseen[rank:])


def _reveal(state: State, seat: Seat, rank: int) -> State:
    shown = ShownCard(seat, rank, state.at + 1)
    row = state.rows[seat]
    # a pair at the start is discarded, and the seat is still due
    pair = any(card.rank == rank for card in row)
    state = state._replace(
        rows=state.rows if pair else {**state.rows, seat: (*row, shown)},
        faced=state.faced if pair else (*state.faced, shown),
        due=state.due if pair else tuple([other for other in state.due if other != seat]),
        unseen=_less(state.unseen, rank),
        seen=(*state.seen, shown),
        stock=max(0, state.stock - 1),
        at=state.at + 1,
    )
    return state if state.due and not stuck(state) else _compared(state)


def _compared(state: State) -> State:
    """The state after the start cards: who starts, or what decides a tie.

    Every seat due has a card, or one of them can get only pairs.
    """
    if not state.due:
        least = min(card.rank for card in state.faced)
        tied = {card.seat for card in state.faced if card.rank == least}
        if len(tied) == 1:
            return _begin(state, *tied)
        again = tuple(seat for seat in state.contest if seat in tied)
        state = state._replace(due=again, contest=again, faced=())
    if stuck(state):
        return state._replace(step=PairsStage.LOT, due=state.contest)
    return state


def _begin(state: State, starter: Seat) -> State:
    """The state in which ``starter`` is to take a card or fold."""
    return state._replace(
        step=PairsStage.PLAY,
        due=state.table.starting(starter),
        contest=(),
        faced=(),
        starter=starter,
    )


def _hit(state: State, seat: Seat, rank: int) -> State:
    at = state.at + 1
    shown = ShownCard(seat, rank, at)
    row = state.rows[seat]
    drawn = state._replace(
        rows={**state.rows, seat: (*row, shown)},
        due=state.table.from_left_of(seat),
        unseen=_less(state.unseen, rank),
        seen=(*state.seen, shown),
        stock=max(0, state.stock - 1),
        at=at,
    )
    pair = any(card.rank == rank for card in row)
    return scored(drawn, Score(state.deal, seat, rank, False, seat, at)) if pair else drawn


def _fold(state: State, seat: Seat, rank: int | None) -> State:
    taken = lowest(state)
    if rank is not None and rank != taken.rank:  # the table accepted a card that was not the lowest
        taken = next(shown for shown in in_play(state) if shown.rank == rank)
    at = state.at + 1
    return scored(state, Score(state.deal, seat, taken.rank, True, taken.seat, at))


def scored(state: State, score: Score) -> State:
    """The state after the end of a round, perhaps of the match.

    The seat keeps its card, all other cards are discarded. A seat may have reached the limit before
    this round, by points that the table gave it.
    """
    seat = score.seat
    total = state.totals[seat] + score.rank
    lost = tuple(each for each, points in state.totals.items() if points >= state.limit)
    if not lost and total >= state.limit:
        lost = (seat,)
    ended = lost_by(lost, {**state.totals, seat: total}, state.limit)
    return state._replace(
        step=PairsStage.IDLE,
        due=(),
        rows=dict.fromkeys(state.table.seats, ()),
        scores=(*state.scores, score),
        totals={**state.totals, seat: total},
        ended=ended,
        at=score.at,
    )


def lost_by(lost: tuple[Seat, ...], totals: Mapping[Seat, int], limit: int) -> Outcome | None:
    """The outcome if the seats ``lost`` have reached the limit; None if there are none."""
    if not lost:
        return None
    why = tuple(
        fact
        for seat in lost
        for fact in evidence("limit_reached", seat=seat, points=totals[seat], limit=limit)
    )
    return Outcome("lose.1", (), why, lost)


def _shuffle(state: State) -> State:
    """The state after a shuffle of all cards but those in rows and points; five are burned."""
    left = outside(state)
    points = tuple(ShownCard(score.seat, score.rank, score.at) for score in state.scores)
    return state._replace(
        unseen=tuple(left),
        seen=(*points, *in_play(state)),
        stock=sum(left) - BURNED,
        shuffles=state.shuffles + 1,
        uncounted=False,
        at=state.at + 1,
    )
