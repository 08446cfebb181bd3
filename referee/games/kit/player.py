"""The honest player of a game file (``games.simulation``): it deals and keeps all hands."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Protocol

from referee.core.game import Game
from referee.core.verdict import Illegal
from referee.games.kit.effects import direction
from referee.games.kit.evidence import rules_of
from referee.games.kit.judging import (
    bids,
    candidates,
    forbidden,
    judge,
    left_over,
    turns_up,
)
from referee.games.kit.plays import Bid, Cover, Deal, Lay, NameTrump, Passed, Play, Show
from referee.games.kit.scope import Scope
from referee.games.kit.state import BETWEEN, BID, PASS, TRUMP, State


class Match(Protocol):
    """What a player looks at: the game, and how its table stands now."""

    @property
    def game(self) -> Game: ...

    @property
    def state(self) -> State: ...


def entries(
    log: Match, rng: Random, lies: float, shows: float, bids_from: slice = slice(None)
) -> Iterator[Play]:
    """The entries of a match; ``lies``: the chance that a player denies a card that is held.

    ``bids_from``: which of the possible bids are made, from the lowest to the words.
    """
    hands: dict[str, list[str]] = {}
    while not log.game.outcome(log.state):
        state: State = log.state
        if state.phase == BETWEEN:
            deal, hands = _dealt(state, rng)
            yield deal
        elif state.phase == PASS:
            _handed_on(state, hands, rng)
            yield Passed()
        elif state.phase == BID:
            seat = rng.choice(log.game.to_act(state))
            said = [each for each in bids(state) if not forbidden(state, Bid(seat, each))]
            yield Bid(seat, rng.choice(said[bids_from] or said or list(bids(state))))
        elif state.phase == TRUMP:
            named = [play for play in candidates(state) if isinstance(play, NameTrump)]
            legal = [p for p in named if not isinstance(log.game.judge(state, p), Illegal)]
            yield rng.choice(legal)
        elif rng.random() < shows:
            seat = rng.choice([seat for seat in hands if hands[seat]])
            yield Show(seat, tuple(hands[seat]))
        else:
            yield _card(state, hands, rng, lies)


def _dealt(state: State, rng: Random) -> tuple[Deal, dict[str, list[str]]]:
    """A deal, and the hands that it gives."""
    rules = rules_of(state)
    cards = [str(card) for card in rules.cards.deck.listed(rules.cards.deck.full)]
    rng.shuffle(cards)
    scope = Scope(state)
    scope.deal = state.deal + 1
    size = rules.hand_size(scope)
    hands = {seat: [cards.pop() for _ in range(size)] for seat in state.table.seats}
    if rules.first == "holder":
        # The deal is such that somebody holds the card: one may lie among those left over.
        if all(rules.holder not in hand for hand in hands.values()):
            next(iter(hands.values()))[0] = str(rules.holder)
        leader = None
    else:
        named = {play.leader for play in candidates(state) if isinstance(play, Deal)}
        leader = rng.choice(sorted(seat for seat in named if seat is not None))
    turn = None
    if turns_up(rules, state):
        if rules.turn_up == "dealer" and leader is not None:
            order = state.table.from_left_of(leader)
            dealer = order[-2] if len(order) > 1 else leader
            turn = rng.choice(hands[dealer])
        elif left_over(rules, state) > 0:
            turn = cards.pop()
    return Deal(leader, turn), hands


def _handed_on(state: State, hands: dict[str, list[str]], rng: Random) -> None:
    """Cards go from hand to hand, or out of play."""
    rules, seats = rules_of(state), state.table.seats
    count = max(0, min(rules.passed(Scope(state)), state.round.size - 1))
    where = direction(rules, state.deal)
    for hand in hands.values():
        rng.shuffle(hand)
    given = {seat: [hands[seat].pop() for _ in range(count)] for seat in seats}
    step = {"left": 1, "right": -1, "across": len(seats) // 2}.get(where)
    if step is not None:
        for i, seat in enumerate(seats):
            hands[seats[(i + step) % len(seats)]] += given[seat]


def _card(state: State, hands: dict[str, list[str]], rng: Random, lies: float) -> Play:
    rules = rules_of(state)
    if state.leader is None:
        seat = next(seat for seat in hands if rules.holder in hands[seat])
        hands[seat].remove(str(rules.holder))
        return Lay(seat, str(rules.holder))
    seat = state.due[0]
    hand, bits = hands[seat], rules.cards.bits
    held = 0
    for card in hand:
        held |= bits[card]
    free = [card for card in hand if not rules.climb(state, bits[card])[2] & held]
    card = rng.choice(free or hand)
    play = _laid(state, card)
    if rng.random() < lies:
        other = rng.choice(hand)
        lie = _laid(state, other)
        if not isinstance(judge(state, lie), Illegal):
            card, play = other, lie
    hand.remove(card)
    return play


def _laid(state: State, card: str) -> Play:
    """How a card of the hand comes to the table: face down where it stands below all steps."""
    rules, seat = rules_of(state), state.due[0]
    ladder = rules.follow if state.trick else rules.lead
    _, k, above = rules.climb(state, rules.cards.bits[card])
    below = above and k > len(ladder)
    if below and rules.cannot == "down" and seat not in state.hands.shown:
        return Cover(seat)
    return Lay(seat, card)
