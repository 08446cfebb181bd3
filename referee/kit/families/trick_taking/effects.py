"""What an entry changes: deals, bids, trump, cards, the end of a trick and of a deal."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.drawn import DrawnHands
from referee.core.game import TABLE
from referee.core.hands import Hands, PublicHands
from referee.core.verdict import Outcome, Seat
from referee.games.families.turns import left_after
from referee.kit.families.trick_taking import claims, scoring
from referee.kit.families.trick_taking.evidence import audit, rules_of
from referee.kit.families.trick_taking.judging import dealer_of, next_leader, turns_up
from referee.kit.families.trick_taking.plays import (
    Bid,
    Call,
    Cover,
    Deal,
    GrantRest,
    Lay,
    NameTrump,
    Passed,
    Play,
    Rest,
    Show,
)
from referee.kit.families.trick_taking.state import (
    BETWEEN,
    BID,
    CALL,
    PASS,
    PLAY,
    TRUMP,
    Laid,
    Round,
    State,
    Trick,
)
from referee.kit.table import Rules
from referee.kit.text.scope import Number, Scope


def apply(state: State, play: Play) -> State:
    """The state after ``play``, which is not illegal."""
    if type(play) is Lay:
        return _lay(state, play.seat, play.card, believed=True)
    return _after(state, play, believed=True)


def let_stand(state: State, play: Play) -> State | None:
    """The state after an illegal play that the table accepts; None if that makes no sense.

    What the play declares is not believed.
    """
    return _after(state, play, believed=False) if _can_stand(state, play) else None


def _can_stand(state: State, play: Play) -> bool:
    """Whether the deal is at the step of an illegal play, and the cards can be where it says."""
    rules = rules_of(state)
    if state.score.ended:
        return False
    match play:
        case Deal():
            holder = rules.deal.first == "holder"
            leader = holder if play.leader is None else not holder
            turned = turns_up(rules, state) == (play.turn is not None)
            known = play.turn is None or play.turn in state.deck
            return state.phase == BETWEEN and leader and turned and known
        case Bid():
            known = play.said.isdigit() or play.said in rules.bidding.words.worth
            return known and state.phase == BID and play.seat in state.due
        case NameTrump():
            known = play.suit == "none" or play.suit in rules.cards.suits
            return known and state.phase == TRUMP
        case Call():
            return play.card in state.deck and state.phase == CALL
        case Lay():
            return _in_trick(state, play.seat) and _can_hold(state, play.seat, play.card)
        case Cover():
            hidden = play.seat not in state.hands.shown and state.hands.hidden[play.seat] > 0
            covers = rules.play.cannot == "down" and state.leader is not None and hidden
            return covers and _in_trick(state, play.seat)
        case Rest():
            return state.stage == PLAY and claims.can_stand(state, play)
        case Show() | Passed() | GrantRest():
            return False


def _in_trick(state: State, seat: Seat) -> bool:
    """Whether ``seat`` has still to play to this trick; before the first one every seat may."""
    return state.phase == PLAY and (state.leader is None or seat in state.due)


def _can_hold(state: State, seat: Seat, card: str) -> bool:
    """Whether ``card`` can be in the hand of ``seat``."""
    hands = state.hands
    if card not in state.deck:
        return False
    if seat in hands.shown:
        return bool(hands.shown[seat][state.deck.place[card]])
    return hands.known(seat, card) or (hands.hidden[seat] > 0 and not hands.gone(card))


def stopped(state: State, outcome: Outcome) -> State:
    """``state`` after the match was stopped; the cards on the table stay."""
    score = state.score._replace(ended=outcome)
    return state._replace(
        score=score, phase=BETWEEN, leader=None, due=(), claim=None, at=state.at + 1
    )


def _after(state: State, play: Play, *, believed: bool) -> State:
    """The state after ``play``; ``believed``: what it says about a hand counts as a declaration."""
    match play:
        case Deal():
            return _deal(state, play)
        case Passed():
            return _begin(state._replace(at=state.at + 1), PASS)
        case Bid():
            return _bid(state, play)
        case NameTrump():
            return _named(state, play)
        case Call():
            called = state.round._replace(called=play.card)
            return _begin(state._replace(round=called, at=state.at + 1), CALL)
        case Cover():
            return _lay(state, play.seat, "", believed=believed)
        case Show():
            at = state.at + 1
            if play.seat in state.hands.shown:
                return state._replace(at=at)
            return state._replace(hands=state.hands.show(play.seat, play.cards, at), at=at)
        case Lay():
            return _lay(state, play.seat, play.card, believed=believed)
        case Rest():
            # one that the table accepts takes effect as if all had agreed
            return claims.claimed(state, play) if believed else claims.taken(state, play.seat)
        case GrantRest():
            return claims.granted(state, play)


def _named(state: State, play: NameTrump) -> State:
    """The state after the trump suit is named, before the first trick or because of a card."""
    trump = None if play.suit == "none" else play.suit
    state = state._replace(trump=trump, at=state.at + 1)
    if not state.begun:
        return _begin(state, TRUMP)
    due = state.due[1:]
    state = state._replace(phase=PLAY, due=due)
    return state if due else _close(rules_of(state), state)


def _deal(state: State, play: Deal) -> State:
    rules, seats = rules_of(state), state.table.seats
    at = state.at + 1
    starter = play.leader or next_leader(state)
    scope = Scope(state)
    scope.deal = state.deal + 1
    size = rules.deal.hand_size(scope)
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
    counters = {
        counter.name: state.score.counters[counter.name] if counter.kept else none
        for counter in rules.scoring.counters
    }
    bids, stock = (None,) * rules.n, rules.deal.stock(size)
    dealt = Round(size, starter, play.turn, at, bids, 1, none, none, none, out, None, stock)
    state = state._replace(
        deal=state.deal + 1,
        score=state.score._replace(found=audit(state), counters=counters),
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
    return _begin(state, BETWEEN)


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
        return _highest(rules, state, starter)
    return starter if role == "leader" else dealer_of(state, starter)


def _highest(rules: Rules, state: State, starter: Seat) -> Seat:
    """The highest bidder; of equal bidders the first one."""
    worth = [rules.bid_worth(said) for said in state.round.bids]
    return max(state.table.starting(starter), key=lambda seat: worth[rules.index[seat]])


def _begin(state: State, done: str) -> State:
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
        and max(map(rules.bid_worth, state.round.bids)) <= 0
    ):
        return scoring.deal_scored(state._replace(phase=BETWEEN, due=(), leader=None), [])
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
        return (_by(rules, state, rules.bidding.by, starter),) if one else _playing(state, starter)
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
        left = _left(state, state.score.out, rules.leaving.first)
        state = state._replace(round=state.round._replace(left=left))
    due = _playing(state, leader)
    if not due:
        return scoring.deal_scored(state._replace(phase=BETWEEN, due=(), leader=None))
    return state._replace(phase=PLAY, leader=due[0], due=due)


def _leader(rules: Rules, state: State, starter: Seat) -> Seat:
    """Who leads the first trick; ``starter`` where no bid counts anything."""
    if not rules.bidding.decide_leader:
        return starter
    highest = _highest(rules, state, starter)
    everybody_passed = max(map(rules.bid_worth, state.round.bids)) <= 0
    if rules.bidding.leads == "highest" or everybody_passed:
        return highest
    return next(seat for seat in state.table.from_left_of(highest) if seat not in state.score.out)


def _trump_of_bids(rules: Rules, state: State) -> State:
    """The state with the trump suit that its bids make, or without the one that they forbid."""
    starter = state.round.starter
    if rules.trump.source == "bid" and starter is not None:
        said = state.round.bids[rules.index[_highest(rules, state, starter)]]
        suit = rules.bidding.words.suits.get(said or "", "none")
        state = state._replace(trump=suit if suit in rules.cards.suits else None)
    if rules.trump.none_by_bids and rules.trump.without(state):
        state = state._replace(trump=None)
    return state


def _playing(state: State, first: Seat) -> tuple[Seat, ...]:
    """The seats that play on in this deal, in turn order from ``first``."""
    left = state.round.left
    order = state.table.starting(first)
    return tuple(seat for seat in order if seat not in left) if left else order


def _left(state: State, before: tuple[Seat, ...], leaves: Number) -> tuple[Seat, ...]:
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


def _bid(state: State, play: Bid) -> State:
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
        return _begin(state, BID) if moves else state
    due = tuple(seat for seat in state.due if seat != play.seat)
    state = state._replace(due=due)
    return state if due else _begin(state, BID)


def _bid_on(rules: Rules, state: State, play: Bid) -> State:
    """The state after a bid in an auction: a seat that passes is out of it, others bid again.

    The auction ends when one seat is left that has bid, or none.
    """
    due = tuple(seat for seat in state.due if seat != play.seat)
    if rules.bid_worth(play.said) > 0:
        due += (play.seat,)
    state = state._replace(due=due)
    alone = len(due) == 1 and rules.bid_worth(state.round.bids[rules.index[due[0]]]) > 0
    return _begin(state, BID) if not due or alone else state


def _lay(state: State, seat: Seat, card: str, *, believed: bool) -> State:
    """The state with one more card in the trick; "" for one that lies face down."""
    rules = rules_of(state)
    at = state.at + 1
    hands, declared, out = _out_of_hand(rules, state, seat, card, believed)
    due, leader, round_ = state.due[1:], state.leader, state.round
    if leader is None:  # the first card decides who leads the deal
        leader, round_ = seat, round_._replace(starter=seat)
        due = state.table.starting(seat)[1:]
    elif seat != state.due[0]:  # the table accepted a card out of turn
        due = left_after(state.table, state.due, seat, leads=not state.trick)
        leader = leader if state.trick else seat
    laid = Laid(seat, card, at, out, not card)
    trick = rules.trick.with_card(state, laid)
    showing, pile, own = state.showing, state.pile, state.own
    if card:
        showing = rules.trick.showing(trick, showing)
        pile, own = rules.trick.pile(state, card), rules.trick.own(state, laid)
    state = State(
        state.table,
        rules,
        state.deck,
        state.deal,
        state.score,
        round_,
        PLAY,
        leader,
        due,
        rules.trump.after(state, laid),
        trick,
        rules.trick.led(state.led, laid),
        showing,
        hands,
        pile,
        own,
        rules.trick.rows(state, laid),
        declared,
        at,
    )
    change = rules.trump.change(state) if rules.trump.at_once else None
    if change is not None:
        state = state._replace(trump=rules.trump.changed(change, card, state.trump))
        if change.suit == "named":
            return state._replace(phase=TRUMP, due=(seat, *due))
    return state if due else _close(rules, state)


def _out_of_hand(
    rules: Rules, state: State, seat: Seat, card: str, believed: bool
) -> tuple[PublicHands, Mapping[int, str], bool]:
    """The hands and declarations after ``seat`` has played ``card``, and whether it cannot win."""
    at, hands, declared = state.at + 1, state.hands, state.declared
    ladder, k, above = rules.play.climb(state, rules.cards.bits[card] if card else 0, seat)
    out = False
    if above:
        out = rules.play.cannot != "counts" and rules.play.below_all(state, k)
        if believed and seat not in hands.shown:
            hands = hands.declare(seat, rules.play.kinds(rules.cards.full ^ above), at)
            declared = {**declared, at: f"{ladder}.{k}"}
    if card:
        return hands.lay(seat, card, at), declared, out
    assert isinstance(hands, Hands)  # nothing lies face down in games with draws
    return hands.cover(seat, at), declared, out


def _close(rules: Rules, state: State) -> State:
    """The state after a full trick: its winner, its points, the next lead."""
    won_with = rules.trick.winner(state)
    if won_with is None and rules.trick.nobody_last:
        won_with = state.trick[-1]
    winner = won_with.seat if won_with else None
    leads = rules.trick.leading(state) if rules.trick.leads else None
    old = state.round
    trick = Trick(state.deal, old.number, state.trick, winner, won_with)
    state = scoring.trick_scored(state._replace(round=_taken(rules, old, trick)), trick)
    changing = scoring.changing(state, trick)
    left = old.left if rules.leaving.when is None else _left(state, old.left, rules.leaving.when)
    trump = state.trump
    makes_trump = won_with.card if won_with and rules.trump.source == "last_trick" else ""
    if makes_trump and not rules.trump.without(state):
        trump = rules.cards.suit[makes_trump] or None
    if changing:
        trump = rules.trump.changed(changing[0], changing[1].card, trump)
    state = state._replace(
        round=state.round._replace(left=left, number=old.number + 1),
        trump=trump,
        trick=(),
        led=None,
        showing=0,
    )
    playing = [seat for seat in state.table.seats if seat not in left]
    drawing = old.stock >= len(playing)  # either all seats draw or none
    if not playing or (_hands_empty(rules, state, playing[0]) and not drawing):
        return scoring.deal_scored(state._replace(phase=BETWEEN, due=(), leader=None))
    leader = leads[1].seat if leads and leads[1] else _next(rules, state, winner)
    due = _playing(state, leader)
    if drawing:
        state = _drawn(state, due)
    if changing and changing[0].suit == "named":
        return state._replace(phase=TRUMP, leader=due[0], due=(changing[1].seat, *due))
    return state._replace(leader=due[0], due=due)


def _taken(rules: Rules, before: Round, trick: Trick) -> Round:
    """The finished part of the deal, with ``trick`` and its cards given to the winner."""
    tricks, taken, wins, won_with = before.tricks, before.taken, before.wins, trick.won_with
    if won_with is not None:
        i, one = rules.index[won_with.seat], rules.cards.deck.one
        bag = sum(one[laid.card] for laid in trick.cards if laid.card)
        tricks = (*tricks[:i], tricks[i] + 1, *tricks[i + 1 :])
        taken = (*taken[:i], taken[i] + bag, *taken[i + 1 :])
        if won_with.card:
            wins = (*wins[:i], wins[i] + one[won_with.card], *wins[i + 1 :])
    return Round(
        before.size,
        before.starter,
        before.turn_up,
        before.turned,
        before.bids,
        before.number,
        tricks,
        taken,
        wins,
        before.left,
        trick,
        before.stock,
        before.called,
    )


def _hands_empty(rules: Rules, state: State, seat: Seat) -> bool:
    """Whether the hand of ``seat``, which plays on, has no card after a trick."""
    if rules.deal.draws:
        return not state.hands.held(seat)
    return state.round.number > state.round.size


def _drawn(state: State, order: tuple[Seat, ...]) -> State:
    """The state after every seat drew a card in this order; the turn-up is drawn last of all."""
    hands, stock = state.hands, state.round.stock
    assert isinstance(hands, DrawnHands)
    for seat in order:
        stock -= 1
        hands = hands.draw(seat, state.round.turn_up if not stock else None)
    return state._replace(hands=hands, round=state.round._replace(stock=stock))


def _next(rules: Rules, state: State, winner: Seat | None) -> Seat:
    """Who leads the next trick, whether or not that seat has left the deal."""
    leader = state.leader
    assert leader is not None
    rule = rules.trick.next_none if winner is None else rules.trick.next
    if rule == "winner" and winner is not None:
        return winner
    return state.table.from_left_of(leader)[0] if rule == "left" else leader
