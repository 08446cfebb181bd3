"""What facts alone say about hidden hands, whatever anybody has declared.

Of a hand it is known which cards it surely holds, and how many others; those may be any cards that
have not turned up. A card of a kind that is surely held is taken to be that one. A card that left
unseen may have been any of them, so one fact can have several worlds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from referee.core.cards import DIGIT, Bag, Deck
from referee.core.hands import Claim
from referee.core.moves import Drew, Fact, Gained, Held, Lost, Played, Shown, Turned
from referee.core.verdict import Card, Seat


class Hand(NamedTuple):
    """``known`` cards are surely held, ``hidden`` more are; ``pinned`` were first seen here."""

    known: Bag
    hidden: int
    pinned: Bag


class World(NamedTuple):
    """One way in which the facts can be understood; ``unseen``: what has not turned up."""

    unseen: Bag
    hands: Mapping[Seat, Hand]


def dealt(deck: Deck, seats: Iterable[Seat], size: int) -> World:
    """Every seat holds ``size`` cards that nobody else has seen."""
    return World(deck.full, dict.fromkeys(seats, Hand(0, size, 0)))


def moved(deck: Deck, worlds: tuple[World, ...], *facts: Fact) -> tuple[World, ...]:
    """The worlds in which ``facts`` can be, as they are after them; KeyError for a strange card."""
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
    if isinstance(fact, Turned):
        left = without(deck, unseen, fact.cards)
        return () if left is None else (World(left, hands),)
    hand = hands[fact.seat]
    if isinstance(fact, Lost):
        less = _less_one(deck, hand)
        return tuple(World(unseen, {**hands, fact.seat: later}) for later in less)
    found = after(deck, unseen, hand, fact)
    return () if found is None else (World(found[0], {**hands, fact.seat: found[1]}),)


def after(
    deck: Deck, unseen: Bag, hand: Hand, fact: Drew | Gained | Played | Held | Shown | Claim
) -> tuple[Bag, Hand] | None:
    """What is unseen and the hand that ``fact`` is about, after it; None if the fact can't be."""
    if isinstance(fact, Claim):
        return unseen, hand
    known, hidden, pinned = hand
    if isinstance(fact, Drew):
        return unseen, Hand(known, hidden + fact.size, pinned)
    if isinstance(fact, Gained):
        return unseen, Hand(known + deck.one[fact.card], hidden, pinned)
    found = picked(deck, unseen, known, hidden, fact.cards)
    if found is None:
        return None
    left, others, hidden = found
    fresh = unseen - left
    if isinstance(fact, Played):
        return left, Hand(others, hidden, pinned + fresh)
    if isinstance(fact, Shown) and (others or hidden):
        return None
    return left, Hand(known + fresh, hidden, pinned + fresh)


def picked(
    deck: Deck, unseen: Bag, known: Bag, hidden: int, cards: Iterable[Card]
) -> tuple[Bag, Bag, int] | None:
    """What is left unseen, known and hidden when ``cards`` are taken from a hand.

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


def without(deck: Deck, unseen: Bag, cards: Iterable[Card]) -> Bag | None:
    """What is unseen when ``cards`` that no hand has held turn up; None if there are too few."""
    for card in cards:
        one = deck.one[card]
        if not unseen & one * DIGIT:
            return None
        unseen -= one
    return unseen


def _less_one(deck: Deck, hand: Hand) -> Iterator[Hand]:
    """The hand after any one of its cards has left it."""
    known, hidden, pinned = hand
    if hidden:
        yield Hand(known, hidden - 1, pinned)
    for one in deck.one.values():
        if known & one * DIGIT:
            yield Hand(known - one, hidden, pinned)
