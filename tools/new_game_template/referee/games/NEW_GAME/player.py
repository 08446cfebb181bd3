"""The honest player of NEW_TITLE (``games.simulation``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from referee.core.game import Game
from referee.games import NEW_GAME
from referee.games.NEW_GAME.rules import DECK, HAND, Deal, Lay, Play, State
from referee.games.players import Choose, Playable

RULES: Game[State, Play] = NEW_GAME


def entries(
    log: Playable[State, Play], rng: Random, lies: float, shows: float, choose: Choose | None = None
) -> Iterator[Play]:
    """The entries of a match. Nothing is declared here, so nobody lies or shows a hand."""
    hands: dict[str, list[int]] = {}
    while not log.game.outcome(log.state):
        due = log.game.to_act(log.state)
        if due:
            hand = hands[due[0]]
            play = Lay(due[0], hand[-1])
            if choose:
                play = choose(log.state, [Lay(due[0], rank) for rank in {*hand}])
            hand.remove(play.rank)
            yield play
            continue
        cards = [int(card) for card in DECK.listed(DECK.full)]
        rng.shuffle(cards)
        hands = {seat: [cards.pop() for _ in range(HAND)] for seat in log.table.seats}
        yield Deal(rng.choice(log.table.seats) if log.state.starter is None else None)
