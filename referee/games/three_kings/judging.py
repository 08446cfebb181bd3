"""Legality of plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, combinations_with_replacement

from referee.core.draws import Draws
from referee.core.hands import Truth
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
from referee.games.three_kings.cards import (
    KING,
    KINGS_ONLY,
    KINGS_TO_END,
    NUMBERS,
    TABLEAU,
    is_set,
    without,
)
from referee.games.three_kings.evidence import copies_gone, counted_out, sum_of, where_seen
from referee.games.three_kings.plays import (
    Capture,
    Deal,
    Declare,
    Discard,
    King,
    Pass,
    Play,
    Refill,
)
from referee.games.three_kings.state import (
    State,
    compulsory_takers,
    drawn_in_turn,
    having_drawn,
    kings_seen,
    may_leave_kings,
    may_redeal,
    most_kings,
)

NO_SET_POSSIBLE = Legal("discard.1", evidence("no_set_possible"))


def candidates(state: State) -> Iterator[Play]:
    kinds, seats = (*NUMBERS, KING), state.table.seats
    if state.turn is not None and state.due:
        for cards in combinations_with_replacement(kinds, state.due):
            yield Refill(cards)
            if may_leave_kings(state.table):
                yield from (Refill(cards, n + 1) for n in range(cards.count(KING)))
    elif state.turn is not None:
        pairs = sorted(set(combinations(state.tableau, 2)))
        sets = ((rank, pair) for rank in NUMBERS for pair in pairs if is_set((rank, *pair)))
        yield from (Capture(state.turn, rank, pair) for rank, pair in sets)
        yield from (Discard(state.turn, rank) for rank in kinds)
        yield King(state.turn)
        yield Pass(state.turn)
    elif not state.ended:
        for tableau in combinations_with_replacement(kinds, TABLEAU):
            yield from (Deal(seat, tableau) for seat in seats)
    if state.turn is not None:
        yield from (Declare(seat) for seat in seats)


def judge(state: State, play: Play) -> Verdict:
    if isinstance(play, Declare):
        return _judge_declare(state, play)
    if state.ended:
        return Illegal("end.1", evidence("match_over"))
    if isinstance(play, Deal):
        return _judge_deal(state, play)
    if state.turn is None:
        return Illegal("deal.1", evidence("no_deal"))
    if isinstance(play, Refill):
        return _judge_refill(state, play)
    if state.due:
        return Illegal("refill.1", evidence("refill_due", seat=state.turn, cards=state.due))
    if play.seat != state.turn:
        return Illegal("turn.1", evidence("not_turn", seat=play.seat, due=(state.turn,)))
    if isinstance(play, Capture):
        return _judge_capture(state, play)
    if isinstance(play, Discard):
        return _judge_discard(state, play)
    if isinstance(play, King):
        return judge_king(state, play.seat, having_drawn(state, play.seat))
    return _judge_pass(play.seat, having_drawn(state, play.seat))


def _judge_deal(state: State, play: Deal) -> Verdict:
    if state.turn is not None and not may_redeal(state):
        return Illegal("deal.2", evidence("deal_running"))
    if len(play.tableau) != TABLEAU:
        wrong = evidence("tableau_size", entered=len(play.tableau), size=TABLEAU)
        return Illegal("setup.3", wrong)
    if KING in play.tableau and state.table.option("initial_table_kings") == "replace":
        return Illegal("setup.4", evidence("kings_replaced"))
    first = state.table.from_left_of(play.dealer)[0]
    return Legal("turn.2", evidence("dealt", dealer=play.dealer, first=first))


def _judge_capture(state: State, play: Capture) -> Verdict:
    cards = (play.rank, *play.pair)
    if KING in cards:
        return Illegal("king.1", evidence("king_in_set"))
    if not is_set(cards):
        return Illegal("set.1", evidence("adds_not_up", ranks=cards))
    pair, tableau = play.pair, state.tableau
    missing = without(pair, tableau)
    if missing:
        ranks = tuple(dict.fromkeys(missing))
        return Illegal("set.1", evidence("not_on_table", ranks=ranks))
    return _not_in_hand(state, play.seat, play.rank) or _makes_set(cards)


@lru_cache(maxsize=4096)
def _makes_set(cards: tuple[str, ...]) -> Legal:
    """The verdict on a set: two of ``cards`` add up to the third."""
    return Legal("set.1", (sum_of(cards),))


def _judge_discard(state: State, play: Discard) -> Verdict:
    seat, rank = play.seat, play.rank
    if rank == KING:
        return Illegal("king.1", evidence("king_discarded"))
    takers = compulsory_takers(state)
    if not takers.ranks or rank in takers.pairs:
        impossible = _not_in_hand(state, seat, rank)
        if impossible:
            return impossible
        if rank in takers.pairs:
            return Illegal("discard.1", (sum_of((rank, *takers.pairs[rank]), "makes_set"),))
        if state.table.option("set_compulsory") == "off":
            return Legal("discard.2", evidence("discarded", rank=rank))
        return NO_SET_POSSIBLE
    match state.hands.truth(seat, takers.others, (rank,), drawn_in_turn(state)):
        case Truth.OPEN:
            return _if_lacking(seat, takers.ranks)
        case Truth.IMPOSSIBLE:
            counting = counted_out(having_drawn(state, seat), seat, takers.ranks)
            return _not_in_hand(state, seat, rank) or Illegal("discard.1", counting)
        case _ if state.hands.unseen(takers.ranks):
            return Legal("discard.1", evidence("one_number", seat=seat))
        case _:
            return Legal("discard.1", evidence("takers_seen", ranks=takers.ranks))


@lru_cache(maxsize=4096)
def _if_lacking(seat: Seat, ranks: tuple[str, ...]) -> Unprovable:
    return Unprovable("discard.1", Lacks(seat, ranks))


def judge_king(state: State, seat: Seat, hands: Draws) -> Verdict:
    """The verdict on taking a king; ``hands``: after the draw of ``seat``."""
    if KING not in state.tableau:
        return Illegal("king.2", evidence("no_king_on_table"))
    if not hands.can_lay(seat, (KING,)):
        if hands.size(seat) == 0:
            return Illegal("king.2", evidence("hand_empty", seat=seat))
        return Illegal("deck.2", copies_gone(hands, KING))
    return Legal("king.2", evidence("king_taken", seat=seat))


def _judge_pass(seat: Seat, hands: Draws) -> Verdict:
    match hands.truth(seat, KINGS_ONLY):
        case Truth.OPEN:
            return Unprovable("pass.1", Lacks(seat, NUMBERS))
        case Truth.IMPOSSIBLE:
            return Illegal("pass.1", counted_out(hands, seat, NUMBERS))
    if hands.size(seat) == 0:
        return Legal("pass.1", evidence("hand_empty", seat=seat))
    if hands.unseen(NUMBERS) == 0:
        return Legal("pass.1", evidence("numbers_seen"))
    return Legal("pass.1", evidence("kings_only", seat=seat, held=hands.size(seat)))


def _judge_refill(state: State, play: Refill) -> Verdict:
    if not state.due:
        return Illegal("refill.1", evidence("no_refill_due"))
    count, kings, left = len(play.ranks), play.kings, play.left or 0
    if left and not may_leave_kings(state.table):
        return Illegal("refill.2", evidence("kings_compulsory", kings=left))
    if left > kings:
        return Illegal("refill.2", evidence("too_many_left", kings=kings, left=left))
    if count != state.due and not _may_be_longer(state, count, play.taken):
        wrong = evidence("refill_size", entered=count, due=state.due, stock=state.stock)
        return Illegal("refill.1", wrong)
    fault = turned_fault(state, play.ranks)
    if fault:
        return fault
    if left:
        fact = "kings_left" if play.taken else "kings_all_left"
        facts = evidence(fact, seat=state.turn, kings=play.taken, left=left)
        return Legal("refill.2", facts)
    if kings:
        return Legal("refill.2", evidence("kings_turned", seat=state.turn, kings=kings))
    return Legal("refill.1", evidence("refilled", cards=count))


def turned_fault(state: State, ranks: tuple[str, ...]) -> Illegal | None:
    """Why ``ranks``, perhaps among others, can't be turned up now; None if they can."""
    if state.hands.can_turn_up(ranks):
        return None
    for rank, count in Counter(ranks).items():
        if count > state.hands.unseen((rank,)):
            return Illegal("deck.2", copies_gone(state.hands, rank))
    return None


def _may_be_longer(state: State, count: int, kings: int) -> bool:
    """Whether ``kings`` taken explain why more cards than due were turned up (ruling K17)."""
    replaced = state.table.option("replace_refill_kings") == "on"
    return replaced and state.due < count <= min(state.due + kings, state.stock)


def _judge_declare(state: State, play: Declare) -> Verdict:
    seat, n = play.seat, play.kings
    if state.turn is None and seat not in state.late:
        if state.ended:
            return Illegal("end.1", evidence("match_over"))
        return Illegal("deal.1", evidence("no_deal"))
    if state.turn is not None and state.table.option("end") == "all_cards":
        return Illegal("variant.1", evidence("declared_in_variant"))
    if n < KINGS_TO_END:
        return Illegal("declare.1", evidence("too_few_kings", kings=n))
    hands = having_drawn(state, seat) if seat == state.turn and not state.due else state.hands
    most = most_kings(hands, seat)
    if n > most:
        elsewhere = state.deck.copies[-1] - hands.unseen(KINGS_ONLY) - kings_seen(hands, seat)
        held = hands.size(seat)
        values = {"seat": seat, "held": held, "elsewhere": elsewhere, "most": most}
        values["kings"] = state.deck.copies[-1]
        counted = Evidence("kings_counted" if elsewhere else "kings_in_all", values)
        return Illegal("declare.1", (counted, *where_seen(hands, KINGS_ONLY)))
    return Legal("declare.1", evidence("kings_shown", seat=seat, kings=n))


def _not_in_hand(state: State, seat: Seat, rank: str) -> Illegal | None:
    """Why ``seat`` can't hold the number ``rank`` after its draw; None if it can."""
    if state.hands.can_lay(seat, (rank,), drawn_in_turn(state)):
        return None
    hands = having_drawn(state, seat)
    if not hands.unseen((rank,)):
        return Illegal("deck.2", copies_gone(hands, rank))
    if hands.size(seat) == 0:
        return Illegal("pass.1", evidence("hand_empty", seat=seat))
    return Illegal("king.1", evidence("kings_only", seat=seat, held=hands.size(seat)))
