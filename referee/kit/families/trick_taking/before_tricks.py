"""What happens before the tricks of a deal: dealing, passing, bids, naming trump, calling."""

from __future__ import annotations

from referee.core.drawn import DrawnHands
from referee.core.game import TABLE
from referee.core.hands import Hands, PublicHands
from referee.core.verdict import Seat
from referee.kit.families.trick_taking.evidence import audit, rules_of
from referee.kit.families.trick_taking.judging import dealer_of, next_leader
from referee.kit.families.trick_taking.plays import Bid, Deal
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import (
    BETWEEN,
    BID,
    CALL,
    PASS,
    PLAY,
    TRUMP,
    State,
    undealt,
)
from referee.kit.scored import deal_scored, next_deal
from referee.kit.text.scope import Number, Scope


def deal(state: State, play: Deal) -> State:
    rules, seats = rules_of(state), state.table.seats
    at = state.at + 1
    starter = play.leader or next_leader(state)
    size = rules.deal.at_deal(state, state.deal + 1).size
    hands: PublicHands = Hands.dealt(state.deck, seats, size)
    if rules.deal.draws:
        hands = DrawnHands.dealt(state.deck, seats, size)
    if play.turn is not None:
        if isinstance(hands, Hands) and rules.deal.turn_up == "dealer" and starter is not None:
            hands = hands.keep(dealer_of(state, starter), play.turn, at)
        else:
            hands = hands.turn_up(play.turn, TABLE, at)
    out = state.score.out
    if out and isinstance(hands, Hands):
        hidden = {seat: 0 if seat in out else count for seat, count in hands.hidden.items()}
        hands = hands._replace(hidden=hidden)
    none = (0,) * rules.n
    stock = rules.deal.stock(size)
    dealt = undealt(rules.n)._replace(
        size=size, starter=starter, turn_up=play.turn, turned=at, left=out, stock=stock
    )
    state = state._replace(
        deal=state.deal + 1,
        score=next_deal(state)._replace(found=audit(state)),
        round=dealt,
        leader=starter,
        due=(),
        trick=(),
        led=None,
        showing=0,
        hands=hands,
        pile=0,
        own=none,
        rows=((),) * rules.n,
        declared={},
        at=at,
    )
    state = state._replace(trump=_first_trump(rules, state))
    return begin(state, BETWEEN)


def begin(state: State, done: str) -> State:
    """The state at the step of the deal that comes after ``done``, one of the phases.

    The order: cards are passed, trump is named, bids, trump is named by the highest bidder, a card
    is called, tricks. Steps that the rules do not have are left out.
    """
    rules = rules_of(state)
    if done == PASS and direction(rules, state.deal) == "aside":
        state = _laid_aside(rules, state)
    if (
        done == BID
        and rules.bidding.passed_over
        and max(map(rules.bidding.worth, state.round.bids)) <= 0
    ):
        return deal_scored(state._replace(phase=BETWEEN, due=(), leader=None), [])
    if done == BID:
        state = _trump_of_bids(rules, state)
    after_bids = rules.trump.by == "highest_bid" and rules.trump.source == "named"
    steps = (PASS, BID, TRUMP, CALL) if after_bids else (PASS, TRUMP, BID, CALL)
    for step in steps if done == BETWEEN else steps[steps.index(done) + 1 :]:
        due = _due_at(rules, state, step)
        if due is not None:
            return state._replace(phase=step, due=due)
    return _first_trick(rules, state)


def _due_at(rules: Rules, state: State, step: str) -> tuple[Seat, ...] | None:
    """Who is due at this step before the tricks; None if the deal does not have it."""
    starter = state.round.starter
    if step == PASS:  # the table passes all cards together
        return () if direction(rules, state.deal) != "none" else None
    if starter is None:
        return None
    if step == TRUMP:
        namer = _namer(rules, state, starter)
        return (namer,) if namer is not None else None
    if step == BID and rules.bidding.made:
        one = rules.bidding.by != "all"
        return (_by(rules, state, rules.bidding.by, starter),) if one else who_plays(state, starter)
    if step == CALL and rules.call.by:
        return (_by(rules, state, rules.call.by, starter),)
    return None


def _first_trick(rules: Rules, state: State) -> State:
    """The state at the first trick, from which seats may stay away."""
    starter = state.round.starter
    if starter is None:
        return state._replace(phase=PLAY, due=())
    leader = _leader(rules, state, starter)
    if rules.leaving.first is not None:
        left = who_left(state, state.score.out, rules.leaving.first)
        state = state._replace(round=state.round._replace(left=left))
    due = who_plays(state, leader)
    if not due:
        return deal_scored(state._replace(phase=BETWEEN, due=(), leader=None))
    return state._replace(phase=PLAY, leader=due[0], due=due)


def _leader(rules: Rules, state: State, starter: Seat) -> Seat:
    """Who leads the first trick; ``starter`` where no bid counts anything."""
    if not rules.bidding.decide_leader:
        return starter
    highest = rules.bidding.highest(state.table, state.round.bids, starter)
    everybody_passed = max(map(rules.bidding.worth, state.round.bids)) <= 0
    if rules.bidding.leads == "highest" or everybody_passed:
        return highest
    return next(seat for seat in state.table.from_left_of(highest) if seat not in state.score.out)


def _first_trump(rules: Rules, state: State) -> str | None:
    """The trump suit that the deal itself makes."""
    if not rules.trump.none_by_bids and rules.trump.without(state):
        return None
    suit = ""
    if rules.trump.source == "fixed":
        suit = rules.trump.suit
    elif rules.trump.source == "cycle":
        suit = rules.trump.cycle[(state.deal - 1) % len(rules.trump.cycle)]
    elif rules.trump.source == "turn_up" and state.round.turn_up is not None:
        suit = rules.cards.suit[state.round.turn_up]
    return suit if suit in rules.cards.suits else None


def direction(rules: Rules, deal: int) -> str:
    """To whom cards are passed in this deal; "none" if to nobody."""
    return (
        rules.passing.ways[(deal - 1) % len(rules.passing.ways)] if rules.passing.ways else "none"
    )


def _namer(rules: Rules, state: State, starter: Seat) -> Seat | None:
    """Who names the trump suit; None if nobody does."""
    by_bids = rules.trump.source == "named" and rules.trump.by == "highest_bid"
    # where bids decide whether there is a trump suit, it is not known before them
    known = by_bids or not rules.trump.none_by_bids
    if known and rules.trump.without(state):
        return None
    if rules.trump.source == "named":
        return _by(rules, state, rules.trump.by, starter)
    turned = state.round.turn_up
    special = rules.trump.special.get(turned or "") == "dealer"
    return dealer_of(state, starter) if rules.trump.source == "turn_up" and special else None


def _by(rules: Rules, state: State, role: str, starter: Seat) -> Seat:
    """The seat that the file calls "dealer", "leader" or "highest_bid"."""
    if role == "highest_bid":
        return rules.bidding.highest(state.table, state.round.bids, starter)
    return starter if role == "leader" else dealer_of(state, starter)


def _trump_of_bids(rules: Rules, state: State) -> State:
    """The state with the trump suit that its bids make, or without the one that they forbid."""
    starter = state.round.starter
    if rules.trump.source == "bid" and starter is not None:
        highest = _by(rules, state, "highest_bid", starter)
        said = state.round.bids[rules.index[highest]]
        suit = rules.bidding.words.suits.get(said or "", "none")
        state = state._replace(trump=suit if suit in rules.cards.suits else None)
    if rules.trump.none_by_bids and rules.trump.without(state):
        state = state._replace(trump=None)
    return state


def who_plays(state: State, first: Seat) -> tuple[Seat, ...]:
    """The seats that play on in this deal, in turn order from ``first``."""
    left = state.round.left
    order = state.table.starting(first)
    return tuple(seat for seat in order if seat not in left) if left else order


def who_left(state: State, before: tuple[Seat, ...], leaves: Number) -> tuple[Seat, ...]:
    """The seats ``before``, and in seat order those for which the condition ``leaves`` is true."""
    scope, left = Scope(state), before
    for scope.seat, seat in enumerate(state.table.seats):
        if seat not in left and leaves(scope):
            left = (*left, seat)
    return left


def _laid_aside(rules: Rules, state: State) -> State:
    """The state after every seat has put cards aside; at least one card stays in each hand."""
    scope = Scope(state)
    gone = max(0, min(rules.passing.cards(scope), state.round.size - 1))
    assert isinstance(state.hands, Hands)  # nothing is put aside in games with draws
    hidden = {seat: count - gone for seat, count in state.hands.hidden.items()}
    size = state.round.size - gone
    hands = state.hands._replace(hidden=hidden)
    return state._replace(hands=hands, round=state.round._replace(size=size))


def bid(state: State, play: Bid) -> State:
    """The state after a bid, or after one that replaces an earlier bid of the seat."""
    rules = rules_of(state)
    i = rules.index[play.seat]
    bids = state.round.bids
    again = bids[i] is not None
    bids = (*bids[:i], play.said, *bids[i + 1 :])
    state = state._replace(round=state.round._replace(bids=bids), at=state.at + 1)
    if rules.bidding.auction:
        return _bid_on(rules, state, play)
    if again:
        if rules.trump.none_by_bids and state.phase == PLAY:
            state = state._replace(trump=_first_trump(rules, state) or state.trump)
        if state.phase == PLAY:
            state = _trump_of_bids(rules, state)
        moves = (rules.bidding.decide_leader or rules.leaving.first) and state.phase == PLAY
        return begin(state, BID) if moves else state
    due = tuple(seat for seat in state.due if seat != play.seat)
    state = state._replace(due=due)
    return state if due else begin(state, BID)


def _bid_on(rules: Rules, state: State, play: Bid) -> State:
    """The state after a bid in an auction: a seat that passes is out of it, others bid again.

    The auction ends when one seat is left that has bid, or none.
    """
    due = tuple(seat for seat in state.due if seat != play.seat)
    if rules.bidding.worth(play.said) > 0:
        due += (play.seat,)
    state = state._replace(due=due)
    alone = len(due) == 1 and rules.bidding.worth(state.round.bids[rules.index[due[0]]]) > 0
    return begin(state, BID) if not due or alone else state
