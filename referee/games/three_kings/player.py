"""The honest player of Three Kings (``games.simulation``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypeAlias

from referee.core.game import Game
from referee.core.verdict import Illegal
from referee.games import three_kings
from referee.games.players import Choose, HiddenCards, Playable
from referee.games.three_kings.cards import KING, VALUE, sets_with
from referee.games.three_kings.plays import (
    Capture,
    Deal,
    Declare,
    Discard,
    King,
    Pass,
    Play,
    Refill,
)
from referee.games.three_kings.state import State

RULES: Game[State, Play] = three_kings
GOES_ON = True  # in the middle of a deal, see games.simulation.resuming

Entry: TypeAlias = Deal | Refill | Declare | Capture | Discard | King | Pass


def entries(
    log: Playable,
    rng: Random,
    lies: float,
    shows: float,
    choose: Choose | None = None,
    hidden: HiddenCards | None = None,
) -> Iterator[Entry]:
    """The entries of a match; ``lies``: the chance that the first seat discards with a set in hand.

    A player with three kings sometimes forgets to declare them.
    """
    held = hidden.hands if hidden else {}
    hands = {seat: [str(card) for card in cards] for seat, cards in held.items()}
    stock = [str(card) for card in hidden.stock] if hidden else []
    option = log.table.option
    while not log.game.outcome(log.state):
        state = log.state
        if state.turn is None:
            stock, hands, deal = _dealt(log, rng)
            yield deal
            continue
        seat = state.turn
        if state.due:
            refill = _refill(log, rng, stock)
            hands[seat] += [KING] * refill.taken
            yield refill
            continue
        hand = hands[seat]
        hand += [stock.pop()] if stock else []
        kings = {s: held.count(KING) for s, held in hands.items()}
        able = [s for s in kings if kings[s] >= 3]
        if able and option("end") == "three_kings" and (choose or rng.random() < 0.7):
            declarer = rng.choice(able)
            yield Declare(declarer, rng.choice((None, kings[declarer])))
            continue
        plays = _plays(log, rng, lies, hand)
        if choose:
            play = choose(state, list(dict.fromkeys(plays)) or [Pass(seat)])
        else:
            play = rng.choice(plays) if plays else Pass(seat)
        if isinstance(play, King):
            hand.append(KING)
        elif isinstance(play, Discard):
            hand.remove(play.rank)
        elif isinstance(play, Capture):
            hand.remove(play.rank)
            hand += [stock.pop()] if stock else []
        yield play


def _dealt(log: Playable, rng: Random) -> tuple[list[str], dict[str, list[str]], Deal]:
    """The stock, the hands and the entry of a new deal."""
    deck, option = log.state.deck, log.table.option
    stock = [c for c, n in zip(deck.cards, deck.copies, strict=True) for _ in range(n)]
    rng.shuffle(stock)
    if option("initial_table_kings") == "replace":
        stock.sort(key=lambda card: card != KING)
        tableau = [stock.pop() for _ in range(4)]
        rng.shuffle(stock)
    else:
        tableau = [stock.pop() for _ in range(4)]
    hands = {seat: [stock.pop() for _ in range(4)] for seat in log.table.seats}
    dealer = rng.choice(log.table.seats)
    if option("initial_table_kings") == "to_first_player":
        first = log.table.from_left_of(dealer)[0]
        hands[first] += [card for card in tableau if card == KING]
    return stock, hands, Deal(dealer, tuple(tableau))


def _refill(log: Playable, rng: Random, stock: list[str]) -> Refill:
    """New table cards from ``stock``; where kings may stay, some do."""
    due, option = log.state.due, log.table.option
    turned = [stock.pop() for _ in range(due)]
    if option("refill_kings") == "may" and KING in turned:
        return Refill(tuple(turned), rng.choice((None, *range(1, turned.count(KING) + 1))))
    if option("replace_refill_kings") == "on":
        while stock and len(turned) - turned.count(KING) < due:
            turned.append(stock.pop())
    return Refill(tuple(turned))


def _plays(log: Playable, rng: Random, lies: float, hand: list[str]) -> list[Entry]:
    """What the seat due may play from ``hand``; a liar discards with a set in it."""
    state, seat = log.state, log.state.turn
    numbers = [card for card in hand if card != KING]
    sets: list[Entry] = [
        Capture(seat, card, pair) for card in numbers for pair in sets_with(state.tableau, card)
    ]
    free = log.table.option("set_compulsory") == "off"
    discards: list[Entry] = [
        Discard(seat, card) for card in numbers if free or not sets_with(state.tableau, card)
    ]
    plays = sets + discards if free else sets or discards
    liar = seat == log.table.seats[0] and rng.random() < lies
    if liar and sets and discards and not free:
        lie = rng.choice(discards)
        plays = sets if isinstance(log.game.judge(state, lie), Illegal) else [lie]
    if KING in state.tableau and KING in hand:
        plays = [*plays, King(seat)]
    return plays


def ahead(state: State, play: Entry) -> float:
    """The points of a set; a king is worth the bonus of three; a discard costs its value."""
    match play:
        case Capture(_, rank, pair):
            return sum(VALUE[card] for card in (rank, *pair))
        case King():
            return 15
        case Discard(_, rank):
            return -VALUE[rank]
    return 0
