"""Legality of entries, with the reasons."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

from referee.core.pyramid import uncovered, without
from referee.core.verdict import Evidence, Illegal, Legal, Seat, Verdict, evidence
from referee.games.pairs_daifugo.evidence import copies_short, covered, not_in_deck, order, there
from referee.games.pairs_daifugo.plays import Deal, Lay, Pass, Play, Row, Turn
from referee.games.pairs_daifugo.state import (
    DECK,
    PAIR,
    REVOLUTION,
    ROWS,
    State,
    high_with,
    next_starter,
    stronger,
)


def candidates(state: State) -> Iterator[Play]:
    """All plays that could be declared; bottom rows with equal cards only in ascending order."""
    ranks = range(1, len(DECK.cards) + 1)
    if state.unknown_rows:
        size = ROWS[len(state.table.seats)]
        for row in combinations_with_replacement(ranks, size):
            yield Row(state.unknown_rows[0], row)
    elif state.turning:
        yield from (Turn(seat, place, rank) for seat, place in state.turning for rank in ranks)
    elif state.due:
        for rank in ranks:
            yield from (
                Lay(state.due, cards, using) for cards, using in groups(state, state.due, rank)
            )
        yield Pass(state.due)
    elif not state.ended:
        leader = next_starter(state)
        yield from (Deal(seat) for seat in ([leader] if leader else state.table.seats))


def groups(
    state: State, seat: Seat, rank: int, held: int | None = None
) -> Iterator[tuple[tuple[int, ...], tuple[str, ...]]]:
    """The cards of ``rank`` that ``seat`` may hold: all counts, from all its places.

    ``held``: how many are in its hand, for a player who sees it.
    """
    own = [place for place, card in state.pyramids[seat].items() if card == rank]
    if held is None:
        held = min(state.hands[seat], state.copies.unseen(rank))
    for count in range(1, min(rank, len(own) + held) + 1):
        for taken in range(min(count, len(own)), max(0, count - held) - 1, -1):
            for using in combinations(own, taken):
                yield (rank,) * count, using


def judge(state: State, play: Play) -> Verdict:
    if state.ended:
        return Illegal("end.1", evidence("match_over"))
    if isinstance(play, Deal):
        return _judge_deal(state, play)
    if state.due is None:
        return Illegal("game.1", evidence("no_deal"))
    if isinstance(play, Row):
        return _judge_row(state, play)
    if state.unknown_rows:
        return Illegal("pyramid.2", evidence("rows_missing", seats=state.unknown_rows))
    if isinstance(play, Turn):
        return _judge_turn(state, play)
    if state.turning:
        due = tuple(dict.fromkeys(owner for owner, _place in state.turning))
        count = len(state.turning)
        return Illegal("turning.1", evidence("turn_first", seats=due, count=count))
    if play.seat != state.due:
        return _out_of_turn(state, play)
    if isinstance(play, Pass):
        return _judge_pass(state, play)
    return _missing(state, play) or _judge_lay(state, play)


def _judge_deal(state: State, play: Deal) -> Verdict:
    if state.due:
        return Illegal("game.2", evidence("deal_running"))
    leader = next_starter(state)
    named = play.leader or leader
    clause = "starter.1" if leader is None else "starter.2"
    if named is None:
        return Illegal(clause, evidence("leader_missing"))
    if leader and named != leader:
        return Illegal(clause, evidence("leader_rule", leader=leader, named=named))
    return Legal(clause, evidence("new_deal", leader=named))


def _judge_row(state: State, play: Row) -> Verdict:
    seat, count, size = play.seat, len(play.ranks), ROWS[len(state.table.seats)]
    if seat not in state.unknown_rows:
        return Illegal("pyramid.2", evidence("row_known", seat=seat))
    if count != size:
        return Illegal("pyramid.1", evidence("row_size", seat=seat, entered=count, size=size))
    fault = row_fault(state, play.ranks)
    return fault or Legal("pyramid.2", evidence("row_shown", seat=seat, ranks=play.ranks))


def row_fault(state: State, ranks: tuple[int, ...]) -> Illegal | None:
    """Why no bottom row can hold ``ranks``, perhaps among others; None if one can."""
    return copies_short(state, {rank: ranks.count(rank) for rank in ranks})


def _judge_turn(state: State, play: Turn) -> Verdict:
    seat, place = play.seat, play.place
    if (seat, place) not in state.turning:
        pyramid = state.pyramids[seat]
        if place in pyramid and pyramid[place] is None:
            return Illegal("turning.1", covered(pyramid, seat, place))
        fact = "lies_open" if place in pyramid else "no_card_there"
        return Illegal("turning.1", there(fact, seat, place, rank=pyramid.get(place)))
    fault = copies_short(state, {play.rank: 1})
    return fault or Legal("turning.1", there("turned", seat, place, rank=play.rank))


def _out_of_turn(state: State, play: Lay | Pass) -> Illegal:
    seat = play.seat
    if seat in state.passed:
        return Illegal("pass.2", evidence("has_passed", state.passed[seat], seat=seat))
    not_turn = Evidence("not_turn", {"seat": seat, "due": (state.due,)})
    if isinstance(play, Pass) and state.closed:
        return Illegal("trick.2", (Evidence("closed_itself", {}, state.closed), not_turn))
    return Illegal("turn.1", (not_turn,))


def _judge_pass(state: State, play: Pass) -> Verdict:
    if not state.trick:
        return Illegal("lead.1", evidence("must_lead", seat=play.seat))
    return Legal("pass.1", evidence("passes", seat=play.seat))


def _missing(state: State, play: Lay) -> Illegal | None:
    """Why the cards can't come from where they are said to come from; None if they can."""
    seat, rank = play.seat, play.ranks[0]
    pyramid, hand = state.pyramids[seat], state.hands[seat]
    for each in play.ranks:
        if each not in DECK.place:
            return not_in_deck(each)
    if len(set(play.ranks)) > 1:
        return Illegal("cards.1", evidence("unequal", ranks=play.ranks))
    if len(play.using) > len(play.ranks) or len(set(play.using)) < len(play.using):
        places, count = play.using, len(play.ranks)
        return Illegal("cards.2", evidence("places_do_not_fit", places=places, count=count))
    for place in play.using:
        lies = pyramid.get(place)
        if place not in pyramid:
            return Illegal("cards.2", there("no_card_there", seat, place))
        if lies is None:
            return Illegal("cards.3", covered(pyramid, seat, place))
        if lies != rank:
            fact = there("other_card_there", seat, place, lies=lies, rank=rank)
            return Illegal("cards.2", fact)
    count = len(play.ranks) - len(play.using)
    if count > hand:
        return Illegal("cards.2", evidence("hand_too_small", seat=seat, count=count, held=hand))
    return copies_short(state, {rank: count}) if count else None


def _judge_lay(state: State, play: Lay) -> Verdict:
    rank, count = play.ranks[0], len(play.ranks)
    if not state.trick:
        led = Evidence("leads", {"seat": play.seat, "rank": rank, "count": count})
        return Legal("lead.1", (led, *_consequences(state, play)))
    top = state.trick[-1]
    if count != top.size:
        return Illegal("follow.1", evidence("other_count", top.at, count=top.size, played=count))
    ranks = {"rank": rank, "top": top.rank}
    if not stronger(state, rank):
        fact = "equal" if rank == top.rank else "weaker"
        return Illegal("follow.2", (Evidence(fact, ranks, top.at), order(state)))
    beats = Evidence("beats", ranks, top.at)
    return Legal("follow.2", (beats, order(state), *_consequences(state, play)))


def _consequences(state: State, play: Lay) -> Iterator[Evidence]:
    """The facts of what else happens when ``play`` is made."""
    seat, count = play.seat, len(play.ranks)
    pyramid = state.pyramids[seat]
    if play.using:
        pyramid = without(pyramid, play.using)
    wins = not pyramid and state.hands[seat] == count - len(play.using)
    if wins:
        yield Evidence("goes_out", {"seat": seat})
    if count >= REVOLUTION:
        high = 1 if state.reversed else 10
        yield Evidence("revolution", {"count": count, "high": high})
    if count == PAIR and not state.trick and not wins:
        yield Evidence("pairs_back", {"high": high_with(state, pairs=True)})
    if play.using and (free := uncovered(pyramid)):
        yield Evidence("uncovers", {"seat": seat, "count": len(free)})
