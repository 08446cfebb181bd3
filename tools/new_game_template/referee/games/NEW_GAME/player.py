"""The honest player of NEW_TITLE (``games.simulation``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from referee.core.log import Log
from referee.games.NEW_GAME.rules import DECK, HAND, Deal, Lay, Play


def entries(log: Log, rng: Random, lies: float, shows: float) -> Iterator[Play]:
    """The entries of a match. Nothing is declared here, so nobody lies or shows a hand."""
    hands: dict[str, list[int]] = {}
    while not log.game.outcome(log.state):
        due = log.game.to_act(log.state)
        if due:
            yield Lay(due[0], hands[due[0]].pop())
            continue
        cards = [int(card) for card in DECK.listed(DECK.full)]
        rng.shuffle(cards)
        hands = {seat: [cards.pop() for _ in range(HAND)] for seat in log.table.seats}
        yield Deal(rng.choice(log.table.seats) if log.state.starter is None else None)
