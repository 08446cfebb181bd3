"""What facts alone prove about hidden hands, without any declaration.

Of a hand it is known which cards it certainly holds, and how many others; those may be any cards
that have not turned up. A played card of a kind that is certainly held is taken to be that one. A
card that left unseen may have been any card of the hand, so the same facts can have several worlds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from referee.core.cards import DIGIT, Bag, Deck
from referee.core.hands import HandClaim
from referee.core.moves import Drew, Fact, Gained, Held, Lost, Played, Shown, Turned
from referee.core.verdict import Card, Seat


class Hand(NamedTuple):
    """A hand: ``known`` cards are certain, ``hidden`` counts the others.

    ``pinned``: cards that were first seen in this hand.
    """

    known: Bag
    hidden: int
    pinned: Bag


class World(NamedTuple):
    """One interpretation of the facts; ``unseen``: the cards that have not turned up."""

    unseen: Bag
    hands: Mapping[Seat, Hand]


def dealt(deck: Deck, seats: Iterable[Seat], size: int) -> World:
    """The world after a deal: every seat holds ``size`` cards that nobody else has seen."""
    return World(deck.full, dict.fromkeys(seats, Hand(0, size, 0)))


def moved(deck: Deck, worlds: tuple[World, ...], *facts: Fact) -> tuple[World, ...]:
    """``worlds`` after ``facts``, without those in which the facts are impossible.

    KeyError for a card that is not in the deck.
    """
    for fact in facts:
        if len(worlds) == 1:
            worlds = _stepped(deck, worlds[0], fact)
            continue
        found: list[World] = []
        for world in worlds:
            found += (later for later in _stepped(deck, world, fact) if later not in found)
        worlds = tuple(found)
    return worlds


def _stepped(deck: Deck, world: World, fact: Fact) -> tuple[World, ...]:
    unseen, hands = world
    if isinstance(fact, HandClaim):
        return (world,)
    if isinstance(fact, Turned):
        left = unseen_after(deck, unseen, fact.cards)
        return () if left is None else (World(left, hands),)
    seat = fact.seat
    known, hidden, pinned = hands[seat]
    if isinstance(fact, Lost):
        less = _less_one(deck, hands[seat])
        return tuple(World(unseen, {**hands, seat: hand}) for hand in less)
    if isinstance(fact, Drew):
        hidden += fact.size
    elif isinstance(fact, Gained):
        known += deck.one[fact.card]
    else:
        found = uncovered(deck, unseen, known, hidden, fact)
        if found is None:
            return ()
        pinned += unseen - found[0]
        unseen, known, hidden = found
    return (World(unseen, {**hands, seat: Hand(known, hidden, pinned)}),)


def uncovered(
    deck: Deck, unseen: Bag, known: Bag, hidden: int, fact: Played | Held | Shown
) -> tuple[Bag, Bag, int] | None:
    """The unseen cards, and the known and hidden ones of a hand, after ``fact`` showed its cards.

    None if the hand can't hold them. The cards that turned up are those no longer unseen.
    """
    found = picked(deck, unseen, known, hidden, fact.cards)
    if found is None or isinstance(fact, Played):
        return found
    left, others, hidden = found
    if isinstance(fact, Shown) and (others or hidden):
        return None
    return left, known + unseen - left, hidden


def picked(
    deck: Deck, unseen: Bag, known: Bag, hidden: int, cards: Iterable[Card]
) -> tuple[Bag, Bag, int] | None:
    """The unseen cards, and the known and hidden ones of a hand, after ``cards`` left it openly.

    Known cards are taken first, then hidden ones, which turn up. None if the hand can't hold them.
    """
    for card in cards:
        one = deck.one[card]
        digit = one * DIGIT
        if known & digit:
            known -= one
        elif hidden and unseen & digit:
            hidden -= 1
            unseen -= one
        else:
            return None
    return unseen, known, hidden


def unseen_after(deck: Deck, unseen: Bag, cards: Iterable[Card]) -> Bag | None:
    """The unseen cards after ``cards`` that were in no hand turn up; None if too few are left."""
    for card in cards:
        one = deck.one[card]
        if not unseen & one * DIGIT:
            return None
        unseen -= one
    return unseen


def _less_one(deck: Deck, hand: Hand) -> Iterator[Hand]:
    """The hands that are possible after an unknown one of its cards has left."""
    known, hidden, pinned = hand
    if hidden:
        yield Hand(known, hidden - 1, pinned)
    for one in deck.one.values():
        if known & one * DIGIT:
            yield Hand(known - one, hidden, pinned)
