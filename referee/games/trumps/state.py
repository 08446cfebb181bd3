"""The state of a match of Trumps between two entries, and what everybody can see of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from referee.core.cards import Deck, pairs_deck
from referee.core.draws import Draws
from referee.core.game import Dealing, Line, Table
from referee.core.verdict import Card, Finding, Outcome, Seat, evidence
from referee.games.families.dealing import pairs_dealing
from referee.games.trumps.plays import Cover, Draw, Lay, Pass, Reveal, Starter, Take

HAND = 7
TOP = {2: 9, 3: 10}  # the highest number, by number of seats
ASIDE = {2: 4, 3: 3}  # cards set aside, by number of seats
Pile = Mapping[int, int]  # copies by number


class TrumpsStage(Enum):
    """The current step of the match."""

    IDLE = "idle"  # between deals
    START = "start"  # cards for the start are turned up
    LOT = "lot"  # the start is decided by lot
    PLAY = "play"  # ① of a round
    TAKE = "take"  # ③ of a round


STEPS = {
    Reveal: TrumpsStage.START,
    Starter: TrumpsStage.LOT,
    Lay: TrumpsStage.PLAY,
    Cover: TrumpsStage.PLAY,
    Take: TrumpsStage.TAKE,
    Draw: TrumpsStage.TAKE,
    Pass: TrumpsStage.TAKE,
}


class Laid(NamedTuple):
    """Cards before a seat; ``down``: one face down, its number in ``ranks`` if it was entered."""

    seat: Seat
    ranks: tuple[int, ...]
    at: int
    down: bool = False


class State(NamedTuple):
    """The state between two entries.

    ``due``: the seats that still act in this step. ``contest``: those that reveal cards for the
    start. ``played``: the revealed cards, later those played in this round. ``ranking``: the seats
    by their places. ``tableau``: the table cards, ``piles``: the score piles. ``widow``: how many
    cards are still set aside; ``served``: how many of them were refills at the end of the last
    round. ``final``: this round is the last. ``tied``: the seats that were tied before this deal,
    or after it if it ended level; empty unless a tie is replayed. ``earlier``: the points of the
    deals that ended level; ``adjusted``: those that the table gave by agreement. ``at``: how many
    entries took effect.
    """

    table: Table
    deck: Deck
    deal: int
    step: TrumpsStage
    due: tuple[Seat, ...]
    contest: tuple[Seat, ...]
    starter: Seat | None
    played: tuple[Laid, ...]
    ranking: tuple[Seat, ...]
    tableau: Pile
    piles: Mapping[Seat, Pile]
    hands: Draws
    stock: int
    widow: int
    served: int
    round: int
    final: bool
    tied: tuple[Seat, ...]
    ended: Outcome | None
    found: tuple[Finding, ...]
    at: int
    earlier: tuple[Line, ...] = ()
    adjusted: Mapping[Seat, int] = {}

    def gone_on(
        self,
        due: tuple[Seat, ...],
        hands: Draws,
        played: tuple[Laid, ...] | None = None,
        tableau: Pile | None = None,
        piles: Mapping[Seat, Pile] | None = None,
        stock: int | None = None,
    ) -> State:
        """The state one entry later in the same step. Faster than ``_replace`` by a factor of
        three.
        """
        return State(
            self.table,
            self.deck,
            self.deal,
            self.step,
            due,
            self.contest,
            self.starter,
            self.played if played is None else played,
            self.ranking,
            self.tableau if tableau is None else tableau,
            self.piles if piles is None else piles,
            hands,
            self.stock if stock is None else stock,
            self.widow,
            self.served,
            self.round,
            self.final,
            self.tied,
            self.ended,
            self.found,
            self.at + 1,
            self.earlier,
            self.adjusted,
        )


def setup(table: Table) -> State:
    deck = pairs_deck(TOP[len(table.seats)])
    return State(
        table=table,
        deck=deck,
        deal=0,
        step=TrumpsStage.IDLE,
        due=(),
        contest=(),
        starter=None,
        played=(),
        ranking=(),
        tableau={},
        piles={seat: {} for seat in table.seats},
        hands=Draws.dealt(deck, table.seats, 0),
        stock=len(deck),
        widow=0,
        served=0,
        round=0,
        final=False,
        tied=(),
        ended=None,
        found=(),
        at=0,
    )


def to_act(state: State) -> tuple[Seat, ...]:
    if state.step in (TrumpsStage.START, TrumpsStage.LOT):
        return state.due
    return state.due[:1]


def place_of(state: State, seat: Seat) -> int:
    """1, 2, or 3 for the last place; the second of two seats has the last place (ruling T35)."""
    place = state.ranking.index(seat) + 1
    return 3 if place == len(state.ranking) else place


def covers_leave(state: State) -> bool:
    """Whether covered cards leave the game unseen (ruling T22)."""
    return state.table.option("facedown_to_field") == "remove"


def laid_open(state: State) -> Iterator[Laid]:
    """The face-up cards of this round; only their numbers are forbidden (ruling T7)."""
    return (laid for laid in state.played if not laid.down)


def forbidden(state: State) -> frozenset[Card]:
    """The numbers that nobody may play any more in this round."""
    return frozenset(rank for laid in laid_open(state) for rank in laid.ranks)


def dealing(state: State) -> Dealing:
    """How to deal: seven cards each, three or four set aside; the rest is the stock."""
    seats = len(state.table.seats)
    aside = ASIDE[seats]
    steps = (
        *evidence("deal_each", count=HAND),
        *evidence("deal_aside", count=aside),
        *evidence("deal_stock", count=len(state.deck) - seats * HAND - aside),
    )
    return pairs_dealing(state.deck, steps)


def public(state: State) -> dict[str, object]:
    start = state.step in (TrumpsStage.START, TrumpsStage.LOT)
    return {
        "tableau": _counts(state.tableau),
        "played": []
        if start
        else [[laid.seat, "down" if laid.down else list(laid.ranks)] for laid in state.played],
        "piles": {seat: _counts(pile) for seat, pile in state.piles.items()},
        "hands": {seat: state.hands.size(seat) for seat in state.table.seats},
        "stock": state.stock,
        "widow": state.widow,
        "starter": state.starter,
        "final_round": state.final,
    }


def _counts(pile: Pile) -> dict[str, int]:
    return {str(rank): pile[rank] for rank in sorted(pile)}
