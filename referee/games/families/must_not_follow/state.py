"""The state of a match between two entries, and what everybody can see of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.core.cards import Deck
from referee.core.game import Line, Option, Table
from referee.core.hands import Hands
from referee.core.persistent import PersistentList
from referee.core.verdict import Finding, Outcome, Seat

ROUNDS = Option(("players", *map(str, range(1, 11))))

ROUND_STARTER = Option(("rotate", "pick", "lowest_total"))


class Laid(NamedTuple):
    """A card of the trick; ``out``: it cannot win the trick. ``at``: the position of its play."""

    seat: Seat
    rank: int
    out: bool
    at: int


class Trick(NamedTuple):
    """A finished trick; older ones are in ``before``. ``deal`` and ``number`` are 1-based."""

    before: Trick | None
    deal: int
    number: int
    cards: tuple[Laid, ...]
    winner: Seat | None
    rank: int | None


class State(NamedTuple):
    """The state between two entries.

    ``due``: the seats that still play to this trick, in turn order. ``showing``: the numbers that
    may not be repeated, with their cards. ``won``: the numbers with which each seat has won tricks
    of this deal. ``number``: of the trick in the deal, 1-based. ``last``: the last finished trick
    of the match. ``at``: how many entries took effect. ``from_sheets``: the arithmetic of deals
    that were entered as sheets.
    """

    table: Table
    deck: Deck
    deal: int
    starter: Seat | None
    leader: Seat | None
    due: tuple[Seat, ...]
    trick: tuple[Laid, ...]
    showing: Mapping[int, Laid]
    hands: Hands
    won: Mapping[Seat, tuple[int, ...]]
    totals: Mapping[Seat, int]
    number: int
    last: Trick | None
    tied: tuple[Seat, ...]
    ended: Outcome | None
    found: tuple[Finding, ...]
    at: int
    from_sheets: PersistentList[Line] = PersistentList()


def setup(table: Table, deck: Deck, size: int) -> State:
    """The state before the first deal; ``size``: how many cards each seat will get.

    Its ``hands`` have this size already, so that a player can read it before the deal.
    """
    none = dict.fromkeys(table.seats, ())
    points = dict.fromkeys(table.seats, 0)
    hands = Hands.dealt(deck, table.seats, size)
    return State(
        table, deck, 0, None, None, (), (), {}, hands, none, points, 0, None, (), None, (), 0
    )


def to_act(state: State) -> tuple[Seat, ...]:
    return state.due[:1]


def rounds(table: Table) -> int:
    """The number of deals in a match; a tie may add some."""
    value = table.option("rounds")
    return len(table.seats) if value == "players" else int(value)


def next_starter(state: State) -> Seat | None:
    """Who leads the first trick of the next deal; None if the table chooses (F2, P18)."""
    rule = state.table.option("round_starter")
    if state.starter is None or rule == "pick":
        return None
    order = state.table.from_left_of(state.starter)
    if rule == "lowest_total":
        return min(order, key=lambda seat: state.totals[seat])
    return order[0]


def tricks(state: State) -> list[Trick]:
    """The finished tricks of the match in order."""
    found, trick = [], state.last
    while trick:
        found.append(trick)
        trick = trick.before
    return found[::-1]


def ended_trick(before: State, after: State) -> Trick | None:
    """The trick that the play between these states has finished, or None.

    Tricks are compared by their numbers: states before and after a correction can be equal without
    being the same.
    """
    old, new = before.last, after.last
    known = old and new and (old.deal, old.number) == (new.deal, new.number)
    return None if known else new


def public(state: State, *, down: bool) -> dict[str, object]:
    """What everybody can see, as JSON data; ``down``: cards out of the trick lie face down."""
    leader = state.leader
    if not state.due and not state.ended:
        leader = next_starter(state)
    return {
        "trick": [
            [card.seat, card.rank, "down"] if down and card.out else [card.seat, card.rank]
            for card in state.trick
        ],
        "leader": leader,
        "tricks": {seat: len(ranks) for seat, ranks in state.won.items()},
        "totals": dict(state.totals),
    }
