"""The state of a match between two entries. All cards lie open."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from referee.core.cards import Deck
from referee.core.game import Table
from referee.core.verdict import Seat
from referee.kit import scored
from referee.kit.scored import MatchScore

BETWEEN, DEAL, LOT, TURN = scored.BETWEEN, "deal", "lot", "turn"
"""The phases of a round in order: cards are dealt, perhaps a lot is drawn, players take turns."""


class RowCard(NamedTuple):
    """A card before a seat; ``at`` is the position of the entry that showed it."""

    seat: Seat
    card: str
    at: int


class EffectDue(NamedTuple):
    """An effect that still has to act: the number of its row in the file, and the card.

    ``card.seat`` has drawn the card, and says whom it concerns.
    """

    row: int
    card: RowCard
    verb: str
    times: int


class DrawsDue(NamedTuple):
    """``seat`` still has to draw ``left`` cards; ``waiting``: effects of those drawn before."""

    seat: Seat
    left: int
    waiting: tuple[EffectDue, ...]


Due: TypeAlias = EffectDue | DrawsDue


class RowRound(NamedTuple):
    """The round: ``rows``, the cards before each seat, and ``busts``, have an item for each seat in
    seat order. ``size``: cards dealt to each. ``playing``: who is still in the round, in seat
    order. While a tie for the lead is broken, ``contest`` has the seats that compete and ``faced``
    the cards that decide.
    """

    size: int
    starter: Seat | None
    rows: tuple[tuple[RowCard, ...], ...]
    playing: tuple[Seat, ...]
    busts: tuple[bool, ...]
    contest: tuple[Seat, ...] = ()
    faced: tuple[RowCard, ...] = ()


class Stock(NamedTuple):
    """The cards to draw from. ``unseen``: copies of each kind that nobody has seen since the last
    shuffle, in the deck's order; ``left``: how many cards are left, the burned ones not counted.

    ``seen``: the cards that were seen since then, and those that lay open at that time. ``kept``:
    cards laid aside for points. ``uncounted``: a round was entered by its sheet, so all these are
    upper limits until the next shuffle.
    """

    unseen: tuple[int, ...]
    left: int
    seen: tuple[RowCard, ...] = ()
    kept: tuple[RowCard, ...] = ()
    uncounted: bool = False


class State(NamedTuple):
    """The state between two entries.

    ``order``: while cards are dealt, the seats that still get one, each as often as it gets one;
    then all seats from the one in turn on. ``due``: what has to be done before that, the next
    first.
    """

    table: Table
    rules: object
    deck: Deck
    deal: int
    score: MatchScore
    round: RowRound
    phase: str
    order: tuple[Seat, ...]
    due: tuple[Due, ...]
    stock: Stock
    at: int
