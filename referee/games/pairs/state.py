"""The state of a match of Pairs between two entries, and what everybody can see of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import chain
from typing import NamedTuple

from referee.core.cards import Deck, pairs_deck
from referee.core.game import Dealing, Table
from referee.core.verdict import Outcome, Seat, evidence
from referee.games.families.dealing import pairs_dealing

DECK = pairs_deck(10)
BURNED = 5
# points that lose by number of seats, as printed; 11 for six seats and more
PRINTED = {2: 31, 3: 21, 4: 16, 5: 13}


class PairsStage(Enum):
    """What happens next at the table."""

    IDLE = "idle"  # a new round
    START = "start"  # cards decide who starts
    LOT = "lot"  # a lot decides who starts
    PLAY = "play"  # a seat takes a card or folds


class ShownCard(NamedTuple):
    """A card that everybody has seen; ``at`` is the position of the entry that showed it."""

    seat: Seat
    rank: int
    at: int


class Score(NamedTuple):
    """The end of a round: ``seat`` keeps a card of ``rank`` as points.

    ``folded``: the card was the lowest in play and lay before ``source``; else ``seat`` had a pair.
    ``at``: the position of the end. ``by_sheet``: the round was entered by its sheet, which does
    not say how it ended.
    """

    deal: int
    seat: Seat
    rank: int
    folded: bool
    source: Seat
    at: int
    by_sheet: bool = False


class State(NamedTuple):
    """The state between two entries.

    ``due``: during a start the seats that still get a card, in play all seats from the one in turn
    on. ``contest``: the seats that compete for the start, ``faced`` the cards that decide it.
    ``rows``: the cards before each seat. ``scores``: the rounds so far; their cards are out of the
    deck for good. ``unseen``: how many copies of each number (from 1) nobody has seen since the
    last shuffle; ``seen``: the cards that were seen. ``stock``: the number of cards in the deck,
    which are the unseen ones without those burned. After a round entered as sheet (``uncounted``)
    ``unseen`` and ``stock`` are upper limits until the next shuffle. ``at``: how many entries took
    effect.
    """

    table: Table
    limit: int
    deal: int
    step: PairsStage
    due: tuple[Seat, ...]
    contest: tuple[Seat, ...]
    faced: tuple[ShownCard, ...]
    starter: Seat | None
    rows: Mapping[Seat, tuple[ShownCard, ...]]
    scores: tuple[Score, ...]
    totals: Mapping[Seat, int]
    unseen: tuple[int, ...]
    seen: tuple[ShownCard, ...]
    stock: int
    shuffles: int
    ended: Outcome | None
    at: int
    uncounted: bool = False

    @property
    def deck(self) -> Deck:
        """The deck with all its cards, for corrections (``core.slips``)."""
        return DECK


def setup(table: Table) -> State:
    """The state before the first round: the deck is shuffled, five cards are burned."""
    return State(
        table=table,
        limit=limit(table),
        deal=0,
        step=PairsStage.IDLE,
        due=(),
        contest=(),
        faced=(),
        starter=None,
        rows=dict.fromkeys(table.seats, ()),
        scores=(),
        totals=dict.fromkeys(table.seats, 0),
        unseen=DECK.copies,
        seen=(),
        stock=len(DECK) - BURNED,
        shuffles=0,
        ended=None,
        at=0,
    )


def limit(table: Table) -> int:
    """The number of points with which a seat loses (ruling B9)."""
    seats = len(table.seats)
    if table.option("limit") == "printed":
        return PRINTED.get(seats, 11)
    return 60 // seats + 1


def to_act(state: State) -> tuple[Seat, ...]:
    return state.due[:1] if state.step is PairsStage.PLAY else state.due


def in_play(state: State) -> Iterator[ShownCard]:
    """The cards that lie before the seats."""
    return chain.from_iterable(state.rows.values())


def lowest(state: State) -> ShownCard:
    """The lowest card in play; of equal ones the one shown first."""
    return min(in_play(state), key=lambda shown: (shown.rank, shown.at))


def outside(state: State) -> list[int]:
    """Copies of each number (from 1) that are neither in a row nor among the points.

    A shuffle mixes these cards: nobody knows which of them come next.
    """
    left = list(DECK.copies)
    for shown in in_play(state):
        left[shown.rank - 1] -= 1
    for score in state.scores:
        left[score.rank - 1] -= 1
    return left


def can_draw(state: State) -> bool:
    """Whether a card can be dealt, after a shuffle if need be (ruling B3)."""
    return state.stock > 0 or sum(outside(state)) > BURNED


def must_shuffle(state: State) -> bool:
    """Whether the deck is empty and can be shuffled again."""
    return state.stock == 0 and can_draw(state)


def stuck(state: State) -> bool:
    """Whether some seat can get no card but a pair, however the deck is shuffled (ruling B6)."""
    if state.stock and not any(state.rows[seat] for seat in state.due):
        return False  # a first card never makes a pair
    left = outside(state)
    if not state.stock and sum(left) <= BURNED:
        return True
    for seat in state.due:
        own = {shown.rank for shown in state.rows[seat]}
        if not any(copies and rank not in own for rank, copies in enumerate(left, 1)):
            return True
    return False


def dealing(state: State) -> Dealing:
    """How to deal the round under way, or the next one: one card each, face up; before the first
    one shuffle the pack and burn five.
    """
    each = evidence("deal_one_each", count=len(state.table.seats))
    if state.deal + (state.step is PairsStage.IDLE) == 1:
        return pairs_dealing(DECK, (*evidence("deal_burn", count=BURNED), *each))
    return Dealing(DECK, (), (*evidence("deal_from_stock"), *each))


def public(state: State) -> dict[str, object]:
    return {
        "rows": {seat: [shown.rank for shown in row] for seat, row in state.rows.items()},
        "points": {
            seat: [score.rank for score in state.scores if score.seat == seat]
            for seat in state.table.seats
        },
        "totals": dict(state.totals),
        "limit": state.limit,
        "stock": state.stock,
        "unseen": {str(rank): copies for rank, copies in enumerate(state.unseen, 1)},
        "starter": state.starter,
    }
