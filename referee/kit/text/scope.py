"""What the names of a formula refer to: ``Scope``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeAlias

from typing_extensions import TypeVar

from referee.core.game import Table
from referee.core.generic import GameState
from referee.core.verdict import Seat


class DealSize(Protocol):
    """The deal of a state, by the number of cards dealt to each seat."""

    @property
    def size(self) -> int: ...


class MatchNumbers(Protocol):
    """What sums ask of the score of every state."""

    @property
    def totals(self) -> Mapping[Seat, int]: ...
    @property
    def counters(self) -> Mapping[str, tuple[int, ...]]: ...


class KitState(GameState, Protocol):
    """What sums ask of the state of every family."""

    @property
    def table(self) -> Table: ...
    @property
    def score(self) -> MatchNumbers: ...
    @property
    def round(self) -> DealSize: ...


K = TypeVar("K", bound=KitState, default=Any)
"""The state of a family; code that serves every family leaves it out, see ``core.generic``."""


class Scope(Generic[K]):
    """What the names of a sum refer to. ``seat`` is an index in seat order.

    ``deal`` and ``size``: the number of the deal, 1-based, and of the cards dealt to each seat; who
    asks about the next deal sets them. ``said``, ``others``, ``last``: for a bid. All others: for
    the card that is scored; ``card`` is its mask.
    """

    __slots__ = (
        "card", "cards", "deal", "gap", "last", "others", "out",
        "rank", "said", "seat", "size", "state", "value", "won",
    )  # fmt: skip

    def __init__(self, state: K, seat: int = 0) -> None:
        self.state, self.seat = state, seat
        self.said = self.others = self.last = 0
        self.deal, self.size = state.deal, state.round.size
        self.card = self.rank = 0
        self.value = self.gap = self.out = self.won = self.cards = 0


Number: TypeAlias = Callable[[Scope[K]], int]
Set: TypeAlias = Callable[[K, Scope[K] | None], int]
"""Computes the mask of a card set from a state and, in a score, from what is scored."""

TABLE, DEAL, SEAT, CARD, SAYING = "table", "deal", "seat", "card", "saying"
"""Where a sum stands. What is known grows from the first to the fourth; ``SAYING``: of the seat
that bids.
"""

LEVEL = {TABLE: 0, DEAL: 1, SAYING: 2, SEAT: 2, CARD: 3}
