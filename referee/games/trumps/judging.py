"""Legality of plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

from referee.core.cards import copies_in
from referee.core.hands import Truth
from referee.core.moves import Shown
from referee.core.verdict import (
    Evidence,
    Illegal,
    Lacks,
    Legal,
    Seat,
    Unprovable,
    Verdict,
    evidence,
)
from referee.games.trumps.evidence import copies_short, counted_out, known_hand
from referee.games.trumps.plays import Cover, Deal, Draw, Lay, Pass, Play, Reveal, Starter, Take
from referee.games.trumps.state import (
    ASIDE,
    HAND,
    STEPS,
    State,
    TrumpsStage,
    covers_leave,
    forbidden,
    laid_open,
    place_of,
    to_act,
)

CLAUSES = {place: f"take.{place}" for place in (1, 2, 3)}


def candidates(state: State) -> Iterator[Play]:
    ranks = range(1, len(state.deck.cards) + 1)
    if state.step is TrumpsStage.IDLE:
        yield from () if state.ended else (Deal(),)
    for seat in to_act(state):
        match state.step:
            case TrumpsStage.START:
                yield from (Reveal(seat, rank) for rank in ranks)
            case TrumpsStage.LOT:
                yield Starter(seat)
            case TrumpsStage.PLAY:
                yield from (Lay(seat, (rank,) * size) for size in (1, 2) for rank in ranks)
                yield from (Cover(seat, rank) for rank in ranks)
                yield from (Cover(seat),) if covers_leave(state) else ()
            case TrumpsStage.TAKE:
                yield from (Take(seat, rank) for rank in ranks)
                yield Draw(seat)
                yield Pass(seat)


def judge(state: State, play: Play) -> Verdict:
    if state.ended:
        return Illegal("end.1", evidence("match_over"))
    if isinstance(play, Deal):
        if state.step is not TrumpsStage.IDLE:
            return Illegal("deal.2", evidence("deal_running"))
        return Legal("setup.2", evidence("dealt", cards=HAND, aside=ASIDE[len(state.table.seats)]))
    if state.step is not STEPS[type(play)]:
        if state.step is TrumpsStage.IDLE:
            return Illegal("deal.1", evidence("no_deal"))
        return Illegal("order.1", evidence(f"step_{state.step.value}", due=to_act(state)))
    if isinstance(play, Starter):
        if play.named not in state.due:
            return Illegal("start.3", evidence("not_tied", seat=play.named, tied=state.due))
        return Legal("start.3", evidence("lot_drawn", seat=play.named))
    if play.seat not in to_act(state):
        return _out_of_turn(state, play.seat)
    if isinstance(play, Lay):
        return _judge_lay(state, play)
    if isinstance(play, (Take, Draw, Pass)):
        return _judge_taking(state, play)
    if isinstance(play, Cover):
        return _judge_cover(state, play)
    wrong = _not_held(state, play.seat, (play.rank,))
    return wrong or Legal("start.1", evidence("revealed", rank=play.rank))


def _judge_lay(state: State, play: Lay) -> Verdict:
    rank = play.ranks[0]
    if len(play.ranks) > 2 or rank != play.ranks[-1]:
        return Illegal("play.1", evidence("neither_single_nor_pair", ranks=play.ranks))
    for taken in laid_open(state):
        if rank in taken.ranks:
            # checked before the copies are counted: everybody can see this reason on the table
            fact = Evidence("number_used", {"rank": rank, "seat": taken.seat}, taken.at)
            return Illegal("play.2", (fact,))
    return _not_held(state, play.seat, play.ranks) or _number_free(rank)


@cache
def _number_free(rank: int) -> Legal:
    """The verdict on ``rank``, which is in the deck and not forbidden; cached."""
    return Legal("play.2", evidence("number_free", rank=rank))


def _judge_cover(state: State, play: Cover) -> Verdict:
    seat, rank, only = play.seat, play.rank, forbidden(state)
    if not only:
        return Illegal("cover.3", evidence("nothing_forbidden"))
    if rank is None and not covers_leave(state):
        return Illegal("cover.2", evidence("covered_not_entered"))
    wrong = _not_held(state, seat, () if rank is None else (rank,)) or _misshown(state, play)
    if wrong:
        return wrong
    used = tuple(
        Evidence("number_used", {"rank": r, "seat": laid.seat}, laid.at)
        for laid in laid_open(state)
        for r in laid.ranks[:1]
    )
    free = sorted({*play.shows, *((rank,) if rank else ())} - only)
    if free:
        return Illegal("cover.1", (*used, *evidence("could_lay", ranks=tuple(free))))
    if play.shows:
        return Legal("cover.1", (*used, *evidence("hand_shown", seat=seat, ranks=play.shows)))
    truth = state.hands.truth(seat, only, () if rank is None else (rank,))
    if truth is Truth.CERTAIN and covers_leave(state):
        truth = state.hands.truth(seat, only)  # the number of the covered card is not seen
    if truth is Truth.OPEN:
        lacking = tuple(card for card in state.deck.cards if card not in only)
        return Unprovable("cover.1", Lacks(seat, lacking), used)
    held = state.hands.known(seat)
    if truth is Truth.IMPOSSIBLE:
        return Illegal("cover.1", (*used, *counted_out(state, seat, only)))
    if held is not None:
        return Legal("cover.1", (*used, *evidence("hand_shown", seat=seat, ranks=held)))
    why = "last_card" if state.hands.size(seat) == 1 else "none_unseen"
    return Legal("cover.1", (*used, *evidence(why, seat=seat)))


def _misshown(state: State, play: Cover) -> Illegal | None:
    """What is wrong with the shown hand, apart from cards that could be played."""
    if not play.shows:
        return None
    seat, held = play.seat, state.hands.size(play.seat)
    if len(play.shows) != held:
        wrong = evidence("shown_size", seat=seat, shown=len(play.shows), held=held)
        return Illegal("hand.3", wrong)
    if play.rank is not None and play.rank not in play.shows:
        return Illegal("hand.3", evidence("not_in_shown_hand", seat=seat, rank=play.rank))
    wrong_cards = _not_held(state, seat, play.shows)
    if wrong_cards or state.hands.allows(Shown(seat, play.shows, state.at)):
        return wrong_cards
    return Illegal("hand.3", known_hand(state, seat))


def _judge_taking(state: State, play: Take | Draw | Pass) -> Verdict:
    place, stock = place_of(state, play.seat), state.stock
    if isinstance(play, Take):
        return _judge_take(state, play.rank, place)
    clause = CLAUSES[place]
    match play:
        case Draw() if place == 3 and not stock:
            return Illegal(clause, evidence("stock_empty"))
        case Draw() if place == 3 or not state.tableau:
            return Legal(clause, evidence("draws_instead"))
        case Pass() if place == 3 and state.table.option("last_may_pass") == "on" and not stock:
            return Legal(clause, evidence("may_pass"))
    if place == 3 and state.tableau and stock:
        return Illegal(clause, evidence("take_or_draw"))
    return Illegal(clause, evidence("must_take" if state.tableau else "must_draw"))


def _judge_take(state: State, rank: int, place: int) -> Verdict:
    copies = state.tableau.get(rank, 0)
    if copies:
        return _takes(rank, copies, place)
    if any(rank in laid.ranks for laid in state.played):
        return Illegal("back.1", evidence("joins_later", rank=rank))
    return Illegal(CLAUSES[place], evidence("not_on_table", rank=rank))


@cache
def _takes(rank: int, copies: int, place: int) -> Legal:
    """The verdict on taking ``rank``, of which ``copies`` are on the table; cached."""
    if place == 3:
        return Legal(CLAUSES[place], evidence("takes_one", rank=rank, copies=copies))
    return Legal(CLAUSES[place], evidence("takes_all", rank=rank, copies=copies, place=place))


def _out_of_turn(state: State, seat: Seat) -> Illegal:
    for laid in state.played:
        if laid.seat == seat and state.step is not TrumpsStage.TAKE:
            return Illegal("turn.1", evidence("laid_already", laid.at, seat=seat))
    return Illegal("turn.1", evidence("not_turn", seat=seat, due=to_act(state)))


def _not_held(state: State, seat: Seat, ranks: tuple[int, ...]) -> Illegal | None:
    """Why ``seat`` can't hold these cards; None if it can."""
    for rank in ranks:
        if rank not in state.deck.place:
            top = state.deck.cards[-1]
            return Illegal("deck.1", evidence("not_in_deck", rank=rank, top=top))
    hands = state.hands
    if hands.can_lay(seat, ranks):
        return None
    if hands.size(seat) < len(ranks):
        held = hands.size(seat)
        return Illegal("play.3", evidence("too_many_cards", seat=seat, held=held, cards=len(ranks)))
    held_open = hands.known(seat)
    for rank, count in Counter(ranks).items():
        if held_open is not None and count > held_open.count(rank):
            facts = evidence("not_in_shown_hand", seat=seat, rank=rank)
            return Illegal("hand.3", (*facts, *known_hand(state, seat)))
        one = state.deck.one[rank]
        sure = max(copies_in(world.hands[seat].known, one) for world in hands.worlds)
        if count > sure + hands.unseen((rank,)):
            return Illegal("deck.2", copies_short(state, rank, count))
    return Illegal("hand.3", known_hand(state, seat))
