"""Legality of the entries of a shedding game: the rows of the verdict table, in their order."""

from __future__ import annotations

from referee.core.verdict import Evidence, Illegal, Legal, Seat, Verdict, evidence
from referee.kit.families.shedding.dealing import cards_left, exchanges, kitty_size, next_leader
from referee.kit.families.shedding.evidence import due_fact, rules_of
from referee.kit.families.shedding.following import judge_lay
from referee.kit.families.shedding.holding import cannot_hold, too_many, unreadable
from referee.kit.families.shedding.must import judge_must
from referee.kit.families.shedding.plays import (
    Bid,
    Deal,
    DealBySheet,
    Discard,
    Drop,
    Give,
    HandsExchanged,
    Kitty,
    Lay,
    NameRanks,
    Pass,
    Play,
)
from referee.kit.families.shedding.state import BETWEEN, BID, EXCHANGE, KITTY, PLAY, State
from referee.kit.scored import in_match
from referee.kit.text.scope import Scope


def to_act(state: State) -> tuple[Seat, ...]:
    """The seats whose entry is due."""
    if state.phase == BID:
        return (bidder(state),)
    if state.phase != PLAY:
        return ()
    if state.due is not None:
        return (state.due.seat,)
    return (state.turn,) if state.turn is not None else state.round.live


def bidders(state: State) -> tuple[Seat, ...]:
    """Who bids in this deal, in turn."""
    starter, by = state.round.starter, rules_of(state).bidding.by
    assert starter is not None
    order = [seat for seat in state.table.starting(starter) if seat in state.round.live]
    return tuple({"all": order, "leader": order[:1], "dealer": order[-1:]}[by])


def bidder(state: State) -> Seat:
    """Whose turn it is to bid."""
    bids = dict(zip(state.table.seats, state.round.bids, strict=True))
    return next(seat for seat in bidders(state) if bids[seat] is None)


def judge(state: State, play: Play) -> Verdict:
    """The verdict on any play, in any phase."""
    if state.score.ended:
        return Illegal("end.1", evidence("match_over"))
    if isinstance(play, Deal):
        return _judge_deal(state, play)
    if state.phase == BETWEEN:
        return Illegal("deal.1", evidence("no_deal"))
    if state.phase == EXCHANGE or isinstance(play, HandsExchanged):
        return _judge_exchanged(state, play)
    if state.phase == BID or isinstance(play, Bid):
        return _judge_bid(state, play)
    if state.phase == KITTY or isinstance(play, Kitty):
        return _judge_kitty(state, play)
    if isinstance(play, Drop):
        return _judge_drop(state, play)
    if state.due is not None or isinstance(play, Give | Discard | NameRanks):
        return _judge_due(state, play)
    assert isinstance(play, Lay | Pass)
    if play.seat not in state.round.live:
        return Illegal("out.1", evidence("kit_shed_out", seat=play.seat))
    return judge_lay(state, play) if isinstance(play, Lay) else _judge_pass(state, play)


def _judge_deal(state: State, play: Deal) -> Verdict:
    rules = rules_of(state)
    if state.phase != BETWEEN:
        return Illegal("deal.2", evidence("deal_running"))
    leader, by_holder = next_leader(state)
    if by_holder and play.leader is not None:
        return Illegal("starter.1", evidence("kit_holder_leads", card=rules.deal.holder))
    if not by_holder and leader is None and play.leader is None:
        return Illegal("starter.1", evidence("leader_missing"))
    if leader and play.leader and leader != play.leader:
        return Illegal("starter.1", evidence("leader_rule", leader=leader, named=play.leader))
    if play.leader is not None and play.leader not in in_match(state):
        return Illegal("starter.1", evidence("kit_left", seat=play.leader))
    over = rules.deal.dealt_on and cards_left(state, next_deal=True) > 0
    if over and play.extra is None and not isinstance(play, DealBySheet):
        return Illegal("deal.3", evidence("kit_shed_from_missing"))
    if play.extra is not None and (not over or play.extra not in in_match(state)):
        return Illegal("deal.3", evidence("kit_shed_from_none"))
    if by_holder:
        return Legal("starter.1", evidence("kit_holder_leads", card=rules.deal.holder))
    return Legal("starter.1", evidence("new_deal", leader=play.leader or leader))


def _judge_exchanged(state: State, play: Play) -> Verdict:
    if state.phase != EXCHANGE:
        return Illegal("exchange.1", evidence("kit_shed_no_exchange"))
    facts = tuple(
        Evidence("kit_shed_exchange_due", {"seat": one, "other": other, "count": many})
        for one, other, many in exchanges(state)
    )
    if not isinstance(play, HandsExchanged):
        return Illegal("exchange.1", (*evidence("kit_shed_exchange_first"), *facts))
    return Legal("exchange.1", (*evidence("kit_shed_exchanged"), *facts))


def forbidden(state: State, play: Bid) -> bool:
    """Whether the rule on bids forbids this one."""
    rules = rules_of(state)
    if rules.bidding.forbid is None:
        return False
    scope = Scope(state, rules.index[play.seat])
    scope.said = rules.bidding.worth(play.said)
    bids = state.round.bids
    scope.others = sum(rules.bidding.worth(bids[i]) for i in range(rules.n) if i != scope.seat)
    scope.last = sum(bid is None for bid in bids) <= 1
    return bool(rules.bidding.forbid(scope))


def _judge_bid(state: State, play: Play) -> Verdict:
    if state.phase != BID:
        return Illegal("bid.1", evidence("kit_no_bidding"))
    due = bidder(state)
    if not isinstance(play, Bid):
        return Illegal("bid.1", evidence("kit_bid_first", due=(due,)))
    said = rules_of(state).bidding.possible(state)
    if play.said not in said:
        return Illegal("bid.1", evidence("kit_no_such_bid", bid=play.said, bids=said))
    if play.seat != due:
        return Illegal("turn.1", evidence("not_turn", seat=play.seat, due=(due,)))
    if forbidden(state, play):
        return Illegal("bid.2", evidence("kit_bid_barred", bid=play.said, rule="bid.2"))
    return Legal("bid.1", evidence("kit_bids", seat=play.seat, bid=play.said))


def _judge_kitty(state: State, play: Play) -> Verdict:
    count = kitty_size(state)
    if state.phase != KITTY:
        return Illegal("kitty.1", evidence("kit_shed_no_kitty"))
    if not isinstance(play, Kitty):
        return Illegal("kitty.1", evidence("kit_shed_kitty_first", count=count))
    if len(play.cards) != count:
        return Illegal(
            "kitty.1", evidence("kit_shed_kitty_size", count=count, shown=len(play.cards))
        )
    shown = rules_of(state).shown(play.cards)
    fault = unreadable(shown) or too_many(state, None, shown)
    return fault or Legal("kitty.1", evidence("kit_shed_kitty", cards=play.cards))


def _judge_drop(state: State, play: Drop) -> Verdict:
    rules, naming = rules_of(state), state.naming
    if play.seat not in state.round.live:
        return Illegal("out.1", evidence("kit_shed_out", seat=play.seat))
    if naming is None:
        return Illegal("name.2", evidence("kit_shed_none_named"))
    for card in play.cards:
        if card in rules.kinds and rules.rank_of(card) not in naming.ranks:
            values = {"card": card, "ranks": naming.ranks}
            return Illegal("name.2", (Evidence("kit_shed_other_rank", values, naming.at),))
    fault = cannot_hold(state, play.seat, rules.shown(play.cards))
    return fault or Legal("name.2", evidence("kit_shed_drops", seat=play.seat, cards=play.cards))


def _judge_due(state: State, play: Play) -> Verdict:
    due, rules = state.due, rules_of(state)
    verbs = {Give: "give", Discard: "discard", NameRanks: "name"}
    if due is None:
        return Illegal(f"{verbs[type(play)]}.1", evidence("kit_shed_nothing_due"))
    clause = f"{due.verb}.1"
    wrong = Illegal(clause, (due_fact(state),))
    assert isinstance(play, Lay | Pass | Give | Discard | NameRanks)
    if verbs.get(type(play)) != due.verb or play.seat != due.seat:
        return wrong
    assert isinstance(play, Give | Discard | NameRanks)
    if isinstance(play, Give):
        if play.count != due.give:
            return wrong
        return Legal(clause, evidence("kit_shed_gives", seat=play.seat, count=play.count))
    if isinstance(play, Discard):
        if len(play.cards) != due.discard:
            return wrong
        fault = cannot_hold(state, play.seat, rules.shown(play.cards))
        return fault or Legal(
            clause, evidence("kit_shed_discards", seat=play.seat, cards=play.cards)
        )
    known = [rank for rank in dict.fromkeys(play.ranks) if rank in rules.cards.order]
    if len(known) != due.name or len(known) != len(play.ranks):
        return wrong
    return Legal(clause, evidence("kit_shed_names", seat=play.seat, ranks=play.ranks))


def _judge_pass(state: State, play: Pass) -> Verdict:
    trick = state.trick
    if not state.round.begun or (not trick.plays and play.seat == state.turn):
        return Illegal("pass.1", evidence("kit_shed_leader_plays", seat=play.seat))
    if play.seat != state.turn:
        due = to_act(state)
        if play.seat in trick.passed:
            facts = (Evidence("kit_shed_passed", {"seat": play.seat}, trick.passed[play.seat]),)
            return Illegal("pass.2", facts)
        return Illegal("turn.1", evidence("not_turn", seat=play.seat, due=due))
    if rules_of(state).must:
        return judge_must(state, play)
    return Legal("pass.1", evidence("kit_shed_passes", seat=play.seat))
