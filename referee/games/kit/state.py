"""How a table of a game file stands between two entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from referee.core.cards import Bag, Deck
from referee.core.game import Table
from referee.core.hands import PublicHands
from referee.core.verdict import Finding, Outcome, Seat
from referee.games.kit.cards import Cards

BETWEEN, PASS, TRUMP, BID, CALL, PLAY = "between", "pass", "trump", "bid", "call", "play"
"""The phases of a deal in their order; trump is named after the bids where the highest names it."""


SHEET = "-"
"""The name of points that were entered as such; no term has it."""


class RulesOfSums(Protocol):
    """What sums ask the rules of a table (``rules.Rules``)."""

    cards: Cards

    def bid_worth(self, said: str | None) -> int: ...
    def beating(self, state: State) -> int: ...
    def winning(self, state: State) -> int | None: ...


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


class Given(NamedTuple):
    """Points for the seat at ``place`` by the term ``name``; ``laid``: the card they are for."""

    place: int
    points: int
    name: str
    laid: Laid | None


class Scored(NamedTuple):
    """Points that were given together; older ones in ``before``. Deal and trick 1-based."""

    before: Scored | None
    deal: int
    trick: int | None
    given: tuple[Given, ...]


class MatchScore(NamedTuple):
    """What lives on from deal to deal. ``counters``: a number for each seat, in seat order.

    ``found``: what has been proven about earlier deals. ``out``: who plays no more in the match.
    """

    totals: Mapping[Seat, int]
    counters: Mapping[str, tuple[int, ...]]
    lines: Scored | None
    tied: tuple[Seat, ...]
    ended: Outcome | None
    found: tuple[Finding, ...]
    out: tuple[Seat, ...] = ()


class Round(NamedTuple):
    """What a deal has come to besides its running trick; tuples have a place for each seat.

    ``size``: cards dealt to each. ``number``: of the trick, 1-based. ``taken``, ``wins``: bags of
    the cards in won tricks, and of those that won them. ``turned``: position of the turn-up.
    ``stock``: cards that are left to draw. ``called``: the card that somebody has called.
    """

    size: int
    starter: Seat | None
    turn_up: str | None
    turned: int
    bids: tuple[str | None, ...]
    number: int
    tricks: tuple[int, ...]
    taken: tuple[Bag, ...]
    wins: tuple[Bag, ...]
    left: tuple[Seat, ...]
    last: Trick | None
    stock: int = 0
    called: str | None = None


class State(NamedTuple):
    """Between two entries. ``due``: the seats whose entry is due, in turn order.

    ``led``: the card that says which suit is led; None before there is one, "" where there is
    none in this trick. ``showing``: mask of the numbers that show; ``pile``: bag of the cards laid
    in this deal, ``own`` the same by seat; ``rows``: cards before each seat. The last three are
    kept only where the rules ask for them. ``declared``: the clause of each declaration, by its
    position.
    """

    table: Table
    rules: RulesOfSums
    deck: Deck
    deal: int
    score: MatchScore
    round: Round
    phase: str
    leader: Seat | None
    due: tuple[Seat, ...]
    trump: str | None
    trick: tuple[Laid, ...]
    led: str | None
    showing: int
    hands: PublicHands
    pile: Bag
    own: tuple[Bag, ...]
    rows: tuple[tuple[str, ...], ...]
    declared: Mapping[int, str]
    at: int

    @property
    def starter(self) -> Seat | None:
        """Who leads the deal; None until a card says so."""
        return self.round.starter
