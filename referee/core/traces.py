"""Tracing a hand card by card, while certain declarations of its owner are believed.

Hidden cards are distinguished by how long they have been in the hand. An older card was there for
more declarations, so the kinds that it can be are a subset of those of a newer card. A card that
turns up is taken to be the oldest that it can be: any other choice restricts the hand more. The
rest of the hand is possible if for each of these sets of kinds enough copies are unseen: Hall's
theorem for a chain of sets. Each fact costs one step; there is no search.

This does not work after a card has left the hand unseen, because a newer one may have been it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from referee.core.cards import DIGIT, Bag, Deck, size
from referee.core.hands import HandClaim
from referee.core.moves import Fact, Held, Played, Shown, Turned
from referee.core.verdict import Card, Seat
from referee.core.worlds import dealt, moved

# The hidden cards that were in the hand at some declaration, oldest first, as runs: a mask of
# kinds, and the number of cards that are each of one of these kinds.
Trace: TypeAlias = tuple[tuple[int, int], ...]


def turned_up(
    deck: Deck, trace: Trace, cards: Iterable[Card], known: Bag, hidden: int
) -> Trace | None:
    """The trace after ``cards`` turned up; those that are not ``known`` were hidden until now.

    None if one of them can't have been in the hand. ``known``: the known cards before, ``hidden``:
    the number of hidden cards afterwards.
    """
    for card in cards:
        one = deck.one[card]
        if known & one * DIGIT:
            known -= one
        else:
            trace = _less_one(trace, one)
    for _, n in trace:
        hidden -= n
    return trace if hidden >= 0 else None


def _less_one(trace: Trace, one: Bag) -> Trace:
    """The trace without the oldest card that can be of the kind of ``one``."""
    for i, (mask, n) in enumerate(trace):
        if one & mask:
            less = ((mask, n - 1),) if n > 1 else ()
            return trace[:i] + less + trace[i + 1 :]
    return trace


def declared(deck: Deck, trace: Trace, claim: HandClaim, known: Bag, hidden: int) -> Trace | None:
    """The trace if ``claim`` is believed, too; None if the ``known`` cards contradict it."""
    only = deck.mask(claim.only)
    if known & only != known:
        return None
    if not trace:
        return ((only, hidden),) if hidden else ()
    sizes: dict[int, int] = {}
    newer = hidden
    for mask, n in trace:
        sizes[mask & only] = sizes.get(mask & only, 0) + n
        newer -= n
    if newer:
        sizes[only] = sizes.get(only, 0) + newer
    return tuple(sizes.items())


def retraced(
    deck: Deck, facts: Iterable[Fact], seat: Seat, claims: Sequence[HandClaim]
) -> Trace | None:
    """The trace of ``seat`` after all ``facts``; None if the claims cannot all be true."""
    world = dealt(deck, (seat,), 0)
    trace: Trace = ()
    for fact in facts:
        if isinstance(fact, Turned) or fact.seat != seat:
            continue
        before = world.hands[seat]
        [world] = moved(deck, (world,), fact)
        hand = world.hands[seat]
        step: Trace | None = trace
        if isinstance(fact, Played | Held | Shown):
            step = turned_up(deck, trace, fact.cards, before.known, hand.hidden)
        elif isinstance(fact, HandClaim) and fact in claims:
            step = declared(deck, trace, fact, hand.known, hand.hidden)
        if step is None:
            return None
        trace = step
    return trace


def spare(unseen: Bag, trace: Trace) -> int:
    """The number of unseen cards beyond those that the hand needs, the least over its kinds.

    Negative if the hand is impossible.
    """
    cards, least = 0, DIGIT
    for mask, n in trace:
        cards += n
        least = min(least, size(unseen & mask) - cards)
    return least
