"""The state of a match of Three Kings between two entries, and what everybody can see of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.core.cards import Deck, copies_in
from referee.core.draws import Draws
from referee.core.game import Dealing, Table
from referee.core.moves import Drew
from referee.core.persistent import PersistentList
from referee.core.verdict import Finding, Outcome, Seat, evidence
from referee.core.worlds import Hand
from referee.games.three_kings.cards import (
    HAND,
    KING,
    KINGS_ONLY,
    KINGS_TO_END,
    TABLEAU,
    VALUE,
    Takers,
    deck_for,
    takers_of,
)


class TakenSet(NamedTuple):
    """A set in the pile of ``seat``; ``cards`` begins with the hand card, ``deal`` is 1-based."""

    seat: Seat
    cards: tuple[str, str, str]
    deal: int
    at: int | None

    @property
    def points(self) -> int:
        first, second, third = self.cards
        return VALUE[first] + VALUE[second] + VALUE[third]


class Bonus(NamedTuple):
    """Three kings at the end of a deal: ±15 points, or with win condition 1 the win."""

    seat: Seat
    deal: int
    at: int | None


class State(NamedTuple):
    """The state between two entries.

    ``turn`` is None before the first deal and when a deal is over. ``due``: how many table cards
    the seat in turn still has to turn up. ``passed``: the seats that have passed since a seat did
    something else, each with whether its declaration counts. ``fresh``: no seat has made an entry
    in this deal. ``late``: seats that may still show their kings after the deal. ``rivals``: the
    seats that were tied before this deal; empty unless a tie is replayed; ``level``: those
    that are tied after it. ``at``: how many entries took effect. ``adjusted``: points that the
    table gave by agreement.
    """

    table: Table
    deck: Deck
    deal: int
    dealer: Seat | None
    turn: Seat | None
    tableau: tuple[str, ...]
    stock: int
    hands: Draws
    sets: PersistentList[TakenSet]
    bonuses: PersistentList[Bonus]
    due: int
    passed: Mapping[Seat, bool]
    fresh: bool
    late: tuple[Seat, ...]
    rivals: tuple[Seat, ...]
    ended: Outcome | None
    found: tuple[Finding, ...]
    at: int
    level: tuple[Seat, ...] = ()
    adjusted: Mapping[Seat, int] = {}


def setup(table: Table) -> State:
    deck = deck_for(len(table.seats))
    return State(
        table=table,
        deck=deck,
        deal=0,
        dealer=None,
        turn=None,
        tableau=(),
        stock=len(deck),
        hands=Draws.dealt(deck, table.seats, 0),
        sets=PersistentList(),
        bonuses=PersistentList(),
        due=0,
        passed={},
        fresh=False,
        late=(),
        rivals=(),
        ended=None,
        found=(),
        at=0,
    )


def to_act(state: State) -> tuple[Seat, ...]:
    return () if state.turn is None else (state.turn,)


def dealing(state: State) -> Dealing:
    """How to deal: four cards each and four face up; the rest is the stock."""
    seats, deck = len(state.table.seats), state.deck
    if seats == 2:
        pack = evidence("deal_one_pack", left=len(deck))
    else:
        pack = evidence("deal_more_packs", copies=2 * seats, kings=2 * seats + 1, left=len(deck))
    steps = (
        *pack,
        *evidence("deal_each", count=HAND),
        *evidence("deal_face_up", count=TABLEAU),
        *evidence("deal_stock", count=len(deck) - seats * HAND - TABLEAU),
    )
    return Dealing(deck, (), steps)


def public(state: State) -> dict[str, object]:
    seats = state.table.seats
    return {
        "tableau": list(state.tableau),
        "piles": piles(state),
        "hands": {seat: state.hands.size(seat) for seat in seats},
        "stock": state.stock,
        "kings_known": {seat: kings_known(state, seat) for seat in seats},
    }


def piles(state: State) -> dict[Seat, int]:
    """The points of the sets that each seat has taken in this deal."""
    points = dict.fromkeys(state.table.seats, 0)
    for taken in state.sets:
        if taken.deal == state.deal:
            points[taken.seat] += taken.points
    return points


def kings_known(state: State, seat: Seat) -> int:
    """The number of kings that ``seat`` holds at least, by what everybody has seen."""
    return state.hands.at_least(seat, KING)


def sure_holders(state: State) -> tuple[Seat, ...]:
    """Seats that certainly hold three kings."""
    return tuple(s for s in state.table.seats if kings_known(state, s) >= KINGS_TO_END)


def may_redeal(state: State) -> bool:
    """Whether a new deal may replace the one that nobody has played in, as a hand had three kings.

    The hands are not seen, so it is up to the table whether one had.
    """
    return state.fresh and state.table.option("dealt_three_kings") == "redeal"


def may_leave_kings(table: Table) -> bool:
    """Whether kings among the new table cards may stay there (ruling K16)."""
    return table.option("refill_kings") == "may"


def compulsory_takers(state: State) -> Takers:
    """The numbers that forbid a seat to discard if it holds one of them, as each makes a set.

    There are none if the house rule does not force anybody to take a set.
    """
    if state.table.option("set_compulsory") == "off":
        return takers_of(())
    return takers_of(state.tableau)


def drawn_in_turn(state: State) -> int:
    """The number of cards that a seat draws in ①: 1, or 0 from an empty stock."""
    return 1 if state.stock else 0


def having_drawn(state: State, seat: Seat) -> Draws:
    """What is known after ``seat`` has drawn the card of ①."""
    return state.hands.add(Drew(seat, 1)) if state.stock else state.hands


def hand_of(hands: Draws, seat: Seat) -> Hand:
    """What everybody knows of a hand; no card leaves a hand unseen, so there is only one world."""
    [world] = hands.worlds
    return world.hands[seat]


def kings_seen(hands: Draws, seat: Seat) -> int:
    """How many kings everybody has seen going into the hand of ``seat``."""
    return copies_in(hand_of(hands, seat).known, hands.deck.one[KING])


def most_kings(hands: Draws, seat: Seat) -> int:
    """The number of kings that ``seat`` can hold at most."""
    return kings_seen(hands, seat) + min(hand_of(hands, seat).hidden, hands.unseen(KINGS_ONLY))


def begins_next(state: State) -> Seat | None:
    """Who begins the next deal or match: the deal passes to the left (ruling K34)."""
    if state.dealer is None:
        return None
    return state.table.left_of(state.table.left_of(state.dealer))
