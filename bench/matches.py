"""Honest random matches: hidden hands are dealt, and every seat lays what it may."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from referee.core.log import Log
from referee.core.record import Header
from referee.games import GAMES
from referee.games.must_not_follow import Deal, Lay, State, next_starter


def play(game: str, seats: int, entries: int, deals: int = 10) -> tuple[Header, Log]:
    """A match of ``game`` with at most so many entries and deals; the last may be cut short."""
    names = [f"P{i + 1}" for i in range(seats)]
    header = Header(game, tuple(names), {"rounds": "10"})
    log = Log(GAMES[game], header.table(GAMES[game]))
    rng = random.Random(1)
    while len(log) < entries and log.state.deal < deals and not log.game.outcome(log.state):
        log.push(Deal(next_starter(log.state) or names[0]))
        hands = dealt(log.state, names, rng)
        while log.state.due and len(log) < entries:
            log.push(choose(log.state, hands, rng))
    return header, log


def dealt(state: State, seats: Sequence[str], rng: random.Random) -> dict[str, list[int]]:
    """Hands drawn from the shuffled deck."""
    deck = state.deck
    cards = [
        int(card)
        for card, copies in zip(deck.cards, deck.copies, strict=True)
        for _ in range(copies)
    ]
    rng.shuffle(cards)
    size = state.hands.hidden[seats[0]]
    return {seat: cards[i * size : (i + 1) * size] for i, seat in enumerate(seats)}


def choose(state: State, hands: dict[str, list[int]], rng: random.Random) -> Any:
    """A card that the seat may lay, taken out of its hand."""
    seat = state.due[0]
    free = [rank for rank in hands[seat] if rank not in state.showing]
    rank = rng.choice(free or hands[seat])
    hands[seat].remove(rank)
    return Lay(seat, rank)
