"""Whose turn it is: a turn ends with a card from the stock, entered or implied."""

from __future__ import annotations

from referee.core.verdict import Seat
from referee.games.jukugo_line.plays import Draw, TurnPlay
from referee.games.jukugo_line.state import HAND, State, other


def can_act(state: State, play: TurnPlay) -> bool:
    """Whether it is the turn of ``play.seat``, or this play can begin it.

    The first entry of the other seat implies that the previous turn ended with a draw.
    """
    return play.seat == state.turn or (state.done and not isinstance(play, Draw))


def begun(state: State, play: TurnPlay) -> State:
    """The state in which it is the turn of ``play.seat``, for which ``can_act`` must hold."""
    return state if play.seat == state.turn else drawn(state)


def drawn(state: State) -> State:
    """The state after the turn: a card is drawn if there is one and the hand has room (J6, J45)."""
    assert state.turn is not None
    held = state.hands[state.turn]
    roomy = held < HAND or state.table.option("no_slot_draw") == "on"
    dry = state.dry or state.turn in state.forfeits
    count = 1 if state.stock and roomy and not dry else 0
    return state._replace(
        turn=other(state, state.turn),
        done=False,
        dry=False,
        forfeits=state.forfeits - {state.turn},
        hands={**state.hands, state.turn: held + count},
        stock=state.stock - count,
    )


def claimant(state: State) -> Seat:
    """The seat that may claim now or next; at the start of a turn that is the other seat."""
    assert state.turn is not None
    early = state.table.option("claim_timing") == "start_of_turn"
    return other(state, state.turn) if early and state.done else state.turn
