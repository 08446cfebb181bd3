"""The numbers that sums of this family can name, and where: ``NAMES``, ``LATER``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.core.verdict import Card
from referee.kit.families.trick_taking.state import State
from referee.kit.text.scope import Scope
from referee.kit.text.vocabulary import FamilyNames, levels

# Names that sums can use everywhere from a level on: the level, and the function.
NAMES: Mapping[str, tuple[int, Callable[[Scope[State]], int]]] = {
    "deal": (0, lambda scope: scope.deal),
    "hand": (1, lambda scope: scope.size),
    "trick": (1, lambda scope: scope.state.round.number),
    "trick_sum": (1, lambda scope: _lying_values(scope.state)),
    "led_value": (1, lambda scope: _led_value(scope.state)),
    "tricks": (2, lambda scope: scope.state.round.tricks[scope.seat]),
    "total": (2, lambda scope: _total(scope)),
    "value": (3, lambda scope: scope.value),
    "gap": (3, lambda scope: scope.gap),
    "out": (3, lambda scope: scope.out),
    "won": (3, lambda scope: scope.won),
    "cards": (3, lambda scope: scope.cards),
}


def _winning(scope: Scope[State]) -> int:
    """Whether the card of the seat would win the trick so far."""
    return int(scope.state.rules.winning(scope.state) == scope.seat)


def _turn(scope: Scope[State]) -> int:
    """The place of the seat in the order of the deal: 1 for the leader, the last for the dealer.

    0 for a seat that is out of the match, and while nobody leads.
    """
    state = scope.state
    if state.round.starter is None:
        return 0
    out, seats = state.score.out, state.table.starting(state.round.starter)
    playing = [seat for seat in seats if seat not in out]
    seat = state.table.seats[scope.seat]
    return 1 + playing.index(seat) if seat in playing else 0


def _highest_bidder(scope: Scope[State]) -> int:
    """Whether the seat has bid highest so far, of equal bidders the first in turn.

    Nobody has while all bids count 0 or less.
    """
    state = scope.state
    worth = [state.rules.bidding.worth(said) for said in state.round.bids] or [0]
    seats, starter = state.table.seats, state.round.starter
    first = seats.index(starter) if starter is not None else 0
    best = max(range(len(worth)), key=lambda place: (worth[place], -((place - first) % len(seats))))
    return int(worth[best] > 0 and scope.seat == best)


LATER: Mapping[str, tuple[int, Callable[[Scope[State]], int]]] = {
    "second_value": (1, lambda scope: _value_at(scope.state, 1)),
    "last_value": (1, lambda scope: _value_at(scope.state, -1)),
    "trick_worth": (1, lambda scope: _lying_worth(scope.state)),
    "winning": (2, _winning),
    "highest_bidder": (2, _highest_bidder),
    "turn": (2, _turn),
}
"""Names like ``NAMES`` that came later: a file may define sums of the same names instead."""


def _lying_values(state: State) -> int:
    value = state.rules.cards.value
    return sum(value.get(laid.card, 0) for laid in state.trick if not laid.down)


def _lying_worth(state: State) -> int:
    """The card points of the trick; of cards that nobody saw, none."""
    worth = state.rules.cards.worth
    return sum(worth.get(laid.card, 0) for laid in state.trick)


def _value_at(state: State, place: int) -> int:
    """The number of a card in the trick, by its index; 0 if it is not there or has none."""
    if not -len(state.trick) <= place < len(state.trick) or state.trick[place].down:
        return 0
    return state.rules.cards.value.get(state.trick[place].card, 0)


def _led_value(state: State) -> int:
    return state.rules.cards.value[state.led] if state.led else 0


def card_led(state: State) -> Card | None:
    """The card that is led, even if it asks for no suit; None before there is one."""
    if state.led != "":
        return state.led
    skips = state.rules.cards.led
    return next((laid.card for laid in state.trick if skips.get(laid.card) == "none"), None)


def _total(scope: Scope[State]) -> int:
    state = scope.state
    return state.score.totals[state.table.seats[scope.seat]]


FAMILY = FamilyNames(
    own=levels(NAMES),
    later=levels(LATER),
    elsewhere=("bid", "bids", "this", "last", "stock"),
    trump=True,
)
