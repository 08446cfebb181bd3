"""The state of a game from a file between two entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from referee.core.cards import Bag, Deck
from referee.core.game import Table
from referee.core.hands import PublicHands
from referee.core.verdict import Seat
from referee.kit import scored
from referee.kit.chapters.bidding import BidRules
from referee.kit.chapters.deck import Cards
from referee.kit.scored import MatchScore

BETWEEN, PASS, TRUMP, BID, CALL, PLAY = scored.BETWEEN, "pass", "trump", "bid", "call", "play"
"""The phases of a deal in order; trump follows the bids if the highest bidder names it."""


class RulesOfSums(Protocol):
    """What sums need of the rules of a table (``rules.Rules``)."""

    cards: Cards
    bidding: BidRules

    def beating(self, state: State) -> int: ...
    def winning(self, state: State) -> int | None: ...
    def suit_bid(self, state: State, place: int) -> int: ...


class Laid(NamedTuple):
    """A card of the trick; ``at`` is the position of its entry.

    ``out``: it cannot win; ``down``: it lies face down, and ``card`` is "" where nobody saw it.
    """

    seat: Seat
    card: str
    at: int
    out: bool = False
    down: bool = False


class Trick(NamedTuple):
    """A finished trick; ``deal`` and ``number`` 1-based."""

    deal: int
    number: int
    cards: tuple[Laid, ...]
    winner: Seat | None
    won_with: Laid | None


def ended_trick(before: State, after: State) -> Trick | None:
    """The trick that the play between these states has finished, or None.

    Tricks are compared by their numbers: states before and after a correction can be equal without
    being the same.
    """
    old, new = before.round.last, after.round.last
    known = old and new and (old.deal, old.number) == (new.deal, new.number)
    return None if known else new


class Round(NamedTuple):
    """The finished part of a deal, without its running trick.

    ``bids``, ``tricks``, ``taken`` and ``wins`` have an item for each seat, in seat order.
    ``size``: cards dealt to each. ``number``: of the trick, 1-based. ``taken``, ``wins``: bags of
    the cards in won tricks, and of the cards that won them. ``turned``: position of the turn-up.
    ``left``: the seats that have left the deal. ``stock``: number of cards left to draw.
    ``called``: the card that was called.
    """

    bids: tuple[str | None, ...]
    tricks: tuple[int, ...]
    taken: tuple[Bag, ...]
    wins: tuple[Bag, ...]
    size: int = 0
    starter: Seat | None = None
    turn_up: str | None = None
    turned: int = 0
    number: int = 1
    left: tuple[Seat, ...] = ()
    last: Trick | None = None
    stock: int = 0
    called: str | None = None


def undealt(n: int) -> Round:
    """A deal of ``n`` seats in which nothing has happened."""
    none = (0,) * n
    return Round((None,) * n, none, none, none)


class RestClaim(NamedTuple):
    """An open claim of ``seat`` to all tricks that are left; ``granted``: who has agreed to it."""

    seat: Seat
    granted: tuple[Seat, ...]


class State(NamedTuple):
    """The state between two entries. ``due``: the seats whose entry is due, in turn order.

    ``led``: the card that decides the suit led; None before there is one, "" if this trick has
    none. ``showing``: mask of the numbers that show. ``pile``: bag of the cards played in this
    deal, ``own`` the same by seat; ``rows``: the cards before each seat; these three are kept only
    if the rules use them. ``declared``: the clause of each declaration, by its position. ``claim``:
    the open claim of the rest; the next card closes it.
    """

    table: Table
    rules: RulesOfSums
    deck: Deck
    deal: int
    score: MatchScore
    round: Round
    phase: str
    hands: PublicHands
    own: tuple[Bag, ...]
    rows: tuple[tuple[str, ...], ...]
    leader: Seat | None = None
    due: tuple[Seat, ...] = ()
    trump: str | None = None
    trick: tuple[Laid, ...] = ()
    led: str | None = None
    showing: int = 0
    pile: Bag = 0
    declared: Mapping[int, str] = {}
    at: int = 0
    claim: RestClaim | None = None

    @property
    def starter(self) -> Seat | None:
        """Who leads the deal; None until a card decides it."""
        return self.round.starter

    @property
    def begun(self) -> bool:
        """Whether a card has been played in this deal."""
        return bool(self.trick) or self.round.number > 1

    @property
    def stage(self) -> str:
        """The phase; a trump suit that a card lets its player name belongs to the tricks."""
        return PLAY if self.phase == TRUMP and self.begun else self.phase
