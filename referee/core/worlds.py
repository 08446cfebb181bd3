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
    if isinstance(fact, Claim):
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
    """What is unseen, and known and hidden in the hand whose cards could be seen.

    None if it can't hold them. What turned up is what is no longer unseen.
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


def unseen_after(deck: Deck, unseen: Bag, cards: Iterable[Card]) -> Bag | None:
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
