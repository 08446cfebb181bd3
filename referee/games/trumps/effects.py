"""What a play changes: the start, places, taking, and the implied end of a round."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.adjusting import added
from referee.core.draws import Draws
from referee.core.ending import decided_again
from referee.core.hands import HandClaim, Truth
from referee.core.moves import Drew, Lost, Played, Shown
from referee.core.verdict import Outcome, Seat
from referee.core.written import Points
from referee.games.trumps.evidence import audit
from referee.games.trumps.plays import Cover, Deal, Draw, Lay, Pass, Play, Reveal, Starter, Take
from referee.games.trumps.scoring import before, best_of, decided, score
from referee.games.trumps.state import (
    ASIDE,
    HAND,
    STEPS,
    Laid,
    State,
    TrumpsStage,
    covers_leave,
    forbidden,
    place_of,
    setup,
)


def apply(state: State, play: Play) -> State:
    return _after(state, play, believed=True)


def let_stand(state: State, play: Play) -> State | None:
    return _after(state, play, believed=False) if _can_stand(state, play) else None


def stopped(state: State, outcome: Outcome) -> State:
    """``state`` after the match was stopped; the cards on the table stay."""
    return state._replace(step=TrumpsStage.IDLE, due=(), ended=outcome, at=state.at + 1)


def adjusted(state: State, points: Mapping[Seat, Points]) -> State:
    """``state`` with ``points`` in the totals; a match that was decided is decided again."""
    every = added(dict.fromkeys(state.table.seats, 0) | {**state.adjusted}, points)
    state = state._replace(adjusted=every, at=state.at + 1)
    ended = decided_again(
        state.table,
        state.ended,
        lambda table: decided(table, state.piles, state.tied, before(state)),
    )
    return state._replace(ended=ended)


def deal_ended(state: State) -> State:
    """``state`` after a deal, in which the piles are complete: perhaps the end of the match."""
    more = before(state)
    if ended := decided(state.table, state.piles, state.tied, more):
        return state._replace(ended=ended)
    return state._replace(tied=best_of(state.table, state.piles, state.tied, more))


def _can_stand(state: State, play: Play) -> bool:
    """Whether the table can accept this illegal play with an effect that makes sense."""
    if state.ended or isinstance(play, Deal | Reveal):
        return False
    if isinstance(play, Starter):
        return state.step in (TrumpsStage.START, TrumpsStage.LOT)
    if state.step is not STEPS[type(play)] or play.seat not in state.due:
        return False
    match play:
        case Lay(seat, ranks):
            cards = len(ranks) <= 2 and ranks[0] == ranks[-1] and ranks[0] in state.deck
            return cards and state.hands.can_lay(seat, ranks)
        case Cover(seat, None):
            return covers_leave(state) and state.hands.size(seat) > 0
        case Cover(seat, int(rank)):
            return rank in state.deck and state.hands.can_lay(seat, (rank,))
        case Take(_, rank):
            return rank in state.tableau
        case Draw():
            return state.stock > 0
    return True


def _after(state: State, play: Play, *, believed: bool) -> State:
    """The state after ``play``; ``believed``: what it says about a hand counts as a declaration."""
    at = state.at + 1
    if isinstance(play, Lay):
        hands = state.hands.add(Played(play.seat, play.ranks, at))
        return _laid(state, Laid(play.seat, play.ranks, at), hands)
    if isinstance(play, (Take, Draw, Pass)):
        return _took(state, play)
    if isinstance(play, Cover):
        return _cover(state, play, believed)
    if isinstance(play, Reveal):
        return _reveal(state._replace(at=at), play.seat, play.rank)
    if isinstance(play, Starter):
        return begin(state._replace(at=at), play.named)
    return _deal(state._replace(at=at))


def _deal(state: State) -> State:
    seats = state.table.seats
    fresh = setup(state.table)
    aside = ASIDE[len(seats)]
    return fresh._replace(
        deal=state.deal + 1,
        step=TrumpsStage.START,
        due=seats,
        contest=seats,
        hands=Draws.dealt(state.deck, seats, HAND),
        stock=len(state.deck) - HAND * len(seats) - aside,
        widow=aside,
        tied=state.tied,
        found=audit(state),
        at=state.at,
        earlier=score(state).lines if state.deal else (),
        adjusted=state.adjusted,
    )


def _reveal(state: State, seat: Seat, rank: int) -> State:
    state = state._replace(
        due=tuple(other for other in state.due if other != seat),
        played=(*state.played, Laid(seat, (rank,), state.at)),
        tableau={**state.tableau, rank: state.tableau.get(rank, 0) + 1},
        hands=state.hands.add(Played(seat, (rank,), state.at)),
    )
    if state.due:
        return state
    lowest = min(laid.ranks for laid in state.played)
    tied = {laid.seat for laid in state.played if laid.ranks == lowest}
    if len(tied) == 1:
        return begin(state, *tied)
    again = tuple(seat for seat in state.contest if seat in tied)
    step = TrumpsStage.START if state.hands.size(again[0]) else TrumpsStage.LOT
    return state._replace(step=step, due=again, contest=again, played=())


def begin(state: State, starter: Seat) -> State:
    """The start of the first round; a seat whose start cards were all it had is skipped (T11)."""
    due = tuple(seat for seat in state.table.starting(starter) if state.hands.size(seat))
    state = state._replace(
        starter=starter, contest=(), round=1, step=TrumpsStage.PLAY, due=due, played=()
    )
    return state if due else _placed(state, (), state.hands)


def _cover(state: State, play: Cover, believed: bool) -> State:
    """The state after a face-down card.

    A declaration that facts alone make certain is not kept, unless a card leaves the hand unseen.
    """
    seat, at, hands, only = play.seat, state.at + 1, state.hands, forbidden(state)
    cards = () if play.rank is None else (play.rank,)
    leaves = covers_leave(state)
    unproven = not play.shows and hands.truth(seat, only, cards) is Truth.OPEN
    if believed and play.shows:
        hands = hands.add(Shown(seat, play.shows, at))
    if believed and (leaves or unproven):
        hands = hands.add(HandClaim(seat, at, only))
    hands = hands.add(Lost(seat, at) if leaves else Played(seat, cards, at))
    return _laid(state, Laid(seat, cards, at, down=True), hands)


def _laid(state: State, laid: Laid, hands: Draws) -> State:
    due = tuple([seat for seat in state.due if seat != laid.seat])
    played = (*state.played, laid)
    if not due:
        return _placed(state, played, hands)
    return state.gone_on(due, hands, played=played)


def _placed(state: State, played: tuple[Laid, ...], hands: Draws) -> State:
    """The state after ②: every seat has its place."""
    assert state.starter is not None
    laid = {laid.seat: laid for laid in played}
    order = state.table.starting(state.starter)
    ranking = tuple(sorted(order, key=lambda seat: weakness(laid.get(seat))))
    at = played[-1].at if played else state.at
    state = state._replace(
        step=TrumpsStage.TAKE, due=ranking, played=played, ranking=ranking, hands=hands, at=at
    )
    return _next_taker(state)


def weakness(laid: Laid | None) -> tuple[int, int]:
    """Sort key, the strongest first; equal ones stay in turn order (ruling T13)."""
    if laid is None:
        return 3, 0
    if laid.down:
        return 2, 0
    return (1, -laid.ranks[0]) if len(laid.ranks) == 1 else (0, laid.ranks[0])


def _took(state: State, play: Take | Draw | Pass) -> State:
    seat, tableau, piles = play.seat, state.tableau, state.piles
    hands, stock = state.hands, state.stock
    if isinstance(play, Take):
        rank = play.rank
        lying = tableau[rank]
        copies = 1 if place_of(state, seat) == 3 else lying
        tableau = {each: n for each, n in tableau.items() if each != rank}
        if lying > copies:
            tableau[rank] = lying - copies
        piles = {**piles, seat: {**piles[seat], rank: piles[seat].get(rank, 0) + copies}}
    elif isinstance(play, Draw):
        hands, stock = hands.add(Drew(seat, 1)), stock - 1
    due = tuple([other for other in state.due if other != seat])
    return _next_taker(state.gone_on(due, hands, tableau=tableau, piles=piles, stock=stock))


def _next_taker(state: State) -> State:
    """The state with the next seat that can take something (T17, T21), or the end of the round."""
    while state.due:
        if state.tableau:
            return state
        draws = place_of(state, state.due[0]) == 3 or (
            place_of(state, state.due[0]) == 2 and state.table.option("second_empty") == "draw"
        )
        if draws and state.stock:
            return state
        state = state._replace(due=state.due[1:])
    return _round_over(state)


def _round_over(state: State) -> State:
    """The state after ④ and, unless this was the final round, ⑤."""
    tableau = {**state.tableau}
    for laid in state.played:
        if laid.ranks and not (laid.down and covers_leave(state)):
            tableau[laid.ranks[0]] = tableau.get(laid.ranks[0], 0) + len(laid.ranks)
    starter = state.ranking[0]
    if state.final:
        over = state._replace(
            step=TrumpsStage.IDLE, tableau=tableau, starter=starter, played=(), ranking=()
        )
        return deal_ended(over)
    seats = state.table.starting(starter)
    short = max(0, len(seats) - state.stock)
    stock = state.stock - len(seats) + short
    exhausted = short > 0 or (stock == 0 and state.table.option("exact_zero_triggers") == "on")
    return state._replace(
        step=TrumpsStage.PLAY,
        due=seats,  # every seat holds a card: the one it has just drawn
        played=(),
        ranking=(),
        tableau=tableau,
        starter=starter,
        hands=state.hands.add(*[Drew(seat, 1) for seat in seats]),
        stock=stock,
        widow=state.widow - short,
        served=short,
        round=state.round + 1,
        final=exhausted,
    )
