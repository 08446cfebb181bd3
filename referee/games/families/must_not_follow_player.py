"""The honest player of the games in which a number must not be repeated (``games.simulation``)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from referee.core.verdict import Card, Illegal, Seat
from referee.games.families.must_not_follow import Deal, Lay, Show
from referee.games.players import Choose, HiddenCards, Playable, ranks_held


def entries(
    log: Playable,
    rng: Random,
    lies: float,
    shows: float,
    choose: Choose | None = None,
    hidden: HiddenCards | None = None,
) -> Iterator[Deal | Lay | Show]:
    """The entries of a match; ``lies``: the chance that a player repeats a number without need."""
    game, seats, deck = log.game, log.table.seats, log.start.deck
    size = log.start.hands.hidden[seats[0]]
    lays = {seat: _lays(seat, deck.cards) for seat in seats}
    hands = ranks_held(hidden)
    while not game.outcome(state := log.state):
        due = game.to_act(state)
        if not due:
            cards = list(deck.listed(deck.full))
            rng.shuffle(cards)
            hands = {seat: [cards.pop() for _ in range(size)] for seat in seats}
            yield rng.choice([p for p in game.candidates(state) if isinstance(p, Deal)])
            continue
        if rng.random() < shows:
            seat = rng.choice([seat for seat in hands if hands[seat]])
            yield Show(seat, tuple(hands[seat]))
            continue
        seat = due[0]
        hand, lay = hands[seat], lays[seat]
        ranks = [rank for rank in hand if rank not in state.showing] or hand
        play = choose(state, [lay[rank] for rank in {*ranks}]) if choose else lay[rng.choice(ranks)]
        if rng.random() < lies:
            repeated = lay[rng.choice(hand)]
            if not isinstance(game.judge(state, repeated), Illegal):
                play = repeated
        hand.remove(play.rank)
        yield play


@lru_cache(maxsize=1024)
def _lays(seat: Seat, ranks: tuple[Card, ...]) -> dict[Card, Lay]:
    """Each card as played by ``seat``; cached for the next match."""
    return {rank: Lay(seat, int(rank)) for rank in ranks}
