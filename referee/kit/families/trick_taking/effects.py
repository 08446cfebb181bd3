"""What an entry changes: deals, bids, trump, cards, the end of a trick and of a deal."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.drawn import DrawnHands
from referee.core.hands import Hands, PublicHands
from referee.core.verdict import Outcome, Seat
from referee.games.families.turns import left_after
from referee.kit.families.trick_taking import claims, scoring
from referee.kit.families.trick_taking.before_tricks import begin, bid, deal, who_left, who_plays
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.judging import turns_up
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
from referee.kit.families.trick_taking.rules import Rules
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
from referee.kit.scored import deal_scored


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
            return deal(state, play)
        case Passed():
            return begin(state._replace(at=state.at + 1), PASS)
        case Bid():
            return bid(state, play)
        case NameTrump():
            return _named(state, play)
        case Call():
            called = state.round._replace(called=play.card)
            return begin(state._replace(round=called, at=state.at + 1), CALL)
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
        return begin(state, TRUMP)
    due = state.due[1:]
    state = state._replace(phase=PLAY, due=due)
    return state if due else _close(rules_of(state), state)


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
        hands,
        own,
        rules.trick.rows(state, laid),
        leader,
        due,
        rules.trump.after(state, laid),
        trick,
        rules.trick.led(state.led, laid),
        showing,
        pile,
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
    left = old.left if rules.leaving.when is None else who_left(state, old.left, rules.leaving.when)
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
        return deal_scored(state._replace(phase=BETWEEN, due=(), leader=None))
    leader = leads[1].seat if leads and leads[1] else _next(rules, state, winner)
    due = who_plays(state, leader)
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
        before.bids,
        tricks,
        taken,
        wins,
        before.size,
        before.starter,
        before.turn_up,
        before.turned,
        before.number,
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
