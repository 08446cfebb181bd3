"""A player of Pairs who deals from a real deck, for simulations and tests."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from referee.core.game import Game
from referee.games import pairs
from referee.games.pairs.plays import Deal, Fold, Hit, Play, Reveal, Shuffle, Starter
from referee.games.pairs.state import (
    BURNED,
    DECK,
    PairsStage,
    State,
    can_draw,
    lowest,
    must_shuffle,
    outside,
)
from referee.games.players import Choose, HiddenCards, Playable

RULES: Game[State, Play] = pairs
GOES_ON = True  # in the middle of a deal, see games.simulation.resuming

FOLDS = 0.2
UNTURNED = 0  # stands for the unknown card of a hit


def entries(
    log: Playable[State, Play],
    rng: Random,
    lies: float,
    shows: float,
    choose: Choose | None = None,
    hidden: HiddenCards | None = None,
) -> Iterator[Play]:
    """Entries of a match; each must go into ``log`` before the next is requested.

    Nothing is declared in Pairs, so nobody lies or shows. The player has a deck of its own: what
    the referee computes about the deck is tested with it, not used by it.
    """
    deck = [int(card) for card in hidden.stock] if hidden else []
    while not log.game.outcome(log.state):
        state: State = log.state
        match state.step:
            case PairsStage.IDLE:
                deck = _shuffled(DECK.copies, rng) if state.deal == 0 else deck
                yield Deal()
            case PairsStage.LOT:
                yield Starter(rng.choice(state.due))
            case PairsStage.START if must_shuffle(state):
                deck = _shuffled(outside(state), rng)
                yield Shuffle()
            case PairsStage.START:
                yield Reveal(rng.choice(state.due), deck.pop())
            case PairsStage.PLAY:
                seat = state.due[0]
                drawing = can_draw(state)
                if choose:
                    able: list[Play] = [Fold(seat), *([Hit(seat, UNTURNED)] if drawing else [])]
                    folds = isinstance(choose(state, able), Fold)
                else:
                    folds = not drawing or rng.random() < FOLDS
                if folds:
                    yield Fold(seat)
                elif must_shuffle(state):
                    deck = _shuffled(outside(state), rng)
                    yield Shuffle()
                else:
                    yield Hit(seat, deck.pop())


def _shuffled(copies: tuple[int, ...] | list[int], rng: Random) -> list[int]:
    """A shuffled deck; ``copies``: how many of each number, from 1, without the burned ones."""
    cards = [rank for rank, count in enumerate(copies, 1) for _ in range(count)]
    rng.shuffle(cards)
    return cards[BURNED:]


def ahead(state: State, play: Fold | Hit) -> float:
    """The points that a fold costs, or the mean points that the next card costs, negative."""
    if isinstance(play, Fold):
        return -lowest(state).rank
    mine = {shown.rank for shown in state.rows[play.seat]}
    left = state.unseen if sum(state.unseen) > BURNED else tuple(outside(state))
    return -sum(rank * left[rank - 1] for rank in mine) / max(1, sum(left))
