"""The honest player of Trumps (``games.simulation``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypeAlias

from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.games.trumps.plays import Cover, Deal, Draw, Lay, Pass, Reveal, Starter, Take
from referee.games.trumps.state import HAND, Step

Entry: TypeAlias = Deal | Starter | Reveal | Lay | Cover | Take | Draw | Pass


def entries(log: Log, rng: Random, lies: float, shows: float) -> Iterator[Entry]:
    """The entries of a match; ``lies``: the chance that a player who could play covers a card.

    A player who has to cover a card sometimes lays the hand open. Players seldom have to in real
    games, so here they know which cards would stop those after them, and like to play them.
    """
    seats = log.table.seats
    removes = log.table.option("facedown_to_field") == "remove"
    hands: dict[str, list[int]] = {}
    stock: list[int] = []
    while not log.game.outcome(log.state):
        state = log.state
        if state.step is Step.IDLE:
            stock = [card for card in state.deck.cards for _ in range(card)]
            rng.shuffle(stock)
            hands = {seat: [stock.pop() for _ in range(HAND)] for seat in seats}
            yield Deal()
        elif state.step is Step.LOT:
            yield Starter(rng.choice(state.due))
        elif state.step is Step.START:
            seat = rng.choice(state.due)
            # low cards tie now and then
            card = min(hands[seat]) if rng.random() < 0.5 else rng.choice(hands[seat])
            hands[seat].remove(card)
            yield Reveal(seat, card)
        elif state.step is Step.PLAY:
            seat = state.due[0]
            hand = hands[seat]
            used = {rank for laid in state.played if not laid.down for rank in laid.ranks}
            free = [rank for rank in hand if rank not in used]
            later = state.due[1:]
            stops = [r for r in free if any({*hands[s]} <= {*used, r} for s in later)]
            card = rng.choice(stops or free or hand)
            play: Entry = Lay(seat, (card,))
            if hand.count(card) > 1 and rng.random() < 0.9:
                play = Lay(seat, (card, card))
            if not free:
                shown = tuple(hand) if rng.random() < max(shows, 0.2) else ()
                rank = None if removes and rng.random() < 0.5 else card
                play = Cover(seat, rank, shown)
            elif used and rng.random() < lies:
                covered = Cover(seat, rng.choice(sorted(used)))
                verdict = log.game.judge(state, covered)
                if covered.rank in hand and not isinstance(verdict, Illegal):
                    play, card = covered, covered.rank
            for _ in range(len(play.ranks) if isinstance(play, Lay) else 1):
                hand.remove(card)
            yield play
        else:
            plays = log.game.candidates(state)
            play = rng.choice(
                [p for p in plays if not isinstance(log.game.judge(state, p), Illegal)]
            )
            if isinstance(play, Draw):
                hands[play.seat].append(stock.pop())
            yield play
        if log.state.step is Step.PLAY and not log.state.played:
            for seat in log.table.starting(log.state.starter):
                while len(hands[seat]) < log.state.hands.size(seat):
                    hands[seat].append(stock.pop())
