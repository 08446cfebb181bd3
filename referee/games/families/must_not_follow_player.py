"""The honest player of the games in which a number must not be repeated (``games.simulation``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from referee.core.verdict import Illegal
from referee.games.families.must_not_follow import Deal, Lay, Show
from referee.games.players import Choose, Playable


def entries(
    log: Playable, rng: Random, lies: float, shows: float, choose: Choose | None = None
) -> Iterator[Deal | Lay | Show]:
    """The entries of a match; ``lies``: the chance that a player repeats a number without need."""
    size = log.start.hands.hidden[log.table.seats[0]]
    hands: dict[str, list[int]] = {}
    while not log.game.outcome(log.state):
        state = log.state
        due = log.game.to_act(state)
        if not due:
            cards = [r for r in state.deck.cards for _ in range(state.deck.copies[r - 1])]
            rng.shuffle(cards)
            hands = {seat: [cards.pop() for _ in range(size)] for seat in log.table.seats}
            yield rng.choice([p for p in log.game.candidates(state) if isinstance(p, Deal)])
            continue
        if rng.random() < shows:
            seat = rng.choice([seat for seat in hands if hands[seat]])
            yield Show(seat, tuple(hands[seat]))
            continue
        seat = due[0]
        free = [rank for rank in hands[seat] if rank not in state.showing]
        ranks = free or hands[seat]
        if choose:
            rank = choose(state, [Lay(seat, rank) for rank in {*ranks}]).rank
        else:
            rank = rng.choice(ranks)
        if rng.random() < lies:
            repeated = rng.choice(hands[seat])
            if not isinstance(log.game.judge(state, Lay(seat, repeated)), Illegal):
                rank = repeated
        hands[seat].remove(rank)
        yield Lay(seat, rank)
