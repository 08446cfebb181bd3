"""The interface of an honest player: ``entries`` in the ``player`` module of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple, Protocol

from referee.core.game import Game, Table
from referee.core.generic import GameState, P, Play, S
from referee.core.verdict import Card, Seat


class Choose(Protocol):
    """Decides what seats do with their hands."""

    def __call__(self, state: GameState, plays: Sequence[P]) -> P:
        """One of ``plays``: all that a seat can do honestly with its hand, each once."""
        ...


class Playable(Protocol[S, P]):
    """What a player needs of a match: a ``Log``, or what only knows how the table stands now."""

    @property
    def game(self) -> Game[S, P]: ...
    @property
    def table(self) -> Table: ...
    @property
    def start(self) -> S: ...
    @property
    def state(self) -> S: ...


class Player(Protocol):
    """An honest player: it deals, knows all hands, and makes the entries of all seats."""

    def __call__(
        self, log: Playable, rng: Random, lies: float, shows: float, choose: Choose | None = None
    ) -> Iterator[Play]:
        """The entries of a match in order, until it is over.

        The caller pushes each entry into ``log`` before it requests the next. ``lies``: the chance
        from 0 to 1 that a player breaks a rule where the table cannot see it; ``shows``: the chance
        that a player shows the hand. A game without these ignores them. ``choose`` decides what
        seats do with their hands; without it, chance does.
        """
        ...


class HiddenCards(NamedTuple):
    """The cards that nobody sees, in the middle of a deal.

    ``stock``: its top is the last card; cards that are out of play lie at the bottom. ``pyramids``:
    the face-down cards before each seat, in the order of their places.
    """

    hands: dict[Seat, list[Card]]
    stock: list[Card]
    pyramids: dict[Seat, list[Card]]


def ranks_held(hidden: HiddenCards | None) -> dict[Seat, list[int]]:
    """Every hand as a list of numbers of its own; none if nothing is ``hidden``."""
    held = hidden.hands if hidden else {}
    return {seat: [int(card) for card in cards] for seat, cards in held.items()}


class Resuming(Player, Protocol):
    """A player that can also go on in the middle of a deal, with given hidden cards."""

    def __call__(
        self,
        log: Playable,
        rng: Random,
        lies: float,
        shows: float,
        choose: Choose | None = None,
        hidden: HiddenCards | None = None,
    ) -> Iterator[Play]: ...
