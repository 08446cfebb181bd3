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
from referee.core.verdict import Seat


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
    if isinstance(fact, Drew):
        known, hidden, pinned = hands[fact.seat]
        hand = Hand(known, hidden + fact.size, pinned)
        return (World(unseen, {**hands, fact.seat: hand}),)
    if isinstance(fact, Claim):
        return (world,)
    if isinstance(fact, Turned):
        return _turned(deck, world, fact)
    if isinstance(fact, Gained):
        known, hidden, pinned = hands[fact.seat]
        hand = Hand(known + deck.one[fact.card], hidden, pinned)
        return (World(unseen, {**hands, fact.seat: hand}),)
    if isinstance(fact, Lost):
        less = _less_one(deck, hands[fact.seat])
        return tuple(World(unseen, {**hands, fact.seat: hand}) for hand in less)
    return _uncovered(deck, world, fact)


def _uncovered(deck: Deck, world: World, fact: Played | Held | Shown) -> tuple[World, ...]:
    """Cards of a hand can be seen: known ones first, then hidden ones, which turn up."""
    unseen, hands = world
    known, hidden, pinned = hands[fact.seat]
    fresh, others = 0, known
    for card in fact.cards:
        one = deck.one[card]
        digit = one * DIGIT
        if others & digit:
            others -= one
        elif hidden and unseen & digit:
            hidden -= 1
            unseen -= one
            fresh += one
        else:
            return ()
    if isinstance(fact, Played):
        known = others
    elif isinstance(fact, Shown) and (others or hidden):
        return ()
    else:
        known += fresh
    return (World(unseen, {**hands, fact.seat: Hand(known, hidden, pinned + fresh)}),)


def _turned(deck: Deck, world: World, fact: Turned) -> tuple[World, ...]:
    unseen = world.unseen
    for card in fact.cards:
        one = deck.one[card]
        if not unseen & one * DIGIT:
            return ()
        unseen -= one
    return (World(unseen, world.hands),)


def _less_one(deck: Deck, hand: Hand) -> Iterator[Hand]:
    """The hand after any one of its cards has left it."""
    known, hidden, pinned = hand
    if hidden:
        yield Hand(known, hidden - 1, pinned)
    for one in deck.one.values():
        if known & one * DIGIT:
            yield Hand(known - one, hidden, pinned)
