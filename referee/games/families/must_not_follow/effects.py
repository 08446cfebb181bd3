"""The effects of plays: a deal, a card, a hand laid open, the end of a trick and of a deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.core.adjusting import added
from referee.core.ending import best, decided_again
from referee.core.game import Line
from referee.core.hands import Hands
from referee.core.sheets import moved
from referee.core.verdict import Outcome, Seat
from referee.core.written import Points, whole
from referee.games.families.must_not_follow.evidence import audit
from referee.games.families.must_not_follow.plays import Deal, Lay, Play, Show
from referee.games.families.must_not_follow.scoring import decided
from referee.games.families.must_not_follow.state import (
    Laid,
    State,
    Trick,
    next_starter,
    rounds,
)
from referee.games.families.turns import left_after


def deal(state: State, play: Deal, size: int) -> State:
    """The state after a deal of ``size`` cards to each seat, from the whole deck."""
    seats = state.table.seats
    leader = play.leader or next_starter(state)
    assert leader is not None
    return state._replace(
        deal=state.deal + 1,
        starter=leader,
        leader=leader,
        due=state.table.starting(leader),
        trick=(),
        showing={},
        hands=Hands.dealt(state.deck, seats, size),
        won=dict.fromkeys(seats, ()),
        number=1,
        found=audit(state),
        at=state.at + 1,
    )


def show(state: State, play: Show) -> State:
    at = state.at + 1
    if play.seat in state.hands.shown:
        return state._replace(at=at)
    return state._replace(hands=state.hands.show(play.seat, play.ranks, at), at=at)


def laid(
    state: State, play: Lay, believed: bool, trick: tuple[Laid, ...], showing: Mapping[int, Laid]
) -> State:
    """``state`` with the card on the table; ``trick`` and ``showing`` as the game computed them.

    ``believed``: a repeated number counts as a declaration about the hand.
    """
    at, seat = state.at + 1, play.seat
    hands = state.hands
    if believed and play.rank in state.showing and seat not in hands.shown:
        hands = hands.declare(seat, frozenset(state.showing), at)
    due = state.due[1:]
    leader = state.leader
    if seat != state.due[0]:  # the table accepted a card out of turn
        due = left_after(state.table, state.due, seat, leads=not state.trick)
        leader = state.leader if state.trick else seat
    return State(
        state.table,
        state.deck,
        state.deal,
        state.starter,
        leader,
        due,
        trick,
        showing,
        hands.lay(seat, play.rank, at),
        state.won,
        state.totals,
        state.number,
        state.last,
        state.tied,
        state.ended,
        state.found,
        at,
        state.from_sheets,
    )


def can_stand(state: State, play: Play) -> bool:
    """Whether the table can accept this illegal play with an effect that makes sense."""
    if state.ended:
        return False
    if isinstance(play, Deal):
        return not state.due and play.leader is not None
    if isinstance(play, Show) or play.seat not in state.due or play.rank not in state.deck:
        return False
    hands = state.hands
    if play.seat in hands.shown:
        return hands.shown[play.seat][hands.deck.place[play.rank]] > 0
    return not hands.gone(play.rank)


def closed(
    state: State,
    winner: Seat | None,
    rank: int | None,
    totals: Mapping[Seat, int],
    due: tuple[Seat, ...] = (),
) -> State:
    """The state after a trick that ``winner`` won with ``rank``; both None if nobody did.

    ``totals``: the points with those of the trick. ``due``: the seats that play to the next trick,
    its leader first.
    """
    won = state.won
    if winner is not None and rank is not None:
        won = {**won, winner: (*won[winner], rank)}
    return state._replace(
        leader=due[0] if due else None,
        due=due,
        trick=(),
        showing={},
        won=won,
        totals=totals,
        number=state.number + 1,
        last=Trick(state.last, state.deal, state.number, state.trick, winner, rank),
    )


def deal_over(state: State) -> State:
    """After the last trick of a deal: perhaps the end of the match (ruling X2)."""
    state = state._replace(due=(), leader=None)
    if state.deal < rounds(state.table):
        return state
    ended = decided(state.table, state.totals, state.tied)
    tied = best(state.totals, state.tied or state.table.seats)
    return state._replace(ended=ended, tied=state.tied if ended else tied)


def entered_as_sheet(
    state: State, won: Mapping[Seat, tuple[int, ...]], lines: Iterable[Line]
) -> State:
    """``state``, in which a deal has just begun, at the end of that deal.

    ``won``: the ranks with which each seat won tricks, from the sheet; ``lines``: its arithmetic.
    """
    lines = moved(lines, state.deal, state.at)
    totals = dict(state.totals)
    for line in lines:
        totals[line.seat] += whole(line.points)
    return deal_over(
        state._replace(won=won, totals=totals, from_sheets=state.from_sheets.with_items(lines))
    )


def stopped(state: State, outcome: Outcome) -> State:
    """``state`` after the match was stopped; the cards on the table stay."""
    return state._replace(due=(), ended=outcome, at=state.at + 1)


def adjusted(state: State, points: Mapping[Seat, Points]) -> State:
    """``state`` with ``points`` in the totals; a match that was decided is decided again."""
    totals = added(state.totals, points)
    ended = decided_again(
        state.table, state.ended, lambda table: decided(table, totals, state.tied)
    )
    return state._replace(totals=totals, ended=ended, at=state.at + 1)
