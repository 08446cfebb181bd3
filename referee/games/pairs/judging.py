"""Which plays are legal. Everything but the deck and the burned cards is public."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.verdict import Evidence, Illegal, Legal, Verdict, evidence
from referee.games.pairs.evidence import copies_gone, pair
from referee.games.pairs.plays import Deal, Fold, Hit, Play, Reveal, Shuffle, Starter
from referee.games.pairs.state import (
    BURNED,
    DECK,
    PairsStage,
    State,
    can_draw,
    in_play,
    lowest,
    must_shuffle,
    outside,
    to_act,
)


def candidates(state: State) -> Iterator[Play]:
    if state.step is PairsStage.IDLE:
        yield from () if state.ended else (Deal(),)
        return
    if must_shuffle(state) or state.uncounted:
        yield Shuffle()
    ranks = range(1, len(DECK.cards) + 1)
    for seat in to_act(state):
        match state.step:
            case PairsStage.START:
                yield from (Reveal(seat, rank) for rank in ranks)
            case PairsStage.LOT:
                yield Starter(seat)
            case _:
                yield from (Hit(seat, rank) for rank in ranks)
                yield Fold(seat)


def judge(state: State, play: Play) -> Verdict:
    if state.ended:
        return Illegal("end.1", evidence("match_over"))
    if isinstance(play, Deal):
        if state.step is not PairsStage.IDLE:
            return Illegal("deal.2", evidence("deal_running"))
        return Legal("round.1", evidence("round_begins", number=state.deal + 1))
    if state.step is PairsStage.IDLE:
        return Illegal("deal.1", evidence("no_deal"))
    match play:
        case Shuffle():
            return _judge_shuffle(state)
        case Starter():
            return _judge_starter(state, play)
        case Reveal():
            return _judge_reveal(state, play)
        case Hit():
            return _out_of_order(state, play) or _judge_hit(state, play)
        case Fold():
            return _out_of_order(state, play) or _judge_fold(state, play)


def _judge_shuffle(state: State) -> Verdict:
    if state.stock and not state.uncounted:
        return Illegal("shuffle.1", evidence("cards_left", stock=state.stock))
    if not can_draw(state):
        return Illegal("shuffle.2", evidence("too_few", cards=sum(outside(state))))
    cards = sum(outside(state))
    return Legal("shuffle.1", evidence("shuffled", cards=cards, burned=BURNED))


def _judge_starter(state: State, play: Starter) -> Verdict:
    if state.step is not PairsStage.LOT:
        return Illegal("start.4", evidence("no_lot"))
    if play.named not in state.due:
        return Illegal("start.4", evidence("not_tied", seat=play.named, tied=state.due))
    return Legal("start.4", evidence("lot_drawn", seat=play.named))


def _judge_reveal(state: State, play: Reveal) -> Verdict:
    seat, rank = play.seat, play.rank
    if state.step is not PairsStage.START:
        fact = "lot_first" if state.step is PairsStage.LOT else "start_over"
        return Illegal("order.1", evidence(fact, due=to_act(state)))
    if seat not in state.due:
        return Illegal("turn.1", evidence("not_turn", seat=seat, due=state.due))
    wrong = _not_from_deck(state, rank)
    if wrong:
        return wrong
    there = pair(state, seat, rank)
    if there:
        return Legal("start.3", (there, *evidence("replaced", rank=rank)))
    if state.rows[seat]:
        return Legal("start.2", evidence("extra_card", seat=seat, rank=rank))
    return Legal("start.1", evidence("first_card", seat=seat, rank=rank))


def _out_of_order(state: State, play: Hit | Fold) -> Illegal | None:
    if state.step is not PairsStage.PLAY:
        fact = "lot_first" if state.step is PairsStage.LOT else "cards_first"
        return Illegal("order.1", evidence(fact, due=state.due))
    if play.seat != state.due[0]:
        return Illegal("turn.1", evidence("not_turn", seat=play.seat, due=state.due[:1]))
    return None


def _judge_hit(state: State, play: Hit) -> Verdict:
    if not can_draw(state):
        return Illegal("shuffle.2", evidence("too_few", cards=sum(outside(state))))
    wrong = _not_from_deck(state, play.rank)
    if wrong:
        return wrong
    there = pair(state, play.seat, play.rank)
    if there:
        return Legal("pair.1", (there, *evidence("scores", seat=play.seat, points=play.rank)))
    return Legal("hit.1", evidence("no_pair", seat=play.seat, rank=play.rank))


def _judge_fold(state: State, play: Fold) -> Verdict:
    card = lowest(state)
    least = Evidence("lowest_card", {"rank": card.rank, "seat": card.seat}, card.at)
    if play.rank is not None and play.rank != card.rank:
        there = next((shown for shown in in_play(state) if shown.rank == play.rank), None)
        fact = evidence("not_lowest" if there else "not_in_play", rank=play.rank)
        return Illegal("fold.1", (*fact, least))
    return Legal("fold.1", (least, *evidence("scores", seat=play.seat, points=card.rank)))


def _not_from_deck(state: State, rank: int) -> Illegal | None:
    """Why a card of ``rank`` cannot come from the deck now; None if it can."""
    if rank not in DECK:
        return Illegal("deck.1", evidence("not_in_deck", rank=rank, top=DECK.cards[-1]))
    if must_shuffle(state):
        return Illegal("shuffle.1", evidence("deck_empty"))
    if not state.unseen[rank - 1]:
        return Illegal("deck.2", copies_gone(state, rank))
    return None
