"""The state of a match between two entries, and which rank is strongest in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.core.cards import Deck, pairs_deck
from referee.core.copies import Copies
from referee.core.game import Dealing, Table
from referee.core.pyramid import Pyramid
from referee.core.verdict import Outcome, Seat, evidence
from referee.games.families.dealing import dealt_out, pairs_dealing

DECK = pairs_deck(10)
ROWS = {2: 6, 3: 4, 4: 3, 5: 3, 6: 3}  # of a pyramid, by number of seats
HAND = {2: 6, 3: 8, 4: 7, 5: 5, 6: 3}  # cards, by number of seats
PAIR = 2
REVOLUTION = 4  # equal cards that make one, at least


class Laid(NamedTuple):
    """Equal cards in the trick; ``at`` is the position of the play."""

    seat: Seat
    rank: int
    size: int
    at: int


class Win(NamedTuple):
    """A deal won with the play ``last``, in the trick ``number``; older ones are in ``before``."""

    before: Win | None
    last: Laid
    deal: int
    number: int


class State(NamedTuple):
    """The state between two entries. ``due``: whose turn it is, None between deals.

    ``unknown_rows``: seats whose bottom row is not yet known; ``turning``: cards to be turned up
    before anything else. ``reversed``: whether the order of ranks is reversed for the deal.
    ``revolution``: the position of the last one in this deal. ``passed``
    maps the seats that are out of the trick to the positions of their passes. ``closed``: the play
    after which the trick was over without passes (option ``auto_close_round``).
    """

    table: Table
    deal: int
    leader: Seat | None
    due: Seat | None
    unknown_rows: tuple[Seat, ...]
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

    @property
    def deck(self) -> Deck:
        """The cards of every table, for corrections (``core.slips``)."""
        return DECK


def setup(table: Table) -> State:
    seats = table.seats
    return State(
        table,
        deal=0,
        leader=None,
        due=None,
        unknown_rows=(),
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
    if state.unknown_rows:
        return state.unknown_rows
    if state.turning:
        return tuple(dict.fromkeys(seat for seat, _ in state.turning))
    return (state.due,) if state.due else ()


def next_starter(state: State) -> Seat | None:
    """Who leads the next deal; None if the table chooses."""
    return state.table.from_left_of(state.won.last.seat)[0] if state.won else None


def high(state: State) -> int:
    """The strongest rank now: 1 or 10."""
    return high_with(state, pairs=has_pair(state))


def has_pair(state: State) -> bool:
    """Whether a pair lies in the trick, which reverses its order (ruling D12)."""
    return any(laid.size == PAIR for laid in state.trick)


def high_with(state: State, *, pairs: bool) -> int:
    """The strongest rank; ``pairs``: in a trick that a pair has reversed (ruling D12)."""
    if pairs and (state.table.option("pairs_back_in_revolution") == "stay" or not state.reversed):
        return 10
    return 10 if state.reversed and not pairs else 1


def stronger(state: State, rank: int) -> bool:
    """Whether ``rank`` beats the top of the trick."""
    top = state.trick[-1].rank
    return rank > top if high(state) == 10 else rank < top


def dealing(state: State) -> Dealing:
    """How to deal: all cards, equally many each; each seat builds a pyramid from its own."""
    seats = len(state.table.seats)
    each = len(DECK) // seats
    pyramid = evidence("deal_pyramid", rows=ROWS[seats], built=each - HAND[seats], held=HAND[seats])
    return pairs_dealing(DECK, (*dealt_out(DECK, seats, each), *pyramid))


def public(state: State) -> dict[str, object]:
    return {
        "high": high(state),
        "trick": [[laid.seat, [laid.rank] * laid.size] for laid in state.trick],
        "leader": state.leader,
        "hands": dict(state.hands),
        "pyramids": {seat: dict(pyramid) for seat, pyramid in state.pyramids.items()},
        "wins": dict(state.wins),
        "passed": list(state.passed),
    }
