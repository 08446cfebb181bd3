"""The honest player of 熟語ライン (``games.simulation``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypeAlias

from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.games.jukugo_line.plays import Claim, Deal, Draw, Pass, Place, Word
from referee.games.jukugo_line.state import is_open
from referee.games.jukugo_line.turns import drawn
from referee.jukugo.decks import JOKER

Entry: TypeAlias = Deal | Place | Pass | Claim | Draw | Word


def entries(log: Log, rng: Random, lies: float, shows: float) -> Iterator[Entry]:
    """The entries of a match; ``lies``: how often a player claims a flag without a proof.

    Low flags fill first, so that matches end. Draws are recorded or left out at random.
    """
    first, second = log.table.seats
    deck = [card.kanji for card in log.state.words.deck.cards]
    early = log.table.option("claim_timing") == "start_of_turn"
    stock = deck[:]
    rng.shuffle(stock)
    hands = {seat: [stock.pop() for _ in range(4)] + [JOKER] for seat in (first, second)}
    seat = rng.choice((first, second))
    yield Deal(seat)
    while True:
        if early:
            yield from _claims(log, rng, seat, lies)
        if log.game.outcome(log.state):
            return
        free = [flag for flag in range(1, 10) if is_open(log.state, seat, flag)]
        if free and hands[seat]:
            card = rng.choice(hands[seat])
            hands[seat].remove(card)
            yield Place(seat, rng.choice(free[:4]), card)
        else:
            yield Pass(seat)
        if not early:
            yield from _claims(log, rng, seat, lies)
        if log.game.outcome(log.state):
            return
        count = drawn(log.state).hands[seat] - log.state.hands[seat]
        hands[seat] += [stock.pop() for _ in range(count)]
        if rng.random() < 0.01 and log.table.option("dispute") == "both_agree":
            yield Word("".join(rng.sample(deck, 2)), rng.random() < 0.5)
        if rng.random() < 0.5:
            yield Draw(seat)
        seat = second if seat == first else first


def _claims(log: Log, rng: Random, seat: str, lies: float) -> Iterator[Claim]:
    for flag in range(1, 10):
        if log.game.outcome(log.state):
            return
        claim = Claim(seat, flag)
        good = not isinstance(log.game.judge(log.state, claim), Illegal)
        if rng.random() < (0.9 if good else lies / 20):
            yield claim
