"""Legality of the entries of a game file."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.hands import Truth
from referee.core.verdict import (
    Evidence,
    Facts,
    Illegal,
    Lacks,
    Legal,
    Seat,
    Unprovable,
    Verdict,
    evidence,
)
from referee.games.families.hands_shown import copies_gone, counted_out, hand_shown, shown_otherwise
from referee.kit.families.trick_taking import claims
from referee.kit.families.trick_taking.evidence import rules_of, step_facts
from referee.kit.families.trick_taking.plays import (
    Bid,
    Call,
    Cover,
    Deal,
    DealBySheet,
    GrantRest,
    Lay,
    NameTrump,
    Passed,
    Play,
    Rest,
    Show,
)
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import BETWEEN, BID, CALL, PASS, PLAY, TRUMP, State
from referee.kit.scored import in_match
from referee.kit.text.scope import Scope


def to_act(state: State) -> tuple[Seat, ...]:
    if state.phase == PLAY and state.leader is None:
        return state.table.seats  # it is not known who holds the card that leads
    if state.phase == BID and rules_of(state).bidding.at_once:
        return state.due
    return state.due[:1]


def next_leader(state: State) -> Seat | None:
    """Who leads the next deal; None if the table or a card decides it."""
    rules, last = rules_of(state), state.round
    if rules.deal.first in ("pick", "holder") or last.starter is None:
        return None
    out = state.score.out
    order = [seat for seat in state.table.from_left_of(last.starter) if seat not in out]
    if rules.deal.first == "lowest_total":
        return min(order, key=lambda seat: state.score.totals[seat])
    won = last.last.winner if last.last is not None else None
    return won if rules.deal.first == "winner" and won in order else order[0]


def dealer_of(state: State, starter: Seat) -> Seat:
    """The seat to the right of the first leader, among the seats that are in the match."""
    others = state.table.from_left_of(starter)[:-1]
    return next((seat for seat in reversed(others) if seat not in state.score.out), starter)


def left_over(rules: Rules, state: State) -> int:
    """How many cards are left over in the next deal; negative if the deck is too small for it."""
    size = rules.deal.at_deal(state, state.deal + 1).size
    return len(rules.cards.deck) - rules.n * size


def turns_up(rules: Rules, state: State) -> bool:
    """Whether a card is turned up in the next deal."""
    if rules.deal.turn_up == "stock":
        return left_over(rules, state) > 0
    return rules.deal.turn_up == "dealer"


def candidates(state: State) -> Iterator[Play]:
    rules = rules_of(state)
    if state.score.ended:
        return
    if state.phase == BETWEEN:
        leader = next_leader(state)
        if rules.deal.first == "holder":
            leaders: tuple[Seat | None, ...] = (None,)
        else:
            leaders = (leader,) if leader else in_match(state)
        turns: tuple[str | None, ...] = (None,)
        if turns_up(rules, state):
            turns = tuple(map(str, rules.cards.deck.cards))
        yield from (Deal(seat, turn) for seat in leaders for turn in turns)
    elif state.phase == PASS:
        yield Passed()
    elif state.phase == BID:
        for seat in to_act(state):
            yield from (Bid(seat, said) for said in rules.bidding.possible(state))
    elif state.phase == TRUMP:
        yield from (NameTrump(state.due[0], suit) for suit in rules.trump.nameable)
    elif state.phase == CALL:
        known = rules.cards.kinds(rules.call.allowed(state))
        yield from (Call(state.due[0], card) for card in known)
    elif state.leader is None:
        yield from (Lay(seat, str(rules.deal.holder)) for seat in state.table.seats)
    else:
        seat = state.due[0]
        yield from (Lay(seat, str(card)) for card in rules.cards.deck.cards)
        if rules.play.cannot == "down":
            yield Cover(seat)


def bids_add_up(state: State) -> bool:
    """Whether bids are numbers of tricks, whose sum says something."""
    rules = rules_of(state)
    most = rules.bidding.many(Scope(state))
    return rules.bidding.add_up and most <= rules.deal.trick_count(state.round.size)


def judge(state: State, play: Play) -> Verdict:
    """The verdict on any play, in any phase."""
    if type(play) is Lay and state.phase == PLAY and state.due and state.due[0] == play.seat:
        return _judge_card(state, play)
    if state.score.ended:
        return Illegal("end.1", evidence("match_over"))
    if isinstance(play, Deal):
        return _judge_deal(state, play)
    if isinstance(play, GrantRest):
        return claims.judge_grant(state, play.seat)
    if state.phase == BETWEEN:
        return Illegal("deal.1", evidence("no_deal"))
    if isinstance(play, Show):
        return _judge_show(state, play)
    if isinstance(play, Passed):
        if state.phase != PASS:
            return Illegal("pass.1", evidence("kit_no_passing"))
        return Legal("pass.1", evidence("kit_passed"))
    if isinstance(play, Bid):
        return _judge_bid(state, play)
    if isinstance(play, NameTrump):
        return _judge_trump(state, play)
    if isinstance(play, Call):
        return _judge_call(state, play)
    if isinstance(play, Rest):
        return claims.judge_rest(state, play.seat) if state.stage == PLAY else _step_due(state)
    return _judge_lay(state, play)


def _judge_deal(state: State, play: Deal) -> Verdict:
    rules = rules_of(state)
    if state.phase != BETWEEN:
        return Illegal("deal.2", evidence("deal_running"))
    fault = _wrong_leader(rules, state, play.leader)
    if fault is not None:
        return fault
    turns = turns_up(rules, state)
    if play.turn is None:
        if turns and not isinstance(play, DealBySheet):
            return Illegal("setup.turn_up", evidence("kit_turn_missing"))
    elif not turns:
        return Illegal("setup.turn_up", evidence("kit_no_turn"))
    elif play.turn not in rules.cards.deck:
        return Illegal("deck.1", evidence("kit_no_such_card", card=play.turn))
    named = play.leader or next_leader(state)
    clause = "deal.3" if state.deal == 0 else "starter.1"
    if named is None:
        return Legal("starter.1", evidence("kit_holder_leads", card=rules.deal.holder))
    return Legal(clause, evidence("new_deal", leader=named))


def _wrong_leader(rules: Rules, state: State, named: Seat | None) -> Illegal | None:
    """Why the leader that a ``deal`` names, or the missing one, is wrong; None if it is right."""
    if rules.deal.first == "holder":
        if named is not None:
            return Illegal("starter.1", evidence("kit_holder_leads", card=rules.deal.holder))
        return None
    leader = next_leader(state)
    if named in state.score.out:
        return Illegal("leave.1", evidence("kit_left", seat=named))
    if named is None and leader is None:
        return Illegal("deal.3" if state.deal == 0 else "starter.1", evidence("leader_missing"))
    if leader and named and named != leader:
        return Illegal("starter.1", evidence("leader_rule", leader=leader, named=named))
    return None


def _judge_bid(state: State, play: Bid) -> Verdict:
    rules = rules_of(state)
    place = rules.index[play.seat]
    again = state.round.bids[place] is not None
    if rules.bidding.auction and play.seat in state.due and state.phase == BID:
        again = False  # a seat that has not passed may bid again and again
    if not rules.bidding.made or state.phase == PASS or (state.phase == TRUMP and not again):
        return Illegal("bid.1", evidence("kit_no_bidding"))
    if again:
        late = state.begun or state.phase not in (BID, PLAY)
        if not rules.bidding.may_change or rules.bidding.auction or late:
            return Illegal("bid.1", evidence("kit_bid_before", seat=play.seat))
    elif play.seat not in to_act(state) or state.phase != BID:
        return Illegal("turn.1", evidence("not_turn", seat=play.seat, due=state.due[:1]))
    said = rules.bidding.possible(state)
    if play.said not in said:
        return Illegal("bid.1", evidence("kit_no_such_bid", bid=play.said, bids=said))
    if forbidden(state, play):
        return Illegal("bid.2", evidence("kit_bid_barred", bid=play.said, rule="bid.2"))
    return Legal("bid.1", evidence("kit_bids", seat=play.seat, bid=play.said))


def forbidden(state: State, play: Bid) -> bool:
    """Whether the rule on bids forbids this one, with the other bids as they are now."""
    rules = rules_of(state)
    if rules.bidding.auction and 0 < rules.bidding.worth(play.said) <= highest_so_far(state):
        return True
    if rules.bidding.forbid is None:
        return False
    place = rules.index[play.seat]
    bids, out = state.round.bids, state.score.out
    others = [bids[i] for i, seat in enumerate(rules.seats) if i != place and seat not in out]
    scope = Scope(state, place)
    scope.said = rules.bidding.worth(play.said)
    scope.others = sum(map(rules.bidding.worth, others))
    scope.last = rules.bidding.by != "all" or None not in others
    return bool(rules.bidding.forbid(scope))


def highest_so_far(state: State) -> int:
    """The number that the highest bid counts."""
    return max(map(rules_of(state).bidding.worth, state.round.bids))


def _judge_call(state: State, play: Call) -> Verdict:
    if state.phase != CALL:
        return Illegal("call.1", evidence("kit_no_calling"))
    if play.seat != state.due[0]:
        return Illegal("turn.1", evidence("not_turn", seat=play.seat, due=state.due[:1]))
    if play.card not in state.deck:
        return Illegal("deck.1", evidence("kit_no_such_card", card=play.card))
    rules = rules_of(state)
    if not rules.cards.bits[play.card] & rules.call.allowed(state):
        return Illegal("call.1", evidence("kit_no_such_call", card=play.card))
    return Legal("call.1", evidence("kit_calls", seat=play.seat, card=play.card))


def _judge_trump(state: State, play: NameTrump) -> Verdict:
    rules = rules_of(state)
    if state.phase != TRUMP:
        return Illegal("trump.1", evidence("kit_no_naming"))
    if play.seat != state.due[0]:
        return Illegal("turn.1", evidence("not_turn", seat=play.seat, due=state.due[:1]))
    if play.suit not in rules.trump.nameable:
        return Illegal("trump.1", evidence("kit_no_such_suit", suit=play.suit))
    if play.suit == "none" and state.round.turn_up is not None and not state.begun:
        return Illegal("trump.1", evidence("kit_trump_needed"))
    return Legal("trump.1", evidence("kit_trump", suit=play.suit))


def _judge_lay(state: State, play: Lay | Cover) -> Verdict:
    """The verdict on a card, open or face down, with turn and phase of the deal checked."""
    rules, seat = rules_of(state), play.seat
    if state.phase != PLAY:
        return _step_due(state)
    if state.leader is None:
        if isinstance(play, Cover) or play.card != rules.deal.holder:
            return Illegal("starter.1", evidence("kit_holder_leads", card=rules.deal.holder))
        return _judge_card(state, play)
    if seat != state.due[0]:
        return _out_of_turn(state, seat)
    assert isinstance(play, Cover)
    return _judge_cover(state, play)


def _step_due(state: State) -> Illegal:
    """The verdict on a card or a shown hand while a step before the first card is due."""
    if state.phase == PASS:
        return Illegal("pass.1", evidence("kit_pass_first"))
    clause, fact = {
        BID: ("bid.1", "kit_bid_first"),
        TRUMP: ("trump.1", "kit_trump_first"),
        CALL: ("call.1", "kit_call_first"),
    }[state.phase]
    return Illegal(clause, evidence(fact, due=to_act(state)))


def _out_of_turn(state: State, seat: Seat) -> Illegal:
    if seat in state.round.left:
        return Illegal("leave.1", evidence("kit_left", seat=seat))
    for laid in state.trick:
        if laid.seat == seat:
            return Illegal("turn.1", evidence("already_laid", laid.at, seat=seat))
    return Illegal("turn.1", evidence("not_turn", seat=seat, due=state.due[:1]))


def _judge_card(state: State, play: Lay) -> Verdict:
    rules = rules_of(state)
    seat, card, hands = play.seat, play.card, state.hands
    bits = rules.cards.bits.get(card)
    if bits is None:
        return Illegal("deck.1", evidence("kit_no_such_card", card=card))
    if seat in hands.shown:
        if not hands.shown[seat][hands.deck.place[card]]:
            return Illegal("hand.3", evidence("not_in_shown_hand", seat=seat, rank=card))
    elif hands.gone(card) and not hands.known(seat, card):
        return Illegal("deck.2", copies_gone(hands, card))
    elif not hands.hidden[seat] and not hands.known(seat, card):
        return Illegal("hand.3", kept_fact(state, seat))
    ladder, k, above = rules.play.climb(state, bits, seat)
    if not above:
        return rules.play.free(ladder, k, card)
    if rules.play.cannot == "down" and seat not in hands.shown and rules.play.below_all(state, k):
        return Illegal(f"{ladder}.{k}", (*step_facts(state), *evidence("kit_face_down")))
    sure = int(not hands.known(seat, card))
    return _declared(state, seat, f"{ladder}.{k}", above, sure)


def _judge_cover(state: State, play: Cover) -> Verdict:
    rules, hands, seat = rules_of(state), state.hands, play.seat
    if rules.play.cannot != "down" or seat in hands.shown:
        return Illegal("hand.3", evidence("kit_no_covering"))
    ladder, k, above = rules.play.climb(state, 0, seat)
    if not above:
        return Illegal(f"{ladder}.{k}", (*step_facts(state), *evidence("kit_no_covering")))
    return _declared(state, seat, f"{ladder}.{k}", above, 0)


def _declared(state: State, seat: Seat, clause: str, above: int, sure: int) -> Verdict:
    """The verdict on "I hold none of ``above``"; ``sure`` as for ``Hands.truth``."""
    rules, hands = rules_of(state), state.hands
    only = rules.play.kinds(rules.cards.full ^ above)
    facts = step_facts(state)
    truth = hands.truth(seat, only, sure)
    if truth is Truth.OPEN:
        kinds, others = rules.cards.kinds(above), rules.cards.kinds(rules.cards.full ^ above)
        return Unprovable(clause, Lacks(seat, kinds, others), facts)
    if seat in hands.shown:
        facts = (*facts, hand_shown(hands, seat))
        return Legal(clause, facts) if truth is Truth.CERTAIN else Illegal(clause, facts)
    if truth is Truth.CERTAIN:
        why = "last_card" if hands.hidden[seat] == sure else "kit_none_unseen"
        return Legal(clause, (*facts, Evidence(why, {"seat": seat})))
    return Illegal(clause, (*facts, *_impossible(state, seat, above)))


def kept_fact(state: State, seat: Seat) -> Facts:
    """The facts that ``seat`` holds cards that everybody has seen: the turn-up, or a shown hand."""
    kept = state.hands.kept.get(seat)
    if kept is None:
        return (hand_shown(state.hands, seat),)
    return evidence("kit_kept", state.round.turned, seat=seat, card=kept)


def _impossible(state: State, seat: Seat, above: int) -> Facts:
    """Why ``seat`` must hold one of ``above``."""
    rules, hands = rules_of(state), state.hands
    only = rules.play.kinds(rules.cards.full ^ above)
    if any(hands.known(seat, card) for card in rules.cards.kinds(above)):
        return kept_fact(state, seat)
    return counted_out(hands, seat, only, "counting_others")


def _judge_show(state: State, play: Show) -> Verdict:
    hands, seat = state.hands, play.seat
    if state.phase == PASS:
        return _step_due(state)
    for card in play.cards:
        if card not in state.deck:
            return Illegal("deck.1", evidence("kit_no_such_card", card=card))
    counts = state.deck.count(play.cards)
    cards = tuple(map(str, state.deck.listed(state.deck.bag(counts))))
    if seat in hands.shown:
        if counts == hands.shown[seat]:
            return Legal("hand.3", (hand_shown(hands, seat),))
        return Illegal("hand.3", (shown_otherwise(hands, seat, cards),))
    held = hands.held(seat)
    if len(play.cards) != held:
        wrong = evidence("shown_size", seat=seat, shown=len(play.cards), held=held)
        return Illegal("hand.3", wrong)
    sure = hands.sure(seat)
    if any(count < least for count, least in zip(counts, sure, strict=True)):
        return Illegal("hand.3", kept_fact(state, seat))
    for kind, count, least in zip(state.deck.cards, counts, sure, strict=True):
        if count - least > hands.unseen((kind,)):
            return Illegal("deck.2", copies_gone(hands, kind))
    return Legal("hand.3", evidence("hand_shown", seat=seat, ranks=cards))
