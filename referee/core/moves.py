"""How cards moved: facts, in the order in which they happened.

``at`` is the position of the entry that shows a fact; only proofs need it.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from referee.core.hands import HandClaim
from referee.core.verdict import Card, Seat


class Drew(NamedTuple):
    """``size`` cards that nobody else has seen came into the hand of ``seat``."""

    seat: Seat
    size: int


class Gained(NamedTuple):
    """A card that everybody knows, because it lay open, came into a hand."""

    seat: Seat
    card: Card


class Turned(NamedTuple):
    """Cards were turned up that were in no hand, such as the first table cards."""

    cards: tuple[Card, ...]
    at: int


class Played(NamedTuple):
    """Cards left the hand of ``seat`` openly."""

    seat: Seat
    cards: tuple[Card, ...]
    at: int


class Held(NamedTuple):
    """Cards of a hand were shown and stay in it; the hand may hold other cards, too."""

    seat: Seat
    cards: tuple[Card, ...]
    at: int


class Shown(NamedTuple):
    """The whole hand was laid open; the cards stay in it."""

    seat: Seat
    cards: tuple[Card, ...]
    at: int


class Lost(NamedTuple):
    """A card left a hand unseen for good. What its owner says about it is ignored."""

    seat: Seat
    at: int


Sighting: TypeAlias = Turned | Played | Held | Shown  # cards that everybody could see
Fact: TypeAlias = Drew | Gained | Sighting | Lost | HandClaim
