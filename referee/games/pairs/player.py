"""A player of Pairs who deals from a real deck, for simulations and tests."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from referee.core.log import Log
from referee.games.pairs.plays import Deal, Fold, Hit, Play, Reveal, Shuffle, Starter
from referee.games.pairs.state import BURNED, DECK, State, Step, can_draw, must_shuffle, outside

FOLDS = 0.2


def entries(log: Log, rng: Random, lies: float, shows: float) -> Iterator[Play]:
    """Entries of a match; each goes into ``log`` before the next is asked for.

    Nothing is declared in Pairs, so nobody lies or shows. The cards are a deck of its own: what
    the referee believes about it is tested, not used.
    """
    deck: list[int] = []
    while not log.game.outcome(log.state):
        state: State = log.state
        match state.step:
            case Step.IDLE:
                deck = _shuffled(DECK.copies, rng) if state.deal == 0 else deck
                yield Deal()
            case Step.LOT:
                yield Starter(rng.choice(state.due))
            case Step.START if must_shuffle(state):
                deck = _shuffled(outside(state), rng)
                yield Shuffle()
            case Step.START:
                yield Reveal(rng.choice(state.due), deck.pop())
            case Step.PLAY:
                seat = state.due[0]
                if not can_draw(state) or rng.random() < FOLDS:
                    yield Fold(seat)
                elif must_shuffle(state):
                    deck = _shuffled(outside(state), rng)
                    yield Shuffle()
                else:
                    yield Hit(seat, deck.pop())


def _shuffled(copies: tuple[int, ...] | list[int], rng: Random) -> list[int]:
    """A deck of so many copies of each number, without the cards that are burned."""
    cards = [rank for rank, count in enumerate(copies, 1) for _ in range(count)]
    rng.shuffle(cards)
    return cards[BURNED:]
