"""Legality of the plays of this family."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from referee.core.hands import Truth
from referee.core.verdict import (
    Card,
    Evidence,
    Illegal,
    Lacks,
    Legal,
    Seat,
    Unprovable,
    Verdict,
    evidence,
)
from referee.games.families.hands_shown import copies_gone, counted_out, hand_shown, shown_otherwise
from referee.games.families.must_not_follow.plays import Deal, Lay, Play, Show
from referee.games.families.must_not_follow.state import State, next_starter


def candidates(state: State) -> Iterator[Play]:
    if state.due:
        yield from _cards(state.due[0], state.deck.cards)
    elif not state.ended:
        leader = next_starter(state)
        yield from (Deal(seat) for seat in ([leader] if leader else state.table.seats))


@lru_cache(maxsize=1024)
def _cards(seat: Seat, cards: tuple[Card, ...]) -> tuple[Lay, ...]:
    """Each card as played by ``seat``; cached, because every table page asks for them."""
    return tuple(Lay(seat, int(rank)) for rank in cards)


def judge(state: State, play: Play, gone: Callable[[State, Seat], bool]) -> Verdict:
    """The verdict on any play; ``gone`` says whether a seat is out of the deal."""
    if state.ended:
        return Illegal("end.1", evidence("match_over"))
    if isinstance(play, Deal):
        return _judge_deal(state, play)
    if not state.due:
        return Illegal("deal.1", evidence("no_deal"))
    if isinstance(play, Show):
        return _judge_show(state, play)
    seat, rank = play.seat, play.rank
    if seat != state.due[0]:
        return _out_of_turn(state, seat, gone)
    if rank not in state.deck:
        return Illegal("deck.1", evidence("not_in_deck", rank=rank, top=state.deck.cards[-1]))
    hands = state.hands
    if seat in hands.shown:
        if not hands.shown[seat][hands.deck.place[rank]]:
            return Illegal("hand.3", evidence("not_in_shown_hand", seat=seat, rank=rank))
    elif hands.gone(rank):
        return Illegal("deck.2", copies_gone(hands, rank))
    if rank not in state.showing:
        return _free(rank)
    return _judge_repeat(state, seat, rank)


@cache
def _free(rank: int) -> Legal:
    """The verdict on a number that is not showing, which is most cards; cached."""
    return Legal("follow.1", evidence("free", rank=rank))


def _judge_repeat(state: State, seat: Seat, rank: int) -> Verdict:
    """The verdict on a number that is showing: only for a seat that holds nothing else."""
    hands, showing = state.hands, state.showing
    only = frozenset(showing)
    first = showing[rank]
    fact = Evidence("showing", {"rank": rank, "seat": first.seat}, first.at)
    truth = hands.truth(seat, only)
    if truth is Truth.OPEN:
        lacking = tuple(r for r in state.deck.cards if r not in only)
        return Unprovable("follow.2", Lacks(seat, lacking), (fact,))
    if truth is Truth.CERTAIN:
        if seat in hands.shown:
            return Legal("follow.2", (fact, hand_shown(hands, seat)))
        why = "last_card" if hands.hidden[seat] == 1 else "none_unseen"
        return Legal("follow.2", (fact, Evidence(why, {"seat": seat})))
    if seat in hands.shown:
        return Illegal("follow.2", (fact, hand_shown(hands, seat)))
    return Illegal("follow.2", (fact, *counted_out(hands, seat, only)))


def _judge_deal(state: State, play: Deal) -> Verdict:
    if state.due:
        return Illegal("deal.2", evidence("deal_running"))
    leader = next_starter(state)
    named = play.leader or leader
    if named is None:
        return Illegal("deal.3" if state.deal == 0 else "starter.1", evidence("leader_missing"))
    if leader and named != leader:
        return Illegal("starter.1", evidence("leader_rule", leader=leader, named=named))
    clause = "deal.3" if leader is None else "starter.1"
    return Legal(clause, evidence("new_deal", leader=named))


def _judge_show(state: State, play: Show) -> Verdict:
    hands, seat = state.hands, play.seat
    for rank in play.ranks:
        if rank not in state.deck:
            return Illegal("deck.1", evidence("not_in_deck", rank=rank, top=state.deck.cards[-1]))
    counts = state.deck.count(play.ranks)
    if seat in hands.shown:
        if counts == hands.shown[seat]:
            return Legal("hand.3", (hand_shown(hands, seat),))
        ranks = tuple(sorted(play.ranks))
        return Illegal("hand.3", (shown_otherwise(hands, seat, ranks),))
    held = hands.hidden[seat]
    if len(play.ranks) != held:
        return Illegal(
            "hand.3", evidence("shown_size", seat=seat, shown=len(play.ranks), held=held)
        )
    for card, count in zip(state.deck.cards, counts, strict=True):
        if count > hands.unseen((card,)):
            return Illegal("deck.2", copies_gone(hands, int(card)))
    return Legal("hand.3", evidence("hand_shown", seat=seat, ranks=tuple(sorted(play.ranks))))


def _out_of_turn(state: State, seat: Seat, gone: Callable[[State, Seat], bool]) -> Illegal:
    if gone(state, seat):
        return Illegal("win.2", evidence("out_of_deal", seat=seat))
    for card in state.trick:
        if card.seat == seat:
            return Illegal("turn.1", evidence("already_laid", card.at, seat=seat))
    return Illegal("turn.1", evidence("not_turn", seat=seat, due=state.due[:1]))
