"""A hand followed card by card for as long as certain declarations of its owner are believed.

Hidden cards are told apart by how long they have been in the hand. An older one has lived through
more declarations, so what it can be is part of what a newer one can be. A card that turns up is
taken to be the oldest that it can be: any other choice leaves a hand that can be no more. What is
left can be held if for every such set of kinds enough copies are unseen: Hall's theorem, for sets
of which each contains the last. One step a fact, no search.

That does not work once a card has left unseen, because a newer one may have been it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from referee.core.cards import DIGIT, Bag, Deck, size
from referee.core.hands import Claim
from referee.core.moves import Fact, Held, Played, Shown, Turned
from referee.core.verdict import Card, Seat
from referee.core.worlds import Hand, World, dealt, moved


class Run(NamedTuple):
    """So many cards, each of one of the kinds in ``mask``."""

    mask: int
    size: int


class Trace(NamedTuple):
    """``runs``: the hidden cards that ``claims`` speak of, oldest first; newer ones can be any."""

    claims: tuple[Claim, ...] = ()
    runs: tuple[Run, ...] = ()


def turned_up(
    deck: Deck, trace: Trace, cards: Iterable[Card], fresh: Bag, hidden: int
) -> Trace | None:
    """The trace when those of ``cards`` that are ``fresh`` were hidden till now.

    None if one of them can't have been; ``hidden``: so many cards are hidden after that.
    """
    runs = trace.runs
    for card in cards:
        one = deck.one[card]
        if fresh & one * DIGIT:
            fresh -= one
            runs = _less_one(runs, one)
    if sum(n for _, n in runs) > hidden:
        return None
    return Trace(trace.claims, runs)


def _less_one(runs: tuple[Run, ...], one: Bag) -> tuple[Run, ...]:
    """Without the oldest card that can be of the kind of ``one``."""
    for i, (mask, n) in enumerate(runs):
        if one & mask:
            return (*runs[:i], *((Run(mask, n - 1),) if n > 1 else ()), *runs[i + 1 :])
    return runs


def declared(deck: Deck, trace: Trace, claim: Claim, hand: Hand) -> Trace | None:
    """The trace when ``claim`` is believed, too; None if the known cards belie it."""
    only = deck.mask(claim.only)
    if hand.known & only != hand.known:
        return None
    sizes: dict[int, int] = {}
    newer = hand.hidden
    for mask, n in trace.runs:
        sizes[mask & only] = sizes.get(mask & only, 0) + n
        newer -= n
    if newer:
        sizes[only] = sizes.get(only, 0) + newer
    return Trace((*trace.claims, claim), tuple(Run(mask, n) for mask, n in sizes.items()))


def retraced(
    deck: Deck, facts: Iterable[Fact], seat: Seat, claims: Sequence[Claim]
) -> Trace | None:
    """The trace of ``seat`` after all ``facts``; None if there is none."""
    world, trace = dealt(deck, (seat,), 0), Trace()
    for fact in facts:
        if isinstance(fact, Turned) or fact.seat != seat:
            continue
        before = world.hands[seat]
        [world] = moved(deck, (world,), fact)
        hand = world.hands[seat]
        step: Trace | None = trace
        if isinstance(fact, Played | Held | Shown):
            fresh = hand.pinned - before.pinned
            step = turned_up(deck, trace, fact.cards, fresh, hand.hidden)
        elif isinstance(fact, Claim) and fact in claims:
            step = declared(deck, trace, fact, hand)
        if step is None:
            return None
        trace = step
    return trace


def spare(world: World, trace: Trace) -> int:
    """So many more cards than the hand needs are unseen, at least; negative: it can't be held."""
    cards, least = 0, DIGIT
    for mask, n in trace.runs:
        cards += n
        least = min(least, size(world.unseen & mask) - cards)
    return least
