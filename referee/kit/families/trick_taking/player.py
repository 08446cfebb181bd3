"""The honest player of a game file (``games.simulation``): it deals and knows all hands."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from referee.core.verdict import Illegal
from referee.games.players import Choose, HiddenCards, Playable
from referee.kit.families.trick_taking.before_tricks import direction
from referee.kit.families.trick_taking.effects import apply
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.judging import (
    candidates,
    dealer_of,
    forbidden,
    highest_so_far,
    judge,
    left_over,
    to_act,
    turns_up,
)
from referee.kit.families.trick_taking.plays import (
    Bid,
    Call,
    Cover,
    Deal,
    Lay,
    NameTrump,
    Passed,
    Play,
    Show,
)
from referee.kit.families.trick_taking.state import BETWEEN, BID, CALL, PASS, PLAY, TRUMP, State
from referee.kit.scored import over_average
from referee.kit.text.scope import Scope

# The chance that a player passes in an auction; without it, every auction would go on to the
# highest bid.
PASSES = 0.5
GOES_ON = True  # in the middle of a deal, see games.simulation.resuming


def entries(
    log: Playable[State, Play],
    rng: Random,
    lies: float,
    shows: float,
    choose: Choose | None = None,
    bids_from: slice = slice(None),
    hidden: HiddenCards | None = None,
) -> Iterator[Play]:
    """The entries of a match; ``lies``: the chance that a player denies a card in the hand.

    ``bids_from``: the slice of the possible bids from which one is chosen at random; bids are
    ordered from the lowest number to the words. Passed cards, and a leader that the table names,
    are random.
    """
    hands, stock = _held(log.state, hidden) if hidden else ({}, [])
    while not log.game.outcome(log.state):
        state: State = log.state
        if state.phase == BETWEEN:
            deal, hands, stock = _dealt(state, rng)
            yield deal
        elif state.phase == PASS:
            _handed_on(state, hands, rng)
            yield Passed()
        elif state.phase == BID:
            yield _bid(state, rng, choose, bids_from)
        elif state.phase == TRUMP:
            named = [play for play in candidates(state) if isinstance(play, NameTrump)]
            legal = [p for p in named if not isinstance(log.game.judge(state, p), Illegal)]
            yield choose(state, legal) if choose else rng.choice(legal)
        elif state.phase == CALL:
            called = [play for play in candidates(state) if isinstance(play, Call)]
            yield choose(state, called) if choose else rng.choice(called)
        elif rng.random() < shows:
            seat = rng.choice([seat for seat in hands if hands[seat]])
            yield Show(seat, tuple(hands[seat]))
        else:
            yield _chosen(state, hands, choose) if choose else _card(state, hands, rng, lies)
        _drawn(log.state, hands, stock)


def _held(state: State, hidden: HiddenCards) -> tuple[dict[str, list[str]], list[str]]:
    """The hands and the stock in the middle of a deal."""
    hands = {seat: [str(card) for card in held] for seat, held in hidden.hands.items()}
    if state.phase == PLAY and state.leader is None:
        # nobody knows yet who holds the card that leads, but somebody does
        holder = str(rules_of(state).deal.holder)
        if all(holder not in hand for hand in hands.values()):
            next(iter(hands.values()))[0] = holder
    return hands, [str(card) for card in hidden.stock]


def ahead(state: State, play: Play) -> float:
    """The points over the average of the others if the trick and the deal ended with this card.

    Bids and all other plays without a card are worth 0, so they are random.
    """
    if not isinstance(play, Lay | Cover) or state.leader is None:
        return 0
    return over_average(apply(state._replace(due=(play.seat,)), play), play.seat)


def _bid(state: State, rng: Random, choose: Choose | None, bids_from: slice) -> Play:
    """A bid that is not forbidden, unless all are; ``bids_from``: see ``entries``."""
    seat = rng.choice(to_act(state))
    possible = rules_of(state).bidding.possible(state)
    said = [each for each in possible if not forbidden(state, Bid(seat, each))]
    said = said[bids_from] or said or list(possible)
    if choose:
        return choose(state, [Bid(seat, each) for each in said])
    if highest_so_far(state) > 0 and rng.random() < PASSES:
        passes = [each for each in possible if not rules_of(state).bidding.worth(each)]
        said = passes if rules_of(state).bidding.auction and passes else said
    return Bid(seat, rng.choice(said))


def _drawn(state: State, hands: dict[str, list[str]], stock: list[str]) -> None:
    """Deal cards of ``stock`` to the hands that are smaller than in ``state``, in turn order."""
    if rules_of(state).deal.draws and state.phase == PLAY and not state.trick:
        for seat in state.due:
            while stock and len(hands[seat]) < state.hands.held(seat):
                hands[seat].append(stock.pop())


def _dealt(state: State, rng: Random) -> tuple[Deal, dict[str, list[str]], list[str]]:
    """A deal, the hands that it gives, and the stock, whose top is its last item."""
    rules = rules_of(state)
    cards = [str(card) for card in rules.cards.deck.listed(rules.cards.deck.full)]
    rng.shuffle(cards)
    size = rules.deal.at_deal(state, state.deal + 1).size
    hands = {
        seat: [] if seat in state.score.out else [cards.pop() for _ in range(size)]
        for seat in state.table.seats
    }
    if rules.deal.first == "holder":
        # the holder of this card leads, so it must not be among the cards left over
        if all(rules.deal.holder not in hand for hand in hands.values()):
            next(iter(hands.values()))[0] = str(rules.deal.holder)
        leader = None
    else:
        named = {play.leader for play in candidates(state) if isinstance(play, Deal)}
        leader = rng.choice(sorted(seat for seat in named if seat is not None))
    turn = None
    if turns_up(rules, state):
        if rules.deal.turn_up == "dealer" and leader is not None:
            turn = rng.choice(hands[dealer_of(state, leader)])
        elif left_over(rules, state) > 0:
            turn = cards.pop()
            cards.insert(0, turn)  # the last card to be drawn
    return Deal(leader, turn), hands, cards


def _handed_on(state: State, hands: dict[str, list[str]], rng: Random) -> None:
    """Pass random cards from hand to hand, or put them aside."""
    rules, seats = rules_of(state), state.table.seats
    count = max(0, min(rules.passing.cards(Scope(state)), state.round.size - 1))
    where = direction(rules, state.deal)
    for hand in hands.values():
        rng.shuffle(hand)
    if where == "each":
        _to_each(min(count, state.round.size // max(1, len(hands) - 1)), hands)
        return
    given = {seat: [hands[seat].pop() for _ in range(count)] for seat in seats}
    step = {"left": 1, "right": -1, "across": len(seats) // 2}.get(where)
    if step is not None:
        for i, seat in enumerate(seats):
            hands[seats[(i + step) % len(seats)]] += given[seat]


def _to_each(count: int, hands: dict[str, list[str]]) -> None:
    """Pass the first cards of each hand, so many to each of the others."""
    before = {seat: [*hand] for seat, hand in hands.items()}
    for seat in hands:
        hands[seat] = before[seat][count * (len(hands) - 1) :]
    for seat, hand in before.items():
        others = [other for other in hands if other != seat]
        for i, other in enumerate(others):
            hands[other] += hand[count * i : count * (i + 1)]


def _card(state: State, hands: dict[str, list[str]], rng: Random, lies: float) -> Play:
    """A random honest play, or with the probability ``lies`` any that is not plainly illegal."""
    rules = rules_of(state)
    if state.leader is None:
        seat = next(seat for seat in hands if rules.deal.holder in hands[seat])
        hands[seat].remove(str(rules.deal.holder))
        return Lay(seat, str(rules.deal.holder))
    seat = state.due[0]
    hand = hands[seat]
    card = rng.choice(_honest(state, hand))
    play = _laid(state, seat, card)
    if rng.random() < lies:
        other = rng.choice(hand)
        lie = _laid(state, seat, other)
        if not isinstance(judge(state, lie), Illegal):
            card, play = other, lie
    hand.remove(card)
    return play


def _chosen(state: State, hands: dict[str, list[str]], choose: Choose) -> Play:
    """One of the cards that the seat can honestly play; any one card if it must play face down."""
    if state.leader is None:
        holder = str(rules_of(state).deal.holder)
        seat = next(seat for seat in hands if holder in hands[seat])
        able: dict[Play, str] = {Lay(seat, holder): holder}
    else:
        seat = state.due[0]
        able = {_laid(state, seat, card): card for card in _honest(state, hands[seat])}
    play = choose(state, list(able))
    hands[seat].remove(able[play])
    return play


def _honest(state: State, hand: list[str]) -> list[str]:
    """The cards of this hand that the rules allow."""
    rules = rules_of(state)
    bits = rules.cards.bits
    held = 0
    for card in hand:
        held |= bits[card]
    free = rules.play.honest(state, held)
    return [card for card in hand if bits[card] & free]


def _laid(state: State, seat: str, card: str) -> Play:
    """The play of ``card`` by ``seat``: face down if the card is below all steps."""
    rules = rules_of(state)
    bits = rules.cards.bits[card]
    _, k, above = rules.play.climb(state, bits)
    below = above and rules.play.below_all(state, k)
    if below and rules.play.cannot == "down" and seat not in state.hands.shown:
        return Cover(seat)
    return Lay(seat, card)
