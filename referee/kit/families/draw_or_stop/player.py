"""The honest player of a game of this family (``games.simulation``): it deals from a real deck."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from referee.core.verdict import Illegal
from referee.games.players import Choose, HiddenCards, Playable
from referee.kit.families.draw_or_stop.effects import apply, targets
from referee.kit.families.draw_or_stop.judging import candidates, judge, to_act
from referee.kit.families.draw_or_stop.plays import (
    Aim,
    Deal,
    Fold,
    Hit,
    Play,
    Reveal,
    Shuffle,
    Starter,
    Stay,
)
from referee.kit.families.draw_or_stop.state import BETWEEN, DEAL, LOT, DrawsDue, EffectDue, State
from referee.kit.families.draw_or_stop.stock import can_draw, must_shuffle, outside, rules_of
from referee.kit.scored import over_average

GOES_ON = True  # in the middle of a deal, see games.simulation.resuming
STOPS = 0.25  # the chance that a player stops


def entries(
    log: Playable[State, Play],
    rng: Random,
    lies: float,
    shows: float,
    choose: Choose | None = None,
    hidden: HiddenCards | None = None,
) -> Iterator[Play]:
    """The entries of a match. Nothing is hidden, so nobody lies or shows.

    The player has a deck of its own, so what the referee counts is tested with it, not used by it.
    """
    deck = [str(card) for card in hidden.stock] if hidden else []
    while not log.game.outcome(log.state):
        state: State = log.state
        task = state.due[0] if state.due else None
        if state.phase == BETWEEN:
            yield rng.choice([play for play in candidates(state) if isinstance(play, Deal)])
            if state.deal == 0 or rules_of(state).deal.reshuffles:
                deck = _shuffled(log.state, rng)
        elif isinstance(task, EffectDue):
            aims: list[Play] = [Aim(task.card.seat, seat) for seat in targets(state, task)]
            yield choose(state, aims) if choose else rng.choice(aims)
        elif state.phase == LOT:
            yield Starter(rng.choice(state.order))
        elif state.phase == DEAL or isinstance(task, DrawsDue):
            if must_shuffle(state):
                yield Shuffle()
                deck = _shuffled(log.state, rng)
                continue
            seat = rng.choice(to_act(state))
            drawn = isinstance(task, DrawsDue)
            yield Hit(seat, deck.pop()) if drawn else Reveal(seat, deck.pop())
        else:
            play = _chosen(state, deck, rng, choose)
            if isinstance(play, Hit) and must_shuffle(state):
                yield Shuffle()
                deck = _shuffled(log.state, rng)
                continue
            if isinstance(play, Hit):
                deck.pop()
            yield play


def ahead(state: State, play: Play) -> float:
    """The points over the average of the others if the round ended after this entry.

    Of a card that is drawn, the mean over all that can come.
    """
    if not isinstance(play, Hit):
        return over_average(apply(state, play), getattr(play, "seat", ""))
    copies = state.stock.unseen if any(state.stock.unseen) else outside(state)
    kinds = [(str(c), n) for c, n in zip(state.deck.cards, copies, strict=True) if n]
    worth = [n * over_average(apply(state, Hit(play.seat, c)), play.seat) for c, n in kinds]
    return sum(worth) / max(1, sum(n for _, n in kinds))


def _chosen(state: State, deck: list[str], rng: Random, choose: Choose | None) -> Play:
    """A card, or a stop, of the seat in turn."""
    [seat] = to_act(state)
    unknown = str(state.deck.cards[0])
    able: list[Play] = [
        play for play in (Stay(seat), Fold(seat)) if not isinstance(judge(state, play), Illegal)
    ]
    hit: list[Play] = [Hit(seat, deck[-1] if deck else unknown)] if can_draw(state) else []
    if choose:
        return choose(state, [*able, *hit])
    if able and (not hit or rng.random() < STOPS):
        return rng.choice(able)
    return hit[0]


def _shuffled(state: State, rng: Random) -> list[str]:
    """A shuffled deck of what can come, without as many cards as were burned."""
    deck = [
        str(card)
        for card, copies in zip(state.deck.cards, state.stock.unseen, strict=True)
        for _ in range(copies)
    ]
    rng.shuffle(deck)
    return deck[len(deck) - state.stock.left :]
