"""The honest player of 熟語ライン (``games.simulation``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypeAlias

from referee.core.game import Game
from referee.core.sheets import Stop
from referee.core.verdict import Illegal
from referee.games import jukugo_line
from referee.games.jukugo_line.plays import Claim, Deal, Draw, Grant, Pass, Place, Play, Word
from referee.games.jukugo_line.state import State, column, is_open
from referee.games.jukugo_line.turns import drawn
from referee.games.players import Choose, Playable
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import COLUMN, best

RULES: Game[State, Play] = jukugo_line

Entry: TypeAlias = Deal | Place | Pass | Claim | Grant | Draw | Word | Stop


def entries(
    log: Playable, rng: Random, lies: float, shows: float, choose: Choose | None = None
) -> Iterator[Entry]:
    """The entries of a match.

    ``lies``: how often a player claims a flag without a proof; 1 means a chance of 1/20 for each
    flag in each turn. Low flags fill first, so that matches end. Draws are recorded or left out at
    random. After both have passed twice without a change at the flags, they stop: neither will ever
    play again.
    """
    first, second = log.table.seats
    deck = [card.kanji for card in log.state.words.deck.cards]
    early = log.table.option("claim_timing") == "start_of_turn"
    stock = deck[:]
    rng.shuffle(stock)
    hands = {seat: [stock.pop() for _ in range(4)] + [JOKER] for seat in (first, second)}
    seat = rng.choice((first, second))
    yield Deal(seat)
    flags, idle = None, 0
    while True:
        before, flags = flags, (log.state.sides, log.state.owners)
        idle = idle + 1 if flags == before else 0
        if idle == 4:
            yield Stop()
            return
        if early:
            yield from _claims(log, rng, seat, lies, 1 if choose else 0.9)
        if log.game.outcome(log.state):
            return
        free = [flag for flag in range(1, 10) if is_open(log.state, seat, flag)]
        if free and hands[seat]:
            if choose:
                able = [
                    Place(seat, flag, card)
                    for card in dict.fromkeys(hands[seat])
                    for flag in free[:4]
                ]
                place = choose(log.state, able)
            else:
                card = rng.choice(hands[seat])
                place = Place(seat, rng.choice(free[:4]), card)
            hands[seat].remove(place.card)
            yield place
        else:
            yield Pass(seat)
        if not early:
            yield from _claims(log, rng, seat, lies, 1 if choose else 0.9)
        if log.game.outcome(log.state):
            return
        count = drawn(log.state).hands[seat] - log.state.hands[seat]
        hands[seat] += [stock.pop() for _ in range(count)]
        if rng.random() < 0.01 and log.table.option("dispute") == "both_agree":
            yield Word("".join(rng.sample(deck, 2)), rng.random() < 0.5)
        if rng.random() < 0.5:
            yield Draw(seat)
        seat = second if seat == first else first


def _claims(
    log: Playable, rng: Random, seat: str, lies: float, ready: float
) -> Iterator[Claim | Grant]:
    """The claims of a turn and the answers to them.

    ``ready``: the chance that a good claim is made, and that an open one is agreed to.
    """
    [rival] = [other for other in log.table.seats if other != seat]
    for flag in range(1, 10):
        if log.game.outcome(log.state):
            return
        claim = Claim(seat, flag)
        good = not isinstance(log.game.judge(log.state, claim), Illegal)
        if rng.random() < (ready if good else lies / 20):
            yield claim
            if flag in log.state.claims and rng.random() < ready:
                yield Grant(rival, flag)


def ahead(state: State, play: Place) -> float:
    """The strength of the column that the card fills; for a second card, 1 if both make a word."""
    if state.words is None:
        return 0
    cards = (*column(state, play.seat, play.flag), play.card)
    if len(cards) == COLUMN:
        kind, primary, secondary = best(state.words, cards).strength
        return 1 + kind + primary / 100 + secondary / 10_000
    two = {cards[0] + cards[-1], cards[-1] + cards[0]} if len(cards) > 1 else set()
    return float(any(word in state.words for word in two))
