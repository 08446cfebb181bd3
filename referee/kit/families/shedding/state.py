"""The state of a shedding game between two entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from referee.core.cards import Bag, Deck
from referee.core.game import Table
from referee.core.verdict import Seat
from referee.kit import scored
from referee.kit.chapters.bidding import BidRules
from referee.kit.families.shedding.combinations import PlayReading
from referee.kit.scored import MatchScore

BETWEEN, EXCHANGE, BID, KITTY, PLAY = scored.BETWEEN, "exchange", "bid", "kitty", "play"
"""The phases of a deal in order."""


class RulesOfShedding(Protocol):
    """What sums need of the rules of a table (``rules.SheddingRules``)."""

    bidding: BidRules

    def is_turned(self, state: State) -> bool: ...


class TopCards(NamedTuple):
    """A play on the table: ``cards`` as they were entered; ``at``: the position of its entry."""

    seat: Seat
    cards: tuple[str, ...]
    reading: PlayReading
    at: int


class Trick(NamedTuple):
    """The plays since the trick was last cleared, the newest in ``plays[-1]``.

    ``passed``: the positions of the passes of those who have passed, by seat. ``turned``: the
    position of the play that turned the order for the trick, 0 if it is not turned. ``suits``: how
    many cards of each suit every play must have, and ``suits_at``, ``rank_at``: the positions of
    the plays that locked the suits and the rank, 0 if none has.
    """

    plays: tuple[TopCards, ...] = ()
    passed: Mapping[Seat, int] = {}
    turned: int = 0
    suits: tuple[tuple[str, int], ...] = ()
    suits_at: int = 0
    rank_at: int = 0

    @property
    def top(self) -> TopCards | None:
        """The play that has to be beaten; None: the next one leads."""
        return self.plays[-1] if self.plays else None


class DueOf(NamedTuple):
    """What ``seat`` has to do before anybody plays: so many cards or ranks."""

    seat: Seat
    give: int = 0
    discard: int = 0
    name: int = 0

    @property
    def verb(self) -> str:
        """What comes first: "give", "discard", "name", or "" if nothing is due."""
        return next((each for each in ("give", "discard", "name") if getattr(self, each)), "")


class NamedRanks(NamedTuple):
    """The ranks that ``seat`` named at the entry ``at``."""

    seat: Seat
    ranks: tuple[str, ...]
    at: int


class SeenCards(NamedTuple):
    """Cards that everybody saw; older ones are in ``before``. ``how``: laid, discarded, dropped,
    or in the kitty.
    """

    before: SeenCards | None
    how: str
    seat: Seat
    cards: tuple[str, ...]
    at: int


class Lacking(NamedTuple):
    """What a seat has declared: to hold fewer than ``least[rank]`` cards of each of these ranks.

    ``clause``, ``at``: of the entry that declares it; ``shown``: cards of each rank since.
    """

    seat: Seat
    clause: str
    at: int
    least: Mapping[str, int]
    shown: Mapping[str, int]
    proof: tuple[int, ...] = ()


class Round(NamedTuple):
    """What a deal has been so far. Tuples have an item for each seat, in seat order.

    ``size``: cards dealt to each, without those left over. ``starter``: who leads, or bids, first;
    None until a play decides it. ``held``: cards in the hands, ``plays``: plays made, ``own``: bags
    of cards that have left the hands face up. ``gone``: the bag of all of them. ``known``: bags of
    cards known to be in a hand. ``live``: the seats in the deal, in seat order. ``outs``,
    ``fouls``, ``fallen``: those that have left it, in order. ``turned``: the position of the play
    that turned the order, 0 if it is as usual. ``step``: 1 to the left, −1 to the right. ``begun``:
    whether a card has been played. ``finish``: the places, 0 before the end of the deal; ``was``:
    those of the last deal that had places.
    """

    bids: tuple[str | None, ...]
    held: tuple[int, ...]
    plays: tuple[int, ...]
    own: tuple[Bag, ...]
    known: tuple[Bag, ...]
    finish: tuple[int, ...]
    was: tuple[int, ...]
    size: int = 0
    starter: Seat | None = None
    gone: Bag = 0
    live: tuple[Seat, ...] = ()
    outs: tuple[Seat, ...] = ()
    fouls: tuple[Seat, ...] = ()
    fallen: tuple[Seat, ...] = ()
    turned: int = 0
    step: int = 1
    begun: bool = False
    seen: SeenCards | None = None
    lacking: tuple[Lacking, ...] = ()


def undealt(n: int) -> Round:
    """A deal of ``n`` seats in which nothing has happened."""
    none = (0,) * n
    return Round((None,) * n, none, none, none, none, finish=none, was=none)


class State(NamedTuple):
    """The state between two entries. ``turn``: whose turn it is to play; None before the first
    play if any seat can hold the card that leads. ``due``: what has to be done first. ``naming``:
    the ranks just named, of which cards can be dropped.
    """

    table: Table
    rules: RulesOfShedding
    deck: Deck
    deal: int
    score: MatchScore
    round: Round
    phase: str
    turn: Seat | None = None
    trick: Trick = Trick()
    due: DueOf | None = None
    naming: NamedRanks | None = None
    at: int = 0
